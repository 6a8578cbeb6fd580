//! The exchange rates that the operator sets and imports. They belong to no agency, so no agency's audit log has them: each
//! row says whence and of which day it is, and each change is logged, and stands with what was before and who did it in
//! `operator_events` (D-556).

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use diesel_async::AsyncConnection;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_contract::{
    Amount,
    operator::{
        self as contract, ChangedRate, FareAtRates, ImportedRates, RateChange, RateSetter, RemovedRate,
    },
};
use wayfare_domain::{Currency, Faults, Money};
use wayfare_store::{
    operator::operator_events::{self, RateWriter},
    pricing::exchange_rates::{self, ExchangeRate, Origin},
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, ConfirmedFinance, note_beside_agencies},
    pricing::{
        ecb::{self, DailyFile},
        exchange_rates::{QuotedRate, Quoter, StoredRates, checked},
    },
};

/// A daily file is under 4 KiB: what is much larger is another file, one of several days for example.
pub const LONGEST_DAILY_FILE: usize = 64 * 1024;

/// A fare of so many units shows what a rate does: nobody sees it by a factor.
const EXAMPLE_FARE: Decimal = Decimal::from_parts(10_000, 0, 0, false, 0);

/// By how many per cent a rate differs from the one before, to two decimals; none where there is nothing to compare.
fn percent(before: Option<Decimal>, after: Option<Decimal>) -> Option<Decimal> {
    let (before, after) = (before?, after?);
    let share = after.checked_sub(before)?.checked_div(before)?;
    let percent = share.checked_mul(Decimal::ONE_HUNDRED)?;
    Some(percent.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero))
}

fn shown(QuotedRate { rate, quoter }: QuotedRate) -> contract::QuotedRate {
    let (source, day) = match quoter {
        Quoter::Operator(day) => ("operator", Some(day)),
        Quoter::Configuration => ("configuration", None),
        Quoter::CentralBank(day) => ("ecb", Some(day)),
    };
    contract::QuotedRate { rate: Amount(rate), source: source.to_owned(), day }
}

/// Every stored rate, by its currencies.
#[boxed]
pub async fn stored_rates(platform: &Platform) -> Result<Vec<ExchangeRate>> {
    let connection = platform.core.database.connection().await?;
    Ok(exchange_rates::all(&connection).await?)
}

/// The stored rates and who wrote them.
struct Present {
    stored: Vec<ExchangeRate>,
    setters: Vec<RateWriter>,
    rates: StoredRates,
    today: NaiveDate,
}

impl Present {
    async fn of(platform: &Platform) -> Result<Self> {
        let mut connection = platform.core.database.connection().await?;
        let stored = exchange_rates::all(&connection).await?;
        let setters = operator_events::rate_writers(&mut connection).await?;
        let rates = StoredRates::new(&stored, platform.core.rates.clone());
        Ok(Self { rates, stored, setters, today: platform.core.clock.now().date_naive() })
    }

    /// The rate that counts between two different currencies.
    fn find(&self, from: Currency, to: Currency) -> Option<contract::ExchangeRate> {
        let found = self.rates.find(from, to)?;
        let is_it = |stored: &&ExchangeRate| match found.quoter {
            Quoter::Operator(_) => {
                stored.origin == Origin::Operator && (stored.from, stored.to) == (from, to)
            }
            Quoter::CentralBank(_) => stored.origin == Origin::Ecb,
            Quoter::Configuration => false,
        };
        let stored = self.stored.iter().find(is_it);
        let contract::QuotedRate { rate, source, day } = shown(found);
        Some(contract::ExchangeRate {
            from: from.code().to_owned(),
            to: to.code().to_owned(),
            rate,
            source,
            day,
            age_days: day.map(|day| (self.today - day).num_days()),
            updated_at: stored.map(|stored| stored.updated_at),
            set_by: stored.and_then(|stored| self.writer(stored)),
        })
    }

    /// Who wrote it: whoever did so at the time at which it was written.
    fn writer(&self, stored: &ExchangeRate) -> Option<RateSetter> {
        let wrote_it = |writer: &&RateWriter| {
            writer.at == stored.updated_at
                && match stored.origin {
                    Origin::Ecb => writer.pair.is_none(),
                    Origin::Operator => writer
                        .pair
                        .as_ref()
                        .is_some_and(|(from, to)| from == stored.from.code() && to == stored.to.code()),
                }
        };
        let writer = self.setters.iter().find(wrote_it)?;
        let (id, name) = writer.operator.clone()?;
        Some(RateSetter { id: id.uuid(), name })
    }
}

/// The rates that count of every pair that somebody states, by their currencies: what is worked out of the bank's is asked for
/// by its pair.
#[boxed]
pub async fn rates(platform: &Platform) -> Result<Vec<contract::ExchangeRate>> {
    let present = Present::of(platform).await?;
    let stated = present.stored.iter().map(|stored| (stored.from, stored.to));
    let pairs: BTreeMap<_, _> = stated
        .chain(platform.core.rates.pairs())
        .map(|(from, to)| ((from.code(), to.code()), (from, to)))
        .collect();
    let counting = pairs.into_values();
    Ok(counting.filter_map(|(from, to)| present.find(from, to)).collect())
}

/// The rate that counts between two currencies and who quotes it; none when nobody does.
///
/// # Errors
/// [`Error::Invalid`] for a currency and itself.
#[boxed]
pub async fn rate(
    platform: &Platform,
    from: Currency,
    to: Currency,
) -> Result<Option<contract::ExchangeRate>> {
    differ(from, to)?;
    Ok(Present::of(platform).await?.find(from, to))
}

/// Sets the operator's own rate: so many units of `to` for one of `from`.
///
/// # Errors
/// [`Error::Invalid`] names what can't be.
#[boxed]
pub async fn set_rate(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    from: Currency,
    to: Currency,
    rate: Decimal,
) -> Result<RateChange> {
    let new = own_rate(platform, (from, to), rate)?;
    let mut connection = platform.core.database.connection().await?;
    let change = connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            let stored = exchange_rates::all(connection).await?;
            let before = exchange_rates::remove(connection, (from, to), Origin::Operator).await?;
            exchange_rates::insert(connection, &[new]).await?;
            let value = json!({
                "from": from, "to": to, "rate": Amount(new.rate), "before": before.map(Amount),
            });
            note_beside_agencies(&by, connection, ("rate.set", new.updated_at), value).await?;
            Ok::<_, Error>(RateChange { written: true, ..change_by(platform, &stored, &new) })
        })
        .await?;
    let before = change.before.as_ref().map(|before| before.rate.0);
    let (from, to) = (from.code(), to.code());
    let operator = by.operator().map(|id| id.to_string());
    tracing::info!(from, to, rate = %new.rate, ?before, operator, "the operator set an exchange rate");
    Ok(change)
}

/// What [`set_rate`] would do. Nothing is written.
///
/// # Errors
/// Those of [`set_rate`].
#[boxed]
pub async fn preview_rate(
    platform: &Platform,
    from: Currency,
    to: Currency,
    rate: Decimal,
) -> Result<RateChange> {
    let new = own_rate(platform, (from, to), rate)?;
    Ok(change_by(platform, &stored_rates(platform).await?, &new))
}

/// The rate as the operator's own of today.
fn own_rate(platform: &Platform, (from, to): (Currency, Currency), rate: Decimal) -> Result<ExchangeRate> {
    differ(from, to)?;
    let rate = checked(rate).map_err(|reason| Faults::of("rate", reason))?;
    let now = platform.core.clock.now();
    Ok(ExchangeRate { from, to, rate, origin: Origin::Operator, day: now.date_naive(), updated_at: now })
}

fn change_by(platform: &Platform, stored: &[ExchangeRate], new: &ExchangeRate) -> RateChange {
    let before = StoredRates::new(stored, platform.core.rates.clone()).find(new.from, new.to);
    RateChange {
        from: new.from.code().to_owned(),
        to: new.to.code().to_owned(),
        before: before.map(shown),
        after: shown(QuotedRate { rate: new.rate, quoter: Quoter::Operator(new.day) }),
        fare: example_fare((new.from, new.to), before.map(|before| before.rate), new.rate),
        written: false,
    }
}

/// A fare that comes to [`EXAMPLE_FARE`] now, or then where nothing counts now, as far as the supplier's currency can say it.
fn example_fare(
    (from, to): (Currency, Currency),
    before: Option<Decimal>,
    after: Decimal,
) -> Option<FareAtRates> {
    let asked = EXAMPLE_FARE.checked_div(before.unwrap_or(after))?;
    let asked = Money::rounded(asked, from).bounded().ok()?;
    let comes_to = |rate| asked.converted(rate, to).and_then(Money::bounded).ok();
    let before = match before {
        Some(rate) => Some(comes_to(rate)?),
        None => None,
    };
    let after = comes_to(after)?;
    asked.is_positive().then(|| FareAtRates {
        asked: Amount(asked.amount()),
        asked_currency: from.code().to_owned(),
        before: before.map(|before| Amount(before.amount())),
        after: Amount(after.amount()),
        currency: to.code().to_owned(),
    })
}

/// Takes the operator's own rate away; none when there was none.
#[boxed]
pub async fn remove_rate(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    from: Currency,
    to: Currency,
) -> Result<Option<RemovedRate>> {
    let mut connection = platform.core.database.connection().await?;
    let removed = connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            let removed = exchange_rates::remove(connection, (from, to), Origin::Operator).await?;
            let Some(rate) = removed else { return Ok(None) };
            let value = json!({ "from": from, "to": to, "before": Amount(rate) });
            note_beside_agencies(&by, connection, ("rate.removed", platform.core.clock.now()), value).await?;
            let left = exchange_rates::all(connection).await?;
            let after = StoredRates::new(&left, platform.core.rates.clone()).find(from, to);
            Ok::<_, Error>(Some(RemovedRate {
                from: from.code().to_owned(),
                to: to.code().to_owned(),
                removed: Amount(rate),
                after: after.map(shown),
            }))
        })
        .await?;
    if let Some(RemovedRate { from, to, removed: Amount(rate), .. }) = &removed {
        let operator = by.operator().map(|id| id.to_string());
        tracing::info!(from, to, %rate, operator, "the operator removed an exchange rate");
    }
    Ok(removed)
}

/// Puts the rates of the European Central Bank's daily file in the place of those of the file before, all of them: one of
/// a currency that the bank has dropped does not stay behind. A file of an earlier day is taken by force only.
///
/// # Errors
/// [`Error::Invalid`] says of `file` what is wrong, with the line; nothing is changed then.
#[boxed]
pub async fn import_rates(
    platform: &Platform,
    by: By<ConfirmedFinance>,
    file: &str,
    force: bool,
) -> Result<ImportedRates> {
    let file = read(platform, file)?;
    let mut connection = platform.core.database.connection().await?;
    let imported = connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            let imported = compared(&exchange_rates::all(connection).await?, &file, force)?;
            let now = platform.core.clock.now();
            exchange_rates::clear(connection, Origin::Ecb).await?;
            exchange_rates::insert(connection, &rows_of(&file, now)).await?;
            let value = json!({
                "day": imported.day, "before": imported.before, "rates": imported.rates,
                "changed": imported.changes.len(),
            });
            note_beside_agencies(&by, connection, ("rates.imported", now), value).await?;
            Ok::<_, Error>(ImportedRates { written: true, ..imported })
        })
        .await?;
    let (day, before, count) = (imported.day, imported.before, imported.rates);
    let left_out = imported.skipped.len();
    let operator = by.operator().map(|id| id.to_string());
    tracing::info!(%day, ?before, count, left_out, operator, "exchange rates of the European Central Bank were imported");
    Ok(imported)
}

/// What [`import_rates`] would change. Nothing is written.
///
/// # Errors
/// Those of [`import_rates`].
#[boxed]
pub async fn preview_import(platform: &Platform, file: &str, force: bool) -> Result<ImportedRates> {
    let file = read(platform, file)?;
    compared(&stored_rates(platform).await?, &file, force)
}

fn refused(reason: String) -> Error {
    Faults::of("file", reason).into()
}

fn read(platform: &Platform, file: &str) -> Result<DailyFile> {
    let file = ecb::read(file).map_err(|wrong| refused(wrong.to_string()))?;
    // It would be in the way of all the files to come.
    if file.day > platform.core.clock.now().date_naive() {
        return Err(refused(format!("is of {}, a day that has not come", file.day)));
    }
    Ok(file)
}

/// What a file changes of these rates.
fn compared(stored: &[ExchangeRate], file: &DailyFile, force: bool) -> Result<ImportedRates> {
    let day = file.day;
    let of_bank = || stored.iter().filter(|rate| rate.origin == Origin::Ecb);
    let before = of_bank().map(|rate| rate.day).max();
    if let Some(before) = before.filter(|before| *before > day && !force) {
        let reason = format!("is of {day}, and rates of {before} are there: it is taken by force only");
        return Err(refused(reason));
    }
    let old = of_bank().map(|rate| (rate.to.code(), (rate.to, rate.rate)));
    let old: BTreeMap<_, _> = old.collect();
    let new = file.rates.iter().map(|(to, rate)| (to.code(), (*to, *rate)));
    let new: BTreeMap<_, _> = new.collect();
    let codes: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let change = |code: &&str| {
        let (before, after) = (old.get(code), new.get(code));
        let (currency, _) = after.or(before)?;
        let (before, after) = (before.map(|(_, rate)| *rate), after.map(|(_, rate)| *rate));
        Some(ChangedRate {
            currency: currency.code().to_owned(),
            before: before.map(Amount),
            after: after.map(Amount),
            percent: percent(before, after).map(Amount),
        })
    };
    let changes = codes.into_iter().filter_map(change);
    Ok(ImportedRates {
        day,
        before,
        rates: file.rates.len(),
        changes: changes.filter(|change| change.before != change.after).collect(),
        skipped: file.skipped.clone(),
        written: false,
    })
}

/// The bank's rates as they are stored.
fn rows_of(file: &DailyFile, now: DateTime<Utc>) -> Vec<ExchangeRate> {
    let rate = |(to, rate): &(Currency, Decimal)| ExchangeRate {
        from: Currency::EUR,
        to: *to,
        rate: *rate,
        origin: Origin::Ecb,
        day: file.day,
        updated_at: now,
    };
    file.rates.iter().map(rate).collect()
}

fn differ(from: Currency, to: Currency) -> Result<()> {
    if from == to {
        return Err(Faults::of("to", "must be another currency").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;

    fn file(rates: &[(Currency, Decimal)]) -> DailyFile {
        DailyFile {
            day: NaiveDate::from_ymd_opt(2027, 1, 12).unwrap(),
            rates: rates.to_vec(),
            skipped: Vec::new(),
        }
    }

    #[test]
    fn a_file_is_compared_with_the_one_before_and_with_nothing_else() {
        let now = "2027-01-11T15:30:00Z".parse().unwrap();
        let before =
            file(&[(Currency::USD, dec!(1.25)), (Currency::INR, dec!(90)), (Currency::RUB, dec!(100))]);
        let mut stored = rows_of(&before, now);
        // What the operator set is not the bank's.
        stored.push(ExchangeRate {
            origin: Origin::Operator,
            from: Currency::EUR,
            to: Currency::INR,
            rate: dec!(95),
            ..stored[0]
        });
        let after =
            file(&[(Currency::INR, dec!(91.8)), (Currency::USD, dec!(1.250)), (Currency::JPY, dec!(158))]);
        let compared = compared(&stored, &after, false).unwrap();
        let found: Vec<_> = compared
            .changes
            .iter()
            .map(|change| {
                let number = |amount: Option<Amount>| amount.map(Decimal::from);
                (
                    change.currency.as_str(),
                    number(change.before),
                    number(change.after),
                    number(change.percent),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("INR", Some(dec!(90)), Some(dec!(91.8)), Some(dec!(2))),
                ("JPY", None, Some(dec!(158)), None),
                ("RUB", Some(dec!(100)), None, None),
            ]
        );
    }

    #[test]
    fn a_fare_shows_what_a_rate_does_as_far_as_it_is_money() {
        let (gbp, inr, jpy) = (Currency::GBP, Currency::INR, Currency::JPY);
        for (pair, before, after, expected) in [
            ((gbp, inr), Some(dec!(100)), dec!(105.25), "100.00 10000.00 10525.00"),
            // 10,000 / 113.4 is no whole number of pence.
            ((gbp, inr), Some(dec!(113.4)), dec!(113.4), "88.18 9999.61 9999.61"),
            ((gbp, inr), None, dec!(100), "100.00 none 10000.00"),
            ((inr, jpy), Some(dec!(1.75)), dec!(2), "5714.29 10000 11429"),
        ] {
            let fare = example_fare(pair, before, after).unwrap();
            let text = |amount: Option<Amount>| amount.map_or("none".to_owned(), |amount| amount.to_string());
            let found = format!("{} {} {}", fare.asked, text(fare.before), fare.after);
            assert_eq!(found, expected);
        }
        let tiny = dec!(0.0000000000000000001);
        assert_eq!(example_fare((gbp, inr), Some(tiny), dec!(1)), None);
        assert_eq!(example_fare((gbp, inr), None, dec!(9999999999)), None);
    }
}
