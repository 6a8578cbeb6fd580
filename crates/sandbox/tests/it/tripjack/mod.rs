//! TripJack's wire, as a client of it meets it.

mod booking;
mod cancelling;
mod extras;
mod faults;
pub(crate) mod harness;
mod holding;
mod papers;
mod protocol;
mod recordings;
mod reissuing;
mod reviewing;
mod searching;
