//! What users do about themselves: their profile, their password, their own figures.

use diesel_async::AsyncConnection;
use secrecy::{ExposeSecret, SecretString};
use wayfare_boxed::boxed;
use wayfare_contract::Stats;
use wayfare_domain::{Account, EventKind, Faults};
use wayfare_store::money::{activity, wallets};

use crate::{
    Access, Caller, Core, Error, Person, Result,
    access::{
        password,
        users::{self, Changes},
    },
    tools::audit_event,
};

/// Changes the person's own name and phone.
///
/// # Errors
/// [`Error::NotFound`] when they were deleted meanwhile.
#[boxed]
pub async fn change(core: &Core, person: &Person, changes: Changes) -> Result<Account> {
    users::change_account(core, person.agency(), &person.actor(), person.user(), changes).await
}

/// Changes the person's password and ends all their sessions, this one too (P-40).
///
/// # Errors
/// [`Error::Invalid`] for a new password that can't be one; [`Error::WrongPassword`] for a wrong current one, also
/// when it was changed meanwhile.
#[boxed]
pub async fn change_password(
    access: &Access,
    person: &Person,
    current: SecretString,
    new: SecretString,
) -> Result<()> {
    let account = person.account();
    let names = [account.username.as_str(), &account.email];
    password::check("new_password", new.expose_secret(), names)?;
    let is_same = password::is_same(new.expose_secret(), current.expose_secret());
    if person.check_own_password().is_err() && is_same {
        return Err(Faults::of("new_password", "must be another one than you were given").into());
    }
    // The connection goes back before the slow part.
    let before =
        wayfare_store::access::users::password_hash(&mut *access.core.database.connection().await?, account)
            .await?;
    let before = before.ok_or(Error::Unauthenticated)?;
    let fit = password::verify(access, current, Some(before.clone())).await?;
    if !fit.is_right() {
        return Err(Error::WrongPassword);
    }
    let after = password::hash(access, new).await?;
    let mut connection = access.core.database.connection().await?;
    let changed = connection.transaction(async |connection| {
        let now = access.core.clock.now();
        if !wayfare_store::access::users::replace_password(connection, account, (&before, &after), now)
            .await?
        {
            return Err(Error::WrongPassword);
        }
        wayfare_store::access::users::end_sessions(connection, account).await?;
        let (actor, action) = (person.actor(), EventKind::UserPasswordChanged);
        let event = users::event(&access.core, &actor, account, action, (None, None));
        audit_event::write(connection, &event).await
    });
    changed.await
}

/// What the caller has booked, and the balance of the wallet that pays for them: the organization's for an admin (P-5).
#[boxed]
pub async fn stats(core: &Core, caller: &Caller) -> Result<Stats> {
    let mut connection = core.database.connection().await?;
    let wallet = wallets::of(&mut connection, caller.payer()).await?.ok_or(Error::NotFound)?;
    let (organization, user) = (caller.organization(), caller.user());
    let activity = activity::of(&mut connection, organization, user, caller.currency()).await?;
    Ok(Stats {
        total_bookings: activity.bookings,
        confirmed_bookings: activity.confirmed,
        cancelled_bookings: activity.cancelled,
        total_spent: activity.spent.amount().into(),
        total_ancillaries: activity.ancillaries.amount().into(),
        total_commissions: activity.commissions.amount().into(),
        wallet_balance: wallet.balance.amount().into(),
    })
}
