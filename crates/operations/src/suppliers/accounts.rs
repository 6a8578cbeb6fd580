//! The operator's accounts with suppliers: one that can't pay is closed for new sales, and opened again when it can.
//!
//! What a call has shown is noted in memory at once, so that the very next search of this process knows of it, and written
//! right after it. Other processes read it within a second.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::TimeDelta;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{AlarmId, AlarmKind, ClosedBy, Money, ReasonCode};
use wayfare_store::suppliers::supplier_accounts::{self, RefusalCounts, SeenBalance, SupplierAccount};
use wayfare_supply::{Answer, Outage, OutageKind};

use crate::{Core, Result, Suppliers, tools::lease::LEASE};

/// Why a supplier is closed whose account can't pay; it opens by itself.
pub(crate) const ACCOUNT_EMPTY: &str = "account_empty";

/// How often what is closed is read.
pub(crate) const READ_EVERY: Duration = Duration::from_secs(1);
/// How often a supplier is asked what the account holds.
const ASKED_EVERY: TimeDelta = TimeDelta::minutes(10);

#[derive(Default)]
pub(crate) struct SupplierAccounts(Mutex<State>);

#[derive(Default)]
struct State {
    closed: BTreeSet<String>,
    /// Noted, and not written yet.
    unwritten: Vec<Trouble>,
    refusals: RefusalCounts,
}

/// What a call has shown of an account.
#[derive(Clone, Debug)]
struct Trouble {
    supplier: String,
    kind: AlarmKind,
    /// What the account could not pay.
    needed: Option<Money>,
}

impl SupplierAccounts {
    /// Whether nothing new is sold of this supplier.
    pub fn is_closed(&self, supplier: &str) -> bool {
        self.state().closed.contains(supplier)
    }

    /// Takes note of an outage that is the operator's to mend. `needed` is what the account was to pay.
    pub fn note(&self, supplier: &str, outage: &Outage, needed: Option<Money>) {
        let kind = match outage.kind {
            OutageKind::Deposit => AlarmKind::AccountEmpty,
            OutageKind::Credentials => AlarmKind::Credentials,
            OutageKind::Down | OutageKind::Busy => return,
        };
        let mut state = self.state();
        if kind == AlarmKind::AccountEmpty {
            state.closed.insert(supplier.to_owned());
        }
        let is_new = |trouble: &Trouble| trouble.supplier != supplier || trouble.kind != kind;
        if state.unwritten.iter().all(is_new) {
            state.unwritten.push(Trouble { supplier: supplier.to_owned(), kind, needed });
        }
    }

    pub fn count_refusal(&self, supplier: &str, code: ReasonCode) {
        let key = (supplier.to_owned(), <&str>::from(code));
        *self.state().refusals.entry(key).or_default() += 1;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what was noted; what can't be written is written the next time.
pub(crate) async fn write_noted(suppliers: &Suppliers) -> Result<()> {
    let troubles = suppliers.accounts.state().unwritten.clone();
    if troubles.is_empty() {
        return Ok(());
    }
    let mut connection = suppliers.core.database.connection().await?;
    for trouble in troubles {
        connection.transaction(async |connection| write(&suppliers.core, connection, &trouble).await).await?;
        let mut state = suppliers.accounts.state();
        state.unwritten.retain(|other| other.supplier != trouble.supplier || other.kind != trouble.kind);
    }
    Ok(())
}

async fn write(core: &Core, connection: &mut AsyncPgConnection, trouble: &Trouble) -> Result<()> {
    let Trouble { supplier, kind, needed } = trouble;
    if *kind == AlarmKind::AccountEmpty {
        let now = core.shared_time.now();
        supplier_accounts::close(connection, supplier, ACCOUNT_EMPTY, *needed, now).await?;
    }
    let details = json!({ "needed": needed });
    raise(core, connection, (supplier, *kind), details).await
}

/// Raises an alarm, unless one of its kind is open for the supplier.
pub(crate) async fn raise(
    core: &Core,
    connection: &mut AsyncPgConnection,
    (supplier, kind): (&str, AlarmKind),
    details: serde_json::Value,
) -> Result<()> {
    let (id, now) = (AlarmId::new(&core.clock).uuid(), core.shared_time.now());
    if supplier_accounts::raise(connection, id, (supplier, kind), &details, now).await? {
        tracing::error!(supplier, kind = kind.as_ref(), "the operator has to look after a supplier");
    }
    Ok(())
}

/// Reads which suppliers are closed, and writes what was noted and counted here.
#[boxed]
pub async fn refresh(suppliers: &Suppliers) -> Result<()> {
    write_noted(suppliers).await?;
    write_refusals(suppliers).await?;
    let mut connection = suppliers.core.database.connection().await?;
    let closed = supplier_accounts::closed(&mut connection).await?;
    let mut state = suppliers.accounts.state();
    let unwritten = state.unwritten.iter();
    let unwritten = unwritten.filter(|trouble| trouble.kind == AlarmKind::AccountEmpty);
    let all = unwritten.map(|trouble| trouble.supplier.clone()).chain(closed);
    state.closed = all.collect();
    Ok(())
}

async fn write_refusals(suppliers: &Suppliers) -> Result<()> {
    let counted = std::mem::take(&mut suppliers.accounts.state().refusals);
    if counted.is_empty() {
        return Ok(());
    }
    let day = suppliers.core.clock.now().date_naive();
    let written = async {
        let mut connection = suppliers.core.database.connection().await?;
        supplier_accounts::add_refusals(&mut connection, day, &counted).await
    };
    if let Err(error) = written.await {
        let mut state = suppliers.accounts.state();
        for (key, refusals) in counted {
            *state.refusals.entry(key).or_default() += refusals;
        }
        return Err(error.into());
    }
    Ok(())
}

/// Reads each account that is due: each ten minutes, and after it could not pay. One server of a database does it.
pub async fn look_at_accounts(suppliers: &Suppliers) -> Result<()> {
    let codes = suppliers.codes();
    let codes: Vec<&str> = codes.collect();
    let now = suppliers.core.shared_time.now();
    let leased_until = now + LEASE;
    let due = {
        let mut connection = suppliers.core.database.connection().await?;
        supplier_accounts::take_due(&mut connection, &codes, now, leased_until).await?
    };
    for supplier in due {
        look_after(suppliers, &supplier).await?;
        let mut connection = suppliers.core.database.connection().await?;
        let next = suppliers.core.shared_time.now() + ASKED_EVERY;
        supplier_accounts::postpone(&mut connection, &supplier, leased_until, next).await?;
    }
    Ok(())
}

/// Asks a supplier what the account holds, where it tells, and acts on it.
async fn look_after(suppliers: &Suppliers, supplier: &str) -> Result<()> {
    let read = match suppliers.supplier(supplier)?.balance().await {
        Answer::Done(read) => read,
        Answer::Unavailable(outage) => {
            suppliers.accounts.note(supplier, &outage, None);
            return write_noted(suppliers).await;
        }
        other => {
            tracing::warn!(supplier, reason = other.problem(), "an account could not be read");
            return Ok(());
        }
    };
    let mut connection = suppliers.core.database.connection().await?;
    let now = suppliers.core.shared_time.now();
    connection
        .transaction(async |connection| {
            if let Some(read) = read {
                let seen = SeenBalance {
                    balance: read.balance,
                    credit: read.credit,
                    currency: read.currency,
                    stated: false,
                };
                supplier_accounts::set_balance(connection, supplier, seen, now).await?;
                let by_itself = (ClosedBy::Itself, None);
                let kinds = [AlarmKind::Credentials];
                supplier_accounts::close_alarms(connection, supplier, &kinds, by_itself, now).await?;
            }
            judge(&suppliers.core, connection, supplier).await
        })
        .await
}

/// Acts on what an account holds: warns, closes, opens.
pub(crate) async fn judge(core: &Core, connection: &mut AsyncPgConnection, supplier: &str) -> Result<()> {
    let Some(account) = supplier_accounts::one(connection, supplier).await? else { return Ok(()) };
    let Some(available) = available(&account) else { return Ok(()) };
    let now = core.shared_time.now();
    let details = json!({ "available": available, "currency": account.currency });
    if account.warn_below.is_some_and(|least| available < least) {
        raise(core, connection, (supplier, AlarmKind::AccountLow), details.clone()).await?;
    } else {
        close_by_itself(core, connection, supplier, AlarmKind::AccountLow).await?;
    }
    if can_pay(&account, available) {
        if account.closed_reason.as_deref() == Some(ACCOUNT_EMPTY) {
            supplier_accounts::open(connection, supplier).await?;
            close_by_itself(core, connection, supplier, AlarmKind::AccountEmpty).await?;
            tracing::info!(supplier, "a supplier is open for sales again");
        }
    } else if account.closed_at.is_none() {
        supplier_accounts::close(connection, supplier, ACCOUNT_EMPTY, None, now).await?;
        raise(core, connection, (supplier, AlarmKind::AccountEmpty), details).await?;
    }
    Ok(())
}

/// Closes the alarm of this kind, where one is open for the supplier.
pub(crate) async fn close_by_itself(
    core: &Core,
    connection: &mut AsyncPgConnection,
    supplier: &str,
    kind: AlarmKind,
) -> Result<()> {
    let now = core.shared_time.now();
    supplier_accounts::close_alarms(connection, supplier, &[kind], (ClosedBy::Itself, None), now).await?;
    Ok(())
}

/// What can be spent; none where nobody knows, or where it is more than a decimal holds.
pub fn available(account: &SupplierAccount) -> Option<Decimal> {
    if account.balance.is_none() && account.credit.is_none() {
        return None;
    }
    let (balance, credit) = (account.balance.unwrap_or_default(), account.credit.unwrap_or_default());
    balance.checked_add(credit)?.checked_sub(account.spent)
}

/// Whether an account has more than where it stops, and enough for what it could not pay.
fn can_pay(account: &SupplierAccount, available: Decimal) -> bool {
    let needed = account.needed.filter(|_| account.needed_currency == account.currency);
    let stops_at = match account.closed_at {
        Some(_) => Some(account.stop_below.unwrap_or_default()),
        // Whether it can pay is only known when it could not.
        None => account.stop_below,
    };
    stops_at.is_none_or(|least| available > least) && needed.is_none_or(|needed| available >= needed)
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;

    fn account(balance: Decimal) -> SupplierAccount {
        SupplierAccount {
            supplier: "duffel".to_owned(),
            balance: Some(balance),
            credit: None,
            currency: Some("INR".to_owned()),
            seen_at: None,
            stated: true,
            warn_below: None,
            stop_below: None,
            closed_at: None,
            closed_reason: None,
            needed: None,
            needed_currency: None,
            spent: Decimal::ZERO,
        }
    }

    #[test]
    fn an_account_opens_above_its_limit_and_for_what_it_could_not_pay() {
        let closed = |balance, stop_below, needed: Option<(Decimal, &str)>| {
            let account = SupplierAccount {
                stop_below,
                closed_at: Some(chrono::DateTime::UNIX_EPOCH),
                closed_reason: Some(ACCOUNT_EMPTY.to_owned()),
                needed: needed.map(|(amount, _)| amount),
                needed_currency: needed.map(|(_, currency)| currency.to_owned()),
                ..account(balance)
            };
            can_pay(&account, available(&account).unwrap())
        };
        assert!(!closed(dec!(0), None, None));
        assert!(closed(dec!(1), None, None));
        assert!(!closed(dec!(100), Some(dec!(100)), None));
        assert!(closed(dec!(101), Some(dec!(100)), None));
        assert!(!closed(dec!(50), None, Some((dec!(60), "INR"))));
        assert!(closed(dec!(60), None, Some((dec!(60), "INR"))));
        assert!(closed(dec!(50), None, Some((dec!(60), "GBP"))));
    }

    #[test]
    fn an_open_account_stops_only_where_the_operator_says_so() {
        let poor = account(dec!(-5));
        assert!(can_pay(&poor, dec!(-5)));
        let limited = SupplierAccount { stop_below: Some(dec!(10)), ..poor };
        assert!(!can_pay(&limited, dec!(10)));
        assert!(can_pay(&limited, dec!(11)));
    }

    #[test]
    fn what_is_not_known_is_not_nothing_and_what_was_spent_is_taken_off() {
        let unknown = SupplierAccount { balance: None, ..account(dec!(0)) };
        assert_eq!(available(&unknown), None);
        let spent = SupplierAccount { spent: dec!(30), credit: Some(dec!(20)), ..account(dec!(100)) };
        assert_eq!(available(&spent), Some(dec!(90)));
    }
}
