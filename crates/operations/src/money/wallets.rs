//! Wallets as their owners read them, and money that an agency's admins give to agents.

pub use wayfare_store::money::wallets::OwnedWallet;

pub use crate::money::{
    allocation::{LONGEST_REASON, NewAllocation, allocate},
    owned_wallet::{of_organization, own},
    statements::{
        Export, Listed, WalletFilter, export, own_transactions, transactions_of_agent,
        transactions_of_organization,
    },
    summary::{Day, Summary, agents, summary},
};
pub use wayfare_store::money::wallet_summary::{AgentFunds, Moves};
