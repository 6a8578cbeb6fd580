//! The API as its callers see it, one module for each thing the API promises. Each test has a world of its own.
#![allow(
    clippy::too_many_lines,
    reason = "a test is a story or a table of cases, read from top to bottom"
)]
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

mod access;
mod auth;
mod client;
mod concurrency;
mod events;
mod flights;
mod flights_after_sales;
mod hotels;
mod operator;
mod organization;
mod packages;
mod pricing;
mod protocol;
mod reports;
mod search;
mod wallets;
