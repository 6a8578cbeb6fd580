//! Money: an exact decimal and its currency, rounded in one place.

use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize, Serializer, ser};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::{Currency, Digits, short_decimal};

/// More integer digits than this are no amount of money (P-27).
const INTEGER_DIGITS: u32 = 14;

/// How many decimals the currency has by ISO 4217: INR 2, JPY 0, KWD 3.
pub fn minor_units(currency: Currency) -> u32 {
    currency.exponent().unwrap_or(2).into()
}

/// The currency of a three-letter code; none for codes that are no money (gold, tests, "no currency").
pub fn parse_currency(code: &str) -> Option<Currency> {
    // A code is compared with each currency's, one after the other: those that most answers are in go first.
    const FIRST: [Currency; 4] = [Currency::INR, Currency::USD, Currency::EUR, Currency::GBP];
    let known = FIRST.into_iter().find(|currency| currency.code() == code);
    known.or_else(|| Currency::from_code(code).filter(|currency| currency.exponent().is_some()))
}

/// Why amounts could not be made or added.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoneyError {
    /// Two currencies in one sum.
    #[error("amounts in {0} and {1} don't add up")]
    Currencies(&'static str, &'static str),
    /// More digits than money has here.
    #[error("must have at most {INTEGER_DIGITS} digits before the decimal point")]
    TooLarge,
    /// More decimals than the currency has.
    #[error("must have at most {0} decimals")]
    TooPrecise(u32),
    /// Below zero where only nothing or more makes sense.
    #[error("must not be negative")]
    Negative,
    /// An exchange rate that would give something away for nothing.
    #[error("an exchange rate must be above zero")]
    Rate,
}

/// An amount of one currency, always with exactly that currency's minor units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "StoredMoney", into = "StoredMoney")]
pub struct Money {
    amount: Decimal,
    currency: Currency,
}

impl Money {
    /// Nothing, in this currency.
    pub fn zero(currency: Currency) -> Self {
        Self { amount: Decimal::new(0, minor_units(currency)), currency }
    }

    /// The amount rounded half away from zero to the currency's minor units: the only place that rounds.
    pub fn rounded(amount: Decimal, currency: Currency) -> Self {
        let units = minor_units(currency);
        let mut amount = amount;
        if amount.scale() != units {
            if let Some(rounded) = short_decimal::rounded(amount, units) {
                amount = rounded;
            } else {
                amount = amount.round_dp_with_strategy(units, RoundingStrategy::MidpointAwayFromZero);
                amount.rescale(units);
            }
        }
        if amount.is_zero() {
            amount.set_sign_positive(true);
        }
        Self { amount, currency }
    }

    /// The amount as somebody stated it, which must be money already.
    ///
    /// # Errors
    /// [`MoneyError::TooPrecise`] with more decimals than the currency has, [`MoneyError::TooLarge`] with
    /// more than 14 digits before the point.
    pub fn exact(amount: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        if has_too_many_digits(amount) {
            return Err(MoneyError::TooLarge);
        }
        let units = minor_units(currency);
        if amount.scale() > units && amount.normalize().scale() > units {
            return Err(MoneyError::TooPrecise(units));
        }
        Ok(Self::rounded(amount, currency))
    }

    /// An amount or a sum as we have written it ourselves: sums of amounts may have more digits than an amount, and they
    /// are read back all the same.
    ///
    /// # Errors
    /// [`MoneyError::TooPrecise`] with more decimals than the currency has, [`MoneyError::TooLarge`] past what a decimal
    /// holds.
    pub fn stored(amount: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        let units = minor_units(currency);
        if amount.scale() > units && amount.normalize().scale() > units {
            return Err(MoneyError::TooPrecise(units));
        }
        let stored = Self::rounded(amount, currency);
        match stored.amount.scale() == units {
            true => Ok(stored),
            false => Err(MoneyError::TooLarge),
        }
    }

    /// Whether this differs from an amount by less than a thousandth of the currency's last digit: by what floats leave behind.
    pub fn is_nearly(self, amount: Decimal) -> bool {
        let units = minor_units(self.currency);
        if amount.scale() <= units && self.amount == amount {
            return true;
        }
        let difference = self.amount.checked_sub(amount);
        difference.is_some_and(|difference| difference.abs() < Decimal::new(1, units + 3))
    }

    /// The largest amount that somebody may state in this currency, and the most that a wallet may hold.
    pub fn largest(currency: Currency) -> Self {
        let units = minor_units(currency);
        let digits = 10_i128.pow(INTEGER_DIGITS + units) - 1;
        Self { amount: Decimal::from_i128_with_scale(digits, units), currency }
    }

    /// It, if it has no more digits before the point than money may have: what was worked out may have.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] with more than 14.
    pub fn bounded(self) -> Result<Self, MoneyError> {
        match has_too_many_digits(self.amount) {
            true => Err(MoneyError::TooLarge),
            false => Ok(self),
        }
    }

    /// The bare number.
    pub fn amount(self) -> Decimal {
        self.amount
    }

    /// The currency in which the amount is.
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// The number as it goes into JSON.
    pub fn number(self) -> Amount {
        Amount(self.amount)
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::Currencies`] when they differ, [`MoneyError::TooLarge`] past what a decimal holds.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        if let Some(amount) = short_decimal::sum(self.amount, other.amount) {
            return Ok(Self::rounded(amount, self.currency));
        }
        let amount = self
            .amount
            .checked_add(other.amount)
            // A decimal that has no room for all digits leaves some of the last ones out.
            .filter(|sum| sum.scale() == self.amount.scale())
            .ok_or(MoneyError::TooLarge)?;
        Ok(Self::rounded(amount, self.currency))
    }

    /// The difference; errors as in [`Money::plus`].
    ///
    /// # Errors
    /// As in [`Money::plus`].
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.plus(other.negated())
    }

    /// The same amount the other way.
    pub fn negated(self) -> Self {
        Self::rounded(-self.amount, self.currency)
    }

    /// The sum of all of them, zero of `currency` when there are none.
    ///
    /// # Errors
    /// As in [`Money::plus`].
    pub fn sum(currency: Currency, all: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        all.into_iter().try_fold(Self::zero(currency), Self::plus)
    }

    /// `percent` per cent of it, rounded.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] past what a decimal holds.
    pub fn percent(self, percent: Decimal) -> Result<Self, MoneyError> {
        let factor = percent.checked_mul(Decimal::new(1, 2));
        self.times(factor.ok_or(MoneyError::TooLarge)?)
    }

    /// It, `factor` times, rounded.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] past what a decimal holds.
    pub fn times(self, factor: Decimal) -> Result<Self, MoneyError> {
        self.product(factor, self.currency)
    }

    /// It in another currency at `rate` units of `to` for one of its own, rounded once.
    ///
    /// # Errors
    /// [`MoneyError::Rate`] for a rate that is not above zero, [`MoneyError::TooLarge`] for one with more digits
    /// than money has, and past what a decimal holds.
    pub fn converted(self, rate: Decimal, to: Currency) -> Result<Self, MoneyError> {
        if rate.is_sign_negative() || rate.is_zero() {
            return Err(MoneyError::Rate);
        }
        if has_too_many_digits(rate) {
            return Err(MoneyError::TooLarge);
        }
        self.product(rate, to)
    }

    fn product(self, factor: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        let amount = short_decimal::product(self.amount, factor).or_else(|| self.amount.checked_mul(factor));
        Ok(Self::rounded(amount.ok_or(MoneyError::TooLarge)?, currency))
    }

    /// It in `parts` shares that differ by at most one minor unit and add up exactly, larger ones last:
    /// 100.00 in three is 33.33, 33.33, 33.34.
    pub fn split(self, parts: usize) -> impl Iterator<Item = Self> + Clone {
        let count = i128::try_from(parts).unwrap_or_default();
        // In minor units, which is what an amount's digits count.
        let (units, scale) = (self.amount.mantissa(), self.amount.scale());
        let (least, over) = match count {
            0 => (0, 0),
            1 => (units, 0),
            count => (units.div_euclid(count), units.rem_euclid(count)),
        };
        (0..count).map(move |index| {
            let from_the_end = count - index;
            let share = if from_the_end <= over { least + 1 } else { least };
            Self::rounded(Decimal::from_i128_with_scale(share, scale), self.currency)
        })
    }

    /// The larger one, which must be of the same currency.
    ///
    /// # Errors
    /// As in [`Money::plus`].
    pub fn at_least(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        Ok(if self.amount < other.amount { other } else { self })
    }

    /// The smaller one, which must be of the same currency.
    ///
    /// # Errors
    /// As in [`Money::plus`].
    pub fn at_most(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        Ok(if self.amount > other.amount { other } else { self })
    }

    /// Below zero.
    pub fn is_negative(self) -> bool {
        self.amount.is_sign_negative()
    }

    /// Exactly nothing.
    pub fn is_zero(self) -> bool {
        self.amount.is_zero()
    }

    /// Above zero.
    pub fn is_positive(self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    fn same_currency(self, other: Self) -> Result<(), MoneyError> {
        if self.currency == other.currency {
            return Ok(());
        }
        Err(MoneyError::Currencies(self.currency.code(), other.currency.code()))
    }
}

/// Whether it has more digits before the point than money may have. By its digits, which is quicker than a comparison of
/// decimals.
fn has_too_many_digits(amount: Decimal) -> bool {
    let digits = INTEGER_DIGITS + amount.scale();
    // A decimal has 29 at most.
    digits < 29 && amount.mantissa().unsigned_abs() >= 10_u128.pow(digits)
}

/// The number alone with the currency's minor units, as error texts print it: `1250.00`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount.fmt(f)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.currency.code())
    }
}

/// A number in JSON with its exact digits; a float never stands between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Amount(#[serde(with = "exact_number")] pub Decimal);

/// Exact numbers in JSON, for `#[serde(with = "…")]`. Both ways go through the number's own text: serde_json hands a
/// number that it holds already to others as a float wherever that prints the same, and not all print it alike.
pub mod exact_number {
    use super::{Decimal, Deserialize, Digits, RawValue, Serialize, Serializer, ser};
    use serde::{Deserializer, de};

    /// As rust_decimal writes it, without its two allocations for every number: a search has ten thousand.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<S: Serializer>(number: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = Digits::of(*number);
        let number: &RawValue = serde_json::from_str(digits.as_str()).map_err(ser::Error::custom)?;
        number.serialize(serializer)
    }

    /// All digits of a JSON number.
    ///
    /// # Errors
    /// For what is no number, has more digits than a decimal holds, or was a float that may have lost some.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        decimal(&wayfare_digits::exact_number(deserializer)?)
    }

    fn decimal<E: de::Error>(digits: &str) -> Result<Decimal, E> {
        Decimal::from_str_exact(digits).or_else(|_| Decimal::from_scientific(digits)).map_err(E::custom)
    }

    /// The same out of text that stays where it is, without an allocation for every number.
    pub mod borrowed {
        use super::{Decimal, Deserialize, Deserializer, RawValue, decimal};

        /// All digits of a JSON number.
        ///
        /// # Errors
        /// For what is no number, has more digits than a decimal holds, or is not read out of text.
        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
            decimal(<&RawValue>::deserialize(deserializer)?.get())
        }
    }
}

#[derive(Serialize, Deserialize)]
struct StoredMoney {
    amount: Amount,
    currency: Currency,
}

impl From<Money> for StoredMoney {
    fn from(money: Money) -> Self {
        Self { amount: money.number(), currency: money.currency }
    }
}

impl TryFrom<StoredMoney> for Money {
    type Error = MoneyError;
    fn try_from(stored: StoredMoney) -> Result<Self, MoneyError> {
        Self::stored(stored.amount.0, stored.currency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rust_decimal::dec;

    fn inr(amount: Decimal) -> Money {
        Money::rounded(amount, Currency::INR)
    }

    #[test]
    fn rounding_is_half_away_from_zero_to_the_currencys_minor_units() {
        for (amount, currency, printed) in [
            (dec!(0.125), Currency::INR, "0.13"),
            (dec!(-0.125), Currency::INR, "-0.13"),
            (dec!(-0.004), Currency::INR, "0.00"),
            (dec!(0.5), Currency::JPY, "1"),
            (dec!(2.5), Currency::JPY, "3"),
            (dec!(1.0005), Currency::KWD, "1.001"),
            (dec!(7), Currency::KWD, "7.000"),
        ] {
            assert_eq!(Money::rounded(amount, currency).to_string(), printed);
        }
    }

    proptest! {
        #[test]
        fn an_amount_has_at_most_14_digits_before_the_point(amount in short_decimal::tests::decimals()) {
            let limit = Decimal::from(10_u64.pow(INTEGER_DIGITS));
            prop_assert_eq!(has_too_many_digits(amount), amount.abs() >= limit);
        }
    }

    #[test]
    fn a_stated_amount_keeps_its_digits_or_is_refused() {
        assert_eq!(
            Money::exact(dec!(12345678901234.56), Currency::INR).unwrap().to_string(),
            "12345678901234.56"
        );
        assert_eq!(Money::exact(dec!(1.500), Currency::INR).unwrap().to_string(), "1.50");
        assert_eq!(Money::exact(dec!(0.001), Currency::INR), Err(MoneyError::TooPrecise(2)));
        assert_eq!(Money::exact(dec!(100000000000000), Currency::INR), Err(MoneyError::TooLarge));
    }

    #[test]
    fn what_we_wrote_as_a_number_is_read_from_a_number_alone() {
        assert_eq!(serde_json::from_str::<Amount>("1.10").unwrap().0.to_string(), "1.10");
        for other in [r#""1.10""#, r#"{"digits":1}"#, "[1]", "true", "null"] {
            let error = serde_json::from_str::<Amount>(other).unwrap_err().to_string();
            assert!(error.contains("expected a number"), "{other}: {error}");
        }
    }

    #[test]
    fn the_largest_amount_is_the_last_that_may_be_stated() {
        for (currency, largest, unit) in [
            (Currency::JPY, "99999999999999", dec!(1)),
            (Currency::INR, "99999999999999.99", dec!(0.01)),
            (Currency::KWD, "99999999999999.999", dec!(0.001)),
        ] {
            let most = Money::largest(currency);
            assert_eq!(most.to_string(), largest);
            assert_eq!(Money::exact(most.amount(), currency), Ok(most));
            let more = most.plus(Money::rounded(unit, currency)).unwrap();
            assert_eq!(Money::exact(more.amount(), currency), Err(MoneyError::TooLarge));
            assert_eq!(Money::stored(more.amount(), currency), Ok(more));
        }
    }

    #[test]
    fn sums_are_read_as_far_as_a_decimal_goes_and_lose_no_digit() {
        let most = Money::stored(dec!(792281625142643375935439503.35), Currency::INR).unwrap();
        assert_eq!(most.plus(inr(dec!(0.01))), Err(MoneyError::TooLarge));
        assert_eq!(most.plus(most), Err(MoneyError::TooLarge));
        assert_eq!(most.minus(most), Ok(inr(dec!(0))));
        let beyond = Money::stored(dec!(7922816251426433759354395033), Currency::INR);
        assert_eq!(beyond, Err(MoneyError::TooLarge));
        let finer = Money::stored(dec!(0.001), Currency::INR);
        assert_eq!(finer, Err(MoneyError::TooPrecise(2)));
    }

    proptest! {
        /// What amounts add up to, written to a column or into JSON and read again, is what they add up to.
        #[test]
        fn a_sum_of_amounts_is_read_as_it_was_written(
            units in prop::collection::vec(-9_999_999_999_999_999i64..=9_999_999_999_999_999, 1..200),
        ) {
            let amounts = units.iter().map(|&units| inr(Decimal::new(units, 2)));
            let sum = Money::sum(Currency::INR, amounts).unwrap();
            let expected: i128 = units.iter().map(|&units| i128::from(units)).sum();
            prop_assert_eq!((sum.amount().mantissa(), sum.amount().scale()), (expected, 2));
            prop_assert_eq!(Money::stored(sum.amount().normalize(), Currency::INR), Ok(sum));
            let json = serde_json::to_string(&sum).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), sum);
        }
    }

    #[test]
    fn shares_differ_by_one_minor_unit_and_add_up() {
        let shares = inr(dec!(100)).split(3);
        assert_eq!(shares.map(|share| share.to_string()).collect::<Vec<_>>(), ["33.33", "33.33", "33.34"]);
        for (amount, parts) in [(dec!(0.01), 3), (dec!(99.99), 7), (dec!(-10), 3), (dec!(0), 4)] {
            let shares = inr(amount).split(parts);
            assert_eq!(shares.clone().count(), parts);
            assert_eq!(Money::sum(Currency::INR, shares).unwrap(), inr(amount));
        }
        assert_eq!(inr(dec!(1)).split(0).count(), 0);
    }

    #[test]
    fn currencies_never_mix() {
        let dollars = Money::zero(Currency::USD);
        assert_eq!(inr(dec!(1)).plus(dollars), Err(MoneyError::Currencies("INR", "USD")));
        assert_eq!(parse_currency("XAU"), None);
        assert_eq!(parse_currency("inr"), None);
    }

    #[test]
    fn json_numbers_keep_their_exact_digits() {
        for text in ["12345678901234.56", "0.10", "-5.00", "7922816251426433759354395033.5"] {
            let amount: Amount = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&amount).unwrap(), text);
        }
        // From a value that was read already, too: these two are one float.
        for amount in [dec!(90000000000000.12), dec!(90000000000000.13)] {
            let value = serde_json::to_value(inr(amount)).unwrap();
            assert_eq!(serde_json::from_value::<Money>(value).unwrap(), inr(amount));
        }
        let stored = serde_json::to_string(&inr(dec!(0.1))).unwrap();
        assert_eq!(stored, r#"{"amount":0.10,"currency":"INR"}"#);
        assert_eq!(serde_json::from_str::<Money>(&stored).unwrap(), inr(dec!(0.1)));
    }
}
