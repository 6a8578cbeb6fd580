//! Wallets: what is in them, how money moves between them, and their lists and ledgers.

mod allocations;
mod export;
mod fare_ledger;
mod largest_amounts;
mod own_wallet;
mod summary;
mod transaction_lists;
