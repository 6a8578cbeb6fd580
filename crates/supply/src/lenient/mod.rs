//! Answers read part by part: what can't be read costs itself, and no more than it must.
//!
//! Nearly always everything can be read, in one pass straight into the types. Only what can't be is read again, pass by pass: each
//! finds the first part that is in the way, leaves it out and notes it ([`crate::note_loss`]). What is left out is as if the
//! supplier had not said it, so that the type alone says what follows: an optional field is none, and what can't be without it goes
//! with it. [`Parts`] says what must not go so.

mod cuts;
mod tracked;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use crate::reading::{Unreadable, parse_fast, trimmed};
use cuts::Cuts;
use tracked::Attempt;

/// More passes are none that an honest answer needs.
const MOST_PASSES: usize = 400;

/// Which parts of an answer may be left out, by their names in it.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Members that decide about money, a refund, a payment or whether one may travel: none is ever left out alone. What can't be
    /// read of one costs what has it.
    pub vital: &'static [&'static str],
    /// Lists and maps whose entries stand each for itself. Of any other an entry that can't be read costs all of it.
    pub lists: &'static [&'static str],
}

/// The whole body as this type, without what can't be read and may be left out. `at` is what the fields of the body begin with
/// where they are noted: `offers[]` of one of a list that is read one by one.
///
/// # Errors
/// Where it is no JSON, or what can't be read must not be left out, and why.
pub fn parse_leniently<'a, T: Deserialize<'a>>(
    body: &'a [u8],
    at: &str,
    parts: &Parts,
) -> Result<T, Unreadable> {
    let body = trimmed(body);
    if let Ok(content) = parse_fast(body) {
        return Ok(content);
    }
    // Whatever is wrong with a text that is JSON is wrong with what it says: serde_json takes a number of another kind for broken JSON.
    let is_json = serde_json::from_slice::<IgnoredAny>(body).is_ok();
    pass_by_pass(at, parts, is_json, |pass| {
        let mut json = serde_json::Deserializer::from_slice(body);
        let content = pass.read(&mut json)?;
        json.end()?;
        Ok(content)
    })
}

/// The same of what was read as a tree.
///
/// # Errors
/// Where what can't be read must not be left out, and why.
pub fn read_leniently<'a, T: Deserialize<'a>>(
    tree: &'a Value,
    at: &str,
    parts: &Parts,
) -> Result<T, Unreadable> {
    if let Ok(content) = T::deserialize(tree) {
        return Ok(content);
    }
    pass_by_pass(at, parts, true, |pass| pass.read(tree))
}

fn pass_by_pass<T>(
    at: &str,
    parts: &Parts,
    is_json: bool,
    read: impl Fn(&Attempt<'_>) -> serde_json::Result<T>,
) -> Result<T, Unreadable> {
    let mut cuts = Cuts::default();
    let mut reason = None;
    for _ in 0..MOST_PASSES {
        let pass = Attempt::new(&cuts, parts);
        let error = match read(&pass) {
            Ok(content) => {
                let doubled = pass.doubled();
                cuts.note(at, &doubled);
                return Ok(content);
            }
            Err(error) => error,
        };
        let failed = pass.failed();
        reason.get_or_insert_with(|| failed.reason(&error));
        if !is_json || !cuts.leave_out(&failed, &error.to_string(), parts) {
            break;
        }
    }
    // One of a list is left out then, and nobody else says why.
    if !at.is_empty() {
        cuts.note(at, &[]);
    }
    Err(Unreadable::new(reason.unwrap_or_default()))
}

/// What was wrong, in serde's words but for the values, which may be people's: `integer, expected a string`.
fn without_values(reason: &str) -> String {
    let wrong = ["invalid type: ", "invalid value: ", "invalid length "];
    let told = wrong.iter().find_map(|words| reason.strip_prefix(words));
    let Some((found, expected)) = told.and_then(|told| told.rsplit_once(", expected ")) else {
        return String::new();
    };
    let found = found.split(' ').next().unwrap_or_default();
    let expected = expected.split(" at line ").next().unwrap_or_default();
    format!("{found}, expected {expected}")
}

#[cfg(test)]
mod tests;
