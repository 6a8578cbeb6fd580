//! The reader beside `serde_json`, for tests.

use std::fmt::Debug;

use serde::Deserialize;

/// How our reader and `serde_json` read the same body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Comparison {
    /// Both the same.
    Alike,
    /// Only `serde_json` reads it: a struct written as a list.
    GivenUp,
    /// Neither reads it.
    Refused,
    /// Something else was read, or something that `serde_json` refuses: what each says.
    Different(String),
}

/// Reads the body as this type by both. What was read is compared as it is printed.
pub fn compare<'a, T: Deserialize<'a> + Debug>(body: &'a [u8]) -> Comparison {
    let expected = serde_json::from_slice::<T>(body).map(|content| format!("{content:?}"));
    let read = super::parse::<T>(body, true).map(|content| format!("{content:?}"));
    match (read, expected) {
        (Some(read), Ok(expected)) if read == expected => Comparison::Alike,
        (None, Ok(_)) => Comparison::GivenUp,
        (None, Err(_)) => Comparison::Refused,
        (Some(read), expected) => Comparison::Different(format!("{read}\nbut serde_json: {expected:?}")),
    }
}
