//! Times as flight suppliers write them.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Deserializer};
use wayfare_supply::reading::Through;

/// A local time without zone, with or without seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalTime(pub NaiveDateTime);

/// Years outside these are no flight, and the arithmetic of zones need not bear them.
pub(crate) fn local_time(text: &str) -> Option<NaiveDateTime> {
    let (date, time) = text.split_once('T')?;
    let date: NaiveDate = date.parse().ok()?;
    let time: NaiveTime = time.parse().ok()?;
    (1970..=2200).contains(&date.year()).then(|| date.and_time(time))
}

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Through("a local time without zone", local_time))
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_have_seconds_or_none_and_a_year_in_which_one_flies() {
        for (text, expected) in [
            ("2024-06-07T14:30", Some("2024-06-07T14:30:00")),
            ("2024-06-07T14:30:05", Some("2024-06-07T14:30:05")),
            ("2025-05-09T10:57:56.051", Some("2025-05-09T10:57:56.051")),
            ("2024-06-07 14:30", None),
            ("2024-06-07T", None),
            ("2024-06-07", None),
            ("2024-06-07T14:30Z", None),
            ("1969-06-07T14:30", None),
            ("+262142-12-31T23:59:59", None),
        ] {
            assert_eq!(
                local_time(text),
                expected.map(|text| text.parse().unwrap()),
                "{text}"
            );
        }
    }
}
