//! The operator's API: what whoever works for the platform sees and decides, over all agencies.

mod agencies;
mod audit_logs;
mod bookings;
mod incidents;
mod ledger;
mod operators;
mod overview;
mod prices;
mod rates;
mod sessions;
mod suppliers;
mod wallets;

pub use self::{
    agencies::*, audit_logs::*, bookings::*, incidents::*, ledger::*, operators::*, overview::*, prices::*,
    rates::*, sessions::*, suppliers::*, wallets::*,
};
