//! Who may ask for what: every route by everybody, and nobody learns of what is not theirs.

mod callers;
mod hidden_records;
mod ip_whitelist;
mod mass_assignment;
mod matrix;
mod order_of_checks;
mod own_password;
mod tiers;
