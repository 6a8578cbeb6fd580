//! What a booking must bring and may ask for, as a review says it.

use chrono::{DateTime, FixedOffset, Utc};
use serde_json::{Value, json};

use super::World;
use super::papers::{PaperTerms, paper_terms, programmes};
use super::reviews::Review;
use super::seats;
use crate::json::insert;

/// Whether an airline wants to know whom to call in an emergency.
pub(super) fn needs_emergency_contact(review: &Review) -> bool {
    review.sold().any(|sold| sold.bundle.airline.code == "QP")
}

pub(super) fn conditions(world: &World, review: &Review) -> Value {
    let is_domestic = review.is_domestic();
    let PaperTerms { passport, gst, needs_pan, fare_document } = paper_terms(review);
    let mut conditions = json!({
        "ffas": programmes(review),
        "isa": !seats::plans(world, review.sold()).is_empty(),
        "dob": { "adobr": !is_domestic, "cdobr": !is_domestic, "idobr": true },
        "iecr": needs_emergency_contact(review),
        "dc": {
            "ida": fare_document.is_some(),
            "idm": fare_document == Some(true),
            "iqpe": false,
        },
        "ipa": needs_pan,
        "addOns": { "isbpa": false },
        "iss": false,
        "isBA": review.held_until(world).is_some(),
        "st": review.seconds(),
        "sct": indian_time(review.opened_at),
        "gst": { "gstappl": gst.is_some(), "igm": gst == Some(true) },
    });
    if let Some(demanded) = passport {
        insert(&mut conditions, "pcs", json!({ "pm": demanded, "pped": demanded }));
    }
    conditions
}

pub(super) fn indian_time(instant: DateTime<Utc>) -> String {
    let minutes_east = 5 * 60 + 30;
    let zone = FixedOffset::east_opt(minutes_east * 60);
    let local = zone.map_or(instant.naive_utc(), |zone| instant.with_timezone(&zone).naive_local());
    local.format("%Y-%m-%dT%H:%M:%S%.3f").to_string()
}
