//! What benchmarks share: an installation of their own, clients, pgbench beside them, and what they cost the database.
//!
//! Benchmarks of the programs work with them as they are released, from outside. [`ledger`] links the service's crates,
//! as other services do; so do the parts of [`searches`] and [`hotels`] that count allocations.
//! Whatever goes wrong ends the benchmark with a line that says what.
#![allow(clippy::float_arithmetic, reason = "rates and ratios are no money and need no digits")]

mod aim;
mod browser;
mod client;
mod core_time;
pub mod hotels;
mod installation;
mod large_wallet;
pub mod ledger;
mod load;
mod memory;
mod pgbench;
mod place;
mod processor;
mod sandbox;
pub mod searches;
mod statements;

use std::process::ExitCode;

pub use aim::{at_least, at_most};
pub use browser::Browser;
pub use client::{Client, Guesser};
pub use core_time::CoreTime;
pub use installation::Installation;
pub use large_wallet::fill_wallet;
pub use load::{Load, Turn, run, timed};
pub use memory::Memory;
pub use pgbench::Pgbench;
pub use place::Place;
pub use processor::Processor;
pub use statements::{Cost, Watch};

/// Whatever went wrong: a benchmark can only say so and end.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// How a benchmark of this name ends, having said why if it failed.
pub fn ended(name: &str, result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A count as a figure that rates are made of.
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
pub fn count(number: usize) -> f64 {
    number as f64
}
