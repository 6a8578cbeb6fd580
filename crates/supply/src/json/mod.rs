//! The one reader of suppliers' JSON beneath serde: each wire type is compiled for it, and for no other.
//!
//! It reads what `serde_json` reads, and refuses what `serde_json` refuses, but for a struct written as a list, which nobody sends.
//! It says why in serde's words. Where the text is no JSON at all it has no words, and `serde_json` says what is wrong.
//!
//! It can do two things more. In a long answer it remembers the objects it has read ([`Reader::remembering`]): offers name the
//! same airports, airlines and bags a thousand times, and an object that came before, letter by letter, is only compared, which
//! costs a fraction of reading it. And it can leave parts out ([`Reader::attempting`]), and says where it failed.

mod attempt;
mod comparison;
mod deserializer;
mod left_out;
mod remembered;
mod scanner;

use std::fmt;

use serde::de::{self, Deserialize, Expected, IgnoredAny, Unexpected};

pub(crate) use attempt::Attempt;
pub use comparison::{Comparison, compare};
pub(crate) use deserializer::{RAW, Reader};
use left_out::place;
pub(crate) use left_out::{LeftOut, Step, field};

/// The whole body as this type. With `remembering` for an answer that says much again and again.
pub(crate) fn parse<'de, T: Deserialize<'de>>(body: &'de [u8], remembering: bool) -> Option<T> {
    let reader = Reader::new(body);
    let mut reader = if remembering { reader.remembering() } else { reader };
    reader.read().ok()
}

/// The same, by one more pass, of a body that can't be read: why, with the place where it has one.
pub(crate) fn parse_placed<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, String> {
    let left_out = LeftOut::default();
    let mut reader = Reader::new(body).attempting(Attempt::new(&left_out, &[]));
    let read = reader.read();
    read.map_err(|wrong| {
        let (steps, _) = reader.outcome();
        wrong.reason(&steps, syntax_error(body).as_deref())
    })
}

/// Why it is no JSON.
pub(crate) fn syntax_error(body: &[u8]) -> Option<String> {
    serde_json::from_slice::<IgnoredAny>(body).err().map(|error| error.to_string())
}

/// That the text is no JSON.
#[derive(Debug)]
struct Broken;

/// That it can't be read.
#[derive(Debug)]
pub(crate) struct Wrong(Option<Box<Words>>);

/// In a box, so that a result is no larger for them.
#[derive(Debug)]
struct Words(String);

impl Wrong {
    /// Why, in serde's words; none where it is no JSON.
    pub(crate) fn words(&self) -> Option<&str> {
        self.0.as_ref().map(|words| words.0.as_str())
    }

    /// The same with its place; `syntax_error` where there are no words.
    pub(crate) fn reason(&self, steps: &[Step], syntax_error: Option<&str>) -> String {
        let words = self.words().or(syntax_error).unwrap_or("not what was expected");
        match steps {
            [] => words.to_owned(),
            steps => format!("{}: {words}", place(steps)),
        }
    }
}

impl From<Broken> for Wrong {
    fn from(Broken: Broken) -> Self {
        Self(None)
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().unwrap_or("not JSON"))
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(words: T) -> Self {
        Self(Some(Box::new(Words(words.to_string()))))
    }

    fn invalid_type(is: Unexpected<'_>, ought: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {ought}", in_json(is)))
    }

    fn invalid_value(is: Unexpected<'_>, ought: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {ought}", in_json(is)))
    }
}

/// What serde calls a unit value is null here.
fn in_json(is: Unexpected<'_>) -> Unexpected<'_> {
    match is {
        Unexpected::Unit => Unexpected::Other("null"),
        is => is,
    }
}

type Read<T> = Result<T, Wrong>;

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
