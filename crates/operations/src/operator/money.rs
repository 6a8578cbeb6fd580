//! Money that the operator moves: into wallets, out of them, back from agents; what wallets may spend.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_contract::{Amount, operator::OperatorWallet};
use wayfare_domain::{Actor, AgencyCode, Currency, EventKind, Faults, Money, Organization, TransferId};
use wayfare_ledger::{Account, Reason, Refused, Wallet, WalletError};
use wayfare_store::{
    batch::writes::Writes,
    money::wallets::{self, Locked, Owner},
};

use super::{agency_of, note, user_of};
use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedFinance},
    engine::note::card_number_in,
    money::{
        low_balance::ChangedWallet,
        markup_payout::{MarkupPaid, MarkupPayout},
        wallet_transfer::{AccountRef, Moved, SpendLimit, WalletTransfer},
    },
};

#[derive(Clone, Debug)]
pub struct WalletOf {
    pub agency: AgencyCode,
    /// Its agent of this username; the organization's own wallet without one.
    pub username: Option<String>,
}

/// What the operator does with money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    TopUp,
    /// Out of the wallet: what stands in it and is not held, of a frozen wallet too.
    Deduct,
    /// From an agent's wallet back to the organization's.
    Deallocate,
}

impl Transfer {
    fn words(self) -> (Reason, &'static str, EventKind) {
        match self {
            Self::TopUp => (Reason::Topup, "wallet topped up by the platform", EventKind::WalletToppedUp),
            Self::Deduct => (Reason::Deduction, "deducted by the platform", EventKind::WalletDeducted),
            Self::Deallocate => (Reason::Topup, "deallocated from agent", EventKind::WalletDeallocated),
        }
    }
}

/// Moves money. Under a key that was used for the same before nothing is moved again, and the answer is that of the
/// first time.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency or user, or an admin, who has no wallet of their own;
/// [`Error::Invalid`] for an amount that is not above zero or has too many decimals, for a reason with a card number, and
/// for a deallocation without a user; [`Error::InsufficientFunds`]; [`Error::KeyMismatch`] when the key was used for something else.
#[boxed]
pub async fn transfer(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    of: &WalletOf,
    transfer: Transfer,
    amount: Decimal,
    reason: Option<&str>,
    key: Option<&str>,
) -> Result<Moved> {
    card_number_in("reason", reason.unwrap_or_default()).or(())?;
    let mut connection = platform.core.database.connection().await?;
    let (organization, owner) = find(&mut connection, of).await?;
    drop(connection);
    let amount = above_zero(amount, organization.currency)?;
    let own = AccountRef::WalletOf(owner);
    let (from, to) = match transfer {
        Transfer::TopUp => (AccountRef::Platform(Account::Funding), own),
        Transfer::Deduct => (own, AccountRef::Platform(Account::Funding)),
        Transfer::Deallocate if of.username.is_none() => {
            return Err(Faults::of("user", "this field is required").into());
        }
        Transfer::Deallocate => (own, AccountRef::WalletOf(Owner::Organization(organization.id))),
    };
    let (why, description, action) = transfer.words();
    let description = match reason {
        Some(reason) => format!("{description}: {reason}"),
        None => description.to_owned(),
    };
    let wallet_transfer = WalletTransfer {
        organization: organization.id,
        from,
        to,
        amount,
        spends: SpendLimit::Frozen,
        key: operator_key(platform, key),
        reason: why,
        description,
        performed_by: None,
        audited: Some((action, by.actor().clone())),
        asked_under: None,
    };
    platform.engine.transfer(wallet_transfer).await
}

/// Puts money from outside into the agency's wallet, or into one agent's (P-35). Returns the
/// balance after it.
///
/// # Errors
/// Those of [`transfer`].
#[boxed]
pub async fn top_up(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    agency: &AgencyCode,
    username: Option<&str>,
    amount: Decimal,
) -> Result<Money> {
    let of = WalletOf { agency: agency.clone(), username: username.map(str::to_owned) };
    let moved = transfer(platform, by, &of, Transfer::TopUp, amount, None, None).await?;
    moved.to.ok_or_else(|| Error::Internal("a top-up without a wallet".to_owned()))
}

/// Pays all that stands on the agency's markup account into the organization's wallet, of a suspended agency and into a
/// frozen wallet too; none when nothing stands there. Of many at once one pays it. Under a key that was used for it before
/// nothing is paid again, and the answer is that of the first time.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency; [`Error::KeyMismatch`] when the key was used for something else.
#[boxed]
pub async fn settle_markup(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    agency: &AgencyCode,
    key: Option<&str>,
) -> Result<Option<MarkupPaid>> {
    let mut connection = platform.core.database.connection().await?;
    let organization = agency_of(&mut connection, agency).await?.id;
    drop(connection);
    let key = operator_key(platform, key);
    platform
        .engine
        .group_commit
        .carry_out(MarkupPayout { organization, key, actor: by.actor().clone() })
        .await
}

/// The key of a transfer: as the operator gave it, else one of its own.
fn operator_key(platform: &Platform, key: Option<&str>) -> String {
    match key {
        Some(key) => format!("operator:{key}"),
        None => format!("operator:{}", TransferId::new(&platform.core.clock)),
    }
}

/// Lets a wallet spend so much beyond its balance.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names the least limit when the wallet owes and holds more.
#[boxed]
pub async fn set_credit_limit(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    of: &WalletOf,
    limit: Decimal,
) -> Result<OperatorWallet> {
    let mut connection = platform.core.database.connection().await?;
    let (_, owner) = find(&mut connection, of).await?;
    let limited = connection
        .transaction(async |connection| limit_credit(platform, by.actor(), connection, owner, limit).await);
    shown(&limited.await?)
}

fn shown(wallet: &Wallet) -> Result<OperatorWallet> {
    Ok(OperatorWallet {
        id: wallet.id.uuid(),
        currency: wallet.balance.currency().code().to_owned(),
        balance: Amount(wallet.balance.amount()),
        held: Amount(wallet.held.amount()),
        credit_limit: Amount(wallet.credit_limit.amount()),
        spendable: Amount(wallet.available()?.amount()),
        is_active: wallet.is_active,
    })
}

/// The same in the caller's transaction.
pub(super) async fn limit_credit(
    platform: &Platform,
    actor: &Actor,
    connection: &mut AsyncPgConnection,
    owner: Owner,
    limit: Decimal,
) -> Result<Wallet> {
    let make = |wallet: &mut Wallet| {
        let fault = |reason: String| Error::from(Faults::of("credit_limit", reason));
        let currency = wallet.balance.currency();
        let limit = Money::exact(limit, currency).map_err(|error| fault(error.to_string()))?;
        wallet.set_credit_limit(limit).map_err(|error| match error {
            WalletError::Refused(Refused { required, .. }) => fault(format!("must be at least {required}")),
            other => other.into(),
        })
    };
    let audit_value = |wallet: &Wallet| {
        let limit = wallet.credit_limit;
        json!({ "credit_limit": limit.number(), "currency": limit.currency() })
    };
    let action = EventKind::WalletCreditLimitChanged;
    change(platform, actor, connection, owner, (action, audit_value), make).await
}

/// Freezes a wallet, so that it pays for nothing until it is thawed; it still receives. Money that is held stays held.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency or user.
#[boxed]
pub async fn set_active(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    of: &WalletOf,
    active: bool,
) -> Result<OperatorWallet> {
    let action = if active { EventKind::WalletUnfrozen } else { EventKind::WalletFrozen };
    let make = |wallet: &mut Wallet| {
        wallet.is_active = active;
        Ok(())
    };
    let audit_value = |wallet: &Wallet| json!({ "is_active": wallet.is_active });
    let mut connection = platform.core.database.connection().await?;
    let (_, owner) = find(&mut connection, of).await?;
    let changed = connection.transaction(async |connection| {
        change(platform, by.actor(), connection, owner, (action, audit_value), make).await
    });
    shown(&changed.await?)
}

/// Changes what a wallet may spend, with the audit events of it; nothing is written when nothing changes.
async fn change(
    platform: &Platform,
    actor: &Actor,
    connection: &mut AsyncPgConnection,
    owner: Owner,
    (action, audit_value): (EventKind, fn(&Wallet) -> Value),
    make: impl FnOnce(&mut Wallet) -> Result<()>,
) -> Result<Wallet> {
    let locked = wallets::lock_for(connection, &[owner], &[]).await?.remove(&owner);
    let Locked { wallet: before, low_balance } = locked.ok_or(Error::NotFound)?;
    let mut after = before.clone();
    make(&mut after)?;
    if after != before {
        let entity_id = after.id.to_string();
        let values = (Some(audit_value(&before)), audit_value(&after));
        note(platform, actor, connection, owner.organization(), action, entity_id, values).await?;
        let low = low_balance.map(|low| low.threshold);
        let changed = ChangedWallet::new(&platform.core, actor, owner, low, [&before, &after])?;
        let mut writes = Writes::default();
        changed.write_terms(connection, &mut writes).await?;
        writes.send(connection).await?;
    }
    Ok(after)
}

pub(super) async fn find(connection: &mut AsyncPgConnection, of: &WalletOf) -> Result<(Organization, Owner)> {
    let organization = agency_of(connection, &of.agency).await?;
    let owner = match &of.username {
        None => Owner::Organization(organization.id),
        Some(name) => Owner::User(organization.id, user_of(connection, &organization, name).await?.id),
    };
    Ok((organization, owner))
}

fn above_zero(amount: Decimal, currency: Currency) -> Result<Money> {
    let amount = Money::exact(amount, currency).map_err(|error| Faults::of("amount", error.to_string()))?;
    if amount.is_positive() {
        return Ok(amount);
    }
    Err(Faults::of("amount", "must be greater than 0").into())
}
