//! What a hotel search is about, and whether it can be asked at all.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{Currency, Faults, Zone};
use wayfare_hotels::{Query, RoomGuests, SearchArea, kinds};

use crate::hotels::HotelId;

/// Suppliers sell about this far ahead.
const FARTHEST_DAYS: i64 = 500;
const LONGEST_NIGHTS: i64 = 30;
pub const MOST_ROOMS: usize = 9;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Location {
    Hotels(Vec<HotelId>),
    /// What lies there, at every supplier, and the time that it is there, where that is known.
    Place(SearchArea, Option<Zone>),
}

/// What is asked for: the same criteria again read the same search session (P-80).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Criteria {
    pub check_in: NaiveDate,
    pub check_out: NaiveDate,
    pub rooms: Vec<RoomGuests>,
    pub location: Location,
    /// Of which country the guests are citizens, ISO 3166-1 alpha-2.
    pub nationality: String,
    /// In which language texts are wanted, ISO 639-1.
    pub language: String,
    /// In which currency prices are shown.
    pub currency: Currency,
}

impl Criteria {
    /// Each kind of room that is asked for, and how many of it, in the order in which they were first named.
    pub fn kinds(&self) -> Vec<(&RoomGuests, u16)> {
        kinds(&self.rooms)
    }

    /// What this supplier is asked; none when it is none of its hotels that are looked for.
    pub(crate) fn query(&self, supplier: &str) -> Option<Query> {
        let area = match &self.location {
            Location::Place(place, _) => place.clone(),
            Location::Hotels(ids) => {
                let theirs = ids.iter().filter(|id| id.supplier == supplier);
                let theirs: Vec<String> = theirs.map(|id| id.hotel.clone()).collect();
                if theirs.is_empty() {
                    return None;
                }
                SearchArea::Hotels(theirs)
            }
        };
        Some(Query {
            check_in: self.check_in,
            check_out: self.check_out,
            rooms: self.rooms.clone(),
            area,
            nationality: self.nationality.clone(),
            language: self.language.clone(),
        })
    }
}

/// Whether these days can be stayed at a place in this time zone.
pub fn check_days(
    check_in: Option<NaiveDate>,
    check_out: Option<NaiveDate>,
    zone: Option<Zone>,
    now: DateTime<Utc>,
) -> Faults {
    let mut faults = Faults::default();
    // The farthest west, where it is known nowhere: no day is refused there that is still to come.
    let today = match zone {
        Some(zone) => now.with_timezone(&zone).date_naive(),
        None => (now - Duration::hours(12)).date_naive(),
    };
    if let Some(check_in) = check_in {
        if check_in < today {
            faults.add("check_in", "must not be in the past");
        } else if check_in > today + Duration::days(FARTHEST_DAYS) {
            faults.add("check_in", format!("must be within {FARTHEST_DAYS} days"));
        }
    }
    if let (Some(check_in), Some(check_out)) = (check_in, check_out) {
        let nights = (check_out - check_in).num_days();
        if nights < 1 {
            faults.add("check_out", "must be after check_in");
        } else if nights > LONGEST_NIGHTS {
            faults.add("check_out", format!("must be within {LONGEST_NIGHTS} nights"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_in_order_and_to_come_where_the_hotel_is() {
        let now = "2026-03-01T20:00:00Z".parse().unwrap();
        for (check_in, check_out, zone, expected) in [
            ("2026-03-01", "2026-03-02", None, ""),
            ("2026-03-01", "2026-03-02", "Europe/London".parse().ok(), ""),
            ("2026-03-01", "2026-03-02", Some(Zone::KOLKATA), "{check_in must not be in the past}"),
            ("2026-03-04", "2026-03-04", None, "{check_out must be after check_in}"),
            ("2026-03-04", "2026-03-03", None, "{check_out must be after check_in}"),
            ("2026-03-04", "2026-04-04", None, "{check_out must be within 30 nights}"),
            ("2028-03-04", "2028-03-05", None, "{check_in must be within 500 days}"),
        ] {
            let day = |text: &str| Some(text.parse().unwrap());
            let faults = check_days(day(check_in), day(check_out), zone, now);
            assert_eq!(faults.to_string(), expected, "{check_in} {check_out}");
        }
    }
}
