//! What needs a person, over all agencies: open incidents, what waits, suppliers of which nothing is sold, old rates, and the
//! last proof of the ledger.

use std::{collections::BTreeSet, time::Duration};

use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{
        Overview, OverviewAlarm, OverviewClosedSupplier, OverviewIncidents, OverviewLedger,
        OverviewLowAccount, OverviewRates, OverviewSuppliers, OverviewWaiting,
    },
};
use wayfare_domain::AlarmKind;
use wayfare_store::{
    money::ledger_verifications,
    operator::operator_lists,
    pricing::exchange_rates::{self, ExchangeRate, Origin},
    service::metrics,
    suppliers::supplier_accounts::{self, SupplierAccount, SupplierAlarm},
};

use super::{suppliers::MOST_ALARMS, verifications};
use crate::{Platform, Result, suppliers::accounts::available};

#[boxed]
pub async fn overview(platform: &Platform) -> Result<Overview> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let counted = metrics::waiting(&mut connection, now).await?;
    let waiting = operator_lists::waiting(&mut connection).await?;
    let alarms = supplier_accounts::alarms(&mut connection, true, MOST_ALARMS).await?;
    let (closed, low) = accounts_in_trouble(&mut connection, &alarms).await?;
    let rates = exchange_rates::all(&connection).await?;
    let (open_steps, oldest_step) = open_steps(&counted);
    let running = ledger_verifications::running(&mut connection, now).await?;
    let last = ledger_verifications::last_done(&mut connection, now).await?;
    Ok(Overview {
        incidents: open_incidents(&counted),
        waiting: OverviewWaiting {
            open_steps,
            oldest_step_seconds: oldest_step.map(|age| age.as_secs()),
            commands: platform.engine.commands_under_way(),
            pending_bookings: waiting.pending_bookings,
            oldest_pending_booking: waiting.oldest_pending_booking,
            pending_refunds: waiting.pending_refunds,
            failed_reports: waiting.failed_reports,
            webhooks_disabled: waiting.webhooks_disabled,
            webhooks_resting: waiting.webhooks_resting,
            wallets_in_debt: waiting.wallets_in_debt,
        },
        suppliers: OverviewSuppliers { closed, alarms: alarms.into_iter().map(alarm).collect(), low },
        rates: stored_rates(&rates),
        ledger: OverviewLedger {
            running: running.map(verifications::shown),
            last: last.map(verifications::shown),
        },
    })
}

fn alarm(alarm: SupplierAlarm) -> OverviewAlarm {
    OverviewAlarm {
        supplier: alarm.supplier,
        kind: alarm.kind,
        details: alarm.details,
        raised_at: alarm.raised_at,
    }
}

/// Seconds as metrics have them; one that lies ahead has no age.
fn age(seconds: Option<f64>) -> Duration {
    let age = seconds.map(Duration::try_from_secs_f64);
    age.and_then(std::result::Result::ok).unwrap_or_default()
}

fn open_incidents(counted: &[metrics::Waiting]) -> Vec<OverviewIncidents> {
    let incidents = counted.iter().filter(|row| row.what == "incident");
    let incidents = incidents.map(|row| OverviewIncidents {
        kind: row.kind.clone(),
        open: row.number,
        oldest_seconds: age(row.oldest_seconds).as_secs(),
    });
    incidents.collect()
}

/// How many steps are open, and how long the oldest has been.
fn open_steps(counted: &[metrics::Waiting]) -> (i64, Option<Duration>) {
    let steps = counted.iter().filter(|row| row.what == "step");
    let oldest = steps.clone().map(|row| age(row.oldest_seconds)).max();
    (steps.map(|row| row.number).sum(), oldest)
}

/// The suppliers that are closed, and the accounts that are low or can't pay: those that have an alarm of it.
async fn accounts_in_trouble(
    connection: &mut AsyncPgConnection,
    alarms: &[SupplierAlarm],
) -> Result<(Vec<OverviewClosedSupplier>, Vec<OverviewLowAccount>)> {
    let of_money = [AlarmKind::AccountLow, AlarmKind::AccountEmpty].map(<&str>::from);
    let is_low = |alarm: &&SupplierAlarm| of_money.contains(&alarm.kind.as_str());
    let low: BTreeSet<&str> = alarms.iter().filter(is_low).map(|alarm| alarm.supplier.as_str()).collect();
    let closed = supplier_accounts::closed(connection).await?;
    let all: BTreeSet<&str> = closed.iter().map(String::as_str).chain(low.iter().copied()).collect();
    let (mut closed, mut low_accounts) = (Vec::new(), Vec::new());
    for supplier in all {
        let Some(account) = supplier_accounts::one(connection, supplier).await? else { continue };
        if low.contains(supplier) {
            low_accounts.push(low_account(&account));
        }
        closed.extend(closed_supplier(account));
    }
    Ok((closed, low_accounts))
}

fn low_account(account: &SupplierAccount) -> OverviewLowAccount {
    OverviewLowAccount {
        supplier: account.supplier.clone(),
        available: available(account).map(Amount),
        currency: account.currency.clone(),
        warn_below: account.warn_below.map(Amount),
    }
}

fn closed_supplier(account: SupplierAccount) -> Option<OverviewClosedSupplier> {
    Some(OverviewClosedSupplier {
        since: account.closed_at?,
        reason: account.closed_reason.unwrap_or_default(),
        supplier: account.supplier,
    })
}

fn stored_rates(rates: &[ExchangeRate]) -> OverviewRates {
    let of = |origin| rates.iter().filter(move |rate| rate.origin == origin);
    OverviewRates {
        bank_day: of(Origin::Ecb).map(|rate| rate.day).max(),
        bank_count: of(Origin::Ecb).count(),
        own_oldest_day: of(Origin::Operator).map(|rate| rate.day).min(),
        own_count: of(Origin::Operator).count(),
    }
}
