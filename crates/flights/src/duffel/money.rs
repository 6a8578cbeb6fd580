//! Theirs to ours: amounts.

use wayfare_domain::{Currency, Money, parse_currency};

use super::wire;

/// An amount that is needed; an error names its field.
pub(super) fn money(field: &str, amount: wire::Exact, currency: Currency) -> Result<Money, String> {
    let money = Money::exact(amount.0, currency).map_err(|error| format!("{field} {error}"))?;
    if money.is_negative() {
        Err(format!("{field} is negative"))
    } else {
        Ok(money)
    }
}

/// An amount that we can do without: none when it is missing or unreadable.
pub(super) fn optional_money(amount: Option<&str>, currency: Option<&str>) -> Option<Money> {
    Money::exact(wire::exact(amount?)?, parse_currency(currency?)?).ok()
}
