//! Amounts in a currency, the sandbox's own or one that hotels are asked for, always exact and always with its number of decimal places.

use rust_decimal::{Decimal, RoundingStrategy, dec};

use crate::json::by_code;

/// Currencies the sandbox can price in: code, decimal places, units to one US dollar (a fixed, made-up rate).
const CURRENCIES: [(&str, u32, Decimal); 44] = [
    ("AED", 2, dec!(3.6725)),
    ("AUD", 2, dec!(1.52)),
    ("BDT", 2, dec!(119.5)),
    ("BHD", 3, dec!(0.376)),
    ("BRL", 2, dec!(5.45)),
    ("CAD", 2, dec!(1.37)),
    ("CHF", 2, dec!(0.88)),
    ("CNY", 2, dec!(7.2)),
    ("CZK", 2, dec!(23.3)),
    ("DKK", 2, dec!(6.88)),
    ("EGP", 2, dec!(48.6)),
    ("EUR", 2, dec!(0.92)),
    ("GBP", 2, dec!(0.79)),
    ("HKD", 2, dec!(7.8)),
    ("HUF", 2, dec!(362)),
    ("IDR", 2, dec!(15900)),
    ("ILS", 2, dec!(3.7)),
    ("INR", 2, dec!(84.15)),
    ("JPY", 0, dec!(150.3)),
    ("KES", 2, dec!(129)),
    ("KRW", 0, dec!(1370)),
    ("KWD", 3, dec!(0.307)),
    ("LKR", 2, dec!(301.4)),
    ("MAD", 2, dec!(9.9)),
    ("MXN", 2, dec!(18.9)),
    ("MYR", 2, dec!(4.41)),
    ("NOK", 2, dec!(10.8)),
    ("NPR", 2, dec!(134.6)),
    ("NZD", 2, dec!(1.64)),
    ("OMR", 3, dec!(0.3845)),
    ("PHP", 2, dec!(57.5)),
    ("PKR", 2, dec!(278)),
    ("PLN", 2, dec!(3.95)),
    ("QAR", 2, dec!(3.64)),
    ("RON", 2, dec!(4.58)),
    ("SAR", 2, dec!(3.75)),
    ("SEK", 2, dec!(10.5)),
    ("SGD", 2, dec!(1.34)),
    ("THB", 2, dec!(34.2)),
    ("TRY", 2, dec!(34.1)),
    ("TWD", 2, dec!(32.2)),
    ("USD", 2, dec!(1)),
    ("VND", 0, dec!(25200)),
    ("ZAR", 2, dec!(18.25)),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tariff {
    /// ISO 4217 code.
    pub(crate) currency: &'static str,
    decimals: u32,
    per_dollar: Decimal,
}

/// The tariffs of all currencies that the sandbox can price in.
pub(crate) fn all() -> impl Iterator<Item = Tariff> {
    CURRENCIES.iter().map(|&(currency, decimals, per_dollar)| Tariff { currency, decimals, per_dollar })
}

by_code!(Tariff, Tariff, currency, Tariff::in_currency);

impl Tariff {
    /// The tariff in a currency, where the sandbox knows one.
    pub(crate) fn in_currency(code: &str) -> Option<Self> {
        all().find(|tariff| tariff.currency == code)
    }

    pub(crate) fn per_dollar(&self) -> Decimal {
        self.per_dollar
    }

    /// An amount of US cents, in this currency.
    pub(crate) fn of_cents(&self, us_cents: u64) -> Decimal {
        self.rounded(Decimal::from(us_cents) / dec!(100) * self.per_dollar)
    }

    /// The amount at this currency's number of decimal places, halves away from zero: `4810.5` is `4810.50`.
    pub(crate) fn rounded(&self, amount: Decimal) -> Decimal {
        let mut rounded =
            amount.round_dp_with_strategy(self.decimals, RoundingStrategy::MidpointAwayFromZero);
        rounded.rescale(self.decimals);
        rounded
    }

    /// So many thousandths of an amount.
    pub(crate) fn permille(&self, amount: Decimal, permille: u32) -> Decimal {
        self.rounded(amount * Decimal::from(permille) / dec!(1000))
    }

    /// An amount after its price moved by so many percent; as it was, where the move is beyond all numbers.
    pub(crate) fn moved(&self, amount: Decimal, percent: Decimal) -> Decimal {
        let by = amount.checked_mul(percent).map(|product| product / dec!(100));
        by.and_then(|by| amount.checked_add(by)).map_or(amount, |moved| self.rounded(moved))
    }

    /// What an amount of other money comes to in this currency.
    pub(crate) fn worth(&self, amount: Decimal, money: &Self) -> Decimal {
        self.rounded(amount / money.per_dollar * self.per_dollar)
    }

    /// Nothing, at this currency's number of decimal places.
    pub(crate) fn zero(&self) -> Decimal {
        self.rounded(Decimal::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimal_places_of_their_currency() {
        let text = |currency: &str| Tariff::in_currency(currency).unwrap().of_cents(12_345).to_string();
        assert_eq!([text("INR"), text("JPY"), text("KWD")], ["10388.32", "18555", "37.899"]);
        assert_eq!(Tariff::in_currency("XXX"), None);
    }

    #[test]
    fn other_money_is_worth_what_its_dollars_are() {
        let [rupees, yen] = ["INR", "JPY"].map(|code| Tariff::in_currency(code).unwrap());
        assert_eq!(rupees.worth(dec!(1503), &yen), dec!(841.50));
        assert_eq!(yen.worth(dec!(841.50), &rupees), dec!(1503));
    }
}
