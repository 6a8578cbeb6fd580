//! The exchange rates that the operator sets and imports. They belong to no agency, so no audit log has them: each
//! row says whence and of which day it is, and each change is logged with what was before.

use chrono::NaiveDate;
use diesel_async::AsyncConnection;
use rust_decimal::Decimal;
use wayfare_domain::{Currency, Faults};
use wayfare_store::pricing::exchange_rates::{self, ExchangeRate, Origin};

use crate::{
    Error, Platform, Result,
    pricing::{
        ecb::{self, SkippedRate},
        exchange_rates::{QuotedRate, StoredRates, checked},
    },
};

/// What came of an import.
#[derive(Clone, Debug)]
pub struct ImportedRates {
    /// The day that the rates are of.
    pub day: NaiveDate,
    /// The day of those that they took the place of; none when there were none.
    pub before: Option<NaiveDate>,
    /// How many there are, each against the euro.
    pub count: usize,
    /// Those of currencies that are none here.
    pub skipped: Vec<SkippedRate>,
}

/// Every stored rate, by its currencies.
pub async fn stored_rates(platform: &Platform) -> Result<Vec<ExchangeRate>> {
    let connection = platform.database.connection().await?;
    Ok(exchange_rates::all(&connection).await?)
}

/// The rate that counts between two currencies and who quotes it; none when nobody does.
///
/// # Errors
/// [`Error::Invalid`] for a currency and itself.
pub async fn rate(platform: &Platform, from: Currency, to: Currency) -> Result<Option<QuotedRate>> {
    differ(from, to)?;
    let stored = stored_rates(platform).await?;
    Ok(StoredRates::new(&stored, platform.rates.clone()).find(from, to))
}

/// Sets the operator's own rate: so many units of `to` for one of `from`.
///
/// # Errors
/// [`Error::Invalid`] names what can't be.
pub async fn set_rate(platform: &Platform, from: Currency, to: Currency, rate: Decimal) -> Result<()> {
    differ(from, to)?;
    let rate = checked(rate).map_err(|reason| Faults::of("rate", reason))?;
    let now = platform.clock.now();
    let new = ExchangeRate {
        from,
        to,
        rate,
        origin: Origin::Operator,
        day: now.date_naive(),
        updated_at: now,
    };
    let mut connection = platform.database.connection().await?;
    let before = connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            let before = exchange_rates::remove(connection, (from, to), Origin::Operator).await?;
            exchange_rates::insert(connection, &[new]).await?;
            Ok::<_, Error>(before)
        })
        .await?;
    let (from, to) = (from.code(), to.code());
    tracing::info!(from, to, %rate, ?before, "the operator set an exchange rate");
    Ok(())
}

/// Takes the operator's own rate away, and returns it; none when there was none.
pub async fn remove_rate(platform: &Platform, from: Currency, to: Currency) -> Result<Option<Decimal>> {
    let mut connection = platform.database.connection().await?;
    let removed = exchange_rates::remove(&mut connection, (from, to), Origin::Operator).await?;
    if let Some(rate) = removed {
        let (from, to) = (from.code(), to.code());
        tracing::info!(from, to, %rate, "the operator removed an exchange rate");
    }
    Ok(removed)
}

/// Puts the rates of the European Central Bank's daily file in the place of those of the file before, all of them: one of
/// a currency that the bank has dropped does not stay behind. A file of an earlier day is taken by force only.
///
/// # Errors
/// [`Error::Invalid`] says of `file` what is wrong, with the line; nothing is changed then.
pub async fn import_rates(platform: &Platform, file: &str, force: bool) -> Result<ImportedRates> {
    let refused = |reason: String| Error::from(Faults::of("file", reason));
    let file = ecb::read(file).map_err(|wrong| refused(wrong.to_string()))?;
    let now = platform.clock.now();
    let day = file.day;
    // It would be in the way of all the files to come.
    if day > now.date_naive() {
        return Err(refused(format!("is of {day}, a day that has not come")));
    }
    let rates: Vec<ExchangeRate> = file
        .rates
        .into_iter()
        .map(|(to, rate)| ExchangeRate {
            from: Currency::EUR,
            to,
            rate,
            origin: Origin::Ecb,
            day,
            updated_at: now,
        })
        .collect();
    let mut connection = platform.database.connection().await?;
    let before = connection
        .transaction(async |connection| {
            exchange_rates::lock(connection).await?;
            let rates_before = exchange_rates::all(connection).await?;
            let of_bank = rates_before.iter().filter(|rate| rate.origin == Origin::Ecb);
            let before = of_bank.map(|rate| rate.day).max();
            if let Some(before) = before.filter(|before| *before > day && !force) {
                let reason =
                    format!("is of {day}, and rates of {before} are there: it is taken by force only");
                return Err(refused(reason));
            }
            exchange_rates::clear(connection, Origin::Ecb).await?;
            exchange_rates::insert(connection, &rates).await?;
            Ok(before)
        })
        .await?;
    let (count, skipped) = (rates.len(), file.skipped);
    let left_out = skipped.len();
    tracing::info!(%day, ?before, count, left_out, "exchange rates of the European Central Bank were imported");
    Ok(ImportedRates {
        day,
        before,
        count,
        skipped,
    })
}

fn differ(from: Currency, to: Currency) -> Result<()> {
    if from == to {
        return Err(Faults::of("to", "must be another currency").into());
    }
    Ok(())
}
