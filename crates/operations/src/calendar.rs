//! An agency's days as instants (decisions, details 58 and 59).

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use wayfare_domain::Faults;

/// From when until before when these whole days are, both optional, the last one included. Names `from` when it is
/// after `to`.
pub(crate) fn whole_days(
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    zone: Tz,
    faults: &mut Faults,
) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        faults.add("from", "must not be after to");
    }
    let since = from.and_then(|day| beginning(day, zone));
    (since, to.and_then(|day| end(day, zone)))
}

/// The first instant after a day.
pub(crate) fn end(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    beginning(day.checked_add_days(Days::new(1))?, zone)
}

/// The first instant of a day. Where clocks go forward at midnight it is later than 00:00.
pub(crate) fn beginning(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let midnight = day.and_time(NaiveTime::MIN);
    let skipped = || {
        zone.from_local_datetime(&(midnight + chrono::Duration::hours(1)))
            .earliest()
    };
    let first = zone.from_local_datetime(&midnight).earliest().or_else(skipped)?;
    Some(first.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_where_the_agency_is() {
        for (zone, day, expected) in [
            (chrono_tz::UTC, "2026-03-01", "2026-03-01 00:00:00 UTC"),
            (chrono_tz::Asia::Kolkata, "2026-03-01", "2026-02-28 18:30:00 UTC"),
            // There is no midnight on this day, and two of them on that one.
            (chrono_tz::Asia::Beirut, "2026-03-29", "2026-03-28 22:00:00 UTC"),
            (
                chrono_tz::America::Havana,
                "2026-11-01",
                "2026-11-01 04:00:00 UTC",
            ),
        ] {
            let begun = beginning(day.parse().unwrap(), zone).unwrap();
            assert_eq!(begun.to_string(), expected, "{zone}");
        }
    }
}
