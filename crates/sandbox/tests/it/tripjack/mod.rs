//! TripJack's wire, as a client of it meets it.

mod faults;
mod harness;
mod protocol;
mod recordings;
mod reviewing;
mod searching;
