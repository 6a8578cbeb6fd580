//! Wallets as their owners read them, and money that an agency's admins give to agents.

use diesel_async::AsyncPgConnection;
use wayfare_ledger::Wallet;
use wayfare_store::money::wallets::{self, Owner};

pub use wayfare_store::money::{
    wallet_summary::{AgentFunds, Moves},
    wallets::OwnedWallet,
};

pub use super::{
    allocation::{LONGEST_REASON, NewAllocation, allocate},
    statements::{
        Export, Listed, WalletFilter, export, own_transactions, transactions_of_agent,
        transactions_of_organization,
    },
    summary::{Day, Summary, agents, summary},
};
use crate::{Admin, Caller, Error, Platform, Result};

async fn owned(platform: &Platform, owner: Owner) -> Result<OwnedWallet> {
    let mut connection = platform.database.connection().await?;
    let wallet = find(&mut connection, owner).await?;
    Ok(OwnedWallet { owner, wallet })
}

pub(super) async fn find(connection: &mut AsyncPgConnection, owner: Owner) -> Result<Wallet> {
    wallets::of(connection, owner).await?.ok_or(Error::NotFound)
}

/// The caller's own wallet: the organization's for an admin (P-5).
///
/// # Errors
/// When the database can't be asked.
pub async fn own(platform: &Platform, caller: &Caller) -> Result<OwnedWallet> {
    owned(platform, caller.payer()).await
}

/// The organization's wallet.
///
/// # Errors
/// When the database can't be asked.
pub async fn of_organization(platform: &Platform, admin: &Admin) -> Result<OwnedWallet> {
    owned(platform, Owner::Organization(admin.caller().organization())).await
}
