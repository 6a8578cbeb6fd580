//! The resources of the operator's API: what the operator sees and decides over all agencies.

pub mod agencies;
pub mod audit_logs;
pub mod bookings;
pub mod incidents;
pub mod ledger;
pub mod operators;
pub mod overview;
pub mod prices;
pub mod rates;
pub mod sessions;
pub mod suppliers;
pub mod wallets;
