//! What of an answer a change is about.

use crate::wire_format::Words;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Amounts,
    LocalTimes,
    Instants,
    FlightNumbers,
    Codes,
    Words,
    Texts,
}

impl Place {
    pub fn of(self, words: &Words) -> &[&'static str] {
        match self {
            Self::Amounts => &words.amounts,
            Self::LocalTimes => &words.local_times,
            Self::Instants => &words.instants,
            Self::FlightNumbers => &words.flight_numbers,
            Self::Codes => &words.codes,
            Self::Words => &words.words,
            Self::Texts => &words.texts,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrapping {
    ByteOrderMark,
    Blanks,
}
