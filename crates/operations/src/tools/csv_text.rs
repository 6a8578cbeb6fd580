//! Tables as CSV (RFC 4180), for people and their spreadsheets.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};
use rust_decimal::Decimal;
use wayfare_domain::is_invisible;

use crate::{Error, Result};

/// A line for each of these records.
///
/// # Errors
/// Never: they are written into memory.
pub(crate) fn lines<'a>(records: impl IntoIterator<Item = impl AsRef<[Cow<'a, str>]>>) -> Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for record in records {
        writer.write_record(record.as_ref().iter().map(|cell| cell.as_bytes())).map_err(unwritten)?;
    }
    writer.into_inner().map_err(|error| unwritten(error.into_error()))
}

fn unwritten(error: impl ToString) -> Error {
    Error::Internal(error.to_string())
}

/// Nor are these seen at the beginning of a text.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// A text that no spreadsheet takes for a formula: one that begins like one, in full width or after what nobody sees as
/// well, gets an apostrophe, unless it is a number.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let unseen = |c: char| c.is_whitespace() || c.is_control() || is_invisible(c) || JOINERS.contains(&c);
    let seen = text.trim_start_matches(unseen);
    let like_a_formula = text.starts_with(['\t', '\r', '\n']) || seen.starts_with(signs);
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
            ("\n=1", "'\n=1"),
            ("  =1", "'  =1"),
            ("\u{3000}=1", "'\u{3000}=1"),
            ("\u{feff}=1", "'\u{feff}=1"),
            ("\u{200b}=1", "'\u{200b}=1"),
            ("\u{202e}=1", "'\u{202e}=1"),
            ("\u{2066} \u{200d}\0+1", "'\u{2066} \u{200d}\0+1"),
            ("\u{ad}@SUM(A1)", "'\u{ad}@SUM(A1)"),
            ("\u{feff}Asha", "\u{feff}Asha"),
            ("＝1+1", "'＝1+1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠SUM(A1)", "'＠SUM(A1)"),
            ("Asha = Arjun", "Asha = Arjun"),
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
