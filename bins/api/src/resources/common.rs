//! What several resources share: ids in paths, names of people, and how times, amounts and currencies are shown.

use std::{str::FromStr, time::Duration};

use chrono::{NaiveDateTime, Timelike as _};
use serde_json::json;
use wayfare_contract::{Amount, flights::SearchProblem, vocabulary};
use wayfare_domain::{BookingRef, Currency, Money, Remarks, as_written, is_email, is_name, with_plain_marks};
use wayfare_operations::{Error, SupplierReport, SupplierState};

use crate::http::json_body::{JsonObject, like_an_email};

/// The record that the path names; a text that can't be an id names none (P-44).
pub fn record_id<T: FromStr>(text: &str) -> Result<T, Error> {
    text.parse().map_err(|_| Error::NotFound)
}

/// The booking that the path names; a text that can't be a reference names none.
pub fn booking_ref(reference: &str) -> Result<BookingRef, Error> {
    BookingRef::parse(reference).ok_or(Error::NotFound)
}

/// Names as passports have them: letters, and between them spaces, hyphens, apostrophes and full stops, in whatever characters a
/// keyboard has for these (D-574).
pub fn name(body: &mut JsonObject<'_>, field: &str, longest: usize) -> Option<String> {
    let name = as_written(&body.text(field, longest)?);
    if !is_name(&name) {
        body.fault(field, "must be letters, spaces, hyphens and apostrophes");
    } else if name.chars().count() > longest {
        // Some letters are several when they are composed.
        body.fault(field, format!("must have at most {longest} characters"));
    }
    Some(name)
}

/// The second name, as [`name`]: empty of who has one name only.
pub fn family_name(body: &mut JsonObject<'_>, longest: usize) -> Option<String> {
    let family_name = match body.has("last_name") && body.optional_text("last_name")?.is_empty() {
        true => body.required("last_name", Some(String::new())),
        false => name(body, "last_name", longest),
    };
    body.note("last_name", || json!({ "pattern": "^[^\\u0000]*$", "minLength": 0 }));
    family_name
}

/// An e-mail address.
pub fn email(body: &mut JsonObject<'_>, field: &str) -> Option<String> {
    let email = body.text(field, 254);
    body.note(field, like_an_email);
    if email.as_deref().is_some_and(|email| !is_email(email)) {
        body.fault(field, "must be an e-mail address");
    }
    email
}

/// Characters of a telephone number, with all that parts its digits.
const LONGEST_TELEPHONE: usize = 40;

/// A telephone number as it was typed. [`wayfare_reference::Telephone`] reads it.
pub fn telephone_text(body: &mut JsonObject<'_>, field: &str) -> Option<String> {
    body.text(field, LONGEST_TELEPHONE)
}

/// The longest text of what somebody says beside what they want.
pub const LONGEST_REMARKS: usize = 500;

/// What somebody says beside what they want.
pub fn remarks(body: &mut JsonObject<'_>) -> Option<Remarks> {
    let text = body.free_text("remarks", LONGEST_REMARKS)?;
    // They may name somebody.
    Some(Remarks::new(with_plain_marks(&text)))
}

/// An amount as answers have it; its currency stands beside it.
pub fn amount(money: Money) -> Amount {
    Amount(money.amount())
}

/// A currency as answers have it.
pub fn code(currency: Currency) -> String {
    currency.code().to_owned()
}

/// A local time without zone and without a fraction of a second (P-66).
pub fn local(time: NaiveDateTime) -> NaiveDateTime {
    // A second that was put in counts as part of the one before it.
    let second = time.nanosecond() / 1_000_000_000 * 1_000_000_000;
    time.with_nanosecond(second).unwrap_or(time)
}

/// What became of asking a supplier.
pub fn state(state: SupplierState) -> vocabulary::SupplierState {
    match state {
        SupplierState::Success => vocabulary::SupplierState::Success,
        SupplierState::Error => vocabulary::SupplierState::Error,
        SupplierState::Skipped => vocabulary::SupplierState::Skipped,
    }
}

/// How long it took, as answers have it.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What went wrong at the suppliers, line by line; alike for flights and hotels.
pub fn problems<'a>(reports: impl IntoIterator<Item = &'a SupplierReport>) -> Vec<SearchProblem> {
    let lines = |report: &'a SupplierReport| {
        let texts = report.errors.iter();
        texts.map(|text| SearchProblem { provider: report.code.clone(), text: text.clone() })
    };
    reports.into_iter().flat_map(lines).collect()
}
