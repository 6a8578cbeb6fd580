//! Which exchange rate counts: the operator's own, else the configuration's, else the European Central Bank's.

use std::{collections::HashMap, sync::Arc};

use chrono::NaiveDate;
use rust_decimal::{Decimal, RoundingStrategy};
use wayfare_domain::Currency;
use wayfare_pricing::RateSource;
use wayfare_store::pricing::exchange_rates::{self, ExchangeRate, Origin};

use crate::{Core, Result};

/// Significant digits of a rate that is worked out of two of the bank's, which have 5 to 7 themselves. The largest
/// amount has 16, so that a conversion is exact in the 28 of a decimal until it is rounded to money; and a rate from a
/// tiny currency to a large one keeps as many as any other, which a fixed number of decimals would not leave it.
const DIGITS: u32 = 12;

/// No rate between currencies that are money has more digits before the point.
const LARGEST: Decimal = Decimal::from_parts(1_410_065_408, 2, 0, false, 0);

/// Who quotes a rate, and the day that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoter {
    /// The operator, who set it that day (UTC).
    Operator(NaiveDate),
    Configuration,
    /// The European Central Bank, in its file of that day.
    CentralBank(NaiveDate),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedRate {
    /// Units of the second currency for one of the first.
    pub rate: Decimal,
    pub quoter: Quoter,
}

/// The stored rates, in front of those of the configuration and behind them.
pub struct StoredRates {
    operator: HashMap<(Currency, Currency), (Decimal, NaiveDate)>,
    configured: Arc<dyn RateSource>,
    /// Units for one euro, the euro itself among them.
    bank: HashMap<Currency, Decimal>,
    bank_day: Option<NaiveDate>,
}

impl StoredRates {
    pub(crate) async fn present(core: &Core) -> Result<Self> {
        let connection = core.database.connection().await?;
        let stored = exchange_rates::all(&connection).await?;
        Ok(Self::new(&stored, core.rates.clone()))
    }

    /// These stored rates and those of the configuration.
    pub fn new(stored: &[ExchangeRate], configured: Arc<dyn RateSource>) -> Self {
        let mut rates = Self {
            operator: HashMap::new(),
            configured,
            bank: HashMap::from([(Currency::EUR, Decimal::ONE)]),
            bank_day: None,
        };
        for stored in stored {
            match stored.origin {
                Origin::Operator => {
                    let pair = (stored.from, stored.to);
                    rates.operator.insert(pair, (stored.rate, stored.day));
                }
                Origin::Ecb => {
                    rates.bank.insert(stored.to, stored.rate);
                    rates.bank_day = Some(stored.day);
                }
            }
        }
        rates
    }

    /// The rate that counts between two different currencies and who quotes it; none when nobody does.
    ///
    /// The way back of a rate that the operator stated, here or in the configuration, is the operator's to state: there
    /// may be a spread in it. The bank's are all against the euro and have none: they serve both ways and across.
    pub fn find(&self, from: Currency, to: Currency) -> Option<QuotedRate> {
        if let Some((rate, day)) = self.operator.get(&(from, to)) {
            return Some(QuotedRate { rate: *rate, quoter: Quoter::Operator(*day) });
        }
        if let Some(rate) = self.configured.quoted(from, to) {
            let quoter = Quoter::Configuration;
            return Some(QuotedRate { rate, quoter });
        }
        Some(QuotedRate { rate: self.across(from, to)?, quoter: Quoter::CentralBank(self.bank_day?) })
    }

    fn across(&self, from: Currency, to: Currency) -> Option<Decimal> {
        let rate = self.bank.get(&to)?.checked_div(*self.bank.get(&from)?)?;
        let rate = rate.round_sf_with_strategy(DIGITS, RoundingStrategy::MidpointAwayFromZero)?;
        (!rate.is_zero()).then(|| rate.normalize())
    }
}

impl RateSource for StoredRates {
    fn quoted(&self, from: Currency, to: Currency) -> Option<Decimal> {
        self.find(from, to).map(|found| found.rate)
    }
}

/// The rate, when one can be so.
///
/// # Errors
/// What it must be.
pub(crate) fn checked(rate: Decimal) -> Result<Decimal, &'static str> {
    if rate <= Decimal::ZERO {
        return Err("must be greater than 0");
    }
    if rate >= LARGEST {
        return Err("must have at most 10 digits before the decimal point");
    }
    Ok(rate)
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;
    use wayfare_pricing::RateTable;

    use super::*;

    fn stored(origin: Origin, from: Currency, to: Currency, rate: Decimal) -> ExchangeRate {
        let updated_at = "2027-01-11T15:30:00Z".parse().unwrap();
        ExchangeRate { from, to, rate, origin, day: day(), updated_at }
    }

    fn day() -> NaiveDate {
        NaiveDate::from_ymd_opt(2027, 1, 11).unwrap()
    }

    fn bank(to: Currency, rate: Decimal) -> ExchangeRate {
        stored(Origin::Ecb, Currency::EUR, to, rate)
    }

    #[test]
    fn the_banks_rates_serve_both_ways_and_across() {
        let all = [
            bank(Currency::USD, dec!(1.0921)),
            bank(Currency::INR, dec!(90.7495)),
            bank(Currency::GBP, dec!(0.8)),
            bank(Currency::IDR, dec!(16924.53)),
            bank(Currency::KWD, dec!(0.3361)),
        ];
        let rates = StoredRates::new(&all, Arc::new(RateTable::default()));
        // By hand: to / from, 12 significant digits, half away from zero.
        for (from, to, rate) in [
            (Currency::EUR, Currency::INR, dec!(90.7495)),
            (Currency::GBP, Currency::EUR, dec!(1.25)),
            (Currency::GBP, Currency::INR, dec!(113.436875)),
            (Currency::INR, Currency::GBP, dec!(0.00881547556736)),
            (Currency::USD, Currency::INR, dec!(83.0963281751)),
            (Currency::INR, Currency::USD, dec!(0.0120342260839)),
            (Currency::IDR, Currency::KWD, dec!(0.000019858749401)),
            (Currency::KWD, Currency::IDR, dec!(50355.6382029)),
        ] {
            let found = rates.find(from, to);
            let quoter = Quoter::CentralBank(day());
            assert_eq!(found, Some(QuotedRate { rate, quoter }), "{from:?} {to:?}");
        }
        assert_eq!(rates.find(Currency::USD, Currency::JPY), None);
        assert_eq!(rates.rate(Currency::JPY, Currency::JPY), Ok(Decimal::ONE));
        assert!(rates.rate(Currency::EUR, Currency::JPY).is_err());
    }

    #[test]
    fn without_a_file_not_even_the_euro_has_a_rate() {
        let rates = StoredRates::new(&[], Arc::new(RateTable::default()));
        assert_eq!(rates.find(Currency::EUR, Currency::INR), None);
        assert!(rates.rate(Currency::INR, Currency::EUR).is_err());
    }

    #[test]
    fn the_operators_rate_comes_first_then_the_configurations_and_neither_has_a_way_back() {
        let configured = RateTable::default()
            .with(Currency::USD, Currency::INR, dec!(85))
            .and_then(|table| table.with(Currency::GBP, Currency::INR, dec!(110)))
            .unwrap();
        let by_hand = [stored(Origin::Operator, Currency::USD, Currency::INR, dec!(86.5))];
        let found = |all: &[ExchangeRate], from, to| {
            let rates = StoredRates::new(all, Arc::new(configured.clone()));
            rates.find(from, to).map(|found| (found.rate, found.quoter))
        };
        let (usd, gbp, inr) = (Currency::USD, Currency::GBP, Currency::INR);
        let operator = Quoter::Operator(day());
        assert_eq!(found(&by_hand, usd, inr), Some((dec!(86.5), operator)));
        assert_eq!(found(&[], usd, inr), Some((dec!(85), Quoter::Configuration)));
        for (from, to) in [(inr, usd), (inr, gbp), (usd, gbp), (gbp, usd)] {
            assert_eq!(found(&by_hand, from, to), None, "{from:?} {to:?}");
        }
        let both = [by_hand[0], bank(usd, dec!(1.25)), bank(inr, dec!(100))];
        assert_eq!(found(&both, usd, inr), Some((dec!(86.5), operator)));
        assert_eq!(found(&both, gbp, inr), Some((dec!(110), Quoter::Configuration)));
        // The way back is the bank's: 1.25 / 100.
        assert_eq!(found(&both, inr, usd), Some((dec!(0.0125), Quoter::CentralBank(day()))));
    }

    #[test]
    fn a_rate_is_above_zero_and_of_a_size_that_money_has() {
        assert_eq!(checked(dec!(9999999999.9)), Ok(dec!(9999999999.9)));
        assert!(checked(dec!(0.0000000000000000001)).is_ok());
        for wrong in [dec!(0), dec!(-1), dec!(10000000000)] {
            assert!(checked(wrong).is_err(), "{wrong}");
        }
    }
}
