//! Words that some answers have in capitals; they are read in any case. For
//! `#[serde(serialize_with = "crate::capitals::serialize")]`.

use serde::Serializer;

use crate::vocabulary::BookingStatus;

pub fn serialize<S: Serializer>(word: &BookingStatus, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&word.as_str().to_ascii_uppercase())
}
