//! What prices are made of, as rows: packages, terms, contracts, exchange rates.

pub mod contracts;
pub mod exchange_rates;
pub mod package_assignments;
pub mod packages;
pub mod terms;
