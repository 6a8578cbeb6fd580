//! How days, times and durations read.

use std::fmt;

use askama::filters::HtmlSafe;
use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, Utc};

/// Now, by the clock of this machine: what is kept ends by it, and forms begin with it.
#[allow(
    clippy::disallowed_methods,
    reason = "the console sees the client alone, and no clock of the service"
)]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

/// The day so many days from now, in UTC.
pub fn in_days(days: u64) -> NaiveDate {
    let today = now().date_naive();
    today.checked_add_days(Days::new(days)).unwrap_or(today)
}

/// A day: `Tue 19 Jan 2027`.
pub fn day(day: NaiveDate) -> String {
    day.format("%a %-d %b %Y").to_string()
}

/// A time by the clocks of an airport: `08:05`.
pub fn clock(time: NaiveDateTime) -> String {
    time.format("%H:%M").to_string()
}

/// A duration: `2 h 15 min`.
pub fn duration(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

/// So many days later than another time, by the calendars of both places.
pub fn days_between(from: NaiveDateTime, to: NaiveDateTime) -> i64 {
    (to.date() - from.date()).num_days()
}

/// An instant: for a browser, which shows it by its own clock, and in words for those who have no scripts.
#[derive(Clone, Debug)]
pub struct Moment {
    pub iso: String,
    /// In UTC.
    pub text: String,
}

impl Moment {
    /// Of this instant.
    pub fn of(at: DateTime<Utc>) -> Self {
        Self {
            iso: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            text: at.format("%-d %b %Y, %H:%M UTC").to_string(),
        }
    }
}

impl HtmlSafe for Moment {}

/// As pages show it; both texts are figures and letters.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<time datetime=\"{}\" data-local>{}</time>", self.iso, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_in_hours_and_minutes() {
        for (minutes, expected) in [(45, "45 min"), (60, "1 h"), (135, "2 h 15 min"), (1445, "24 h 05 min")] {
            assert_eq!(duration(minutes), expected);
        }
    }
}
