//! An order out of the form of a quote: who travels, with what, and how they are reached.

use wayfare_client::{
    Amount,
    enums::{AncillaryType, Gender, PassengerType, Title},
    flights::{AgreedPrice, ChosenAncillary, Contact, FlightOrder, FlightPrice, Gst, Passenger},
};

use super::{papers::papers, trip::Trip};
use crate::form::{Fields, Wrongs};

/// Somebody who is to travel, as the form names them.
#[derive(Clone, Debug)]
pub struct Seat {
    /// From 0.
    pub number: usize,
    pub kind: PassengerType,
    /// Of an infant: the adult who holds it, from 1.
    pub held_by: Option<u32>,
}

impl Seat {
    /// A field's name on the form, which is that of the API.
    pub fn field(&self, name: &str) -> String {
        format!("passengers[{}].{name}", self.number)
    }

    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            PassengerType::Adult => "adult",
            PassengerType::Child => "child, 2 to 11 years",
            PassengerType::Infant => "infant, under 2 years",
            _ => "traveller",
        }
    }
}

/// Who travels by a price: adults first, then children, then infants with an adult each.
pub fn seats(price: &FlightPrice) -> Vec<Seat> {
    let count = |kind: &PassengerType| {
        let of_kind = price.passenger_breakdown.iter().filter(|share| share.pax_type == *kind);
        // Two halves tell of the same people twice.
        of_kind.map(|share| share.count).max().unwrap_or(0)
    };
    let kinds = [PassengerType::Adult, PassengerType::Child, PassengerType::Infant];
    seats_of(kinds.map(|kind| {
        let number = count(&kind);
        (kind, number)
    }))
}

fn seats_of(kinds: [(PassengerType, u32); 3]) -> Vec<Seat> {
    let all =
        kinds.into_iter().flat_map(|(kind, number)| (0..number).map(move |place| (kind.clone(), place)));
    let seat = |(number, (kind, place)): (usize, (PassengerType, u32))| Seat {
        number,
        held_by: (kind == PassengerType::Infant).then_some(place + 1),
        kind,
    };
    all.enumerate().map(seat).collect()
}

/// Whether something is wanted of this traveller, and must be given.
pub fn wanted(price: &FlightPrice, what: &str, seat: &Seat) -> Option<bool> {
    let group = match seat.kind {
        PassengerType::Adult => "each_adult",
        PassengerType::Child => "each_child",
        _ => "each_infant",
    };
    let of_them = price.requires.iter().filter(|one| one.what.as_str() == what);
    let of_them = of_them.filter(|one| ["each_traveller", group].contains(&one.whom.as_str()));
    of_them.map(|one| one.mandatory == Some(true)).max()
}

/// What was agreed on before the form is sent.
pub struct Agreed {
    booking_keys: Vec<String>,
    agent_fare: Amount,
    seats: Vec<Seat>,
}

const BOOKING_KEY: &str = "booking_key";
const AGENT_FARE: &str = "agreed_fare";
pub const AGREED: [&str; 2] = [BOOKING_KEY, AGENT_FARE];

impl Agreed {
    pub fn of(price: &FlightPrice) -> Self {
        Self {
            booking_keys: price.booking_keys.clone(),
            agent_fare: price.price_summary.agent_details.agent_fare,
            seats: seats(price),
        }
    }

    /// As a form of the check carries it.
    pub fn read(fields: &Fields, trip: &Trip) -> Option<Self> {
        let booking_keys: Vec<String> = fields.all(BOOKING_KEY).map(str::to_owned).collect();
        let kinds = [
            (PassengerType::Adult, trip.adults),
            (PassengerType::Child, trip.children),
            (PassengerType::Infant, trip.infants),
        ];
        let agent_fare = fields.get(AGENT_FARE).parse().ok().map(Amount)?;
        (!booking_keys.is_empty()).then(|| Self {
            booking_keys,
            agent_fare,
            seats: seats_of(kinds.map(|(kind, count)| (kind, count.into()))),
        })
    }

    /// The fields of a form that carry it.
    pub fn fields(&self) -> Vec<(String, String)> {
        let keys = self.booking_keys.iter();
        let keys = keys.map(|key| (BOOKING_KEY.to_owned(), key.clone()));
        keys.chain([(AGENT_FARE.to_owned(), self.agent_fare.to_string())]).collect()
    }
}

/// The order, or what is missing on the form.
pub fn order(agreed: &Agreed, price: Option<&FlightPrice>, fields: &Fields) -> Result<FlightOrder, Wrongs> {
    let mut wrongs = Wrongs::default();
    let mut passengers = Vec::new();
    for seat in &agreed.seats {
        passengers.push(passenger(price, fields, seat, &mut wrongs));
    }
    let contact = Contact {
        email: fields.get("contact_email").to_owned(),
        phone: fields.get("contact_phone").chars().filter(|letter| !letter.is_whitespace()).collect(),
        country_code: fields.get("contact_country_code").trim_start_matches('+').to_owned(),
    };
    // A number may have its own.
    let has_code = contact.phone.starts_with('+') || contact.phone.starts_with("00");
    for (name, is_missing) in [
        ("contact_email", contact.email.is_empty()),
        ("contact_phone", contact.phone.is_empty()),
        ("contact_country_code", contact.country_code.is_empty() && !has_code),
    ] {
        if is_missing {
            wrongs.add(name, "Is needed: airlines reach travellers by it");
        }
    }
    if !wrongs.is_empty() {
        return Err(wrongs);
    }
    let is_held = fields.get("hold") == "yes";
    Ok(FlightOrder {
        booking_keys: agreed.booking_keys.clone(),
        offer_ids: Vec::new(),
        contact,
        passengers,
        gst: gst(fields),
        agreed_price: Some(AgreedPrice::default().agent_fare(agreed.agent_fare)),
        issue_ticket_password: fields.given("issue_ticket_password").map(Into::into),
        hold: is_held,
        auto_ticket: is_held && fields.is_ticked("auto_ticket"),
        allow_duplicate: fields.is_ticked("allow_duplicate"),
    })
}

fn gst(fields: &Fields) -> Option<Gst> {
    let text = |name: &str| fields.get(name).to_owned();
    let gst = Gst {
        number: text("gst.number"),
        company_name: text("gst.company_name"),
        address: text("gst.address"),
        email: text("gst.email"),
        phone: text("gst.phone"),
    };
    let all = [&gst.number, &gst.company_name, &gst.address, &gst.email, &gst.phone];
    all.iter().any(|text| !text.is_empty()).then_some(gst)
}

fn passenger(price: Option<&FlightPrice>, fields: &Fields, seat: &Seat, wrongs: &mut Wrongs) -> Passenger {
    let text = |name: &str| fields.get(&seat.field(name)).to_owned();
    let mut needed = |name: &str, text: &str| {
        let value = fields.get(&seat.field(name));
        if value.is_empty() {
            wrongs.add(&seat.field(name), text);
        }
        value.to_owned()
    };
    let title = needed("title", "Choose one");
    let first = needed("first_name", "Is needed, as in the passport");
    let gender = match title.as_str() {
        "Mr" | "Mstr" => "M".to_owned(),
        "Mrs" | "Ms" | "Miss" => "F".to_owned(),
        _ => needed("gender", "Choose one: the title does not tell it"),
    };
    let is_wanted = price.and_then(|price| wanted(price, "date_of_birth", seat));
    let needs_birth = seat.kind != PassengerType::Adult || is_wanted == Some(true);
    let born = match needs_birth {
        true => needed("dob", "Is needed"),
        false => text("dob"),
    };
    let number = u32::try_from(seat.number).unwrap_or_default() + 1;
    let mut passenger = Passenger::new(
        number,
        seat.kind.clone(),
        (Title::from(title.as_str()), &first, &text("last_name")),
        Gender::from(gender.as_str()),
        born.parse().unwrap_or_default(),
    );
    passenger.born_on = born.parse().ok();
    passenger.gender = Some(Gender::from(gender.as_str())).filter(|_| !gender.is_empty());
    passenger.held_by = seat.held_by;
    passenger.papers =
        papers(&text, |name| wrongs.add(&seat.field(name), "Is needed with the rest of the passport"));
    let field = seat.field("ancillaries");
    passenger.ancillaries = fields.all(&field).filter_map(chosen).collect();
    passenger
}

/// What was chosen beside the fare: `SEAT|12A|s1`.
fn chosen(text: &str) -> Option<ChosenAncillary> {
    let (kind, rest) = text.split_once('|')?;
    let (code, segment) = rest.rsplit_once('|')?;
    Some(ChosenAncillary {
        kind: AncillaryType::from(kind),
        code: code.to_owned(),
        segment_id: segment.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_found_again() {
        let found = chosen("BAGGAGE|a|b-15kg|s2").unwrap();
        assert_eq!((found.code.as_str(), found.segment_id.as_str()), ("a|b-15kg", "s2"));
        assert_eq!(chosen("SEAT"), None);
    }
}
