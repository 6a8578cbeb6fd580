//! Who may ask for what: every route by everybody, and nobody learns of what is not theirs.

mod callers;
mod hidden_records;
mod ip_whitelist;
mod mass_assignment;
pub(crate) mod matrix;
mod order_of_checks;
pub(crate) mod own_password;
mod tiers;
