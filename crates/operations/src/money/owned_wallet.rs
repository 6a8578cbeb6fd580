//! The wallet of a caller and of an organization, as they read it.

use diesel_async::AsyncPgConnection;
use wayfare_ledger::Wallet;
use wayfare_store::money::wallets::{self, OwnedWallet, Owner};

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
