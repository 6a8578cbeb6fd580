//! The sandbox over real HTTP, as a supplier's client meets it.
#![allow(clippy::too_many_lines, reason = "a test is a story or a table of cases, read from top to bottom")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod airline_changes;
mod cancelling;
mod control;
mod durability;
mod every_supplier;
mod extras;
mod faults;
mod harness;
mod holding;
mod hotelbeds;
mod listing;
mod liteapi;
mod oddities;
mod order_changes;
mod ordering;
mod papers;
mod protocol;
mod recordings;
mod sales;
mod searching;
mod special_routes;
mod tripjack;
mod unasked;
