//! What a booking must bring and may ask for, as a review says it.

use chrono::{DateTime, FixedOffset, Utc};
use serde_json::{Value, json};

use super::World;
use super::reviews::Review;
use super::seats;
use crate::json::insert;

/// Whether an airline wants to know whom to call in an emergency.
pub(super) fn needs_emergency_contact(review: &Review) -> bool {
    review.sold().any(|sold| sold.bundle.airline.code == "QP")
}

/// What a review says of papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaperTerms {
    /// Passports are taken, and whether they are demanded; none at home.
    pub(super) passport: Option<bool>,
    pub(super) needs_gst: bool,
    pub(super) takes_gst: bool,
    pub(super) needs_pan: bool,
    pub(super) takes_fare_document: bool,
    pub(super) needs_fare_document: bool,
}

/// By where the journey begins: within a country the tax may be invoiced to a company, across borders passports are
/// demanded, and a few routes differ.
pub(super) fn paper_terms(review: &Review) -> PaperTerms {
    let slice = review.search().and_then(|search| search.slices.first());
    let route = slice.map(|slice| (slice.from.code.as_str(), slice.to.code.as_str()));
    let is_domestic = review.is_domestic();
    let mut terms = PaperTerms {
        passport: (!is_domestic).then_some(true),
        needs_gst: false,
        takes_gst: is_domestic,
        needs_pan: false,
        takes_fare_document: false,
        needs_fare_document: false,
    };
    match route {
        Some(("DEL", "HYD")) => terms.needs_gst = true,
        Some(("BOM", "DXB")) => (terms.needs_pan, terms.takes_gst) = (true, true),
        Some(("DEL", "KTM")) => terms.passport = Some(false),
        Some(("DEL", "COK")) => terms.takes_fare_document = true,
        Some(("BOM", "COK")) => (terms.takes_fare_document, terms.needs_fare_document) = (true, true),
        _ => {}
    }
    terms
}

/// The airlines whose memberships count.
pub(super) fn programmes(review: &Review) -> Vec<&'static str> {
    let mut airlines: Vec<&str> = review.sold().map(|sold| sold.bundle.airline.code).collect();
    airlines.dedup();
    airlines
}

pub(super) fn conditions(world: &World, review: &Review) -> Value {
    let is_domestic = review.is_domestic();
    let papers = paper_terms(review);
    let mut conditions = json!({
        "ffas": programmes(review),
        "isa": !seats::plans(world, review.sold()).is_empty(),
        "dob": { "adobr": !is_domestic, "cdobr": !is_domestic, "idobr": true },
        "iecr": needs_emergency_contact(review),
        "dc": {
            "ida": papers.takes_fare_document,
            "idm": papers.needs_fare_document,
            "iqpe": false,
        },
        "ipa": papers.needs_pan,
        "addOns": { "isbpa": false },
        "iss": false,
        "isBA": review.held_until(world).is_some(),
        "st": review.seconds(),
        "sct": indian_time(review.opened_at),
        "gst": { "gstappl": papers.takes_gst, "igm": papers.needs_gst },
    });
    if let Some(demanded) = papers.passport {
        insert(
            &mut conditions,
            "pcs",
            json!({ "pm": demanded, "pped": demanded }),
        );
    }
    conditions
}

pub(super) fn indian_time(instant: DateTime<Utc>) -> String {
    let minutes_east = 5 * 60 + 30;
    let zone = FixedOffset::east_opt(minutes_east * 60);
    let local = zone.map_or(instant.naive_utc(), |zone| {
        instant.with_timezone(&zone).naive_local()
    });
    local.format("%Y-%m-%dT%H:%M:%S%.3f").to_string()
}
