//! Money that moves: wallets, transfers, statements, posting rules, the fare ledger.

pub(crate) mod balance_series;
pub mod csv;
pub mod delete_user;
pub mod fare_ledger;
pub(crate) mod locked_wallets;
pub(crate) mod low_balance;
pub(crate) mod markup_payout;
mod owned_wallet;
pub(crate) mod posting_rules;
pub(crate) mod refund_terms;
pub(crate) mod statements;
pub(crate) mod summary;
pub mod wallet_transfer;

/// Wallets as their owners read them.
pub mod wallets {
    pub use super::{
        balance_series::{SeriesRequest, series},
        owned_wallet::{of_organization, own},
        statements::{
            Export, Listed, WalletFilter, export, own_transactions, transactions_of_agent,
            transactions_of_organization,
        },
        summary::{agents, summary},
    };
}
