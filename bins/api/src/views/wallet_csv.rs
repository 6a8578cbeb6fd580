//! A wallet's transactions as CSV (RFC 4180), for people and their spreadsheets.

use std::borrow::Cow;

use chrono::SecondsFormat;
use csv::{Terminator, Writer, WriterBuilder};
use rust_decimal::Decimal;
use wayfare_operations::WalletTransaction;

/// The contract's columns.
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
pub fn header() -> csv::Result<Vec<u8>> {
    let mut lines = lines();
    lines.write_record(COLUMNS)?;
    finished(lines)
}

/// A line for each of these.
///
/// # Errors
/// As [`header`].
pub fn rows(transactions: &[WalletTransaction]) -> csv::Result<Vec<u8>> {
    let mut lines = lines();
    for transaction in transactions {
        let performed_by = transaction.performed_by.map(|user| user.to_string());
        lines.write_record([
            transaction.id.to_string().as_str(),
            &transaction.at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
            transaction.side.into(),
            &transaction.amount.amount().to_string(),
            &transaction.balance_before.amount().to_string(),
            &transaction.balance_after.amount().to_string(),
            transaction.reason.into(),
            &harmless(&transaction.description),
            &performed_by.unwrap_or_default(),
        ])?;
    }
    finished(lines)
}

fn lines() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new())
}

fn finished(lines: Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    lines.into_inner().map_err(|error| error.into_error().into())
}

/// A text that no spreadsheet takes for a formula: one that begins like one gets an apostrophe, unless it is a number.
fn harmless(text: &str) -> Cow<'_, str> {
    let like_a_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if like_a_formula && Decimal::from_str_exact(text).is_err() {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_texts_and_numbers_stay_numbers() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("-5.00", "-5.00"),
            ("+5", "+5"),
            ("-", "'-"),
            ("allocated to agent: =1+1", "allocated to agent: =1+1"),
            ("'=1", "'=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }
}
