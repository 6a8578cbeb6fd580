//! Suppliers as rows: the operator's accounts with them, their health, their hooks, what they send and how often they are asked.

pub mod hotel_content;
pub mod look_to_book;
pub mod supplier_accounts;
pub mod supplier_health;
pub mod supplier_hooks;
pub mod supplier_read_losses;
