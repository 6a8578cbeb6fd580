//! A wallet's transactions as CSV: of an export and of a report alike.

use std::borrow::Cow;

use chrono::SecondsFormat;
use wayfare_store::money::entries::WalletTransaction;

use crate::{
    Result,
    tools::csv_text::{harmless, lines},
};

const COLUMNS: [&str; 9] = [
    "ID",
    "Date",
    "Type",
    "Amount",
    "Balance Before",
    "Balance After",
    "Reference Type",
    "Description",
    "Performed By",
];

/// The first line.
///
/// # Errors
/// Never: it is written into memory.
pub fn header() -> Result<Vec<u8>> {
    lines([COLUMNS.map(Cow::Borrowed)])
}

/// A line for each of these.
///
/// # Errors
/// As [`header`].
pub fn rows(transactions: &[WalletTransaction]) -> Result<Vec<u8>> {
    lines(transactions.iter().map(|transaction| {
        let performed_by = transaction.performed_by.map(|user| user.to_string());
        [
            transaction.id.to_string().into(),
            transaction.at.to_rfc3339_opts(SecondsFormat::AutoSi, true).into(),
            <&str>::from(transaction.side).into(),
            transaction.amount.amount().to_string().into(),
            transaction.balance_before.amount().to_string().into(),
            transaction.balance_after.amount().to_string().into(),
            <&str>::from(transaction.reason).into(),
            harmless(&transaction.description),
            performed_by.unwrap_or_default().into(),
        ]
    }))
}
