//! LiteAPI's wire, as a client of it meets it.

mod booking;
mod content;
mod faults;
pub(crate) mod harness;
mod recordings;
mod searching;
