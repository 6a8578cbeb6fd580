//! Reads JSON in which much is said again and again: an object that stood in the answer before, letter by letter, is not
//! read again, only its members that are wanted.
//!
//! Offers name the same airports, airlines and bags a thousand times. The text of an object ends where it ends wherever
//! it stands, so that a comparison with what was read before is enough to know it, and costs a fraction of reading it.
//!
//! What is read is what `serde_json` reads, and equal to it. What is broken, and what only `serde_json` can read, such as
//! numbers that are no counts, is given up: whoever asks reads it with `serde_json` then, which has the words for what is
//! wrong.

mod comparison;
mod deserializer;
mod remembered;
mod scanner;

use std::{fmt, str};

use serde::de::{self, Deserialize};

pub use comparison::{Comparison, compare};
pub(crate) use deserializer::RAW;
use deserializer::Reader;

/// The whole body as this type; none where it is not, or where `serde_json` should read it.
pub(crate) fn parse<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Option<T> {
    let mut reader = Reader::new(str::from_utf8(body).ok()?);
    let content = T::deserialize(&mut reader).ok()?;
    reader.is_at_end().then_some(content)
}

/// That it can't be read here. It has no words: nobody reads them.
#[derive(Debug)]
struct GivenUp;

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("given up")
    }
}

impl std::error::Error for GivenUp {}

impl de::Error for GivenUp {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Read<T> = Result<T, GivenUp>;

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
