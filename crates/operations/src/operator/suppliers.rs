//! The operator's accounts with suppliers: what they hold, what is wrong with them, closed and open.

use chrono::{DateTime, Days, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{SupplierAccount, SupplierRefusals},
};
use wayfare_domain::{AlarmKind, ClosedBy, Currency, Faults, Money};
use wayfare_store::suppliers::{
    supplier_accounts::{self, SeenBalance},
    supplier_health,
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedDesk, ConfirmedFinance, note_beside_agencies},
    engine::note::card_number_in,
    suppliers::{
        accounts::{ACCOUNT_EMPTY, available, judge},
        health::SHOWN_FOR,
    },
};

pub use wayfare_store::suppliers::supplier_accounts::SupplierAlarm as Alarm;

/// Refusals of so many days are counted together.
const DAYS: u64 = 7;
/// So many alarms are shown at most.
pub(super) const MOST_ALARMS: i64 = 200;

/// The account with a supplier, as far as it is known.
#[derive(Clone, Debug)]
pub struct AccountAtSupplier {
    /// Since when nothing new is sold; none while it is for sale.
    pub closed_at: Option<DateTime<Utc>>,
    pub closed_reason: Option<String>,
    /// The account; none where nothing is known.
    pub account: Option<SupplierAccount>,
    /// What was refused in the last seven days, the most frequent reason first.
    pub refusals: Vec<SupplierRefusals>,
}

#[boxed]
pub async fn supplier_account(platform: &Platform, supplier: &str) -> Result<AccountAtSupplier> {
    let since = platform.core.clock.now().date_naive();
    let since = since.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(since);
    let mut connection = platform.core.database.connection().await?;
    let stored = supplier_accounts::one(&mut connection, supplier).await?;
    let refusals = supplier_accounts::refusals_since(&mut connection, supplier, since).await?;
    let refusals = refusals.into_iter();
    Ok(AccountAtSupplier {
        account: stored.as_ref().map(account),
        closed_at: stored.as_ref().and_then(|account| account.closed_at),
        closed_reason: stored.and_then(|account| account.closed_reason),
        refusals: refusals.map(|row| SupplierRefusals { reason: row.code, refusals: row.refusals }).collect(),
    })
}

pub(super) fn account(account: &supplier_accounts::SupplierAccount) -> SupplierAccount {
    SupplierAccount {
        available: available(account).map(Amount),
        balance: account.balance.map(Amount),
        credit: account.credit.map(Amount),
        currency: account.currency.clone(),
        spent: Amount(account.spent),
        seen_at: account.seen_at,
        stated: account.stated,
        warn_below: account.warn_below.map(Amount),
        stop_below: account.stop_below.map(Amount),
    }
}

/// What is wrong with suppliers, the newest first; with what is over, where it is asked for.
#[boxed]
pub async fn supplier_alarms(platform: &Platform, only_open: bool) -> Result<Vec<Alarm>> {
    let mut connection = platform.core.database.connection().await?;
    Ok(supplier_accounts::alarms(&mut connection, only_open, MOST_ALARMS).await?)
}

/// Closes a supplier for new sales, for this reason; only the operator opens it again.
///
/// # Errors
/// [`Error::Invalid`] without a reason, for one with a card number, and for the service's own `account_empty`; [`Error::NotFound`].
#[boxed]
pub async fn close_supplier(
    platform: &Platform,
    by: By<ConfirmedDesk>,
    supplier: &str,
    reason: &str,
) -> Result<()> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Faults::of("reason", "this field is required").into());
    }
    card_number_in("reason", reason).or(())?;
    if reason == ACCOUNT_EMPTY {
        // It would open by itself as soon as the account can pay.
        return Err(Faults::of("reason", "is what the service itself closes a supplier for").into());
    }
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let changed = connection.transaction(async |connection| {
        must_be_known(platform, &by, connection, supplier).await?;
        let before = supplier_accounts::one(connection, supplier).await?;
        if before.and_then(|account| account.closed_reason).as_deref() == Some(reason) {
            return Ok(false);
        }
        // Whatever it was closed for before: from now on the operator's word counts.
        supplier_accounts::open(connection, supplier).await?;
        supplier_accounts::close(connection, supplier, reason, None, now).await?;
        let value = json!({ "supplier": supplier, "reason": reason });
        note_beside_agencies(&by, connection, ("supplier.closed", platform.core.clock.now()), value).await?;
        Ok::<_, Error>(true)
    });
    if changed.await? {
        tracing::info!(supplier, reason, "the operator closed a supplier for new sales");
    }
    Ok(())
}

/// Opens a supplier for sales, and closes what was wrong with its account and our credentials. Whether it was closed.
///
/// # Errors
/// [`Error::Invalid`] for a note with a card number; [`Error::NotFound`].
#[boxed]
pub async fn open_supplier(
    platform: &Platform,
    by: By<ConfirmedDesk>,
    supplier: &str,
    note: Option<&str>,
) -> Result<bool> {
    card_number_in("note", note.unwrap_or_default()).or(())?;
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let was_closed = connection
        .transaction(async |connection| {
            must_be_known(platform, &by, connection, supplier).await?;
            let kinds = [AlarmKind::AccountEmpty, AlarmKind::Credentials];
            let by_whom = (ClosedBy::Operator, note);
            let alarms = supplier_accounts::close_alarms(connection, supplier, &kinds, by_whom, now).await?;
            let was_closed = supplier_accounts::open(connection, supplier).await?;
            if was_closed || alarms > 0 {
                let value = json!({ "supplier": supplier, "note": note });
                note_beside_agencies(&by, connection, ("supplier.opened", platform.core.clock.now()), value)
                    .await?;
            }
            Ok::<_, Error>(was_closed)
        })
        .await?;
    tracing::info!(supplier, was_closed, "the operator opened a supplier for sales");
    Ok(was_closed)
}

/// States what an account holds whose supplier does not tell; what is ordered from now on is taken off. It warns, closes and
/// opens as if it had been read.
///
/// # Errors
/// [`Error::Invalid`] for an amount that the currency does not have; [`Error::NotFound`].
#[boxed]
pub async fn state_balance(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    supplier: &str,
    balance: Decimal,
    currency: Currency,
) -> Result<()> {
    let stated = Money::exact(balance, currency);
    let stated = stated.map_err(|wrong| Faults::of("balance", wrong.to_string()))?;
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            must_be_known(platform, &by, connection, supplier).await?;
            let seen = SeenBalance { balance: Some(stated.amount()), credit: None, currency, stated: true };
            supplier_accounts::set_balance(connection, supplier, seen, now).await?;
            let value = json!({ "supplier": supplier, "balance": stated });
            note_beside_agencies(
                &by,
                connection,
                ("supplier.balance_stated", platform.core.clock.now()),
                value,
            )
            .await?;
            judge(&platform.core, connection, supplier).await
        })
        .await
}

/// Sets below what an account is low, and at what nothing new is sold; none: never, but where it could not pay.
///
/// # Errors
/// [`Error::Invalid`] where it would stop before it warns; [`Error::NotFound`].
#[boxed]
pub async fn set_supplier_limits(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    supplier: &str,
    warn_below: Option<Decimal>,
    stop_below: Option<Decimal>,
) -> Result<()> {
    if let (Some(warn), Some(stop)) = (warn_below, stop_below)
        && warn < stop
    {
        return Err(Faults::of("warn_below", format!("must be at least the stop_below of {stop}")).into());
    }
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            must_be_known(platform, &by, connection, supplier).await?;
            let limits = (warn_below, stop_below);
            supplier_accounts::set_limits(connection, supplier, limits, now).await?;
            let (warn, stop) = (warn_below.map(Amount), stop_below.map(Amount));
            let value = json!({ "supplier": supplier, "warn_below": warn, "stop_below": stop });
            note_beside_agencies(&by, connection, ("supplier.limits_set", platform.core.clock.now()), value)
                .await?;
            judge(&platform.core, connection, supplier).await
        })
        .await
}

/// That there is such a supplier: this server buys of it, or another one has told of it. The command line has compared the code
/// with its settings.
async fn must_be_known<P>(
    platform: &Platform,
    by: &By<P>,
    connection: &mut AsyncPgConnection,
    supplier: &str,
) -> Result<()> {
    if by.operator().is_none() || platform.suppliers.supplier(supplier).is_ok() {
        return Ok(());
    }
    let since = platform.core.shared_time.now() - SHOWN_FOR;
    let seen = supplier_health::seen_after(connection, since).await?;
    match seen.iter().any(|seen| seen.health.supplier == supplier) {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}
