//! The wallet of a caller and of an organization, as they read it.

use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_ledger::Wallet;
use wayfare_store::money::wallets::{self, OwnedWallet, Owner};

use crate::{Admin, Caller, Core, Error, Result};

async fn owned(core: &Core, owner: Owner) -> Result<OwnedWallet> {
    let mut connection = core.database.connection().await?;
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
#[boxed]
pub async fn own(core: &Core, caller: &Caller) -> Result<OwnedWallet> {
    owned(core, caller.payer()).await
}

/// The organization's wallet.
///
/// # Errors
/// When the database can't be asked.
#[boxed]
pub async fn of_organization(core: &Core, admin: &Admin) -> Result<OwnedWallet> {
    owned(core, Owner::Organization(admin.caller().organization())).await
}
