//! Amounts: JSON numbers with exactly the digits that were sent.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use wayfare_digits::exact_text;

/// An amount of money, or a rate, as the service states it: never a float, no digit lost or added. Its currency stands
/// beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub Decimal);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Amount {
    type Err = rust_decimal::Error;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        let plain = Decimal::from_str_exact(digits);
        plain.or_else(|_| Decimal::from_scientific(digits)).map(Self)
    }
}

impl From<Decimal> for Amount {
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

impl From<Amount> for Decimal {
    fn from(amount: Amount) -> Self {
        amount.0
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = RawValue::from_string(self.to_string()).map_err(ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Amount {
    /// Of a number's own digits; of a text with digits, too, as the voucher has one. A number that serde or a `Value` holds as a
    /// float already is refused where it may have lost digits: where it has more than 15.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = exact_text(deserializer)?;
        digits.parse().map_err(|error| de::Error::custom(format!("{digits} is no amount: {error}")))
    }
}

/// As a text with its digits. For `#[serde(serialize_with = "crate::amount::as_text")]`.
pub(crate) fn as_text<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(amount)
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}
