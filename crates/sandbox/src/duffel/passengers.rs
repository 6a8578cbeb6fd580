//! The people of an order: as many as were searched for, of the ages searched for, each with a name and a contact.

use chrono::NaiveDate;

use super::bookings::Person;
use super::errors::{FORMAT, INCLUSION, LENGTH, REQUIRED, UNIQUE};
use super::fields::Fields;
use super::offered::Offered;
use super::papers::{self, PaperTerms};
use crate::itinerary::{PassengerType, Traveller};

/// The people of a body, in the party's order. What is wrong is noted in the fields.
pub(super) fn people(fields: &Fields<'_>, offered: &Offered, ids: &[String]) -> Option<Vec<Person>> {
    let party = &offered.stamped.search.party;
    let last_day = offered.stamped.search.slices.last()?.date;
    let terms = papers::terms(offered);
    let given = fields.list("passengers");
    let people: Vec<Option<Person>> =
        given.iter().map(|passenger| person(passenger, ids, party, last_day, terms)).collect();
    let people: Vec<Person> = people.into_iter().collect::<Option<_>>()?;
    for (at, one) in people.iter().enumerate() {
        if people.iter().take(at).any(|earlier| earlier.id == one.id) {
            fields.wrong(&format!("passengers/{at}/id"), UNIQUE, "must be unique");
        }
    }
    if people.len() != ids.len() {
        let message = format!("must have the offer's {} passengers", ids.len());
        fields.wrong("passengers", LENGTH, message);
    }
    check_infants(fields, &people, party, ids);
    let in_order = |id: &String| people.iter().find(|one| one.id == *id).cloned();
    ids.iter().map(in_order).collect()
}

fn person(
    passenger: &Fields<'_>,
    ids: &[String],
    party: &[Traveller],
    last_day: NaiveDate,
    terms: PaperTerms,
) -> Option<Person> {
    let id = passenger.text("id");
    let place = id.and_then(|id| ids.iter().position(|each| each == id));
    if id.is_some() && place.is_none() {
        passenger.wrong("id", INCLUSION, "must be the id of a passenger of the offer");
    }
    let title = passenger.one_of("title", &["mr", "ms", "mrs", "miss", "dr"]);
    let gender = passenger.one_of("gender", &["m", "f"]);
    let (given_name, family_name) = (name(passenger, "given_name"), name(passenger, "family_name"));
    let born_on = passenger.date("born_on");
    if let Some((born_on, traveller)) = born_on.zip(place.and_then(|place| party.get(place))) {
        check_age(passenger, born_on, *traveller, last_day);
    }
    let email = passenger.text("email").filter(|email| {
        let valid = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        if !valid {
            passenger.wrong("email", FORMAT, "must be a valid email address");
        }
        valid
    });
    let phone_number = passenger.text("phone_number").filter(|number| {
        let digits = number.strip_prefix('+').unwrap_or_default();
        let valid = (8..=15).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
        if !valid {
            passenger.wrong("phone_number", "invalid_phone_number", "must be in E.164 format");
        }
        valid
    });
    papers::check(passenger, terms, last_day);
    Some(Person {
        id: id?.to_owned(),
        title: title?.to_owned(),
        given_name: given_name?,
        family_name: family_name?,
        gender: gender?.to_owned(),
        born_on: born_on?,
        email: email?.to_owned(),
        phone_number: phone_number?.to_owned(),
        infant_passenger_id: passenger.optional_text("infant_passenger_id").map(str::to_owned),
    })
}

fn name(passenger: &Fields<'_>, field: &str) -> Option<String> {
    let name = passenger.text(field)?;
    // Letters up to Latin Extended-A without ligatures, thorn and eth, as airlines' systems can print.
    let is_letter = |letter: char| {
        letter.is_alphabetic()
            && letter <= '\u{17f}'
            && !"\u{c6}\u{e6}\u{132}\u{133}\u{152}\u{153}\u{de}\u{fe}\u{d0}\u{f0}".contains(letter)
    };
    let printable = |letter: char| matches!(letter, ' ' | '-' | '\'') || is_letter(letter);
    if name.chars().count() > 20 {
        passenger.wrong(field, LENGTH, "can have at most 20 characters");
        return None;
    }
    if !name.chars().all(printable) {
        let message = "can only have letters, spaces, hyphens and apostrophes";
        passenger.wrong(field, FORMAT, message);
        return None;
    }
    Some(name.to_owned())
}

/// The age on the day of the last departure must be the one that was priced.
fn check_age(passenger: &Fields<'_>, born_on: NaiveDate, traveller: Traveller, last_day: NaiveDate) {
    let age = last_day.years_since(born_on);
    let fits = match (traveller.age, traveller.kind) {
        (Some(searched), _) => age == Some(u32::from(searched)),
        (None, PassengerType::Adult) => age.is_some_and(|age| age >= 12),
        (None, PassengerType::Child) => age.is_some_and(|age| (2..18).contains(&age)),
        (None, PassengerType::Infant) => age.is_some_and(|age| age < 2),
    };
    if !fits {
        let message = "does not match the age or type of the passenger in the offer request";
        passenger.wrong("born_on", INCLUSION, message);
    }
}

/// Each infant on one adult's lap, and nobody else on anybody's.
fn check_infants(fields: &Fields<'_>, people: &[Person], party: &[Traveller], ids: &[String]) {
    let kind_of = |id: &str| {
        let place = ids.iter().position(|each| each == id)?;
        party.get(place).map(|traveller| traveller.kind)
    };
    for (at, one) in people.iter().enumerate() {
        let Some(infant) = &one.infant_passenger_id else { continue };
        let twice =
            people.iter().take(at).any(|earlier| earlier.infant_passenger_id.as_ref() == Some(infant));
        let fits =
            kind_of(infant) == Some(PassengerType::Infant) && kind_of(&one.id) == Some(PassengerType::Adult);
        if twice || !fits {
            let message = "must name an infant that no other adult carries";
            fields.wrong(&format!("passengers/{at}/infant_passenger_id"), INCLUSION, message);
        }
    }
    let carried = people.iter().filter(|one| one.infant_passenger_id.is_some()).count();
    if carried < PassengerType::Infant.number_in(party) {
        let message = "Field 'infant_passenger_id' of an adult must name each infant";
        fields.wrong_message("passengers", REQUIRED, message);
    }
}
