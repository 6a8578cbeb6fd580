//! Names of people: as they are typed, what they mean, and who of two lists is the same.
//!
//! This is the one place that says when two names are the same. An airline writes `ONEIL SMITH/SIOBHANMRS` for what a telephone
//! types `Siobhán O’Neil-Smith`, and an agency types it again with two blanks.

mod alphabet;
mod folding;
mod meaning;
mod whose;
mod written;

pub use alphabet::Alphabet;
pub use folding::spellings;
pub use meaning::{NameMeaning, NameSimilarity};
pub use whose::{SaidTraveller, whose};
pub use written::{as_written, is_name, with_plain_marks};
