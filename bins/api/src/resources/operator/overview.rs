//! What needs a person, over all agencies.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::Amount;
use wayfare_operations::{
    Waiting,
    access::operators::Viewer,
    operator::{self, Alarm, ClosedSupplier, LowAccount, OpenIncidents, OpenSteps, Overview},
};

use super::ledger::VerificationView;
use crate::http::{
    App,
    extract::{Ask, Nothing},
    reply::{Data, Replied, data},
};

/// `GET /overview`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>) -> Replied<Data<OverviewView>> {
    data(OverviewView::from(operator::overview(&app).await?))
}

/// What needs a person.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Overview")]
pub struct OverviewView {
    /// Open incidents by their kind; kinds of which none is open are not there.
    incidents: Vec<IncidentsView>,
    /// What waits and is looked after by the service itself.
    waiting: WaitingView,
    /// Suppliers of which something is wrong.
    suppliers: SuppliersView,
    /// Exchange rates that are stored.
    rates: RatesView,
    /// Proofs of the ledger.
    ledger: LedgerView,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewIncidents")]
struct IncidentsView {
    /// The kind.
    kind: String,
    /// How many are open.
    open: i64,
    /// How long the oldest has been open, in seconds.
    oldest_seconds: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewWaiting")]
struct WaitingView {
    /// Open steps at suppliers.
    open_steps: i64,
    /// How long the oldest of them has been open, in seconds; null where none is.
    oldest_step_seconds: Option<u64>,
    /// Commands of this server's group commit that are not answered yet.
    commands: usize,
    /// Bookings whose outcome is not known.
    pending_bookings: i64,
    /// When the oldest of them was asked for, UTC; null where there is none.
    oldest_pending_booking: Option<DateTime<Utc>>,
    /// Refunds that are not in a wallet yet.
    pending_refunds: i64,
    /// Reports that will never have a file.
    failed_reports: i64,
    /// Webhooks that the service has switched off.
    webhooks_disabled: i64,
    /// Webhooks that did not take what was sent to them, and get it again later.
    webhooks_resting: i64,
    /// Wallets that owe.
    wallets_in_debt: i64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewSuppliers")]
struct SuppliersView {
    /// Those of which nothing new is sold.
    closed: Vec<ClosedView>,
    /// What is wrong and only an operator can mend, the newest first.
    alarms: Vec<AlarmView>,
    /// Our accounts there that are low or can't pay.
    low: Vec<LowView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewClosedSupplier")]
struct ClosedView {
    /// The supplier's code.
    supplier: String,
    /// Why it was closed: `account_empty`, or what the operator wrote.
    reason: String,
    /// Since when, UTC.
    since: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewAlarm")]
struct AlarmView {
    /// The supplier's code.
    supplier: String,
    /// What it is.
    kind: String,
    /// More of it, as its kind has it.
    details: Value,
    /// When it was raised, UTC.
    raised_at: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewLowAccount")]
struct LowView {
    /// The supplier's code.
    supplier: String,
    /// What can be spent; null where nobody knows.
    available: Option<Amount>,
    /// Of that amount, ISO 4217; null where nobody knows.
    currency: Option<String>,
    /// Below this it is low; null where nobody has said so.
    warn_below: Option<Amount>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewRates")]
struct RatesView {
    /// The day that the rates of the European Central Bank's file are of; null where none was imported.
    bank_day: Option<NaiveDate>,
    /// How many they are.
    bank_count: usize,
    /// The day on which the oldest rate was set by hand; null where none was.
    own_oldest_day: Option<NaiveDate>,
    /// How many were set by hand.
    own_count: usize,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OverviewLedger")]
struct LedgerView {
    /// The proof that runs now; null where none does.
    running: Option<VerificationView>,
    /// The last one that came to its end; null where none did.
    last: Option<VerificationView>,
}

impl From<Overview> for OverviewView {
    fn from(of: Overview) -> Self {
        Self {
            incidents: of.incidents.into_iter().map(IncidentsView::from).collect(),
            waiting: WaitingView::of(&of.waiting, of.steps, of.commands),
            suppliers: SuppliersView {
                closed: of.closed.into_iter().map(ClosedView::from).collect(),
                alarms: of.alarms.into_iter().map(AlarmView::from).collect(),
                low: of.low.into_iter().map(LowView::from).collect(),
            },
            rates: RatesView {
                bank_day: of.bank_rates.map(|rates| rates.day),
                bank_count: of.bank_rates.map_or(0, |rates| rates.count),
                own_oldest_day: of.own_rates.map(|rates| rates.oldest),
                own_count: of.own_rates.map_or(0, |rates| rates.count),
            },
            ledger: LedgerView {
                running: of.running.map(VerificationView::from),
                last: of.verified.map(VerificationView::from),
            },
        }
    }
}

impl From<OpenIncidents> for IncidentsView {
    fn from(of: OpenIncidents) -> Self {
        Self { kind: of.kind, open: of.open, oldest_seconds: of.oldest.as_secs() }
    }
}

impl WaitingView {
    fn of(waiting: &Waiting, steps: OpenSteps, commands: usize) -> Self {
        Self {
            open_steps: steps.open,
            oldest_step_seconds: steps.oldest.map(|age: Duration| age.as_secs()),
            commands,
            pending_bookings: waiting.pending_bookings,
            oldest_pending_booking: waiting.oldest_pending_booking,
            pending_refunds: waiting.pending_refunds,
            failed_reports: waiting.failed_reports,
            webhooks_disabled: waiting.webhooks_disabled,
            webhooks_resting: waiting.webhooks_resting,
            wallets_in_debt: waiting.wallets_in_debt,
        }
    }
}

impl From<ClosedSupplier> for ClosedView {
    fn from(of: ClosedSupplier) -> Self {
        Self { supplier: of.supplier, reason: of.reason, since: of.since }
    }
}

impl From<Alarm> for AlarmView {
    fn from(of: Alarm) -> Self {
        Self { supplier: of.supplier, kind: of.kind, details: of.details, raised_at: of.raised_at }
    }
}

impl From<LowAccount> for LowView {
    fn from(of: LowAccount) -> Self {
        Self {
            supplier: of.supplier,
            available: of.available.map(Amount),
            currency: of.currency,
            warn_below: of.warn_below.map(Amount),
        }
    }
}
