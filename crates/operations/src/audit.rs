//! The audit log: the journal as an agency's admins read it.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;
use wayfare_domain::{Faults, Page, PageRequest, UserId};
use wayfare_store::journal;

use crate::{Admin, JournalEntry, Platform, Result};

/// Which entries; nothing means all.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Those of this user.
    pub actor: Option<UserId>,
    /// Those that concern things of this kind; one that there is not has none.
    pub entity_type: Option<String>,
    /// Those of this name; one that there is not has none.
    pub action: Option<String>,
    /// The first day, in the agency's calendar.
    pub from: Option<NaiveDate>,
    /// The last day, whole, in the agency's calendar.
    pub to: Option<NaiveDate>,
}

/// A page of the agency's entries, newest first: two statements.
///
/// # Errors
/// [`crate::Error::Invalid`] when `from` is after `to`.
pub async fn list(
    platform: &Platform,
    admin: &Admin,
    filter: AuditFilter,
    request: PageRequest,
) -> Result<Page<JournalEntry>> {
    if filter.from.zip(filter.to).is_some_and(|(from, to)| from > to) {
        return Err(Faults::of("from", "must not be after to").into());
    }
    let zone = admin.caller().time_zone();
    let filter = journal::Filter {
        user: filter.actor,
        entity_type: filter.entity_type,
        action: filter.action,
        since: filter.from.and_then(|day| beginning(day, zone)),
        before: filter
            .to
            .and_then(|day| day.checked_add_days(Days::new(1)))
            .and_then(|day| beginning(day, zone)),
    };
    let mut connection = platform.database.connection().await?;
    let organization = admin.caller().organization();
    Ok(journal::list(&mut connection, organization, &filter, request).await?)
}

/// The first instant of a day. Where clocks go forward at midnight it is later than 00:00.
fn beginning(day: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
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
