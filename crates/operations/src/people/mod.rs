//! What is known of people, and how it is kept: sealed, under a key for each row that is wrapped under a key of keys.
//!
//! Names, contacts and papers stand in sealed rows only, and nowhere else. A row opens for the booking and the kind it was
//! sealed for: one that was copied elsewhere is an error, not data. Whoever destroys a row's wrapped key has erased it.

pub(crate) mod cipher;
pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod sealed;

pub use crate::core::{
    erasure_log::{erasure_line, read_erasure},
    people_keys::{PeopleKey, PeopleKeys},
};
pub use export::{ExportedAnswer, ExportedPeople};
