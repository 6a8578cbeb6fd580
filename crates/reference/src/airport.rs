//! One airport, and what can be asked of it.

use chrono::{DateTime, FixedOffset, LocalResult, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use wayfare_domain::Zone;

use crate::geometry::{self, Point};

/// An airport that has an IATA code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Airport {
    /// IATA code: three upper-case letters, `DEL`.
    pub iata: &'static str,
    /// ICAO code, `VIDP`, where it has one.
    pub icao: Option<&'static str>,
    /// IATA code of the city it serves, where several airports share one (`LON` for `LHR`); else its own.
    pub city_code: &'static str,
    /// Full name, `Indira Gandhi International Airport`.
    pub name: &'static str,
    /// The city or place it serves, `New Delhi`.
    pub city: &'static str,
    /// Country by ISO 3166-1 alpha-2, `IN`; `XK` stands for Kosovo, which ISO does not list.
    pub iso_country: &'static str,
    /// The country's English name, `India`.
    pub country: &'static str,
    /// The zone its clocks follow.
    pub time_zone: Zone,
    /// Where it lies.
    pub point: Point,
    /// How important it is among all, in millionths; 0 where nobody says.
    pub rank: u32,
    /// Whether it has scheduled flights, by the data's day (`data/LICENSES.md`).
    pub has_flights: bool,
    /// The region it lies in: its country and GeoNames' code, `IN.16`; empty where nobody says.
    pub region: &'static str,
    /// The number at GeoNames of the city it serves, where that is among the cities.
    pub town: Option<u32>,
    /// Names of the place it serves in other languages and spellings, where that is not among the cities.
    pub other_names: Vec<&'static str>,
}

impl Airport {
    /// The offset from UTC of a local time here, such as `+05:30`.
    ///
    /// An hour that the clocks skip takes the offset from before they moved; one that they show twice, the first.
    pub fn utc_offset_on(&self, local: NaiveDateTime) -> String {
        self.offset(local).to_string()
    }

    /// The instant at which the clocks here show `local`, chosen as [`Airport::utc_offset_on`] says.
    pub fn instant_of(&self, local: NaiveDateTime) -> DateTime<Utc> {
        DateTime::from_naive_utc_and_offset(local - self.offset(local), Utc)
    }

    /// What the clocks here show at `instant`.
    pub fn local_time_at(&self, instant: DateTime<Utc>) -> NaiveDateTime {
        instant.with_timezone(&self.time_zone).naive_local()
    }

    /// Great-circle distance to `other`, in whole kilometres.
    pub fn distance_km(&self, other: &Airport) -> u32 {
        geometry::distance_km(self.point, other.point)
    }

    fn offset(&self, local: NaiveDateTime) -> FixedOffset {
        offset(self.time_zone, local)
    }
}

/// The offset from UTC of a local time in a zone, chosen as [`Airport::utc_offset_on`] says.
pub(crate) fn offset(zone: Zone, local: NaiveDateTime) -> FixedOffset {
    match zone.offset_from_local_datetime(&local) {
        LocalResult::Single(offset) | LocalResult::Ambiguous(offset, _) => offset.fix(),
        // No zone skips more than a day (Samoa did, once), so a day before it the old offset holds.
        LocalResult::None => zone.offset_from_utc_datetime(&(local - TimeDelta::days(1))).fix(),
    }
}
