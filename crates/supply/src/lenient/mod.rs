//! Answers read part by part: what can't be read costs itself, and no more than it must.
//!
//! Nearly always everything can be read, in one pass straight into the types. Only what can't be is read again, by the same reader,
//! pass by pass: each finds the first part that is in the way, leaves it out and notes it ([`crate::note_loss`]). What is left out
//! is as if the supplier had not said it, so that the type alone says what follows: an optional field is none, and what can't be without it goes
//! with it. [`Parts`] says what must not go so.

mod cuts;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::json::{Attempt, Reader, Wrong, syntax_error};
use crate::reading::{Unreadable, trimmed};
use cuts::Cuts;

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
    let mut content = None;
    pass_by_pass(trimmed(body), at, parts, &mut |reader: &mut Reader<'a, '_>| {
        content = Some(reader.read()?);
        Ok(())
    })?;
    content.ok_or_else(|| Unreadable::new("nothing was read"))
}

/// The same of what was read as a tree.
///
/// # Errors
/// Where what can't be read must not be left out, and why.
pub fn read_leniently<T: DeserializeOwned>(tree: &Value, at: &str, parts: &Parts) -> Result<T, Unreadable> {
    parse_leniently(tree.to_string().as_bytes(), at, parts)
}

/// The same for all types: `read` reads what it is given, and remembers it.
fn pass_by_pass<'a>(
    body: &'a [u8],
    at: &str,
    parts: &Parts,
    read: &mut dyn FnMut(&mut Reader<'a, '_>) -> Result<(), Wrong>,
) -> Result<(), Unreadable> {
    if read(&mut Reader::new(body)).is_ok() {
        return Ok(());
    }
    // Whatever is wrong with a text that is JSON is wrong with what it says.
    let broken = syntax_error(body);
    let mut cuts = Cuts::default();
    let mut reason = None;
    for _ in 0..MOST_PASSES {
        let mut reader = Reader::new(body).attempting(Attempt::new(&cuts.left_out, parts.vital));
        let outcome = read(&mut reader);
        let (steps, doubled) = reader.outcome();
        let Err(wrong) = outcome else {
            cuts.note(at, &doubled);
            return Ok(());
        };
        reason.get_or_insert_with(|| wrong.reason(&steps, broken.as_deref()));
        if broken.is_some() || !cuts.leave_out(&steps, wrong.words().unwrap_or_default(), parts) {
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
    format!("{found}, expected {expected}")
}

#[cfg(test)]
mod tests;
