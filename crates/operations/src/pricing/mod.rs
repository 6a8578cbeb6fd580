//! What an agency is charged: packages, terms and exchange rates as one tariff.

pub(crate) mod ecb;
pub mod exchange_rates;
pub mod packages;
pub mod preview;
pub(crate) mod tariff;
