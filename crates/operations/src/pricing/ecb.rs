//! The European Central Bank's daily file of exchange rates, as XML or as the lines of its CSV: all of it is right, or it is
//! refused with the line.
//!
//! Its XML reader takes no document type, so that there are no entities to expand and nothing is fetched.

use std::collections::HashSet;

use chrono::NaiveDate;
use roxmltree::{Document, Node};
use rust_decimal::Decimal;
use thiserror::Error;
use wayfare_contract::operator::SkippedRate;
use wayfare_domain::{Currency, parse_currency};

use crate::pricing::exchange_rates::checked;

const ENVELOPE: &str = "http://www.gesmes.org/xml/2002-08-01";
const RATES: &str = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref";

#[derive(Debug, PartialEq)]
pub(crate) struct DailyFile {
    pub day: NaiveDate,
    pub rates: Vec<(Currency, Decimal)>,
    /// Those of currencies that are none here: none that ISO 4217 has, or none any more.
    pub skipped: Vec<SkippedRate>,
}

/// What is wrong with a file, and where.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub(crate) struct Wrong {
    line: u32,
    reason: String,
}

impl DailyFile {
    fn of(day: NaiveDate) -> Self {
        Self { day, rates: Vec::new(), skipped: Vec::new() }
    }

    /// One more rate, which stands in this line.
    fn add<'a>(
        &mut self,
        seen: &mut HashSet<&'a str>,
        code: &'a str,
        rate: Decimal,
        line: u32,
    ) -> Result<(), String> {
        if !seen.insert(code) {
            return Err(format!("{code} is there twice"));
        }
        match parse_currency(code) {
            Some(Currency::EUR) => return Err("the rates are the euro's own: EUR has none".to_owned()),
            Some(currency) => self.rates.push((currency, rate)),
            None => self.skipped.push(SkippedRate { line, code: code.to_owned() }),
        }
        Ok(())
    }
}

/// Reads the file.
///
/// # Errors
/// [`Wrong`] names the first line that is not as it should be.
pub(crate) fn read(text: &str) -> Result<DailyFile, Wrong> {
    let unmarked = text.trim_start_matches('\u{feff}');
    match unmarked.starts_with(DATE) {
        true => of_lines(unmarked),
        false => of_document(text),
    }
}

/// With this word the first line of a CSV begins.
const DATE: &str = "Date";

/// A line with the currencies and one with their rates of the day.
fn of_lines(text: &str) -> Result<DailyFile, Wrong> {
    // The reader counts a line only when it has met its `\n`, which of a `\r\n` comes with the next record.
    let text = text.replace("\r\n", "\n");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let at = |line: u32, reason: String| Wrong { line, reason };
    let lines: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
    let lines = lines.map_err(|error| at(1, format!("this is no CSV: {error}")))?;
    let line_of = |record: &csv::StringRecord| {
        let line = record.position().map_or(1, csv::Position::line);
        u32::try_from(line).unwrap_or(u32::MAX)
    };
    let (codes, day) = match lines.as_slice() {
        [codes, day] => (codes, day),
        [_, _, another, ..] => {
            let reason = "one day's rates are expected here".to_owned();
            return Err(at(line_of(another), reason));
        }
        _ => return Err(at(1, "it has no rates".to_owned())),
    };
    let line = line_of(day);
    // The bank's lines end with a comma.
    let cells = |record: &csv::StringRecord| {
        let empty = record.iter().rev().take_while(|cell| cell.is_empty());
        record.len() - empty.count()
    };
    if cells(codes) != cells(day) {
        return Err(at(line, "it has not as many rates as there are currencies".to_owned()));
    }
    let written = day.get(0).unwrap_or_default();
    let read = NaiveDate::parse_from_str(written, "%d %B %Y").or_else(|_| written.parse());
    let date = read.map_err(|_| {
        let reason = format!("`{DATE}` must be a day, like 11 January 2027");
        at(line, reason)
    })?;
    let (mut file, mut seen) = (DailyFile::of(date), HashSet::new());
    for (code, text) in codes.iter().zip(day.iter()).take(cells(day)).skip(1) {
        if !is_code(code) {
            return Err(at(line_of(codes), "a currency must be three capital letters".to_owned()));
        }
        let rate = number(text).map_err(|reason| at(line, format!("`{code}` {reason}")))?;
        file.add(&mut seen, code, rate, line).map_err(|reason| at(line, reason))?;
    }
    if file.rates.is_empty() {
        return Err(at(line, "it has no rates".to_owned()));
    }
    Ok(file)
}

fn is_code(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// A rate as it is written: no other way of writing numbers is guessed at.
fn number(text: &str) -> Result<Decimal, &'static str> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    let rate = Decimal::from_str_exact(text).ok().filter(|_| plain);
    checked(rate.ok_or("must be a decimal number, like 90.7495")?)
}

fn of_document(text: &str) -> Result<DailyFile, Wrong> {
    let document = Document::parse(text).map_err(|error| Wrong {
        line: error.pos().row,
        reason: match error {
            roxmltree::Error::DtdDetected => "a document type does not belong here".to_owned(),
            error => format!("this is no XML: {error}"),
        },
    })?;
    let root = document.root_element();
    if !root.has_tag_name((ENVELOPE, "Envelope")) {
        return Err(wrong(root, "this is no file of the European Central Bank's rates"));
    }
    let cubes = root.children().filter(|node| node.has_tag_name((RATES, "Cube")));
    let outer = only(root, cubes, "it has no rates, or several sets of them")?;
    let day = only(outer, elements(outer), "one day's rates are expected here")?;
    let date =
        attribute(day, "time")?.parse().map_err(|_| wrong(day, "`time` must be a day, like 2027-01-11"))?;
    let (mut file, mut seen) = (DailyFile::of(date), HashSet::new());
    for node in elements(day) {
        let (code, rate) = rate(node)?;
        file.add(&mut seen, code, rate, line(node)).map_err(|reason| wrong(node, &reason))?;
    }
    if file.rates.is_empty() {
        return Err(wrong(day, "it has no rates"));
    }
    Ok(file)
}

fn rate<'a>(node: Node<'a, '_>) -> Result<(&'a str, Decimal), Wrong> {
    if !node.has_tag_name((RATES, "Cube")) {
        return Err(wrong(node, "a `Cube` with `currency` and `rate` is expected here"));
    }
    let code = attribute(node, "currency")?;
    if !is_code(code) {
        return Err(wrong(node, "`currency` must be three capital letters"));
    }
    let rate = number(attribute(node, "rate")?);
    let rate = rate.map_err(|reason| wrong(node, &format!("`rate` {reason}")))?;
    Ok((code, rate))
}

fn elements<'a, 'input>(of: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    of.children().filter(Node::is_element)
}

fn only<'a, 'input>(
    of: Node<'a, 'input>,
    mut nodes: impl Iterator<Item = Node<'a, 'input>>,
    otherwise: &str,
) -> Result<Node<'a, 'input>, Wrong> {
    let first = nodes.next().ok_or_else(|| wrong(of, otherwise))?;
    match nodes.next() {
        None => Ok(first),
        Some(second) => Err(wrong(second, otherwise)),
    }
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Wrong> {
    node.attribute(name).ok_or_else(|| wrong(node, &format!("`{name}` is missing")))
}

fn wrong(node: Node<'_, '_>, reason: &str) -> Wrong {
    Wrong { line: line(node), reason: reason.to_owned() }
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;

    /// A file with these lines where the day's rates are, which begin at line 7.
    fn file(rates: &str) -> String {
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="{ENVELOPE}" xmlns="{RATES}">
<gesmes:subject>Reference rates</gesmes:subject>
<gesmes:Sender><gesmes:name>A bank</gesmes:name></gesmes:Sender>
<Cube>
<Cube time="2027-01-11">
{rates}
</Cube>
</Cube>
</gesmes:Envelope>"#
        )
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_days_rates_are_read_and_unknown_currencies_are_left_out_with_their_lines() {
        let text = file(
            "<Cube currency='USD' rate='1.0921'/>\n<Cube currency='QQQ' rate='3'/>\n<Cube currency='JPY' rate='158'/>",
        );
        assert_eq!(
            read(&text),
            Ok(DailyFile {
                day: NaiveDate::from_ymd_opt(2027, 1, 11).unwrap(),
                rates: vec![(Currency::USD, dec!(1.0921)), (Currency::JPY, dec!(158))],
                skipped: vec![SkippedRate { line: 8, code: "QQQ".to_owned() }],
            })
        );
    }

    #[test]
    fn one_wrong_rate_spoils_the_file_and_its_line_is_named() {
        let good = "<Cube currency='USD' rate='1.0921'/>";
        for (wrong, reason) in [
            ("<Cube currency='INR' rate='0'/>", "`rate` must be greater than 0"),
            ("<Cube currency='INR' rate='-90.7'/>", "`rate` must be greater than 0"),
            ("<Cube currency='INR' rate='NaN'/>", "`rate` must be a decimal number, like 90.7495"),
            ("<Cube currency='INR' rate='inf'/>", "`rate` must be a decimal number, like 90.7495"),
            ("<Cube currency='INR' rate='9e1'/>", "`rate` must be a decimal number, like 90.7495"),
            ("<Cube currency='INR' rate='90,7'/>", "`rate` must be a decimal number, like 90.7495"),
            ("<Cube currency='INR' rate='9_0'/>", "`rate` must be a decimal number, like 90.7495"),
            ("<Cube currency='INR' rate=''/>", "`rate` must be a decimal number, like 90.7495"),
            (
                "<Cube currency='INR' rate='0.00000000000000000000000000001'/>",
                "`rate` must be a decimal number, like 90.7495",
            ),
            (
                "<Cube currency='INR' rate='12345678901'/>",
                "`rate` must have at most 10 digits before the decimal point",
            ),
            ("<Cube currency='INR'/>", "`rate` is missing"),
            ("<Cube rate='90.7'/>", "`currency` is missing"),
            ("<Cube currency='inr' rate='90.7'/>", "`currency` must be three capital letters"),
            ("<Cube currency='₹' rate='90.7'/>", "`currency` must be three capital letters"),
            ("<Cube currency='USD' rate='1.1'/>", "USD is there twice"),
            ("<Cube currency='EUR' rate='1'/>", "the rates are the euro's own: EUR has none"),
            ("<Rate currency='INR' rate='90.7'/>", "a `Cube` with `currency` and `rate` is expected here"),
            (
                "<Cube xmlns='' currency='INR' rate='90.7'/>",
                "a `Cube` with `currency` and `rate` is expected here",
            ),
        ] {
            let text = file(&format!("{good}\n{wrong}"));
            assert_eq!(refusal(&text), format!("line 8: {reason}"), "{wrong}");
        }
        assert_eq!(refusal(&file("")), "line 6: it has no rates");
        assert_eq!(refusal(&file("<Cube currency='QQQ' rate='3'/>")), "line 6: it has no rates");
    }

    #[test]
    fn what_is_another_file_is_refused() {
        let good = file("<Cube currency='USD' rate='1.0921'/>");
        assert!(read(&good).is_ok());
        let changed = |from: &str, to: &str| {
            assert!(good.contains(from));
            refusal(&good.replace(from, to))
        };
        assert_eq!(changed("2027-01-11", "yesterday"), "line 6: `time` must be a day, like 2027-01-11");
        assert_eq!(changed("2027-01-11", "2027-02-30"), "line 6: `time` must be a day, like 2027-01-11");
        assert_eq!(changed("time=", "date="), "line 6: `time` is missing");
        assert_eq!(
            changed("<Cube>\n", "<Cube>\n<Cube time=\"2027-01-12\"/>\n"),
            "line 7: one day's rates are expected here"
        );
        assert_eq!(
            changed("<Cube>\n", "<Cube/><Cube>\n"),
            "line 5: it has no rates, or several sets of them"
        );
        for root in [ENVELOPE, RATES] {
            assert!(changed(root, "urn:other").starts_with("line "), "{root}");
        }
        for other in ["<html/>", "<Envelope><Cube/></Envelope>", "<Cube time='2027-01-11'/>"] {
            assert_eq!(refusal(other), "line 1: this is no file of the European Central Bank's rates");
        }
        for none in ["", "rates", "{\"EUR\": 1}", "<a><b></a>", "\0", "<a b='1' b='1'/>"] {
            assert!(refusal(none).starts_with("line 1: this is no XML"), "{none:?}");
        }
        assert!(changed("</Cube>\n</Cube>", "</Cube>").starts_with("line 9: this is no XML"));
    }

    #[test]
    fn the_lines_of_the_csv_are_the_same_file() {
        let document = file(
            "<Cube currency='USD' rate='1.0921'/>\n<Cube currency='QQQ' rate='3'/>\n<Cube currency='JPY' rate='158'/>",
        );
        let expected = DailyFile {
            skipped: vec![SkippedRate { line: 2, code: "QQQ".to_owned() }],
            ..read(&document).unwrap()
        };
        for lines in [
            "Date, USD, QQQ, JPY, \n11 January 2027, 1.0921, 3, 158, \n",
            "\u{feff}Date,USD,QQQ,JPY\r\n2027-01-11,1.0921,3,158\r\n",
        ] {
            assert_eq!(read(lines).as_ref(), Ok(&expected), "{lines}");
        }
    }

    #[test]
    fn one_wrong_rate_of_the_csv_spoils_it_and_its_line_is_named() {
        for (text, reason) in [
            ("Date, USD, \n", "line 1: it has no rates"),
            ("Date, \n11 January 2027, \n", "line 2: it has no rates"),
            (
                "Date, USD, \n11 January 2027, 1.1, \n8 January 2027, 1.1, \n",
                "line 3: one day's rates are expected here",
            ),
            (
                "Date, USD, INR\n11 January 2027, 1.1\n",
                "line 2: it has not as many rates as there are currencies",
            ),
            ("Date, USD\nyesterday, 1.1\n", "line 2: `Date` must be a day, like 11 January 2027"),
            ("Date, usd\n11 January 2027, 1.1\n", "line 1: a currency must be three capital letters"),
            ("Date, USD, USD\n11 January 2027, 1.1, 1.1\n", "line 2: USD is there twice"),
            ("Date, EUR\n11 January 2027, 1\n", "line 2: the rates are the euro's own: EUR has none"),
            (
                "Date, USD, INR\n11 January 2027, 1.1, N/A\n",
                "line 2: `INR` must be a decimal number, like 90.7495",
            ),
            ("Date, INR\n11 January 2027, 0\n", "line 2: `INR` must be greater than 0"),
        ] {
            assert_eq!(refusal(text), reason, "{text}");
        }
    }

    #[test]
    fn entities_are_not_expanded_and_depth_does_no_harm() {
        let mut laughs = "<!DOCTYPE lolz [<!ENTITY lol0 'lol'>".to_owned();
        for level in 1..10 {
            let ten = format!("&lol{};", level - 1).repeat(10);
            laughs.push_str(&format!("<!ENTITY lol{level} '{ten}'>"));
        }
        laughs.push_str("]><lolz>&lol9;</lolz>");
        let secret = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<a>&b;</a>";
        for hostile in [laughs.as_str(), secret] {
            assert_eq!(refusal(hostile), "line 1: a document type does not belong here");
        }
        assert!(refusal(&file("<Cube currency='&usd;' rate='1'/>")).starts_with("line 7: this is no XML"));
        let deep = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
        assert!(refusal(&deep).ends_with("no file of the European Central Bank's rates"));
    }
}
