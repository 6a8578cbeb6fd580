//! What is flown now of what was sold: an itinerary, and the changes that its airlines made of it.

use chrono::{DateTime, Utc};
use wayfare_domain::{ChangeKind, FlightKey};
use wayfare_reference::airport;

use crate::{Itinerary, Segment, SharedText};

/// A flight of a booking as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlownFlight {
    /// Its number in the booking, from 1: those that were sold come first, then those that came in their place.
    pub number: usize,
    /// The journey of its order that it belongs to, from 0.
    pub journey: usize,
    /// The flight.
    pub segment: Segment,
    /// The numbers of those in whose place it came; empty of one that was sold.
    pub replaces: Vec<usize>,
    /// The places, among the flights that were sold with its order, of those that it stands for, from 0.
    pub sold_places: Vec<u16>,
    /// Whether its airline does not fly it.
    pub is_cancelled: bool,
}

/// All flights of a booking as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flown {
    /// By orders.
    orders: Vec<Vec<FlownFlight>>,
    /// How many flights ever had a number.
    numbered: usize,
    /// Whether anything is flown otherwise than it was sold.
    is_changed: bool,
}

impl Flown {
    /// As it was sold.
    pub fn sold(itinerary: &Itinerary) -> Self {
        let mut numbered = 0;
        let mut orders = Vec::new();
        for order in &itinerary.orders {
            let mut flights = Vec::new();
            for (journey, sold) in order.journeys.iter().enumerate() {
                for segment in &sold.segments {
                    numbered += 1;
                    flights.push(FlownFlight {
                        number: numbered,
                        journey,
                        segment: segment.clone(),
                        replaces: Vec::new(),
                        sold_places: u16::try_from(flights.len()).into_iter().collect(),
                        is_cancelled: false,
                    });
                }
            }
            orders.push(flights);
        }
        Self { orders, numbered, is_changed: false }
    }

    /// Whether anything is flown otherwise than it was sold.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The flights of the `order`-th order, from 1.
    pub fn of_order(&self, order: u16) -> &[FlownFlight] {
        let flights = self.orders.get(usize::from(order).saturating_sub(1));
        flights.map(Vec::as_slice).unwrap_or_default()
    }

    /// The flights of each order, in order.
    pub fn orders(&self) -> impl Iterator<Item = &[FlownFlight]> {
        self.orders.iter().map(Vec::as_slice)
    }

    /// Puts flights of an order in the place of others. Where the others are not flown the journey between the same airports
    /// is changed; where there is none, nothing.
    pub fn change(&mut self, order: u16, before: &[Segment], after: &[Segment]) {
        let Some(flights) = self.orders.get_mut(usize::from(order).saturating_sub(1)) else { return };
        let mut removed = removed_numbers(flights, before, after);
        let is_done = !after.is_empty() && after.iter().all(|segment| flies(flights, segment));
        if removed.is_empty() && !is_done {
            removed = journey_between(flights, before, after);
        }
        if removed.is_empty() {
            return;
        }
        let added: Vec<Segment> = after.iter().filter(|segment| !flies(flights, segment)).cloned().collect();
        self.is_changed = true;
        if added.is_empty() {
            for flight in flights.iter_mut().filter(|flight| removed.contains(&flight.number)) {
                flight.is_cancelled = true;
            }
            return;
        }
        let mut added = added.into_iter().peekable();
        let last = removed.last().copied();
        for journey in std::mem::take(flights).chunk_by(|one, next| one.journey == next.journey) {
            let replaced: Vec<usize> = journey
                .iter()
                .map(|flight| flight.number)
                .filter(|number| removed.contains(number))
                .collect();
            let end = journey.iter().rfind(|flight| replaced.contains(&flight.number));
            // Those of the journeys after it come after the flight that ends where this one's did.
            let is_last = replaced.contains(&last.unwrap_or_default());
            let mut new = Vec::new();
            while let Some(segment) = added.next_if(|_| end.is_some()) {
                let is_end = end.is_some_and(|end| end.segment.destination == segment.destination);
                new.push(segment);
                if is_end && !is_last {
                    break;
                }
            }
            self.numbered += put(flights, journey, &replaced, new, self.numbered);
        }
    }

    /// What an order's supplier shows otherwise than it is flown as far as is known: what is gone, and what is there. None where
    /// it shows no flights, or just more of them.
    pub fn unlike(&self, order: u16, shown: &[Segment]) -> Option<(Vec<Segment>, Vec<Segment>)> {
        let flights = self.of_order(order);
        let gone: Vec<Segment> = flights
            .iter()
            .filter(|flight| !flight.is_cancelled)
            .map(|flight| &flight.segment)
            .filter(|segment| !shown.iter().any(|other| is_same(segment, other)))
            .cloned()
            .collect();
        let new = shown.iter().filter(|segment| !flies(flights, segment));
        let is_told = !shown.is_empty() && !gone.is_empty();
        is_told.then(|| (gone, new.cloned().collect()))
    }
}

fn flies(flights: &[FlownFlight], segment: &Segment) -> bool {
    let mut flown = flights.iter().filter(|flight| !flight.is_cancelled);
    flown.any(|flight| is_same(&flight.segment, segment))
}

/// The numbers of the flights that are in `before` and not in `after`.
fn removed_numbers(flights: &[FlownFlight], before: &[Segment], after: &[Segment]) -> Vec<usize> {
    let is_one_of = |segments: &[Segment], flight: &FlownFlight| {
        segments.iter().any(|segment| is_same(segment, &flight.segment))
    };
    let removed = flights
        .iter()
        .filter(|flight| !flight.is_cancelled && is_one_of(before, flight) && !is_one_of(after, flight));
    removed.map(|flight| flight.number).collect()
}

/// The numbers of the flights of the journey that begins and ends where these do.
fn journey_between(flights: &[FlownFlight], before: &[Segment], after: &[Segment]) -> Vec<usize> {
    let wanted = [ends(before.iter()), ends(after.iter())];
    let journeys = flights.chunk_by(|one, next| one.journey == next.journey);
    let mut fitting = journeys.filter(|journey| {
        let flown = ends(journey.iter().map(|flight| &flight.segment));
        flown.is_some() && wanted.contains(&flown)
    });
    let numbers = fitting.next().unwrap_or_default().iter();
    numbers.map(|flight| flight.number).collect()
}

fn ends<'a>(mut segments: impl Iterator<Item = &'a Segment>) -> Option<(&'a str, &'a str)> {
    let first = segments.next()?;
    let last = segments.last().unwrap_or(first);
    Some((&first.origin, &last.destination))
}

/// Puts new flights, numbered on, in the place of those of a journey that are replaced, one by one; how many there were.
fn put(
    flights: &mut Vec<FlownFlight>,
    journey: &[FlownFlight],
    replaced: &[usize],
    new: Vec<Segment>,
    numbered: usize,
) -> usize {
    let count = new.len();
    let mut new = (numbered + 1..).zip(new);
    for flight in journey {
        if !replaced.contains(&flight.number) {
            flights.push(flight.clone());
            continue;
        }
        let is_last = replaced.last() == Some(&flight.number);
        let before = flights.len();
        for (number, segment) in new.by_ref().take(if is_last { count } else { 1 }) {
            flights.push(FlownFlight {
                number,
                replaces: replaced.to_vec(),
                segment: completed(segment, &flight.segment),
                ..flight.clone()
            });
        }
        // What was sold with a flight that has no other in its place goes with the one before it.
        if flights.len() == before
            && let Some(last) = flights.last_mut()
        {
            last.sold_places.extend(&flight.sold_places);
        }
    }
    count
}

/// Whether any flight is among both.
pub fn share_a_flight(some: &[Segment], others: &[Segment]) -> bool {
    let is_one_of = |segment: &Segment| others.iter().any(|other| is_same(segment, other));
    some.iter().any(is_one_of)
}

/// The same flight at the same time, whatever zeros and letters its number is written with (D-573). What one of two suppliers' answers does not tell is no difference.
fn is_same(one: &Segment, other: &Segment) -> bool {
    fn differs<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
        matches!((one, other), (Some(one), Some(other)) if one != other)
    }
    let terminal = |told: &Option<SharedText>| told.as_deref().map(terminal_key);
    let key = |segment: &'_ Segment| {
        (
            FlightKey::of(&segment.airline, &segment.flight_number),
            segment.origin.to_ascii_uppercase(),
            segment.destination.to_ascii_uppercase(),
            segment.departure,
            segment.arrival,
        )
    };
    key(one) == key(other)
        && !differs(one.cabin, other.cabin)
        && !differs(terminal(&one.departure_terminal), terminal(&other.departure_terminal))
        && !differs(terminal(&one.arrival_terminal), terminal(&other.arrival_terminal))
}

/// A terminal, however it is written: `3`, `T3`, `Terminal 3`.
fn terminal_key(terminal: &str) -> String {
    let capitals = terminal.trim().to_uppercase();
    let name = capitals.strip_prefix("TERMINAL").unwrap_or(&capitals).trim();
    let number = name.strip_prefix('T').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    number.unwrap_or(name).to_owned()
}

/// A flight with what was sold with the one in whose place it came, as far as it does not say otherwise.
fn completed(segment: Segment, sold: &Segment) -> Segment {
    Segment {
        cabin: segment.cabin.or(sold.cabin),
        booking_class: segment.booking_class.or_else(|| sold.booking_class.clone()),
        fare_basis: segment.fare_basis.or_else(|| sold.fare_basis.clone()),
        baggage: crate::Baggage {
            check_in: segment.baggage.check_in.or_else(|| sold.baggage.check_in.clone()),
            cabin: segment.baggage.cabin.or_else(|| sold.baggage.cabin.clone()),
        },
        ..segment
    }
}

/// What is changed from these flights to those, and by how many minutes: the most of the first departure and the last arrival,
/// where these stay at their airports. What is nothing else is a change of time.
pub fn kind_of_change(before: &[Segment], after: &[Segment]) -> (ChangeKind, Option<i32>) {
    if after.is_empty() {
        return (ChangeKind::FlightCancelled, None);
    }
    let route = |segments: &[Segment]| -> Vec<_> {
        segments
            .iter()
            .map(|segment| (segment.origin.to_ascii_uppercase(), segment.destination.to_ascii_uppercase()))
            .collect()
    };
    let names = |segments: &[Segment]| -> Vec<_> {
        segments.iter().map(|segment| FlightKey::of(&segment.airline, &segment.flight_number)).collect()
    };
    let times = |segments: &[Segment]| -> Vec<_> {
        segments.iter().map(|segment| (segment.departure, segment.arrival)).collect()
    };
    let cabins = |segments: &[Segment]| -> Vec<_> { segments.iter().map(|segment| segment.cabin).collect() };
    let is_as_before =
        before.len() == after.len() && before.iter().zip(after).all(|(before, after)| is_same(before, after));
    let kind = if route(before) != route(after) {
        ChangeKind::Route
    } else if names(before) != names(after) {
        ChangeKind::FlightNumber
    } else if times(before) != times(after) || is_as_before {
        ChangeKind::Time
    } else if cabins(before) != cabins(after) {
        ChangeKind::Cabin
    } else {
        ChangeKind::Terminal
    };
    (kind, minutes_between(before, after))
}

fn minutes_between(before: &[Segment], after: &[Segment]) -> Option<i32> {
    let leaves = before
        .first()
        .zip(after.first())
        .filter(|(before, after)| before.origin == after.origin)
        .map(|(before, after)| after.departure - before.departure);
    let lands = before
        .last()
        .zip(after.last())
        .filter(|(before, after)| before.destination == after.destination)
        .map(|(before, after)| after.arrival - before.arrival);
    let most = leaves.into_iter().chain(lands).max_by_key(|moved| moved.num_minutes().abs())?;
    i32::try_from(most.num_minutes()).ok()
}

/// When the first of these flights leaves, UTC; none where no airport of theirs is known.
pub fn departs_at<'a>(segments: impl IntoIterator<Item = &'a Segment>) -> Option<DateTime<Utc>> {
    let departures = segments
        .into_iter()
        .filter_map(|segment| Some(airport(&segment.origin)?.instant_of(segment.departure)));
    departures.min()
}

#[cfg(test)]
mod tests {
    use wayfare_domain::{BookingPapers, Contact};

    use super::*;
    use crate::{Baggage, FareDetails, ItineraryOrder, ItineraryPeople, Journey};

    /// `AI101 DEL-BOM 10:00-12:00`, on a day of its own.
    fn segment(text: &str) -> Segment {
        let mut words = text.split(' ');
        let (name, route, times) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let (origin, destination) = route.split_once('-').unwrap();
        let (leaves, lands) = times.split_once('-').unwrap();
        let at = |time: &str| format!("2027-03-01T{time}:00").parse().unwrap();
        let (airline, number) = name.split_at(2);
        Segment {
            cabin: words.next().map(|word| word.parse().unwrap()),
            baggage: Baggage { check_in: Some("15 kg".into()), cabin: None },
            ..Segment::new(airline, number, [origin, destination], [at(leaves), at(lands)])
        }
    }

    fn segments(texts: &[&str]) -> Vec<Segment> {
        texts.iter().map(|text| segment(text)).collect()
    }

    /// Of one order for each list of journeys.
    fn sold(orders: &[&[&[&str]]]) -> Flown {
        let order = |journeys: &&[&[&str]]| ItineraryOrder {
            supplier: "duffel".to_owned(),
            journeys: journeys
                .iter()
                .map(|texts| Journey { segments: segments(texts), duration_minutes: None })
                .collect(),
            fare: FareDetails::default(),
            shares: Vec::new(),
            travellers: Vec::new(),
        };
        let people = ItineraryPeople {
            travellers: Vec::new(),
            contact: Contact { email: String::new(), country_code: String::new(), phone: String::new() },
        };
        let orders = orders.iter().map(order).collect();
        Flown::sold(&Itinerary::new(orders, people, BookingPapers::default()))
    }

    /// `number<replaced name@places`, and `x` behind what is cancelled.
    fn told(flown: &Flown) -> Vec<String> {
        let flights = flown.orders().flatten();
        flights
            .map(|flight| {
                let replaces: Vec<String> = flight.replaces.iter().map(usize::to_string).collect();
                let places: Vec<String> = flight.sold_places.iter().map(u16::to_string).collect();
                format!(
                    "{}<{} {}{}@{}{}",
                    flight.number,
                    replaces.join(","),
                    flight.segment.airline,
                    flight.segment.flight_number,
                    places.join(","),
                    if flight.is_cancelled { "x" } else { "" },
                )
            })
            .collect()
    }

    const OUT: &str = "AI101 DEL-BOM 10:00-12:00";
    const ON: &str = "AI102 BOM-GOI 13:00-14:00";
    const BACK: &str = "AI103 GOI-DEL 18:00-20:00";

    /// What happens, the flights that were there, those that are there now, and how all of them stand.
    const CHANGES: &str = "\
one flight is put off                     | OUT          | AI101 DEL-BOM 11:00-13:00     | 4<1 AI101@0, 2< AI102@1, 3< AI103@2
the supplier tells all of the journey     | OUT, ON      | AI101 DEL-BOM 11:00-13:00, ON | 4<1 AI101@0, 2< AI102@1, 3< AI103@2
two become one                            | OUT, ON      | AI900 DEL-GOI 10:00-13:00     | 4<1,2 AI900@0,1, 3< AI103@2
one becomes two                           | BACK         | AI104 GOI-BOM 18:00-19:00, AI105 BOM-DEL 20:00-22:00 | 1< AI101@0, 2< AI102@1, 4<3 AI104@2, 5<3 AI105@2
one is not flown                          | BACK         |                               | 1< AI101@0, 2< AI102@1, 3< AI103@2x
one of each journey at once               | ON, BACK     | AI102 BOM-GOI 14:00-15:00, AI103 GOI-DEL 19:00-21:00 | 1< AI101@0, 4<2 AI102@1, 5<3 AI103@2
all of both journeys at once              | OUT, ON, BACK | AI900 DEL-GOI 10:00-13:00, AI901 GOI-DEL 19:00-21:00 | 4<1,2 AI900@0,1, 5<3 AI901@2
one that nobody knew is the journey's between the same airports | AI777 GOI-DEL 06:00-08:00 | AI778 GOI-DEL 07:00-09:00 | 1< AI101@0, 2< AI102@1, 4<3 AI778@2
one that nobody knew, between others      | AI777 LHR-JFK 06:00-08:00 | AI778 LHR-JFK 07:00-09:00 | 1< AI101@0, 2< AI102@1, 3< AI103@2";

    /// Flights by the names that they have here, or as [`segment`] reads them.
    fn flights(texts: &str) -> Vec<Segment> {
        let texts = texts.split(", ").filter(|text| !text.is_empty());
        let texts = texts.map(|text| match text {
            "OUT" => OUT,
            "ON" => ON,
            "BACK" => BACK,
            text => text,
        });
        texts.map(segment).collect()
    }

    #[test]
    fn what_comes_in_the_place_of_flights_is_numbered_on() {
        for line in CHANGES.lines() {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            let [_, before, after, expected] = cells.try_into().unwrap();
            let (before, after) = (flights(before), flights(after));
            let mut flown = sold(&[&[&[OUT, ON], &[BACK]]]);
            flown.change(1, &before, &after);
            assert_eq!(told(&flown).join(", "), expected, "{line}");
            // Told again, it changes nothing more.
            let once = flown.clone();
            flown.change(1, &before, &after);
            assert_eq!(flown, once, "{line}");
        }
    }

    #[test]
    fn each_order_has_its_own_flights_and_all_are_numbered_together() {
        let mut flown = sold(&[&[&[OUT, ON]], &[&[BACK]]]);
        assert!(!flown.is_changed());
        flown.change(2, &segments(&[BACK]), &segments(&["AI103 GOI-DEL 19:00-21:00"]));
        flown.change(1, &segments(&[OUT]), &segments(&["AI101 DEL-BOM 09:00-11:00"]));
        flown.change(9, &segments(&[OUT]), &segments(&[]));
        assert_eq!(told(&flown), ["5<1 AI101@0", "2< AI102@1", "4<3 AI103@0"]);
        assert!(flown.is_changed());
        // What the supplier did not tell anew stays as it was sold.
        let changed = flown.of_order(2).iter().map(|flight| &flight.segment.baggage.check_in);
        assert_eq!(changed.flatten().count(), 1);
    }

    #[test]
    fn what_an_order_shows_otherwise_is_told_and_what_it_does_not_show_is_not() {
        let flown = sold(&[&[&[OUT, ON]]]);
        let late = "AI102 BOM-GOI 14:00-15:00";
        let unlike = |shown: &[&str]| flown.unlike(1, &segments(shown));
        assert_eq!(unlike(&[OUT, ON]), None);
        assert_eq!(unlike(&[]), None);
        assert_eq!(unlike(&[OUT, ON, BACK]), None);
        assert_eq!(unlike(&[OUT, late]), Some((segments(&[ON]), segments(&[late]))));
        assert_eq!(unlike(&[OUT]), Some((segments(&[ON]), Vec::new())));
        // A number is the same with zeros before it, and codes in other letters.
        let respelt = ["AI0101 DEL-BOM 10:00-12:00", "ai102 bom-goi 13:00-14:00"];
        assert_eq!(unlike(&respelt), None);
        // A class that only one of them tells is no other class.
        assert_eq!(unlike(&["AI101 DEL-BOM 10:00-12:00 ECONOMY", ON]), None);
    }

    #[test]
    fn a_terminal_is_the_same_however_it_is_written() {
        for (one, key) in [
            ("3", "3"),
            ("T3", "3"),
            ("Terminal 3", "3"),
            ("TERMINAL 3 ", "3"),
            ("t2e", "2E"),
            ("Tom Bradley", "TOM BRADLEY"),
            ("Terminal", ""),
        ] {
            assert_eq!(terminal_key(one), key);
        }
    }

    #[test]
    fn a_change_is_of_the_first_kind_that_fits_and_moves_by_the_most_of_its_ends() {
        use ChangeKind::{Cabin, FlightCancelled, FlightNumber, Route, Time};
        type Row = (&'static [&'static str], &'static [&'static str], ChangeKind, Option<i32>);
        let table: [Row; 7] = [
            (&[OUT], &[], FlightCancelled, None),
            (&[OUT], &["AI101 DEL-BOM 10:30-12:10"], Time, Some(30)),
            (&[OUT], &["AI101 DEL-BOM 09:50-13:10"], Time, Some(70)),
            (&[OUT], &["AI999 DEL-BOM 09:00-12:10"], FlightNumber, Some(-60)),
            (&[OUT, ON], &["AI900 DEL-GOI 10:00-13:00"], Route, Some(-60)),
            (&[OUT], &["AI101 AMD-PNQ 10:00-12:00"], Route, None),
            (&["AI101 DEL-BOM 10:00-12:00 ECONOMY"], &["AI101 DEL-BOM 10:00-12:00 BUSINESS"], Cabin, Some(0)),
        ];
        for (before, after, kind, minutes) in table {
            let found = kind_of_change(&segments(before), &segments(after));
            assert_eq!(found, (kind, minutes), "{before:?} {after:?}");
        }
    }
}
