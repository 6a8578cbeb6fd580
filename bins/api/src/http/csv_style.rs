//! How a CSV file is written for whoever opens it: as it is made, or so that a spreadsheet opens it right.

use std::{future::ready, str::FromStr};

use actix_web::web::Bytes;
use chrono::{DateTime, SecondsFormat, Utc};
use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use strum::{EnumString, VariantNames};
use wayfare_domain::Zone;
use wayfare_operations::Error;

use crate::http::query::{FromQuery, Parameters};

/// The byte order mark, by which spreadsheets know that letters are in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// What stands between cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Separator {
    #[default]
    Comma,
    /// Where the comma is in numbers.
    Semicolon,
    Tab,
}

/// How instants are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Times {
    /// In UTC: `2027-01-19T08:05:00Z`.
    #[default]
    Utc,
    /// By the agency's clocks, with their offset: `2027-01-19T13:35:00+05:30`.
    Agency,
}

/// How a file is written; without parameters it stays byte for byte as it is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvStyle {
    has_mark: bool,
    separator: Separator,
    times: Times,
}

impl FromQuery for CsvStyle {
    fn read(query: &mut Parameters) -> Self {
        Self {
            has_mark: query.word::<Yes>("bom").is_some_and(|word| word == Yes::True),
            separator: query.word("separator").unwrap_or_default(),
            times: query.word("times").unwrap_or_default(),
        }
    }
}

/// A word of a query that says yes or no.
#[derive(Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
enum Yes {
    True,
    False,
}

impl CsvStyle {
    /// Whether the file stays as it is made.
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// The same file in this style, as it comes; instants are shown in this zone.
    pub fn written<S>(self, zone: Zone, content: S) -> impl Stream<Item = Result<Bytes, Error>>
    where
        S: Stream<Item = Result<Bytes, Error>>,
    {
        let mark = self.has_mark.then(|| Ok(Bytes::from_static(MARK)));
        let mut rows = Rows::default();
        let content = content.map_ok(Some).chain(stream::iter([Ok(None)]));
        let written = content.map(move |part| {
            let whole = match part? {
                Some(bytes) => rows.add(&bytes),
                None => rows.end(),
            };
            self.rewritten(zone, &whole)
        });
        // A part without a whole line is nothing yet, and nothing would end the body.
        let written = stream::iter(mark).chain(written);
        written.try_filter(|bytes| ready(!bytes.is_empty()))
    }

    /// Whole lines, written anew.
    fn rewritten(self, zone: Zone, lines: &[u8]) -> Result<Bytes, Error> {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(lines);
        let mut writer = WriterBuilder::new()
            .flexible(true)
            .terminator(Terminator::CRLF)
            .delimiter(match self.separator {
                Separator::Comma => b',',
                Separator::Semicolon => b';',
                Separator::Tab => b'\t',
            })
            .from_writer(Vec::with_capacity(lines.len()));
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(unwritten)? {
            let cells = record.iter().map(|cell| self.cell(zone, cell));
            writer.write_record(cells.map(String::into_bytes)).map_err(unwritten)?;
        }
        let written = writer.into_inner();
        written.map(Bytes::from).map_err(|error| unwritten(error.into_error()))
    }

    fn cell(self, zone: Zone, cell: &str) -> String {
        let instant = match self.times {
            Times::Utc => None,
            // An instant as files have it, and nothing that only begins like one.
            Times::Agency => cell.ends_with('Z').then(|| DateTime::<Utc>::from_str(cell).ok()),
        };
        match instant.flatten() {
            Some(at) => at.with_timezone(&zone).to_rfc3339_opts(SecondsFormat::AutoSi, false),
            None => cell.to_owned(),
        }
    }
}

fn unwritten(error: impl ToString) -> Error {
    Error::Internal(error.to_string())
}

/// Bytes of a file of which whole lines are taken: a line may end within a quoted cell.
#[derive(Default)]
struct Rows {
    begun: Vec<u8>,
    is_quoted: bool,
}

impl Rows {
    /// With more of the file: all lines that are whole by now.
    fn add(&mut self, more: &[u8]) -> Vec<u8> {
        let mut whole = None;
        for (place, byte) in more.iter().enumerate() {
            match byte {
                b'"' => self.is_quoted = !self.is_quoted,
                b'\n' if !self.is_quoted => whole = Some(self.begun.len() + place + 1),
                _ => {}
            }
        }
        self.begun.extend_from_slice(more);
        match whole {
            Some(end) => {
                let rest = self.begun.split_off(end);
                std::mem::replace(&mut self.begun, rest)
            }
            None => Vec::new(),
        }
    }

    /// What is left when the file has ended.
    fn end(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "ID,Date,Description\r\n1,2027-01-19T20:05:00.123456Z,\"José, \"\"Pepe\"\"\r\nand 2027-01-19T20:05:00Z\"\r\n2,2027-01-19,'=1;2\r\n";

    async fn written(style: CsvStyle, part: usize) -> String {
        let parts: Vec<_> = FILE.as_bytes().chunks(part).map(Bytes::copy_from_slice).collect();
        let content = stream::iter(parts.into_iter().map(Ok));
        let parts: Vec<Bytes> = style.written(Zone::KOLKATA, content).try_collect().await.unwrap();
        assert!(parts.iter().all(|part| !part.is_empty()));
        String::from_utf8(parts.concat()).unwrap()
    }

    #[tokio::test]
    async fn a_file_is_written_as_whoever_opens_it_needs_it_however_it_is_cut() {
        let styles = [
            (CsvStyle::default(), FILE.to_owned()),
            (
                CsvStyle {
                    has_mark: true,
                    times: Times::Agency,
                    ..CsvStyle::default()
                },
                format!(
                    "\u{feff}{}",
                    FILE.replace("2027-01-19T20:05:00.123456Z", "2027-01-20T01:35:00.123456+05:30")
                ),
            ),
            (
                CsvStyle {
                    separator: Separator::Semicolon,
                    ..CsvStyle::default()
                },
                "ID;Date;Description\r\n1;2027-01-19T20:05:00.123456Z;\"José, \"\"Pepe\"\"\r\nand 2027-01-19T20:05:00Z\"\r\n\
                 2;2027-01-19;\"'=1;2\"\r\n"
                    .to_owned(),
            ),
        ];
        for (style, expected) in styles {
            for part in [1, 2, 7, 30, FILE.len()] {
                assert_eq!(written(style, part).await, expected, "{style:?} in parts of {part}");
            }
        }
    }
}
