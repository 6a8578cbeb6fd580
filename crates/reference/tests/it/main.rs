//! What the tables know.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod known_airports;
mod queries;
