//! What several resources share: ids in paths, names of people, and how times, amounts and currencies are shown.

use std::str::FromStr;

use serde_json::json;
use wayfare_domain::{BookingRef, Remarks, as_written, is_email, is_name, with_plain_marks};
use wayfare_operations::Error;

pub use wayfare_search_response::{amount, code, local};

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
