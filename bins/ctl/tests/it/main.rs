//! The program itself, each time with an environment and an installation of its own.
#![allow(clippy::too_many_lines, reason = "a test is a story or a table of cases, read from top to bottom")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic, and so may its helpers"
)]

mod booking;
mod changes;
mod commands;
mod erasures;
mod explain;
mod hooks;
mod hotels;
mod installation;
mod lists;
mod look_to_book;
mod operators;
mod prices;
mod progress;
mod rates;
mod settling;
mod suppliers;
mod trial;
mod wallets;
