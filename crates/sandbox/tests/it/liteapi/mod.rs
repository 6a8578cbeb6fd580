//! LiteAPI's wire, as a client of it meets it.

mod booking;
mod content;
mod faults;
mod harness;
mod recordings;
mod searching;
mod speed;
