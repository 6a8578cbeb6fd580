//! Money that moves: wallets, transfers, statements, posting rules, the fare ledger.

pub(crate) mod allocation;
pub mod csv;
pub mod delete_user;
pub mod fare_ledger;
pub(crate) mod locked_wallets;
pub(crate) mod low_balance;
pub(crate) mod markup_payout;
pub(crate) mod posting_rules;
pub(crate) mod refund_terms;
pub(crate) mod statements;
pub(crate) mod summary;
pub mod wallet_transfer;
pub mod wallets;
