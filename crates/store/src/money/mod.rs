//! Money as rows: wallets, ledger entries, statements, and the audit that re-adds them.

pub mod activity;
pub mod audit;
pub mod balance_moves;
pub mod entries;
pub mod fare_ledger;
pub mod ledger_proofs;
pub mod ledger_verifications;
pub mod trial_balance;
pub mod wallet_summary;
pub mod wallets;
