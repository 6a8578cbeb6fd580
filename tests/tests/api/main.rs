//! The API as its callers see it, one module for each thing the API promises. Each test has a world of its own.
#![allow(clippy::too_many_lines, reason = "a test is a story or a table of cases, read from top to bottom")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

/// Compares an answer with its snapshot beside the test, without what is random in it.
macro_rules! assert_answer {
    ($name:expr, $answer:expr) => {
        insta::assert_snapshot!($name, wayfare_tests::redacted(&$answer))
    };
}

/// That an answer has these values, each at its place, such as `pnr_details/0/status`; null where nothing is.
macro_rules! assert_has {
    ($answer:expr, $expected:tt) => {
        wayfare_tests::assert_has(&serde_json::json!($answer), &serde_json::json!($expected))
    };
}

mod access;
mod auth;
mod bookings;
mod client;
mod concurrency;
mod console;
mod console_operator;
mod events;
mod flights;
mod flights_after_sales;
mod hotels;
mod metrics;
mod odd_world;
mod operator;
mod operator_api;
mod order_watch;
mod organization;
mod packages;
mod plans;
mod pricing;
mod protocol;
mod reports;
mod search;
mod suppliers;
mod wallets;
