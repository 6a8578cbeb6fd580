//! What flights there are: the same ones for the same question and seed, for any two airports and any day.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use wayfare_reference::Airport;

use crate::aircraft::{Aircraft, USUAL_AIRCRAFT};
use crate::airlines::{Airline, Cabin, Style};
use crate::itinerary::{Brand, Bundle, Flight, Journey, Search, Slice, Stop};
use crate::network::{self, Way};
use crate::rng::Rng;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Inventory {
    seed: u64,
}

/// An airline's flights between two airports.
#[derive(Clone, Copy)]
struct Leg {
    airline: &'static Airline,
    from: &'static Airport,
    to: &'static Airport,
}

const MOST_AIRLINES: usize = 8;

impl Inventory {
    pub(crate) fn of(seed: u64) -> Self {
        Self { seed }
    }

    /// All bundles that answer a search; a bundle has always the same place in the list.
    pub(crate) fn bundles(&self, search: &Search) -> Vec<Bundle> {
        if search.scenario.no_flights || !search.slices.iter().all(|slice| is_a_trip(slice, search)) {
            return Vec::new();
        }
        let airlines = network::sellers(&search.slices, search.cabin, MOST_AIRLINES);
        // Few airlines offer more departures each, so that there is always a choice.
        let brands = if search.cabin.is_some_and(|cabin| cabin > Cabin::Economy) { 2 } else { 3 };
        let combinations = (44 / (airlines.len().max(1) * brands)).clamp(2, 5);
        airlines.into_iter().flat_map(|airline| self.bundles_of(airline, search, combinations)).collect()
    }

    /// Whether a bundle of the list was still to be had at `now`: flights that have left are not sold.
    pub(crate) fn is_sold_at(bundle: &Bundle, now: DateTime<Utc>) -> bool {
        bundle.departure().is_some_and(|departure| departure > now + TimeDelta::hours(1))
    }

    fn bundles_of(&self, airline: &'static Airline, search: &Search, combinations: usize) -> Vec<Bundle> {
        let by_slice: Vec<Vec<Journey>> =
            search.slices.iter().map(|slice| self.journeys(airline, slice, search)).collect();
        let most = by_slice.iter().map(Vec::len).max().unwrap_or_default();
        let mut bundles = Vec::new();
        let combinations = most.min(combinations);
        for combination in 0..combinations {
            // Spread over the day, from a departure that differs from airline to airline and from leg to leg.
            let departure = |(slice, journeys): (&Slice, &Vec<Journey>)| {
                let place =
                    format!("first/{}/{}{}{}", airline.code, slice.from.code, slice.to.code, slice.date);
                let first = usize::try_from(Rng::of(self.seed, &place).between(0, 4)).unwrap_or_default();
                let step = (journeys.len() / combinations).max(1);
                journeys.get((first + combination * step) % journeys.len().max(1)).cloned()
            };
            let journeys: Option<Vec<Journey>> = search.slices.iter().zip(&by_slice).map(departure).collect();
            let Some(journeys) = journeys.filter(|journeys| in_order(journeys)) else { continue };
            for (cabin, brand) in classes(airline, search.cabin) {
                bundles.push(Bundle { airline, journeys: journeys.clone(), cabin, brand });
            }
        }
        bundles
    }

    /// An airline's journeys for one leg, by time of departure.
    fn journeys(&self, airline: &'static Airline, slice: &Slice, search: &Search) -> Vec<Journey> {
        let starts = slice.from.airports.iter();
        let mut journeys: Vec<Journey> = starts
            .flat_map(|from| slice.to.airports.iter().map(move |to| Leg { airline, from, to }))
            .filter_map(|leg| Some((leg, self.way(leg, search)?)))
            .flat_map(|(leg, way)| self.departures(leg, way, slice.date, search))
            .collect();
        journeys.sort_by_key(|journey| (journey.first.departs, journey.first.number));
        journeys.dedup_by_key(|journey| journey.first.departs);
        journeys
    }

    fn way(&self, Leg { airline, from, to }: Leg, search: &Search) -> Option<Way> {
        let through = || {
            let usual = network::through_hub(airline, from, to, 1_700);
            usual.or_else(|| network::through_hub(airline, from, to, 4_000)).map(|(way, _)| way)
        };
        let direct = network::direct(airline, from, to).filter(|_| !search.scenario.only_connections);
        direct.or_else(|| through().filter(|_| search.max_connections > 0))
    }

    fn departures(&self, leg: Leg, way: Way, date: NaiveDate, search: &Search) -> Vec<Journey> {
        let mut rng = self.rng(leg, date);
        let km = leg.from.distance_km(leg.to);
        let a_day = match (leg.airline.style, way, km) {
            (Style::Everywhere, ..) => 5,
            (_, Way::Through(_), _) => rng.between(1, 3),
            (_, Way::Direct, 0..=1_500) => rng.between(3, 5),
            (_, Way::Direct, 1_501..=5_000) => rng.between(2, 4),
            (_, Way::Direct, _) => rng.between(1, 3),
        };
        // From 05:00, spread over the day until 23:00.
        let gap = 18 * 60 / a_day;
        (0..a_day)
            .filter_map(|nth| {
                let minute = 5 * 60 + nth * gap + rng.between(0, gap.saturating_sub(10));
                let departs = date.and_hms_opt(0, 0, 0)? + TimeDelta::minutes(i64::from(minute / 5 * 5));
                Some(self.journey(leg, way, departs, search))
            })
            .collect()
    }

    fn journey(&self, leg: Leg, way: Way, departs: NaiveDateTime, search: &Search) -> Journey {
        match way {
            Way::Direct if search.scenario.a_stop_on_the_way => {
                let stop = network::stop_between(leg.from, leg.to);
                Journey { first: self.flight(leg, departs, stop), then: Vec::new() }
            }
            Way::Direct => Journey { first: self.flight(leg, departs, None), then: Vec::new() },
            Way::Through(hub) => {
                let first = self.flight(Leg { to: hub, ..leg }, departs, None);
                let second = Leg { from: hub, ..leg };
                let wait = self.rng(second, departs.date()).between(14, 46) * 5;
                let onward = first.arrives + TimeDelta::minutes(i64::from(wait));
                let then = vec![self.flight(second, onward, None)];
                Journey { first, then }
            }
        }
    }

    fn flight(&self, leg: Leg, departs: NaiveDateTime, stop: Option<&'static Airport>) -> Flight {
        let Leg { airline, from, to } = leg;
        // Where the clocks are moved, a flight leaves at a time that exists.
        let departure = from.instant_of(departs);
        let mut rng = Rng::of(self.seed, &format!("{}/{}/{}/{departs}", airline.code, from.iata, to.iata));
        let in_air =
            |from: &Airport, to: &Airport| TimeDelta::minutes(i64::from(minutes_for(from.distance_km(to))));
        let (stops, km, arrival) = match stop {
            None => (Vec::new(), from.distance_km(to), departure + in_air(from, to)),
            Some(at) => {
                let landed = departure + in_air(from, at);
                let off_again = landed + TimeDelta::minutes(60);
                let stop =
                    Stop { at, arrives: at.local_time_at(landed), departs: at.local_time_at(off_again) };
                (vec![stop], from.distance_km(at) + at.distance_km(to), off_again + in_air(at, to))
            }
        };
        let aircraft = rng.pick(Aircraft::for_distance(km));
        let flown_by_partner = km < 1_500 && rng.one_in(6);
        let operator = airline.partner.filter(|_| flown_by_partner).and_then(Airline::of).unwrap_or(airline);
        Flight {
            airline,
            operator,
            number: rng.between(100, 6999),
            from,
            to,
            from_terminal: self.terminal(airline, from),
            to_terminal: self.terminal(airline, to),
            departs: from.local_time_at(departure),
            arrives: to.local_time_at(arrival),
            km,
            aircraft: aircraft.unwrap_or(&USUAL_AIRCRAFT),
            stops,
        }
    }

    /// An airline always uses the same terminal; small airports have none to speak of.
    fn terminal(&self, airline: &Airline, at: &Airport) -> Option<u8> {
        let mut rng = Rng::of(self.seed, &format!("terminal/{}/{}", airline.code, at.iata));
        (!rng.one_in(4)).then(|| u8::try_from(rng.between(1, 4)).unwrap_or(1))
    }

    fn rng(&self, Leg { airline, from, to }: Leg, date: NaiveDate) -> Rng {
        Rng::of(self.seed, &format!("{}/{}/{}/{date}", airline.code, from.iata, to.iata))
    }
}

/// Between airports of one city nobody flies, unless the search rehearses it.
fn is_a_trip(slice: &Slice, search: &Search) -> bool {
    let cities = |airports: &[&'static Airport]| airports.first().map(|airport| airport.city_code);
    let (from, to) = (cities(&slice.from.airports), cities(&slice.to.airports));
    slice.from.code != slice.to.code && (search.scenario.within_a_city || from != to)
}

fn minutes_for(km: u32) -> u32 {
    let km_an_hour = if km < 1_500 { 740 } else { 845 };
    (35 + km * 60 / km_an_hour).div_ceil(5) * 5
}

/// Nobody flies back before having arrived.
/// Whether each journey begins after the one before has ended.
pub(crate) fn in_order(journeys: &[Journey]) -> bool {
    journeys.windows(2).all(|pair| match pair {
        [before, after] => {
            before.departure() + before.duration() + TimeDelta::minutes(60) <= after.departure()
        }
        _ => true,
    })
}

/// The classes and brands an airline sells, for the class asked for.
fn classes(airline: &Airline, cabin: Option<Cabin>) -> Vec<(Cabin, Brand)> {
    use Brand::{Basic, Flex, Standard};
    use Cabin::{Business, Economy};
    let all = match cabin {
        Some(Economy) => vec![(Economy, Basic), (Economy, Standard), (Economy, Flex)],
        Some(better) => vec![(better, Standard), (better, Flex)],
        None => vec![(Economy, Basic), (Economy, Flex), (Business, Standard)],
    };
    all.into_iter().filter(|(cabin, _)| *cabin <= airline.best_cabin).collect()
}
