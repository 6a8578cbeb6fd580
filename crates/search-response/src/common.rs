//! What answers about flights and stays share: how amounts, times and what became of a supplier are shown.

use std::time::Duration;

use chrono::{NaiveDateTime, Timelike as _};
use wayfare_contract::{Amount, flights::SearchProblem, vocabulary};
use wayfare_domain::{Currency, Money};
use wayfare_operations::{SupplierReport, SupplierState};

/// An amount as answers have it; its currency stands beside it.
pub fn amount(money: Money) -> Amount {
    Amount(money.amount())
}

/// A currency as answers have it.
pub fn code(currency: Currency) -> String {
    currency.code().to_owned()
}

/// A local time without zone and without a fraction of a second (P-66).
pub fn local(time: NaiveDateTime) -> NaiveDateTime {
    // A second that was put in counts as part of the one before it.
    let second = time.nanosecond() / 1_000_000_000 * 1_000_000_000;
    time.with_nanosecond(second).unwrap_or(time)
}

/// What became of asking a supplier.
pub fn state(state: SupplierState) -> vocabulary::SupplierState {
    match state {
        SupplierState::Success => vocabulary::SupplierState::Success,
        SupplierState::Error => vocabulary::SupplierState::Error,
        SupplierState::Skipped => vocabulary::SupplierState::Skipped,
    }
}

/// How long it took, as answers have it.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What went wrong at the suppliers, line by line; alike for flights and hotels.
pub fn problems<'a>(reports: impl IntoIterator<Item = &'a SupplierReport>) -> Vec<SearchProblem> {
    let lines = |report: &'a SupplierReport| {
        let texts = report.errors.iter();
        texts.map(|text| SearchProblem { provider: report.code.clone(), text: text.clone() })
    };
    reports.into_iter().flat_map(lines).collect()
}
