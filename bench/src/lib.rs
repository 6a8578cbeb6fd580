//! What benchmarks share: an installation of their own, clients, pgbench beside them, and what they cost the database.
//!
//! Benchmarks work with the programs as they are released, from outside: nothing of the service is linked in.
#![allow(
    clippy::float_arithmetic,
    reason = "rates and ratios are no money and need no digits"
)]

mod client;
mod installation;
mod load;
mod pgbench;
mod statements;

pub use client::Client;
pub use installation::Installation;
pub use load::{Load, run};
pub use pgbench::Pgbench;
pub use statements::{Cost, Watch};

/// Whatever went wrong: a benchmark can only say so and end.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;
