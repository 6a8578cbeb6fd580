//! Exchange rates, behind one trait. A pair without a rate has no price; it is never 1:1.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use rust_decimal::Decimal;
use thiserror::Error;
use wayfare_domain::{Currency, Money, MoneyError};

/// There is no rate between these currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no exchange rate from {} to {}", from.code(), to.code())]
#[non_exhaustive]
pub struct NoRate {
    /// What one unit is of.
    pub from: Currency,
    /// What it should be worth in.
    pub to: Currency,
}

/// Where rates come from.
pub trait RateSource: Send + Sync {
    /// How many units of `to` one unit of `from` is; none when it isn't known. Not asked for equal currencies.
    fn quoted(&self, from: Currency, to: Currency) -> Option<Decimal>;

    /// The pairs that it states rates for; none where it works them out.
    fn pairs(&self) -> Vec<(Currency, Currency)> {
        Vec::new()
    }

    /// The rate; exactly 1 within one currency.
    ///
    /// # Errors
    /// [`NoRate`] for a pair that nobody quotes.
    fn rate(&self, from: Currency, to: Currency) -> Result<Decimal, NoRate> {
        if from == to {
            return Ok(Decimal::ONE);
        }
        self.quoted(from, to).ok_or(NoRate { from, to })
    }
}

/// A table of rates out of the configuration.
#[derive(Clone, Debug, Default)]
pub struct RateTable(HashMap<(Currency, Currency), Decimal>);

impl RateTable {
    /// The table with one more rate: `rate` units of `to` for one of `from`. The way back is not implied:
    /// a spread is the operator's to state.
    ///
    /// # Errors
    /// [`MoneyError::Rate`] for a rate that is not above zero, [`MoneyError::TooLarge`] for an absurd one.
    pub fn with(mut self, from: Currency, to: Currency, rate: Decimal) -> Result<Self, MoneyError> {
        Money::rounded(Decimal::ONE, from).converted(rate, to)?;
        self.0.insert((from, to), rate);
        Ok(self)
    }

    /// Its rates as text, in order: `GBP/INR 105.25`.
    pub fn lines(&self) -> Vec<String> {
        let line = |((from, to), rate): (&(Currency, Currency), &Decimal)| {
            format!("{}/{} {}", from.code(), to.code(), rate.normalize())
        };
        let mut lines: Vec<String> = self.0.iter().map(line).collect();
        lines.sort_unstable();
        lines
    }
}

impl RateSource for RateTable {
    fn quoted(&self, from: Currency, to: Currency) -> Option<Decimal> {
        self.0.get(&(from, to)).copied()
    }

    fn pairs(&self) -> Vec<(Currency, Currency)> {
        self.0.keys().copied().collect()
    }
}

/// Rates of a source, each asked for once: what is worked out of two others takes as long as a whole price, and a search prices
/// a thousand offers.
pub struct KnownRates<S> {
    source: S,
    known: RwLock<Vec<KnownRate>>,
}

/// From which currency to which, and the rate, if there is one.
type KnownRate = ((Currency, Currency), Option<Decimal>);

impl<S: RateSource> KnownRates<S> {
    /// The rates that this source has from now on: it must not change any more.
    pub fn of(source: S) -> Self {
        Self { source, known: RwLock::default() }
    }
}

impl<S: RateSource> RateSource for KnownRates<S> {
    fn quoted(&self, from: Currency, to: Currency) -> Option<Decimal> {
        let pair = (from, to);
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        // A search has one or two.
        if let Some((_, rate)) = known.iter().find(|(known, _)| *known == pair) {
            return *rate;
        }
        drop(known);
        let rate = self.source.quoted(from, to);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.push((pair, rate));
        rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::dec;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Counted(AtomicU32);

    impl RateSource for Counted {
        fn quoted(&self, from: Currency, _: Currency) -> Option<Decimal> {
            self.0.fetch_add(1, Ordering::Relaxed);
            (from == Currency::GBP).then_some(dec!(105.25))
        }
    }

    #[test]
    fn a_rate_is_asked_for_once_also_where_there_is_none() {
        let rates = KnownRates::of(Counted(AtomicU32::new(0)));
        for _ in 0..3 {
            assert_eq!(rates.rate(Currency::GBP, Currency::INR), Ok(dec!(105.25)));
            assert!(rates.rate(Currency::INR, Currency::GBP).is_err());
        }
        assert_eq!(rates.source.0.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_pair_without_a_rate_is_refused_and_never_one_to_one() {
        let table = RateTable::default().with(Currency::GBP, Currency::INR, dec!(105.25)).unwrap();
        assert_eq!(table.rate(Currency::GBP, Currency::INR), Ok(dec!(105.25)));
        assert_eq!(table.rate(Currency::INR, Currency::INR), Ok(Decimal::ONE));
        let missing = table.rate(Currency::INR, Currency::GBP).unwrap_err();
        assert_eq!(missing.to_string(), "no exchange rate from INR to GBP");
        assert!(RateTable::default().with(Currency::GBP, Currency::INR, dec!(0)).is_err());
    }
}
