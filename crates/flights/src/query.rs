//! What is asked for in a flight search, and whether it can be asked at all.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{Faults, Party};
use wayfare_reference::{Place, PlaceKind, airport_city};

use crate::{Cabin, Journey, Offer};

/// Suppliers sell about a year ahead.
const FARTHEST_DAYS: i64 = 361;

wayfare_domain::word_enum! { closed
    /// The shape of the journey.
    #[derive(Hash)]
    pub enum TripType in "SCREAMING_SNAKE_CASE" {
        /// One slice.
        OneWay,
        /// Two slices; the second need not mirror the first.
        Return,
        /// Two to six slices.
        MultiCity,
    }
}

/// One journey of a trip.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slice {
    /// IATA code of an airport or a city.
    pub origin: String,
    /// Which of the two the origin is.
    #[serde(default, skip_serializing_if = "is_airport")]
    pub origin_kind: PlaceKind,
    /// IATA code of an airport or a city.
    pub destination: String,
    /// Which of the two the destination is.
    #[serde(default, skip_serializing_if = "is_airport")]
    pub destination_kind: PlaceKind,
    /// The day of departure at the origin.
    pub date: NaiveDate,
}

fn is_airport(kind: &PlaceKind) -> bool {
    *kind == PlaceKind::Airport
}

impl Slice {
    /// The journey between what these codes (upper case) stand for: an airport where there is one, else a city, unless it
    /// is said which. A code that nobody knows counts as an airport's.
    pub fn between(
        (origin, origin_kind): (&str, Option<PlaceKind>),
        (destination, destination_kind): (&str, Option<PlaceKind>),
        date: NaiveDate,
    ) -> Self {
        let kind = |code, said| Place::of(code, said).map_or(PlaceKind::Airport, Place::kind);
        Self {
            origin: origin.to_owned(),
            origin_kind: kind(origin, origin_kind),
            destination: destination.to_owned(),
            destination_kind: kind(destination, destination_kind),
            date,
        }
    }

    /// Where it begins and where it ends; none for a code that nobody knows.
    pub fn places(&self) -> [Option<Place>; 2] {
        [
            Place::of(&self.origin, Some(self.origin_kind)),
            Place::of(&self.destination, Some(self.destination_kind)),
        ]
    }
}

/// A flight search without the caller: what suppliers are asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// One way, return or multi-city.
    pub trip_type: TripType,
    /// Who travels.
    pub party: Party,
    /// The class that is searched; suppliers may answer with others on some segments.
    pub cabin: Cabin,
    /// 1 to 6 journeys in order.
    pub slices: Vec<Slice>,
    /// Only flights without a change.
    pub direct_only: bool,
    /// Only this airline (IATA code).
    pub airline: Option<String>,
}

impl Query {
    /// Whether the trip can be: slices as the shape wants, airports that exist, days in order and not past
    /// at the origin (P-54).
    ///
    /// # Errors
    /// All fields at fault, with the API's paths.
    pub fn check(&self, now: DateTime<Utc>) -> Result<(), Faults> {
        let slices = self.slices.iter().map(|slice| SliceParts {
            origin: Some(slice.origin.clone()),
            origin_kind: Some(slice.origin_kind),
            destination: Some(slice.destination.clone()),
            destination_kind: Some(slice.destination_kind),
            date: Some(slice.date),
        });
        let parts = QueryParts {
            trip_type: Some(self.trip_type),
            adults: Some(self.party.adults),
            infants: self.party.infants,
            slices: Some(slices.collect()),
        };
        parts.check(now).or(())
    }

    /// Whether all of the trip is in one country.
    pub fn is_domestic(&self) -> bool {
        let places = self.slices.iter().flat_map(Slice::places);
        let mut countries = places.flat_map(|place| match place {
            Some(place) => place.airports().iter().map(|airport| Some(airport.iso_country)).collect(),
            None => vec![None],
        });
        let first = countries.next().flatten();
        first.is_some() && countries.all(|country| country == first)
    }

    /// What is searched between, each once, in the order of the journeys.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for place in self.slices.iter().flat_map(Slice::places).flatten() {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Whether the offer is one that was asked for: without a change or a landing on the way, where that is wanted;
    /// where one airline is, sold by it or flown under its number all the way; and at the airport, not elsewhere in its
    /// city, where a code that stands for both meant the airport. Suppliers differ in what of this they can filter.
    pub fn wants(&self, offer: &Offer) -> bool {
        let direct = || offer.journeys.iter().all(|journey: &Journey| journey.stops() == 0);
        let of = |airline: &str| {
            offer.owner.as_deref() == Some(airline)
                || offer.segments().all(|segment| segment.airline == airline)
        };
        (!self.direct_only || direct())
            && self.airline.as_deref().is_none_or(of)
            && self.is_at_its_airports(offer)
    }

    /// Whether each journey is at the airport that was meant by a code that stands for a city, too.
    fn is_at_its_airports(&self, offer: &Offer) -> bool {
        let asked = self.slices.iter().skip(usize::from(offer.route_index));
        asked.zip(&offer.journeys).all(|(slice, journey)| {
            let is_there = |asked: &str, kind, flown: Option<&str>| {
                kind == PlaceKind::City || airport_city(asked).is_none() || flown == Some(asked)
            };
            let [from, to] = journey.ends().map_or([None, None], |ends| ends.map(Some));
            is_there(&slice.origin, slice.origin_kind, from)
                && is_there(&slice.destination, slice.destination_kind, to)
        })
    }
}

/// A query as far as it could be read, so that what is wrong with the rest of it is told in the same answer.
#[derive(Clone, Debug, Default)]
pub struct QueryParts {
    /// None where it could not be read.
    pub trip_type: Option<TripType>,
    /// 1 to 9; none where the number could not be read.
    pub adults: Option<u8>,
    /// 0 where the number could not be read.
    pub infants: u8,
    /// The journeys; none when there is no list of them.
    pub slices: Option<Vec<SliceParts>>,
}

/// A journey as far as it could be read.
#[derive(Clone, Debug, Default)]
pub struct SliceParts {
    /// IATA code of an airport or a city.
    pub origin: Option<String>,
    /// Which of them, where it is said.
    pub origin_kind: Option<PlaceKind>,
    /// IATA code of an airport or a city.
    pub destination: Option<String>,
    /// Which of them, where it is said.
    pub destination_kind: Option<PlaceKind>,
    /// The day of departure at the origin.
    pub date: Option<NaiveDate>,
}

impl QueryParts {
    /// Everything that is wrong with what was read.
    pub fn check(&self, now: DateTime<Utc>) -> Faults {
        let mut faults = Faults::default();
        if let (Some(trip_type), Some(slices)) = (self.trip_type, &self.slices)
            && let Some(reason) = wrong_count(trip_type, slices.len())
        {
            faults.add("slices", reason);
        }
        if self.adults.is_some_and(|adults| self.infants > adults) {
            faults.add("search_params.passengers.infants", "must not be more than adults");
        }
        let mut earliest: Option<NaiveDate> = None;
        for (index, slice) in self.slices.iter().flatten().enumerate() {
            slice.check(index, earliest, now, &mut faults);
            earliest = earliest.max(slice.date);
        }
        faults
    }
}

fn wrong_count(trip_type: TripType, count: usize) -> Option<&'static str> {
    match trip_type {
        TripType::OneWay if count != 1 => Some("must have exactly 1 item for ONE_WAY"),
        TripType::Return if count != 2 => Some("must have exactly 2 items for RETURN"),
        TripType::MultiCity if !(2..=6).contains(&count) => Some("must have 2 to 6 items for MULTI_CITY"),
        _ => None,
    }
}

impl SliceParts {
    fn check(&self, index: usize, earliest: Option<NaiveDate>, now: DateTime<Utc>, faults: &mut Faults) {
        let path = |field| format!("slices[{index}].{field}");
        let unknown = "is not a known IATA airport code";
        let place = |code: &Option<String>, kind| Place::of(code.as_deref()?, kind);
        let origin = place(&self.origin, self.origin_kind);
        let destination = place(&self.destination, self.destination_kind);
        if self.origin.is_some() && origin.is_none() {
            faults.add(path("origin"), unknown);
        }
        if self.origin.is_some() && self.origin == self.destination {
            faults.add(path("destination"), "must differ from origin");
        } else if self.destination.is_some() && destination.is_none() {
            faults.add(path("destination"), unknown);
        } else if origin.zip(destination).is_some_and(|(from, to)| from.meets(to)) {
            faults.add(path("destination"), "must not lie within origin");
        }
        let Some(date) = self.date else { return };
        let today = origin.map_or_else(|| now.date_naive(), |place| place.day_at(now));
        if date < today {
            faults.add(path("departure_date"), "must not be in the past");
        } else if date > today + Duration::days(FARTHEST_DAYS) {
            faults.add(path("departure_date"), format!("must be within {FARTHEST_DAYS} days"));
        } else if earliest.is_some_and(|earliest| date < earliest) {
            faults.add(path("departure_date"), "must not be before the slice before it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trip, its slices, adults, children and infants, and what is wrong with it.
    const CHECKED: &str = "\
ONE_WAY    | DEL-BOM 2026-03-02 | 1 0 1 |
ONE_WAY    | DEL-BOM 2026-03-01 | 1 0 0 | {slices[0].departure_date must not be in the past}
ONE_WAY    | LHR-BOM 2026-03-01 | 1 0 0 |
ONE_WAY    | QQQ-QQQ 2026-03-02 | 1 0 2 | {search_params.passengers.infants must not be more than adults} {slices[0].origin is not a known IATA airport code} {slices[0].destination must differ from origin}
RETURN     | DEL-BOM 2026-03-02 | 1 0 0 | {slices must have exactly 2 items for RETURN}
RETURN     | DEL-BOM 2026-03-05, BOM-DEL 2026-03-04 | 1 0 0 | {slices[1].departure_date must not be before the slice before it}
MULTI_CITY | DEL-BOM 2026-03-05 | 1 0 0 | {slices must have 2 to 6 items for MULTI_CITY}
ONE_WAY    | LON-NYC 2026-03-02 | 1 0 0 |
ONE_WAY    | LON-LHR 2026-03-02 | 1 0 0 | {slices[0].destination must not lie within origin}
ONE_WAY    | JFK-NYC 2026-03-02 | 1 0 0 | {slices[0].destination must not lie within origin}
ONE_WAY    | DEL-BOM 2027-06-01 | 1 0 0 | {slices[0].departure_date must be within 361 days}";

    #[test]
    fn a_query_is_checked_whole_and_every_fault_is_named() {
        let slice = |text: &str| {
            let (route, date) = text.split_once(' ').unwrap();
            let (origin, destination) = route.split_once('-').unwrap();
            Slice::between((origin, None), (destination, None), date.parse().unwrap())
        };
        for line in CHECKED.lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [trip, slices, party, expected] = cells.try_into().unwrap();
            let party: Vec<u8> = party.split(' ').map(|count| count.parse().unwrap()).collect();
            let query = Query {
                trip_type: trip.parse().unwrap(),
                party: Party { adults: party[0], children: party[1], infants: party[2] },
                cabin: Cabin::Economy,
                slices: slices.split(", ").map(slice).collect(),
                direct_only: false,
                airline: None,
            };
            // 19:00 in London is half past midnight of the next day in Delhi.
            let faults = query.check("2026-03-01T19:00:00Z".parse().unwrap()).err();
            assert_eq!(faults.map_or(String::new(), |faults| faults.to_string()), expected, "{line}");
        }
    }

    #[test]
    fn a_city_is_all_its_airports_and_a_code_of_both_is_the_airport() {
        let day = "2026-05-01".parse().unwrap();
        let query = |slices: Vec<Slice>| Query {
            trip_type: TripType::OneWay,
            party: Party { adults: 1, children: 0, infants: 0 },
            cabin: Cabin::Economy,
            slices,
            direct_only: false,
            airline: None,
        };
        let plain = Slice::between(("DXB", None), ("BOM", None), day);
        assert_eq!(
            serde_json::to_value(&plain).unwrap(),
            serde_json::json!({"origin": "DXB", "destination": "BOM", "date": "2026-05-01"}),
            "as it was stored before"
        );
        let city = Slice::between(("DXB", Some(PlaceKind::City)), ("LON", None), day);
        assert_eq!((city.origin_kind, city.destination_kind), (PlaceKind::City, PlaceKind::City));
        let read: Slice = serde_json::from_value(serde_json::to_value(&city).unwrap()).unwrap();
        assert_eq!(read, city);
        assert!(!query(vec![plain]).is_domestic());
        assert!(query(vec![Slice::between(("LON", None), ("EDI", None), day)]).is_domestic());
        // Basel's airport stands in France.
        assert!(!query(vec![Slice::between(("EAP", None), ("ZRH", None), day)]).is_domestic());
        assert_eq!(query(vec![city]).places().len(), 2);
    }
}
