//! The operator's screens, as a browser without scripts uses them.

mod agencies;
mod audit_logs;
mod bookings;
mod confirm;
mod desk;
mod incidents;
mod ledger;
mod log_in;
mod overview;
mod people;
mod prices;
mod rates;
mod suppliers;
