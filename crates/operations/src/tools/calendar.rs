//! An agency's days as instants (P-58, P-59).

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, TimeZone, Utc};
use diesel_async::AsyncPgConnection;
use wayfare_domain::{Faults, Period, Zone};
use wayfare_store::reports::day_bounds;

use crate::{Error, Result};

/// Nothing was sold before: nobody is owed its bounds.
const FIRST_YEAR: i32 = 2020;

/// From when until before when the calendar week or month goes in which this instant is.
///
/// # Errors
/// [`Error::Internal`] where the calendar ends.
pub(crate) fn current(
    period: Period,
    now: DateTime<Utc>,
    zone: Zone,
) -> Result<(DateTime<Utc>, DateTime<Utc>)> {
    let today = now.with_timezone(&zone).date_naive();
    let bounds = || {
        let (first, next) = match period {
            Period::Weekly => {
                let into = u64::from(today.weekday().num_days_from_monday());
                let monday = today.checked_sub_days(Days::new(into))?;
                (monday, monday.checked_add_days(Days::new(7))?)
            }
            Period::Monthly => {
                let first = today.with_day(1)?;
                (first, first.checked_add_months(Months::new(1))?)
            }
        };
        Some((beginning(first, zone)?, beginning(next, zone)?))
    };
    bounds().ok_or_else(|| Error::Internal(format!("the calendar of {today} in {zone}")))
}

/// From when until before when these whole days are, both optional, the last one included. Names `from` when it is
/// after `to`.
pub(crate) fn whole_days(
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    zone: Zone,
    faults: &mut Faults,
) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        faults.add("from", "must not be after to");
    }
    let since = from.and_then(|day| beginning(day, zone));
    (since, to.and_then(|day| end(day, zone)))
}

/// The same, for what is handed out: a day that has begun keeps the start that it had when it was first asked for, whatever newer
/// rules of its zone say (D-624). One statement, and one more the first time; none for UTC, whose days nobody moves.
pub(crate) async fn kept_days(
    connection: &mut AsyncPgConnection,
    (from, to): (Option<NaiveDate>, Option<NaiveDate>),
    (zone, now): (Zone, DateTime<Utc>),
    faults: &mut Faults,
) -> Result<(Option<DateTime<Utc>>, Option<DateTime<Utc>>)> {
    let (since, before) = whole_days(from, to, zone, faults);
    let next = to.and_then(|day| day.checked_add_days(Days::new(1)));
    let mut bounds: Vec<(NaiveDate, DateTime<Utc>)> = [from.zip(since), next.zip(before)]
        .into_iter()
        .flatten()
        .filter(|(day, begins)| *begins <= now && day.year() >= FIRST_YEAR)
        .collect();
    if zone == Zone::UTC || !faults.is_empty() || bounds.is_empty() {
        return Ok((since, before));
    }
    let days: Vec<NaiveDate> = bounds.iter().map(|(day, _)| *day).collect();
    let mut kept = day_bounds::kept(connection, zone, &days).await?;
    bounds.retain(|(day, _)| !kept.iter().any(|(known, _)| known == day));
    if !bounds.is_empty() {
        kept.extend(day_bounds::keep(connection, zone, &bounds).await?);
    }
    let began = |day: NaiveDate| kept.iter().find(|(known, _)| *known == day).map(|(_, at)| *at);
    Ok((from.and_then(began).or(since), next.and_then(began).or(before)))
}

/// The first instant after a day.
pub(crate) fn end(day: NaiveDate, zone: Zone) -> Option<DateTime<Utc>> {
    beginning(day.checked_add_days(Days::new(1))?, zone)
}

/// The first instant of a day. Where clocks go forward at midnight it is later than 00:00.
pub(crate) fn beginning(day: NaiveDate, zone: Zone) -> Option<DateTime<Utc>> {
    let midnight = day.and_time(NaiveTime::MIN);
    let skipped = || zone.from_local_datetime(&(midnight + chrono::Duration::hours(1))).earliest();
    let first = zone.from_local_datetime(&midnight).earliest().or_else(skipped)?;
    Some(first.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        name.parse().unwrap()
    }

    #[test]
    fn weeks_begin_on_mondays_and_months_on_the_first_where_the_agency_is() {
        let bounds = |period, now: &str, zone| {
            let (since, before) = current(period, now.parse().unwrap(), zone).unwrap();
            format!("{since} {before}")
        };
        // A Sunday in London is a Monday in Kolkata already.
        let now = "2026-03-01T20:00:00Z";
        for (period, zone, expected) in [
            (Period::Weekly, Zone::UTC, "2026-02-23 00:00:00 UTC 2026-03-02 00:00:00 UTC"),
            (Period::Weekly, Zone::KOLKATA, "2026-03-01 18:30:00 UTC 2026-03-08 18:30:00 UTC"),
            (Period::Monthly, Zone::KOLKATA, "2026-02-28 18:30:00 UTC 2026-03-31 18:30:00 UTC"),
            // Clocks go forward in it.
            (Period::Monthly, zone("Europe/Paris"), "2026-02-28 23:00:00 UTC 2026-03-31 22:00:00 UTC"),
        ] {
            assert_eq!(bounds(period, now, zone), expected, "{period:?} {zone}");
        }
        let december = bounds(Period::Monthly, "2026-12-31T23:59:59Z", Zone::UTC);
        assert_eq!(december, "2026-12-01 00:00:00 UTC 2027-01-01 00:00:00 UTC");
    }

    #[test]
    fn days_begin_where_the_agency_is() {
        for (zone, day, expected) in [
            (Zone::UTC, "2026-03-01", "2026-03-01 00:00:00 UTC"),
            (Zone::KOLKATA, "2026-03-01", "2026-02-28 18:30:00 UTC"),
            // There is no midnight on this day, and two of them on that one.
            (zone("Asia/Beirut"), "2026-03-29", "2026-03-28 22:00:00 UTC"),
            (zone("America/Havana"), "2026-11-01", "2026-11-01 04:00:00 UTC"),
        ] {
            let begun = beginning(day.parse().unwrap(), zone).unwrap();
            assert_eq!(begun.to_string(), expected, "{zone}");
        }
    }
}
