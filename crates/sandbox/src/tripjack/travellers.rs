//! Who flies: what a booking must say of each traveller, and how it is refused.

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate};
use serde::{Deserialize, Serialize};

use super::errors::ApiError;
use super::papers::{PaperTerms, paper_terms, programmes};
use super::reviews::Review;
use super::wire::kind_name;
use crate::itinerary::PassengerType;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Person {
    #[serde(rename = "ti")]
    pub(super) title: String,
    #[serde(rename = "pt")]
    pub(super) kind: String,
    #[serde(rename = "fN")]
    pub(super) first_name: String,
    #[serde(rename = "lN")]
    pub(super) last_name: String,
    #[serde(rename = "dob", skip_serializing_if = "Option::is_none")]
    born_on: Option<NaiveDate>,
    #[serde(rename = "pNum", skip_serializing_if = "Option::is_none")]
    passport_number: Option<String>,
    #[serde(rename = "eD", skip_serializing_if = "Option::is_none")]
    passport_expires_on: Option<NaiveDate>,
    #[serde(rename = "pNat", skip_serializing_if = "Option::is_none")]
    passport_country: Option<String>,
    #[serde(rename = "pid", skip_serializing_if = "Option::is_none")]
    passport_issued_on: Option<NaiveDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pan: Option<String>,
    #[serde(rename = "di", skip_serializing_if = "Option::is_none")]
    fare_document: Option<String>,
    #[serde(rename = "ff", default, skip_serializing_if = "BTreeMap::is_empty")]
    memberships: BTreeMap<String, String>,
}

impl Person {
    pub(super) fn kind(&self) -> Option<PassengerType> {
        PassengerType::ALL.into_iter().find(|kind| kind_name(*kind) == self.kind)
    }
}

/// Whether these people are those that were reviewed, and enough is said of each.
pub(super) fn check(review: &Review, people: &[Person]) -> Result<(), ApiError> {
    let search = review.search().ok_or_else(ApiError::expired)?;
    let mut kinds = Vec::new();
    for person in people {
        let kind = person.kind();
        let kind = kind.ok_or_else(|| ApiError::refused(400, format!("Invalid pt {}", person.kind)))?;
        kinds.push(kind);
    }
    for kind in PassengerType::ALL {
        let reviewed = kind.number_in(&search.party);
        if kinds.iter().filter(|given| **given == kind).count() != reviewed {
            let message = format!("travellerInfo must have {reviewed} {}", kind_name(kind));
            return Err(ApiError::refused(400, message));
        }
    }
    let terms = paper_terms(review);
    let first_day = search.slices.first().map(|slice| slice.date);
    let last_day = search.slices.last().map(|slice| slice.date);
    let (Some(first_day), Some(last_day)) = (first_day, last_day) else { return Err(ApiError::expired()) };
    for (person, kind) in people.iter().zip(kinds) {
        check_name(person, kind)?;
        check_age(person, kind, first_day, !review.is_domestic())?;
        check_passport(person, terms.passport, last_day)?;
        check_papers(person, kind, terms)?;
        let counts = |airline: &String| programmes(review).contains(&airline.as_str());
        if !person.memberships.keys().all(counts) {
            return Err(ApiError::refused(400, "ff must be of the airlines in ffas"));
        }
    }
    let full_name = |person: &Person| format!("{} {}", person.first_name, person.last_name).to_uppercase();
    let mut names: Vec<String> = people.iter().map(full_name).collect();
    names.sort();
    names.dedup();
    if names.len() < people.len() {
        return Err(ApiError::refused(1010, "Two travellers cannot have the same name"));
    }
    Ok(())
}

fn check_name(person: &Person, kind: PassengerType) -> Result<(), ApiError> {
    let titles: &[&str] = match kind {
        PassengerType::Adult => &["Mr", "Mrs", "Ms"],
        PassengerType::Child | PassengerType::Infant => &["Ms", "Master"],
    };
    if !titles.contains(&person.title.as_str()) {
        let message = format!("Invalid ti {} of {}", person.title, person.kind);
        return Err(ApiError::refused(400, message));
    }
    if !is_name(&person.first_name) {
        let message = "First name is required and must have letters only";
        return Err(ApiError::refused(1007, message));
    }
    if !is_name(&person.last_name) {
        let message = "Last name is required and must have letters and spaces only";
        return Err(ApiError::refused(1008, message));
    }
    Ok(())
}

/// In letters that airlines print, with spaces, hyphens and apostrophes between them.
fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() && letter <= '\u{17f}';
    text.contains(is_letter) && text.chars().all(|c| is_letter(c) || matches!(c, ' ' | '-' | '\''))
}

fn check_age(person: &Person, kind: PassengerType, day: NaiveDate, needs_all: bool) -> Result<(), ApiError> {
    let (missing, wrong, years) = match kind {
        PassengerType::Adult => (1051, 1012, 12..=100),
        PassengerType::Child => (1052, 1013, 2..=11),
        PassengerType::Infant => (1053, 1014, 0..=1),
    };
    let Some(born_on) = person.born_on else {
        if needs_all || kind == PassengerType::Infant {
            let message = format!("Date of birth is required for {}", person.kind);
            return Err(ApiError::refused(missing, message));
        }
        return Ok(());
    };
    let age = day.years_since(born_on);
    if age.is_none_or(|age| !years.contains(&age)) {
        let message = format!("Age of {} is not allowed on the day of travel", person.kind);
        return Err(ApiError::refused(wrong, message));
    }
    Ok(())
}

/// Papers that the review does not take are refused like those that it demands and does not get.
fn check_papers(person: &Person, kind: PassengerType, terms: PaperTerms) -> Result<(), ApiError> {
    let PaperTerms { passport: _, gst: _, needs_pan, fare_document } = terms;
    let is_pan = |pan: &String| pan.len() == 10 && pan.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match &person.pan {
        Some(pan) if !needs_pan || !is_pan(pan) => Err(ApiError::refused(400, "Invalid pan")),
        None if needs_pan && kind == PassengerType::Adult => {
            Err(ApiError::refused(400, "pan is required for ADULT"))
        }
        _ => Ok(()),
    }?;
    match &person.fare_document {
        Some(_) if fare_document.is_none() => Err(ApiError::refused(400, "Invalid di")),
        None if fare_document == Some(true) => Err(ApiError::refused(400, "di is required")),
        _ => Ok(()),
    }
}

fn check_passport(person: &Person, demanded: Option<bool>, last_day: NaiveDate) -> Result<(), ApiError> {
    let has_number = person.passport_number.as_deref().is_some_and(|number| !number.is_empty());
    match (demanded, has_number) {
        (None, true) => return Err(ApiError::refused(400, "Passports are not taken within a country")),
        (None | Some(false), false) => return Ok(()),
        (Some(true), false) => return Err(ApiError::refused(1064, "Passport number is required")),
        (Some(_), true) => {}
    }
    let Some(expires_on) = person.passport_expires_on else {
        return Err(ApiError::refused(1066, "Passport expiry date is required"));
    };
    let needed = last_day.checked_add_months(Months::new(6));
    if needed.is_none_or(|needed| expires_on < needed) {
        let message = "Passport must not expire within 6 months of the date of travel";
        return Err(ApiError::refused(1067, message));
    }
    Ok(())
}
