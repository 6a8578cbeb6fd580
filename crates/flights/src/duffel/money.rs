//! Theirs to ours: amounts.

use wayfare_domain::{Currency, Money};
use wayfare_supply::{
    amounts::{self, MaybeNumber, Number},
    reading,
};

/// An amount that is needed; an error names its field.
pub(super) fn price(field: &str, amount: Number, currency: Currency) -> Result<Money, String> {
    amounts::price(field, amount, currency).map_err(|error| format!("{field} {error}"))
}

/// The same where it may be below zero.
pub(super) fn money(field: &str, amount: Number, currency: Currency) -> Result<Money, String> {
    amounts::money(field, amount, currency).map_err(|error| format!("{field} {error}"))
}

/// An amount that we can do without: none when it is missing or unreadable.
pub(super) fn optional_money(
    field: &str,
    amount: Option<&MaybeNumber>,
    currency: Option<&str>,
) -> Option<Money> {
    let amount = amount?.known(field)?;
    amounts::money(field, amount, reading::currency(currency?)?).ok()
}
