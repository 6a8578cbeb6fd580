//! Amounts of suppliers: read in whatever way they are written, and made money of their currency.

use std::fmt;

use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use wayfare_domain::{Currency, Money, MoneyError};

use crate::{LossKind, json::RAW, note_loss, reading::Text};

/// A decimal has at most so many digits, and as many decimals.
const MOST_DIGITS: usize = 28;

/// A number of theirs, be it a number or a text, with an exponent or without. It is read from its digits: no float stands between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub Decimal);

/// A number that we can do without: what can't be read costs nothing but itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaybeNumber(Result<Number, String>);

impl MaybeNumber {
    /// The number, or why it is none.
    ///
    /// # Errors
    /// That reason.
    pub fn read(self) -> Result<Number, String> {
        self.0
    }

    /// The number; none, which is noted for this field, where it can't be read.
    pub fn known(&self, field: &str) -> Option<Number> {
        match &self.0 {
            Ok(number) => Some(*number),
            Err(reason) => {
                note_loss(LossKind::LeftOut, field, reason);
                None
            }
        }
    }
}

/// An amount of theirs as money. They work sums out with floats: what such a one leaves behind (less than a thousandth of the
/// currency's last digit) is rounded off; more than that is rounded half away from zero and noted for this field (D-580).
///
/// # Errors
/// [`MoneyError::TooLarge`] for more digits before the point than money has.
pub fn money(field: &str, theirs: Number, currency: Currency) -> Result<Money, MoneyError> {
    let money = Money::rounded(theirs.0, currency).bounded()?;
    if !money.is_nearly(theirs.0) {
        note_loss(LossKind::Rounded, field, format_args!("{} {}", theirs.0, currency.code()));
    }
    Ok(money)
}

/// The same of what is never below zero.
///
/// # Errors
/// As [`money`], and [`MoneyError::Negative`].
pub fn price(field: &str, theirs: Number, currency: Currency) -> Result<Money, MoneyError> {
    let price = money(field, theirs, currency)?;
    match price.is_negative() {
        true => Err(MoneyError::Negative),
        false => Ok(price),
    }
}

/// `12.50`, `+12.5`, `1.25e1`, `0012.500`. None for what people write for people, such as `1,250`, and for more digits before
/// the point than a decimal holds. Decimals that it has no room for are left out.
pub fn number(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    // As nearly all are written.
    match is_plain.then(|| Decimal::from_str_exact(text)) {
        Some(Ok(number)) => Some(number),
        _ => long_or_scientific(text),
    }
}

fn long_or_scientific(text: &str) -> Option<Decimal> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals = i64::try_from(fraction.len()).ok()?;
    let mut decimals = decimals.checked_sub(exponent.parse::<i64>().ok()?)?;
    digits.drain(..digits.len() - digits.trim_start_matches('0').len());
    if digits.is_empty() {
        return Some(Decimal::ZERO);
    }
    if decimals < 0 {
        let zeros = usize::try_from(-decimals).ok()?;
        let zeros = Some(zeros).filter(|zeros| digits.len() + zeros <= MOST_DIGITS)?;
        digits.extend(std::iter::repeat_n('0', zeros));
        decimals = 0;
    }
    let decimals = usize::try_from(decimals).ok()?;
    let beyond = decimals.max(digits.len()).saturating_sub(MOST_DIGITS);
    let decimals = decimals.checked_sub(beyond)?;
    digits.truncate(digits.len().saturating_sub(beyond));
    let digits: i128 = match digits.as_str() {
        "" => 0,
        digits => digits.parse().ok()?,
    };
    let signed = if is_negative { -digits } else { digits };
    Decimal::try_from_i128_with_scale(signed, u32::try_from(decimals).ok()?).ok()
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_written(deserializer)?.map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for MaybeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_written(deserializer).map(Self)
    }
}

/// Whatever stands there, as `serde_json` is asked for a piece of text. Others hand it on, and are asked for any value.
fn as_written<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Result<Number, String>, D::Error> {
    deserializer.deserialize_newtype_struct(RAW, AsWritten)
}

struct AsWritten;

impl<'de> Visitor<'de> for AsWritten {
    type Value = Result<Number, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut member: A) -> Result<Self::Value, A::Error> {
        member.next_key::<IgnoredAny>()?;
        let written: Text<'de> = member.next_value()?;
        let quoted = written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        Ok(match quoted {
            None => read(&written),
            Some(text) if !text.contains('\\') => read(text),
            Some(_) => read(&serde_json::from_str::<String>(&written).map_err(A::Error::custom)?),
        })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::String(text) => read(&text),
            other => read(&other.to_string()),
        })
    }
}

fn read(text: &str) -> Result<Number, String> {
    let number = number(text).map(Number);
    number.ok_or_else(|| format!("{text:.60} is no amount"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use rust_decimal::dec;

    use super::*;
    use crate::{
        read_losses::ReadLosses,
        reading::{parse, parse_repetitive, read_tree},
    };

    /// Amounts as they come in JSON, a currency, the money that they are, and whether something of them is lost.
    const WRITTEN: &str = r#"
5267.66              | INR | 5267.66  |
"5267.66"            | INR | 5267.66  |
" 5267.660 "         | INR | 5267.66  |
"+5267.66"           | INR | 5267.66  |
"0005267.66"         | INR | 5267.66  |
"\u0035267.66"       | INR | 5267.66  |
".5"                 | INR | 0.50     |
"5."                 | INR | 5.00     |
5267.660000000001    | INR | 5267.66  |
5267.659999999999    | INR | 5267.66  |
5.267660000000001e3  | INR | 5267.66  |
5.26766E+3           | INR | 5267.66  |
526766e-2            | INR | 5267.66  |
"5.26766e3"          | INR | 5267.66  |
5267.6600000000000000000000000000000000000000 | INR | 5267.66 |
5267.6600000000000000000000000000000000000001 | INR | 5267.66 |
5267660000000000000000000000000000000000000e-39 | INR | 5267.66 |
1e-40                | INR | 0.00     |
-0.00                | INR | 0.00     |
0e400                | INR | 0.00     |
-5267.660000000001   | INR | -5267.66 |
58.995000000000005   | USD | 59.00    | lost
0.125                | INR | 0.13     | lost
-0.125               | INR | -0.13    | lost
0.1250000000000000000000000000000000000000000000000000001 | INR | 0.13 | lost
0.1249999999999999999999999999999999999999999999999999999 | INR | 0.12 | lost
10.00001             | INR | 10.00    | lost
10.000009            | INR | 10.00    |
5267.4               | JPY | 5267     | lost
5267.0000000001      | JPY | 5267     |
5267.0009            | JPY | 5267     |
5267.001             | JPY | 5267     | lost
5.26766              | KWD | 5.268    | lost
5.2676660000000001   | KWD | 5.268    | lost
5.268000000000001    | KWD | 5.268    |
5.2680009            | KWD | 5.268    | 
99999999999999.99    | INR | 99999999999999.99 |
"#;

    #[derive(Debug, serde::Deserialize)]
    struct Named {
        amount: Number,
    }

    /// Its field goes through serde's own memory before it is read.
    #[derive(Debug, serde::Deserialize)]
    struct Flattened {
        #[serde(flatten)]
        named: Named,
    }

    #[test]
    fn an_amount_is_read_however_it_is_written() {
        for line in WRITTEN.trim().lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [json, currency, expected, lost @ ..] = cells.as_slice() else {
                panic!("{line}");
            };
            let currency = wayfare_domain::parse_currency(currency).unwrap();
            let body = format!(r#"{{"amount": {json}, "more": 1}}"#);
            let value: Value = serde_json::from_str(&body).unwrap();
            let all = [
                parse::<Named>(body.as_bytes()).unwrap().amount,
                parse_repetitive::<Named>(body.as_bytes()).unwrap().amount,
                parse::<Flattened>(body.as_bytes()).unwrap().named.amount,
                read_tree::<Named>(&value).unwrap().amount,
                serde_json::from_value::<Flattened>(value).unwrap().named.amount,
            ];
            for number in all {
                let losses = Arc::new(ReadLosses::of("any"));
                let read = losses.reading(|| money("amount", number, currency));
                assert_eq!(read.unwrap().to_string(), *expected, "{line}");
                let is_lost = lost.first().is_some_and(|word| *word == "lost");
                assert_eq!(losses.all().len(), usize::from(is_lost), "{line}");
            }
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for json in [
            r#""1,250.00""#,
            r#""1_000""#,
            r#""1.234,56""#,
            r#""INR 12""#,
            r#""12 34""#,
            r#""""#,
            r#"" ""#,
            r#""-""#,
            r#""+-1""#,
            r#"".""#,
            r#""e5""#,
            r#""1e""#,
            r#""1e5.5""#,
            r#""1.2.3""#,
            r#""NaN""#,
            r#""Infinity""#,
            r#""0x10""#,
            r#""١٢""#,
            "true",
            "[]",
            "{}",
            "null",
            "1e29",
            "1e400",
            "123456789012345678901234567890",
            r#""1e99999999999999999999""#,
        ] {
            let body = format!(r#"{{"amount": {json}}}"#);
            assert!(parse::<Named>(body.as_bytes()).is_err(), "{json}");
            let value: Value = serde_json::from_str(&body).unwrap();
            assert!(serde_json::from_value::<Named>(value.clone()).is_err(), "{json}");
            assert!(serde_json::from_value::<Flattened>(value).is_err(), "{json}");
        }
        let sum = Number(dec!(100000000000000));
        assert_eq!(money("amount", sum, Currency::INR), Err(MoneyError::TooLarge));
        let below = Number(dec!(-0.01));
        assert_eq!(price("amount", below, Currency::INR), Err(MoneyError::Negative));
    }

    proptest! {
        /// What floats make of an amount is the amount.
        #[test]
        #[expect(clippy::float_arithmetic, reason = "noise of floats is what is read")]
        fn an_amount_that_went_through_a_float_is_itself(cents in 0_i64..1_000_000_000, parts in 1_u32..7) {
            let amount = Decimal::new(cents, 2);
            let float: f64 = amount.to_string().parse().unwrap();
            // A sum of equal parts, and a difference.
            let part = float / f64::from(parts);
            let sum: f64 = (0..parts).map(|_| part).sum();
            for float in [float, sum, float + 0.1 - 0.1] {
                for written in [format!("{float:?}"), format!("{float:e}"), format!("\"{float}\""), format!("{float:.20}")] {
                    let number: Number = serde_json::from_str(&written).unwrap();
                    let losses = Arc::new(ReadLosses::of("any"));
                    let read = losses.reading(|| money("amount", number, Currency::INR)).unwrap();
                    prop_assert_eq!(read.amount(), amount, "{}", written);
                    prop_assert_eq!(losses.all(), []);
                }
            }
        }
    }
}
