//! Hotelbeds' wire, as a client of it meets it.

mod booking;
mod cancelling;
mod checking;
mod content;
pub(crate) mod harness;
mod listing;
mod protocol;
mod recordings;
mod searching;
