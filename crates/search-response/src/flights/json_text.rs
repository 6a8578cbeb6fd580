//! JSON put straight into bytes, for what is printed a thousand times in one search: the same that `serde_json` writes.

use chrono::{DateTime, Datelike, NaiveDateTime, Timelike, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_domain::Digits;

/// Bytes of JSON to which values are added.
pub struct JsonText<'a>(pub &'a mut Vec<u8>);

impl JsonText<'_> {
    /// Names, brackets and commas, as they stand here.
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.0.extend_from_slice(json.as_bytes());
        self
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> serde_json::Result<&mut Self> {
        let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
        if !text.bytes().all(is_plain) {
            return self.any(text);
        }
        self.0.push(b'"');
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'"');
        Ok(self)
    }

    /// A text, or null.
    pub fn optional(&mut self, text: Option<&str>) -> serde_json::Result<&mut Self> {
        match text {
            Some(text) => self.text(text),
            None => Ok(self.raw("null")),
        }
    }

    /// A word, or null.
    pub fn flag(&mut self, flag: Option<bool>) -> &mut Self {
        self.raw(match flag {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        })
    }

    /// A count.
    pub fn count(&mut self, count: u32) -> &mut Self {
        self.number(count.into())
    }

    /// A count, or null.
    pub fn optional_count(&mut self, count: Option<u32>) -> &mut Self {
        match count {
            Some(count) => self.count(count),
            None => self.raw("null"),
        }
    }

    /// A number with all its digits.
    pub fn number(&mut self, number: Decimal) -> &mut Self {
        self.0.extend_from_slice(Digits::of(number).as_bytes());
        self
    }

    /// What something is called within the answer: `"s1"`.
    pub fn name(&mut self, kind: char, number: u32) -> &mut Self {
        self.raw("\"").raw(kind.encode_utf8(&mut [0; 4])).count(number).raw("\"")
    }

    /// The names of several things.
    pub fn names(&mut self, kind: char, numbers: &[u32]) -> &mut Self {
        self.raw("[");
        for (place, number) in numbers.iter().enumerate() {
            self.comma(place).name(kind, *number);
        }
        self.raw("]")
    }

    /// What stands before the element of this place in a list.
    pub fn comma(&mut self, place: usize) -> &mut Self {
        match place {
            0 => self,
            _ => self.raw(","),
        }
    }

    /// A local time: `"2026-01-31T23:59:59"`, without a fraction of a second.
    pub fn local(&mut self, time: NaiveDateTime) -> &mut Self {
        self.raw("\"").time(time).raw("\"")
    }

    /// An instant.
    pub fn instant(&mut self, instant: DateTime<Utc>) -> serde_json::Result<&mut Self> {
        let time = instant.naive_utc();
        if time.nanosecond() != 0 || !has_four_digits(time) {
            return self.any(&instant);
        }
        Ok(self.raw("\"").time(time).raw("Z\""))
    }

    /// An instant, or null.
    pub fn optional_instant(&mut self, instant: Option<DateTime<Utc>>) -> serde_json::Result<&mut Self> {
        match instant {
            Some(instant) => self.instant(instant),
            None => Ok(self.raw("null")),
        }
    }

    /// A value as `serde_json` writes it.
    pub fn any<T: Serialize + ?Sized>(&mut self, value: &T) -> serde_json::Result<&mut Self> {
        serde_json::to_writer(&mut *self.0, value)?;
        Ok(self)
    }

    fn time(&mut self, time: NaiveDateTime) -> &mut Self {
        if !has_four_digits(time) {
            return self.raw(&format!("{:?}", crate::local(time)));
        }
        let two = |number: u32| [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
        let year = time.year().unsigned_abs();
        let ([a, b], [c, d]) = (two(year / 100), two(year));
        let ([e, f], [g, h]) = (two(time.month()), two(time.day()));
        let ([i, j], [k, l], [m, n]) = (two(time.hour()), two(time.minute()), two(time.second()));
        self.0.extend_from_slice(&[a, b, c, d, b'-', e, f, b'-', g, h, b'T', i, j, b':', k, l, b':', m, n]);
        self
    }
}

/// As nearly all years do.
fn has_four_digits(time: NaiveDateTime) -> bool {
    // A second that was put in counts as part of the one before it.
    (0..=9999).contains(&time.year()) && time.nanosecond() < 1_000_000_000
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;

    use super::*;
    use crate::local;

    fn printed(print: impl FnOnce(&mut JsonText<'_>)) -> String {
        let mut out = Vec::new();
        print(&mut JsonText(&mut out));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn texts_are_those_of_serde_json() {
        for text in [
            "",
            "DEL",
            "a \"quoted\" word",
            "back\\slash",
            "line\nbreak\u{1}\u{1f}",
            "del\u{7f} दिल्ली 🛫 \u{2028}",
        ] {
            let expected = serde_json::to_string(text).unwrap();
            assert_eq!(printed(|json| _ = json.text(text).unwrap()), expected);
        }
    }

    #[test]
    fn times_are_those_of_serde_json() {
        for text in [
            "2026-05-02T11:40:15Z",
            "1999-12-31T23:59:59Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "2026-05-02T11:40:15.25Z",
            "2016-12-31T23:59:60Z",
            "+12026-05-02T11:40:15Z",
            "-0001-05-02T11:40:15Z",
        ] {
            let instant: DateTime<Utc> = text.parse().unwrap();
            let expected = serde_json::to_string(&instant).unwrap();
            assert_eq!(printed(|json| _ = json.instant(instant).unwrap()), expected);
            let time = instant.naive_utc();
            let expected = format!("\"{:?}\"", local(time));
            assert_eq!(printed(|json| _ = json.local(time)), expected);
        }
    }

    #[test]
    fn numbers_and_names_are_printed_in_full() {
        let all = printed(|json| {
            json.number(dec!(-0.50)).raw(" ").count(0).raw(" ").count(u32::MAX).raw(" ");
            json.optional_count(None).raw(" ").flag(Some(true)).raw(" ").flag(None).raw(" ");
            json.names('l', &[1, 20]).raw(" ").names('s', &[]);
        });
        assert_eq!(all, "-0.50 0 4294967295 null true null [\"l1\",\"l20\"] []");
    }
}
