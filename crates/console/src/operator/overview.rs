//! The first page of the operator: what needs a person.

use chrono::{NaiveDate, TimeDelta};
use rust_decimal::Decimal;
use wayfare_client::{
    Amount,
    enums::Standing,
    operator::{
        AgencyRow, LedgerVerification, Overview, OverviewIncidents, OverviewLowAccount, OverviewRates,
        OverviewSuppliers, OverviewWaiting,
    },
};

use super::{
    incidents::{age, lasted},
    ledger::Proof,
    signed::OperatorSigned,
};
use crate::{day, failure::sentence, prelude::*};

/// Agencies that are listed at most.
const SHOWN: usize = 50;
/// The bank's rates are of working days: after so many days a file was missed.
const OLD_RATES: i64 = 5;
/// A proof that is older was not made in the night.
const OLD_PROOF: TimeDelta = TimeDelta::hours(36);

#[derive(Template)]
#[template(path = "operator/overview.html")]
struct OverviewPage {
    shell: Shell,
    /// Names, values, and what is said beside them.
    figures: Vec<(&'static str, String, String)>,
    kinds: Vec<OverviewIncidents>,
    suppliers: Vec<SupplierRow>,
    stopped: Vec<Stopped>,
    ledger: Ledger,
    rates: Vec<(Status, String)>,
}

/// Something that is wrong with a supplier.
struct SupplierRow {
    supplier: String,
    status: Status,
    text: String,
    since: Moment,
}

struct Stopped {
    code: String,
    name: String,
    spendable: String,
    status: Status,
}

struct Ledger {
    /// The last one that came to its end.
    last: Option<Proof>,
    running: Option<Proof>,
    status: Status,
}

fn seconds(past: u64) -> String {
    let past = i64::try_from(past).ok().and_then(TimeDelta::try_seconds);
    past.map(lasted).unwrap_or_default()
}

fn figures(waiting: &OverviewWaiting, open: i64, stopped: usize) -> Vec<(&'static str, String, String)> {
    let figure = |name, value: i64, more: String| (name, value.to_string(), more);
    let oldest = |age: Option<String>| age.map(|age| format!("the oldest for {age}")).unwrap_or_default();
    let plain = String::new;
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let webhooks = match waiting.webhooks_disabled {
        0 => plain(),
        off => format!("{off} switched off"),
    };
    vec![
        figure("Open incidents", open, plain()),
        figure(
            "Bookings without an outcome",
            waiting.pending_bookings,
            oldest(waiting.oldest_pending_booking.as_ref().map(age)),
        ),
        figure(
            "Open steps at suppliers",
            waiting.open_steps,
            oldest(waiting.oldest_step_seconds.map(seconds)),
        ),
        figure("Commands under way here", count(waiting.commands), plain()),
        figure("Refunds on their way", waiting.pending_refunds, plain()),
        figure("Webhooks that wait", waiting.webhooks_resting, webhooks),
        figure("Reports that failed", waiting.failed_reports, plain()),
        figure("Wallets that owe", waiting.wallets_in_debt, plain()),
        figure("Agencies that can't buy", count(stopped), plain()),
    ]
}

pub fn alarm(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "account_empty" => ("bad", "Account can't pay"),
        "account_low" => ("warn", "Account is low"),
        "credentials" => ("bad", "Credentials refused"),
        "webhook_silent" => ("warn", "Its hooks are silent"),
        "looks_exhausted" => ("warn", "Too many orders to look at"),
        "read_losses" => ("warn", "Answers can't be read as they come"),
        _ => ("warn", "Alarm"),
    }
}

/// What stands on an account and what should.
fn account(low: &OverviewLowAccount) -> String {
    let currency = low.currency.as_deref().unwrap_or_default();
    let text = |amount: Amount| money(amount, currency);
    match (low.available, low.warn_below) {
        (Some(available), Some(least)) => format!("{} of at least {}", text(available), text(least)),
        (Some(available), None) => text(available),
        (None, _) => "Nobody knows what it holds".to_owned(),
    }
}

fn suppliers(of: &OverviewSuppliers) -> Vec<SupplierRow> {
    let closed = of.closed.iter().map(|one| SupplierRow {
        supplier: one.supplier.clone(),
        status: Status::new("bad", "✕", "Closed"),
        text: match one.reason.as_str() {
            "account_empty" => "Our account there can't pay; it opens by itself when it can".to_owned(),
            reason => sentence(reason),
        },
        since: Moment::of(one.since),
    });
    let alarms = of.alarms.iter().map(|one| {
        let (tone, word) = alarm(&one.kind);
        let is_of_money = one.kind.starts_with("account_");
        let low = of.low.iter().find(|low| low.supplier == one.supplier);
        SupplierRow {
            supplier: one.supplier.clone(),
            status: Status::new(tone, "!", word),
            text: low.filter(|_| is_of_money).map(account).unwrap_or_default(),
            since: Moment::of(one.raised_at),
        }
    });
    closed.chain(alarms).collect()
}

/// An agency that is suspended or has nothing to spend; nothing for others.
fn stopped(agency: &AgencyRow) -> Option<Stopped> {
    let zero = Decimal::ZERO;
    let of = |amount: Option<Amount>| amount.map_or(zero, |amount| amount.0);
    let is_readable = agency.balance.is_some();
    // Amounts of one wallet, which the service adds up as well.
    let spendable = of(agency.balance) + of(agency.credit_limit) - of(agency.held);
    let status = match (&agency.status, is_readable) {
        (Standing::Active, false) => Status::new("bad", "!", "Its wallet can't be read"),
        (Standing::Active, true) if spendable > zero => return None,
        (Standing::Active, true) => Status::new("warn", "!", "Nothing to spend"),
        _ => Status::new("bad", "✕", "Suspended"),
    };
    Some(Stopped {
        code: agency.agent_id.clone(),
        name: agency.name.clone(),
        spendable: match is_readable {
            true => money(spendable.into(), &agency.currency),
            false => String::new(),
        },
        status,
    })
}

/// A wrong entry stays until a later proof finds none (D-547).
fn ledger(last: Option<LedgerVerification>, running: Option<LedgerVerification>) -> Ledger {
    let status = match &last {
        None => Status::new("warn", "!", "Never proven"),
        Some(last) if last.found != Some(0) => Status::new("bad", "!", "Does not agree"),
        Some(last) if day::now() - last.started_at > OLD_PROOF => {
            Status::new("warn", "!", format!("Proven {} ago", age(&last.started_at)))
        }
        Some(_) => Status::new("ok", "●", "All agrees"),
    };
    let proof = |of: Option<LedgerVerification>| of.map(|of| Proof { of });
    Ledger { last: proof(last), running: proof(running), status }
}

fn rates(of: &OverviewRates) -> Vec<(Status, String)> {
    let since = |day: NaiveDate| (day::now().date_naive() - day).num_days();
    let days = |days: i64| match days {
        ..=0 => "Of today".to_owned(),
        1 => "A day old".to_owned(),
        days => format!("{days} days old"),
    };
    let bank = of.bank_day.map(|at| {
        let status = match since(at) {
            old if old > OLD_RATES => Status::new("warn", "!", days(old)),
            old => Status::new("ok", "●", days(old)),
        };
        let text = format!("{} of the European Central Bank, {}", of.bank_count, day::day(at));
        (status, text)
    });
    let own = of.own_oldest_day.map(|at| {
        let text = format!("{} set by hand, the oldest on {}", of.own_count, day::day(at));
        (Status::new("", "○", days(since(at))), text)
    });
    bank.into_iter().chain(own).collect()
}

/// `GET /operator`.
pub async fn show(signed: OperatorSigned) -> Answer {
    let session = &signed.session;
    let shell = signed.shell("Overview", Area::Overview);
    let (shell, overview, agencies) = futures_util::try_join!(shell, session.overview(), session.agencies())?;
    page::html(&page_of(shell, overview, &agencies))
}

fn page_of(shell: Shell, overview: Overview, agencies: &[AgencyRow]) -> OverviewPage {
    let stopped: Vec<_> = agencies.iter().filter_map(stopped).collect();
    let open = overview.incidents.iter().map(|kind| kind.open).sum();
    OverviewPage {
        shell,
        figures: figures(&overview.waiting, open, stopped.len()),
        kinds: overview.incidents,
        suppliers: suppliers(&overview.suppliers),
        stopped: stopped.into_iter().take(SHOWN).collect(),
        ledger: ledger(overview.ledger.last, overview.ledger.running),
        rates: rates(&overview.rates),
    }
}
