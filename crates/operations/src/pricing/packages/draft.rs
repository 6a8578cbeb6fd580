//! What a package is to be, and what is wrong with it.

use rust_decimal::Decimal;
use wayfare_domain::{Currency, Faults, Money};
use wayfare_pricing::{Markup, MarkupKind, PriceRange};

pub const LONGEST_NAME: usize = 200;
/// The longest description, in characters.
pub const LONGEST_DESCRIPTION: usize = 2000;
/// The most price bands of one package.
pub const MOST_PRICE_RANGES: usize = 100;
/// The most decimals of a percentage.
const PERCENT_DECIMALS: u32 = 4;

/// What a package is to be: all of it, where it is there already too (P-51).
#[derive(Clone, Debug)]
pub struct Draft {
    pub name: String,
    pub description: String,
    /// What counts outside of all bands; a flat value is in the agency's currency.
    pub markup: Markup,
    pub priority: i32,
    /// One that is not counts as none. Where it isn't said a new package is active, and one that is there stays what it
    /// is.
    pub is_active: Option<bool>,
    /// The bands of a hotel package, in the agency's currency; none for flights.
    pub price_ranges: Vec<PriceRange>,
}

impl Draft {
    /// That nothing is wrong with it for an agency with this currency.
    pub(super) fn check(&self, currency: Currency) -> Result<(), Faults> {
        let figures = Figures {
            kind: Some(self.markup.kind),
            value: Some(self.markup.value),
            price_ranges: &self.price_ranges,
        };
        figures.check(Some(currency)).or(())
    }
}

/// The numbers of a draft, as far as they could be read.
pub struct Figures<'a> {
    /// Flat or percent.
    pub kind: Option<MarkupKind>,
    /// The amount, or the percentage.
    pub value: Option<Decimal>,
    pub price_ranges: &'a [PriceRange],
}

impl Figures<'_> {
    /// What is wrong with them. How many digits an amount may have is judged where the currency is known.
    pub fn check(&self, currency: Option<Currency>) -> Faults {
        let mut faults = Faults::default();
        let mut judge = |field: String, outcome: Result<(), String>| {
            if let Err(reason) = outcome {
                faults.add(field, reason);
            }
        };
        if let (Some(kind), Some(value)) = (self.kind, self.value) {
            judge("markup_value".to_owned(), markup(kind, value, currency));
        }
        for (index, range) in self.price_ranges.iter().enumerate() {
            let at = |field: &str| format!("price_ranges[{index}].{field}");
            let min = amount(range.min_amount, currency).and_then(|()| self.place(index, range));
            judge(at("min_amount"), min);
            if let Some(max) = range.max_amount {
                judge(at("max_amount"), amount(max, currency));
            }
            judge(at("markup_value"), markup(range.kind, range.value, currency));
        }
        faults
    }

    /// That the band is one, and none before it holds anything that it holds (P-52).
    fn place(&self, index: usize, range: &PriceRange) -> Result<(), String> {
        let ends_after = |range: &PriceRange, amount| range.max_amount.is_none_or(|max| amount < max);
        if !ends_after(range, range.min_amount) {
            return Err("must be less than max_amount".to_owned());
        }
        let overlaps =
            |other: &PriceRange| ends_after(other, range.min_amount) && ends_after(range, other.min_amount);
        match self.price_ranges.iter().take(index).position(overlaps) {
            Some(other) => Err(format!("overlaps price_ranges[{other}]")),
            None => Ok(()),
        }
    }
}

fn markup(kind: MarkupKind, value: Decimal, currency: Option<Currency>) -> Result<(), String> {
    match kind {
        MarkupKind::Flat => amount(value, currency),
        MarkupKind::Percent if !(Decimal::ZERO..=Decimal::ONE_HUNDRED).contains(&value) => {
            Err("must be between 0 and 100".to_owned())
        }
        MarkupKind::Percent if value.normalize().scale() > PERCENT_DECIMALS => {
            Err(format!("must have at most {PERCENT_DECIMALS} decimals"))
        }
        MarkupKind::Percent => Ok(()),
    }
}

fn amount(amount: Decimal, currency: Option<Currency>) -> Result<(), String> {
    if amount < Decimal::ZERO {
        return Err("must be 0 or greater".to_owned());
    }
    let Some(currency) = currency else { return Ok(()) };
    match Money::exact(amount, currency) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::dec;

    fn band(min: Decimal, max: Option<Decimal>) -> PriceRange {
        PriceRange {
            min_amount: min,
            max_amount: max,
            kind: MarkupKind::Percent,
            value: dec!(5),
            sort_order: 0,
        }
    }

    #[test]
    fn bands_share_no_amount_in_whatever_order_they_come() {
        let (low, middle, high) =
            (band(dec!(0), Some(dec!(100))), band(dec!(100), Some(dec!(200.50))), band(dec!(300), None));
        for (bands, expected) in [
            (vec![low, middle, high], ""),
            (vec![high, low, middle], ""),
            (vec![low, low], "{price_ranges[1].min_amount overlaps price_ranges[0]}"),
            (
                vec![high, middle, band(dec!(99.99), None)],
                "{price_ranges[2].min_amount overlaps price_ranges[0]}",
            ),
            (
                vec![middle, band(dec!(120), Some(dec!(130)))],
                "{price_ranges[1].min_amount overlaps price_ranges[0]}",
            ),
            (
                vec![band(dec!(120), Some(dec!(130))), middle],
                "{price_ranges[1].min_amount overlaps price_ranges[0]}",
            ),
            (
                vec![band(dec!(5), Some(dec!(5))), band(dec!(7), Some(dec!(6)))],
                "{price_ranges[0].min_amount must be less than max_amount} \
                 {price_ranges[1].min_amount must be less than max_amount}",
            ),
        ] {
            let figures = Figures { kind: None, value: None, price_ranges: &bands };
            assert_eq!(figures.check(Some(Currency::INR)).to_string(), expected);
        }
    }

    #[test]
    fn a_markup_is_money_of_the_agency_or_a_percentage() {
        let (flat, percent) = (MarkupKind::Flat, MarkupKind::Percent);
        for (kind, value, currency, expected) in [
            (flat, dec!(0), Currency::INR, ""),
            (flat, dec!(12345678901234.50), Currency::INR, ""),
            (flat, dec!(0.500), Currency::INR, ""),
            (flat, dec!(0.005), Currency::KWD, ""),
            (flat, dec!(0.005), Currency::INR, "must have at most 2 decimals"),
            (flat, dec!(0.5), Currency::JPY, "must have at most 0 decimals"),
            (flat, dec!(-0.01), Currency::INR, "must be 0 or greater"),
            (
                flat,
                dec!(100000000000000),
                Currency::INR,
                "must have at most 14 digits before the decimal point",
            ),
            (percent, dec!(0), Currency::JPY, ""),
            (percent, dec!(100), Currency::JPY, ""),
            (percent, dec!(2.12340), Currency::JPY, ""),
            (percent, dec!(2.12345), Currency::JPY, "must have at most 4 decimals"),
            (percent, dec!(100.0001), Currency::JPY, "must be between 0 and 100"),
            (percent, dec!(-0.0001), Currency::JPY, "must be between 0 and 100"),
        ] {
            let outcome = markup(kind, value, Some(currency)).err().unwrap_or_default();
            assert_eq!(outcome, expected, "{kind:?} {value}");
        }
    }
}
