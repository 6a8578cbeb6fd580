//! Times as suppliers write them.
//!
//! The same moment is written with a `T` or a blank, with seconds or without, with a fraction, with an offset in one of its forms,
//! or with blanks around. All are read; what is no time is none.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone, Utc};
use serde::{Deserialize, Deserializer};

use crate::reading::Through;

/// The time on the clock of where it is, with or without seconds. An offset that is told with it says no more than which clock that
/// is: the time stands as it is written. Years outside 1970 to 2200 are of no journey, and the arithmetic of zones need not bear them.
pub fn local_time(text: &str) -> Option<NaiveDateTime> {
    read(text).map(|(local, _)| local)
}

/// An instant. Without an offset it is UTC, as suppliers document theirs.
pub fn instant(text: &str) -> Option<DateTime<Utc>> {
    let (local, offset) = read(text)?;
    let offset = offset.unwrap_or(Utc.fix());
    Some(offset.from_local_datetime(&local).single()?.to_utc())
}

/// An instant with its offset; none without one.
pub fn instant_with_offset(text: &str) -> Option<DateTime<Utc>> {
    let (local, offset) = read(text)?;
    Some(offset?.from_local_datetime(&local).single()?.to_utc())
}

/// A day, whatever time of it is told.
pub fn day(text: &str) -> Option<NaiveDate> {
    match local_time(text) {
        Some(local) => Some(local.date()),
        None => date(text.trim()),
    }
}

/// The local time, and its offset where one is written.
fn read(text: &str) -> Option<(NaiveDateTime, Option<FixedOffset>)> {
    if let Some(plain) = read_plain(text) {
        return Some(plain);
    }
    let text = text.trim();
    let (day, time) = text.split_once(|c: char| matches!(c, 'T' | 't') || c.is_whitespace())?;
    let time = time.trim();
    let end = time.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.' | ',')));
    let (clock, offset) = time.split_at(end.unwrap_or(time.len()));
    let clock: NaiveTime = match clock.contains(',') {
        true => clock.replace(',', ".").parse().ok()?,
        false => clock.parse().ok()?,
    };
    Some((date(day.trim())?.and_time(clock), read_offset(offset.trim())?))
}

/// `2027-02-10T06:30:00`, alone, with a fraction or with an offset, as nearly all of them are written: an answer to a search has
/// thousands. None is not yet a fault.
fn read_plain(text: &str) -> Option<(NaiveDateTime, Option<FixedOffset>)> {
    let (written, rest) = text.as_bytes().split_first_chunk::<19>()?;
    #[rustfmt::skip]
    let &[c0, c1, y0, y1, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', i0, i1, b':', s0, s1] = written else {
        return None;
    };
    let two = |tens: u8, ones: u8| {
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        is_number.then(|| u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
    };
    let (nanoseconds, offset) = match rest.strip_prefix(b".") {
        Some(rest) => {
            let end = rest.iter().position(|byte| !byte.is_ascii_digit());
            let (fraction, offset) = rest.split_at(end.unwrap_or(rest.len()));
            (nanoseconds(fraction)?, offset)
        }
        None => (0, rest),
    };
    let offset = match offset {
        b"" => None,
        b"Z" => Some(Utc.fix()),
        offset => read_offset(std::str::from_utf8(offset).ok()?)?,
    };
    let year = i32::try_from(two(c0, c1)? * 100 + two(y0, y1)?).ok()?;
    let day = NaiveDate::from_ymd_opt(year, two(m0, m1)?, two(d0, d1)?)?;
    let local = day.and_hms_nano_opt(two(h0, h1)?, two(i0, i1)?, two(s0, s1)?, nanoseconds)?;
    (1970..=2200).contains(&year).then_some((local, offset))
}

/// Those of a fraction of a second, by its digits; none where there is no digit, or one too many.
fn nanoseconds(fraction: &[u8]) -> Option<u32> {
    let digit = |place: usize| fraction.get(place).map_or(0, |digit| u32::from(digit - b'0'));
    matches!(fraction.len(), 1..=9).then(|| (0..9).fold(0, |sum, place| sum * 10 + digit(place)))
}

fn date(text: &str) -> Option<NaiveDate> {
    // Nothing that a parser of dates would forgive, such as a sign.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date: NaiveDate = text.parse().ok().filter(|_| is_plain && !text.starts_with('-'))?;
    (1970..=2200).contains(&date.year()).then_some(date)
}

/// `Z`, `UTC`, `+05:30`, `+0530`, `+05`; none where nothing is written.
#[expect(clippy::option_option, reason = "that it is not written is no failure")]
fn read_offset(text: &str) -> Option<Option<FixedOffset>> {
    if text.is_empty() {
        return Some(None);
    }
    if ["Z", "UTC", "GMT"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(Some(Utc.fix()));
    }
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits = rest.replace(':', "");
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && matches!(digits.len(), 2 | 4);
    if !is_plain {
        return None;
    }
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 =
        digits.get(2..).filter(|rest| !rest.is_empty()).map_or(Some(0), |rest| rest.parse().ok())?;
    (minutes < 60).then(|| FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60)))?.map(Some)
}

/// An [`instant`] of a field that may be missing or null.
///
/// # Errors
/// When it is something else.
pub fn optional_instant<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<DateTime<Utc>>, D::Error> {
    Ok(Option::<Instant>::deserialize(deserializer)?.map(|instant| instant.0))
}

/// A [`day`].
///
/// # Errors
/// When it is something else.
pub fn deserialize_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    deserializer.deserialize_str(Through("a date", day))
}

struct Instant(DateTime<Utc>);

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = deserializer.deserialize_str(Through("an instant", instant));
        read.map(Self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text, the time that it tells where it is, and that time in UTC.
    const WRITTEN: [(&str, &str, &str); 15] = [
        ("2027-02-10T06:30:00", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10T06:30", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10 06:30", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10  06:30:05", "2027-02-10T06:30:05", "2027-02-10T06:30:05Z"),
        (" 2027-02-10t06:30 ", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10\u{a0}06:30", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10T06:30:00.051", "2027-02-10T06:30:00.051", "2027-02-10T06:30:00.051Z"),
        ("2027-02-10T06:30:00,5", "2027-02-10T06:30:00.5", "2027-02-10T06:30:00.5Z"),
        ("2027-02-10T06:30:00.000000001Z", "2027-02-10T06:30:00.000000001", "2027-02-10T06:30:00.000000001Z"),
        ("2027-02-10T06:30:00Z", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10 06:30:00 UTC", "2027-02-10T06:30:00", "2027-02-10T06:30:00Z"),
        ("2027-02-10T06:30:00+05:30", "2027-02-10T06:30:00", "2027-02-10T01:00:00Z"),
        ("2027-02-10T06:30:00+0530", "2027-02-10T06:30:00", "2027-02-10T01:00:00Z"),
        ("2027-02-10 06:30 +05:30", "2027-02-10T06:30:00", "2027-02-10T01:00:00Z"),
        ("2027-02-10T06:30:00.5-08", "2027-02-10T06:30:00.5", "2027-02-10T14:30:00.5Z"),
    ];

    #[test]
    fn a_time_is_read_in_whatever_form_it_is_written() {
        for (text, local, utc) in WRITTEN {
            assert_eq!(local_time(text), local.parse().ok(), "{text}");
            assert_eq!(instant(text), utc.parse().ok(), "{text}");
            assert_eq!(day(text), local.get(..10).unwrap().parse().ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "soon",
            "2027-02-10T",
            "2027-02-10",
            "06:30",
            "2027-02-30T06:30",
            "2027-02-10T24:30",
            "2027-02-10T06:30X",
            "2027-02-10T06:30+5",
            "2027-02-10T06:30+05:75",
            "2027-02-10T06:30+99:00",
            "2027-02-10T06:30 Asia/Kolkata",
            "1969-06-07T14:30",
            "+262142-12-31T23:59:59",
            "-2027-02-10T06:30",
            "10/02/2027 06:30",
        ] {
            assert_eq!(local_time(text), None, "{text}");
            assert_eq!(instant(text), None, "{text}");
        }
        assert_eq!(day("2027-02-10"), "2027-02-10".parse().ok());
        assert_eq!(day(" 2027-02-10 "), "2027-02-10".parse().ok());
        assert_eq!(day("10/02/2027"), None);
        assert_eq!(instant_with_offset("2027-02-10T06:30"), None);
        assert_eq!(instant_with_offset("2027-02-10 06:30+0200"), "2027-02-10T04:30:00Z".parse().ok());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,40}") {
            local_time(&text);
            instant(&text);
            day(&text);
        }

        #[test]
        fn each_form_of_an_instant_is_the_instant(
            seconds in 0_i64..7_000_000_000,
            hours in -12_i32..=14,
            separator in prop::sample::select(vec!["T", "t", " ", "  "]),
            colon in any::<bool>(),
            around in prop::sample::select(vec!["", " ", "\t"]),
        ) {
            let instant = DateTime::from_timestamp(seconds, 0).unwrap();
            let zone = FixedOffset::east_opt(hours * 3600).unwrap();
            let local = instant.with_timezone(&zone).naive_local();
            prop_assume!((1970..=2200).contains(&local.year()));
            let offset = zone.to_string().replace(':', if colon { ":" } else { "" });
            let text = format!("{around}{}{separator}{}{offset}{around}", local.date(), local.time());
            prop_assert_eq!(super::instant(&text), Some(instant));
            prop_assert_eq!(local_time(&text), Some(local));
        }
    }
}
