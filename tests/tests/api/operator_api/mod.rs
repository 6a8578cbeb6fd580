//! The operator's API: who may do what there, how sessions end, and that what is done has a name.

mod agencies;
mod audit_logs;
mod confirmed;
mod desk;
mod document;
mod hostile_input;
mod ledger;
mod matrix;
mod million;
mod money;
mod overview;
mod prices;
mod rates;
mod rulings;
mod sessions;
mod suppliers;
