//! The wallet of a caller and of an organization, as they read it.

use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_contract as contract;
use wayfare_ledger::Wallet;
use wayfare_store::money::wallets::{self, Owner};

use crate::{Admin, Caller, Core, Error, Result};

async fn owned(core: &Core, owner: Owner) -> Result<contract::Wallet> {
    let mut connection = core.database.connection().await?;
    let wallet = find(&mut connection, owner).await?;
    let balance = wallet.balance.amount().into();
    Ok(contract::Wallet {
        id: wallet.id.uuid(),
        owner_id: owner.uuid(),
        owner_type: owner.kind().into(),
        balance,
        allocated_balance: matches!(owner, Owner::User(..)).then_some(balance),
        currency: wallet.balance.currency().code().to_owned(),
        credit_limit: wallet.credit_limit.amount().into(),
        is_active: wallet.is_active,
        held: wallet.held.amount().into(),
        spendable: wallet.available()?.amount().into(),
    })
}

pub(super) async fn find(connection: &mut AsyncPgConnection, owner: Owner) -> Result<Wallet> {
    wallets::of(connection, owner).await?.ok_or(Error::NotFound)
}

/// The caller's own wallet: the organization's for an admin (P-5).
#[boxed]
pub async fn own(core: &Core, caller: &Caller) -> Result<contract::Wallet> {
    owned(core, caller.payer()).await
}

/// The organization's wallet.
#[boxed]
pub async fn of_organization(core: &Core, admin: &Admin) -> Result<contract::Wallet> {
    owned(core, Owner::Organization(admin.caller().organization())).await
}
