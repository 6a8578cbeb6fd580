//! The booking desk: what the operator finds, sees, rules and corrects of one booking, whichever agency's it is.

mod correct;
mod find;
mod look;
mod rulings;
mod show;
pub mod shown;

pub use correct::{Correction, correct};
pub use find::{Search, find, find_any};
pub use look::look;
pub use rulings::{RulingRequest, collect, debit, rule, withdraw};
pub use show::{Also, ShownBooking, overview, show};
