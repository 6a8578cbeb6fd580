//! Deleting a user: what is in their wallet goes back to the organization's.

use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{EventKind, TransferId, UserId};
use wayfare_ledger::{Account, Leg, Reason, Transfer, Wallet, WalletError};
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    booking::steps,
    money::wallets::{self, Owner},
    pricing::package_assignments,
};

use crate::{Admin, Caller, Core, Error, Result, access::users, money::low_balance::ChangedWallet};

/// Deletes a user of the agency: they are out at once, what is left in their wallet goes back to the organization's,
/// packages are assigned to them no more, and their name stays where it stands.
///
/// # Errors
/// [`Error::NotFound`], [`Error::LastAdmin`]; [`Error::PendingBookings`] while money is held for them;
/// [`Error::InsufficientOrganizationFunds`] when they owe more than the organization's wallet has.
#[boxed]
pub async fn delete_user(core: &Core, admin: &Admin, id: UserId) -> Result<()> {
    let caller = admin.caller();
    let (agency, actor) = (caller.agency(), caller.actor());
    let owners = [Owner::Organization(agency.id), Owner::User(agency.id, id)];
    let mut connection = core.database.connection().await?;
    let deleted = connection.transaction(async |connection| {
        organizations::lock(connection, agency.id).await?;
        let account =
            wayfare_store::access::users::by_id(connection, agency, id).await?.ok_or(Error::NotFound)?;
        users::leaves_an_admin(connection, &account).await?;
        // With the wallets locked nobody begins to pay from them.
        let mut locked = wallets::lock_for(connection, &owners, &[]).await?;
        if steps::any_pending(connection, agency.id, id).await? {
            return Err(Error::PendingBookings);
        }
        let mut writes = Writes::default();
        let mut old_value = users::audit_value(&account);
        let [of_agency, own] = owners.map(|owner| locked.remove(&owner));
        if let (Some(of_agency), Some(own)) = (of_agency, own) {
            let (low, before, mut after, mut own) = (
                of_agency.low_balance.map(|low| low.threshold),
                of_agency.wallet.clone(),
                of_agency.wallet,
                own.wallet,
            );
            if let Some(left) = old_value.as_object_mut() {
                left.insert("balance".to_owned(), json!(own.balance.number()));
            }
            if deallocate(core, caller, id, &mut own, &mut after, &mut writes)? {
                let owner = Owner::Organization(agency.id);
                writes.wallet(agency.id, &own);
                ChangedWallet::new(core, &actor, owner, low, [&before, &after])?.write(&mut writes);
            }
            wallets::close(connection, agency.id, own.id).await?;
        }
        wayfare_store::access::users::end_sessions(connection, &account).await?;
        package_assignments::remove_all_of(connection, agency.id, id).await?;
        wayfare_store::access::users::delete(connection, &account, core.clock.now()).await?;
        writes.event(&users::event(core, &actor, &account, EventKind::UserDeleted, (Some(old_value), None)));
        Ok(writes.send(connection).await?)
    });
    deleted.await
}

/// Moves what is in a user's wallet to the organization's; what is owed there the organization takes over. False when there
/// was nothing to move.
fn deallocate(
    core: &Core,
    caller: &Caller,
    user: UserId,
    own: &mut Wallet,
    of_agency: &mut Wallet,
    writes: &mut Writes,
) -> Result<bool> {
    if own.held.is_positive() {
        return Err(Error::PendingBookings);
    }
    let balance = own.balance;
    if balance.is_zero() {
        return Ok(false);
    }
    let (from, to, amount) =
        if balance.is_negative() { (of_agency, own, balance.negated()) } else { (own, of_agency, balance) };
    let legs =
        vec![Leg::debit(Account::Wallet(from.id), amount), Leg::credit(Account::Wallet(to.id), amount)];
    let transfer = Transfer::new(
        TransferId::new(&core.clock),
        format!("deallocation:{user}"),
        Reason::Topup,
        None,
        "deallocated from agent: user deleted".to_owned(),
        Some(caller.user()),
        legs,
        core.clock.now(),
    )?;
    let chain = &core.secrets.chain;
    let debited = from.apply(&transfer, chain).map_err(|error| match error {
        WalletError::Refused(refused) => Error::InsufficientOrganizationFunds(refused.available),
        other => other.into(),
    })?;
    let credited = to.apply(&transfer, chain)?;
    let organization = caller.organization();
    writes.transfer(organization, &transfer, &[debited, credited])?;
    Ok(true)
}
