//! The store over a real PostgreSQL: what it writes and reads, and what the database itself refuses.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    reason = "tests, each a story or a table of cases, and their helpers"
)]

mod compat;
mod exceptions;
mod guards;
mod kept_plans;
mod ledger;
mod migrations;
mod own_server;
mod pricing;
mod roles;
mod servers;
mod shape;
mod stopped;
mod texts;
mod tls;
mod words;
