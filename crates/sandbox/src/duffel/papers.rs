//! Papers of passengers: which of them an offer takes or demands, and whether an order's fit it.

use chrono::NaiveDate;

use super::errors::{FORMAT, INCLUSION, REQUIRED};
use super::fields::Fields;
use super::offered::Offered;
use crate::itinerary::Slice;

const PASSPORT: &str = "passport";
const KINDS: [&str; 4] = [PASSPORT, "tax_id", "known_traveler_number", "passenger_redress_number"];
/// The airline whose memberships count.
const PROGRAMME: &str = "ZZ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaperTerms {
    pub(super) required: bool,
    /// Types of documents that are taken.
    pub(super) types: &'static [&'static str],
    pub(super) programmes: &'static [&'static str],
}

/// By where the journey begins: one route demands passports, another takes them, a third takes all.
pub(super) fn terms(offered: &Offered) -> PaperTerms {
    let slices = offered.stamped.search.slices.first();
    let route = slices.map(|Slice { from, to, .. }| (from.code.as_str(), to.code.as_str()));
    let (required, types): (bool, &[&str]) = match route {
        Some(("BOM", "LHR")) => (true, &[PASSPORT]),
        Some(("DEL", "DXB")) => (false, &[PASSPORT]),
        Some(("BOM", "JFK")) => (false, &KINDS),
        _ => (false, &[]),
    };
    PaperTerms {
        required,
        types,
        programmes: if offered.bundle.airline.code == PROGRAMME { &[PROGRAMME] } else { &[] },
    }
}

/// Notes what is wrong with a passenger's papers. The order keeps and shows none.
pub(super) fn check(passenger: &Fields<'_>, terms: PaperTerms, last_day: NaiveDate) {
    let mut has_passport = false;
    let documents = passenger.optional_list("identity_documents");
    if terms.types.is_empty() && passenger.has("identity_documents") {
        let message = "can't be given: the offer takes no identity documents";
        passenger.wrong("identity_documents", "invalid_field_sets", message);
    }
    for document in &documents {
        let kind = document.one_of("type", &KINDS);
        has_passport |= kind == Some(PASSPORT);
        if kind.is_some_and(|kind| !terms.types.is_empty() && !terms.types.contains(&kind)) {
            document.wrong("type", INCLUSION, "is not taken for this offer");
        }
        document.text("unique_identifier");
        let country = document.text("issuing_country_code");
        let is_code = |code: &str| code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_uppercase());
        if country.is_some_and(|code| !is_code(code)) {
            let message = "must be an ISO 3166-1 alpha-2 code";
            document.wrong("issuing_country_code", FORMAT, message);
        }
        match kind {
            Some(PASSPORT) if document.date("expires_on").is_some_and(|end| end < last_day) => {
                let message = "must not be before the last departure";
                document.wrong("expires_on", INCLUSION, message);
            }
            Some(kind) if kind != PASSPORT && document.has("expires_on") => {
                let message = "can only be given of a passport";
                document.wrong("expires_on", "invalid_field_sets", message);
            }
            _ => {}
        }
    }
    if terms.required && !has_passport {
        passenger.wrong("identity_documents", REQUIRED, "must have a passport");
    }
    for account in passenger.optional_list("loyalty_programme_accounts") {
        account.text("account_number");
        let airline = account.text("airline_iata_code");
        if airline.is_some_and(|code| !terms.programmes.contains(&code)) {
            let message = "must be one of the offer's supported_loyalty_programmes";
            account.wrong("airline_iata_code", INCLUSION, message);
        }
    }
}
