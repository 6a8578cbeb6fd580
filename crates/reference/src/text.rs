//! What the tables' files are read with.

use std::io::Read;

use rust_decimal::{Decimal, prelude::ToPrimitive};

/// What each row of a file is, or the words that say what is wrong with it.
pub(crate) fn rows<T>(
    file: impl Read,
    row: impl Fn(&csv::StringRecord) -> Result<T, &'static str>,
) -> impl Iterator<Item = Result<T, String>> {
    csv::Reader::from_reader(file).into_records().map(move |record| {
        let record = record.map_err(|unreadable| unreadable.to_string())?;
        row(&record).map_err(|complaint| format!("{complaint} in {record:?}"))
    })
}

/// The tables live as long as the program, and so may their words.
pub(crate) fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// Degrees in millionths.
pub(crate) fn microdegrees(text: &str, limit_degrees: i32) -> Result<i32, &'static str> {
    let degrees: Decimal = text.parse().map_err(|_| "an unreadable coordinate")?;
    let within = degrees.abs() <= Decimal::from(limit_degrees);
    let exact = (degrees * Decimal::from(1_000_000)).normalize();
    exact
        .to_i32()
        .filter(|_| within && exact.scale() == 0)
        .ok_or("a coordinate beyond its range or finer than six decimal places")
}

/// Names that stand in one field.
pub(crate) fn names(text: Option<&str>) -> Vec<&'static str> {
    let given = text.filter(|text| !text.is_empty());
    given.map_or(Vec::new(), |names| names.split('|').map(leak).collect())
}
