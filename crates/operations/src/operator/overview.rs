//! What needs a person, over all agencies: open incidents, what waits, suppliers of which nothing is sold, old rates, and the
//! last proof of the ledger.

use std::{collections::BTreeSet, time::Duration};

use chrono::{DateTime, NaiveDate, Utc};
use diesel_async::AsyncPgConnection;
use rust_decimal::Decimal;
use wayfare_domain::AlarmKind;
use wayfare_store::{
    money::ledger_verifications::{self, Verification},
    operator::operator_lists::{self, Waiting},
    pricing::exchange_rates::{self, ExchangeRate, Origin},
    service::metrics,
    suppliers::supplier_accounts::{self as accounts, SupplierAccount, SupplierAlarm},
};

use super::suppliers::MOST_ALARMS;
use crate::{Platform, Result, suppliers::accounts::available};

#[derive(Clone, Debug)]
pub struct Overview {
    /// Open incidents by their kind; kinds of which none is open are not there.
    pub incidents: Vec<OpenIncidents>,
    pub steps: OpenSteps,
    /// Commands of this server's group commit that are not answered yet.
    pub commands: usize,
    pub waiting: Waiting,
    /// Suppliers of which nothing new is sold.
    pub closed: Vec<ClosedSupplier>,
    /// What is wrong with suppliers, the newest first.
    pub alarms: Vec<SupplierAlarm>,
    /// Accounts with suppliers that are low or can't pay.
    pub low: Vec<LowAccount>,
    /// The rates of the European Central Bank's file; none where none was imported.
    pub bank_rates: Option<BankRates>,
    /// The rates that were set by hand; none where there are none.
    pub own_rates: Option<OwnRates>,
    /// The proof of the ledger that runs now.
    pub running: Option<Verification>,
    /// The last proof of the ledger that came to its end.
    pub verified: Option<Verification>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIncidents {
    pub kind: String,
    pub open: i64,
    /// How long the oldest has been open.
    pub oldest: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenSteps {
    pub open: i64,
    /// How long the oldest has been open; none where none is.
    pub oldest: Option<Duration>,
}

/// A supplier of which nothing new is sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedSupplier {
    pub supplier: String,
    pub reason: String,
    /// Since when, UTC.
    pub since: DateTime<Utc>,
}

/// An account with a supplier that is low or can't pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowAccount {
    pub supplier: String,
    /// What can be spent; none where nobody knows.
    pub available: Option<Decimal>,
    pub currency: Option<String>,
    /// Below this it is low; none where the operator has not said so.
    pub warn_below: Option<Decimal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankRates {
    pub day: NaiveDate,
    pub count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnRates {
    /// The day on which the oldest of them was set.
    pub oldest: NaiveDate,
    pub count: usize,
}

pub async fn overview(platform: &Platform) -> Result<Overview> {
    let now = platform.shared_time.now();
    let mut connection = platform.database.connection().await?;
    let counted = metrics::waiting(&mut connection, now).await?;
    let waiting = operator_lists::waiting(&mut connection).await?;
    let alarms = accounts::alarms(&mut connection, true, MOST_ALARMS).await?;
    let (closed, low) = accounts_in_trouble(&mut connection, &alarms).await?;
    let rates = exchange_rates::all(&connection).await?;
    Ok(Overview {
        incidents: open_incidents(&counted),
        steps: open_steps(&counted),
        commands: platform.commands_under_way(),
        waiting,
        closed,
        alarms,
        low,
        bank_rates: bank_rates(&rates),
        own_rates: own_rates(&rates),
        running: ledger_verifications::running(&mut connection, now).await?,
        verified: ledger_verifications::last_done(&mut connection, now).await?,
    })
}

/// Seconds as metrics have them; one that lies ahead has no age.
fn age(seconds: Option<f64>) -> Duration {
    let age = seconds.map(Duration::try_from_secs_f64);
    age.and_then(std::result::Result::ok).unwrap_or_default()
}

fn open_incidents(counted: &[metrics::Waiting]) -> Vec<OpenIncidents> {
    let incidents = counted.iter().filter(|row| row.what == "incident");
    let incidents = incidents.map(|row| OpenIncidents {
        kind: row.kind.clone(),
        open: row.number,
        oldest: age(row.oldest_seconds),
    });
    incidents.collect()
}

fn open_steps(counted: &[metrics::Waiting]) -> OpenSteps {
    let mut steps = OpenSteps::default();
    for row in counted.iter().filter(|row| row.what == "step") {
        steps.open += row.number;
        steps.oldest = steps.oldest.max(Some(age(row.oldest_seconds)));
    }
    steps
}

/// The suppliers that are closed, and the accounts that are low or can't pay: those that have an alarm of it.
async fn accounts_in_trouble(
    connection: &mut AsyncPgConnection,
    alarms: &[SupplierAlarm],
) -> Result<(Vec<ClosedSupplier>, Vec<LowAccount>)> {
    let of_money = [AlarmKind::AccountLow, AlarmKind::AccountEmpty].map(<&str>::from);
    let is_low = |alarm: &&SupplierAlarm| of_money.contains(&alarm.kind.as_str());
    let low: BTreeSet<&str> = alarms.iter().filter(is_low).map(|alarm| alarm.supplier.as_str()).collect();
    let closed = accounts::closed(connection).await?;
    let all: BTreeSet<&str> = closed.iter().map(String::as_str).chain(low.iter().copied()).collect();
    let (mut closed, mut low_accounts) = (Vec::new(), Vec::new());
    for supplier in all {
        let Some(account) = accounts::one(connection, supplier).await? else {
            continue;
        };
        if low.contains(supplier) {
            low_accounts.push(low_account(&account));
        }
        closed.extend(closed_supplier(account));
    }
    Ok((closed, low_accounts))
}

fn low_account(account: &SupplierAccount) -> LowAccount {
    LowAccount {
        supplier: account.supplier.clone(),
        available: available(account),
        currency: account.currency.clone(),
        warn_below: account.warn_below,
    }
}

fn closed_supplier(account: SupplierAccount) -> Option<ClosedSupplier> {
    Some(ClosedSupplier {
        since: account.closed_at?,
        reason: account.closed_reason.unwrap_or_default(),
        supplier: account.supplier,
    })
}

fn bank_rates(rates: &[ExchangeRate]) -> Option<BankRates> {
    let of_bank = rates.iter().filter(|rate| rate.origin == Origin::Ecb);
    Some(BankRates { day: of_bank.clone().map(|rate| rate.day).max()?, count: of_bank.count() })
}

fn own_rates(rates: &[ExchangeRate]) -> Option<OwnRates> {
    let own = rates.iter().filter(|rate| rate.origin == Origin::Operator);
    Some(OwnRates { oldest: own.clone().map(|rate| rate.day).min()?, count: own.count() })
}
