//! Wallets as their owners read them.

use wayfare_domain::{Page, PageRequest};
use wayfare_ledger::Wallet;
use wayfare_store::{
    ledger::{self, WalletTransaction},
    wallets::{self, Owner},
};

use crate::{Admin, Caller, Error, Platform, Result};

/// A wallet and whose it is.
#[derive(Clone, Debug)]
pub struct OwnedWallet {
    /// Whose.
    pub owner: Owner,
    /// As it stands.
    pub wallet: Wallet,
}

async fn owned(platform: &Platform, owner: Owner) -> Result<OwnedWallet> {
    let mut connection = platform.database.connection().await?;
    let wallet = wallets::of(&mut connection, owner)
        .await?
        .ok_or(Error::NotFound)?;
    Ok(OwnedWallet { owner, wallet })
}

/// The caller's own wallet: the organization's for an admin (decisions, detail 5).
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

/// A page of the caller's own wallet's transactions, newest first: three statements.
///
/// # Errors
/// When the database can't be asked.
pub async fn own_transactions(
    platform: &Platform,
    caller: &Caller,
    request: PageRequest,
) -> Result<Page<WalletTransaction>> {
    let mut connection = platform.database.connection().await?;
    let wallet = wallets::of(&mut connection, caller.payer())
        .await?
        .ok_or(Error::NotFound)?;
    Ok(ledger::transactions(&mut connection, caller.organization(), wallet.id, request).await?)
}
