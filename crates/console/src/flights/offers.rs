//! Offers as cards: those of the same flights together, filtered and in the order that is wanted.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use wayfare_client::{
    enums::{Cabin, OfferType},
    flights::{Baggage, FlightsFound, FoundLeg, Offer},
};

use super::{
    cards::{Card, Fare, Leg, SORTS, STOPS, TIMES, Wanted},
    trip::CABINS,
};
use crate::{BASE, day, facets::Facet, money::money};

pub struct Listed {
    pub cards: Vec<Card>,
    /// How many there are with these filters.
    pub matching: usize,
    /// How many there are without.
    pub all: usize,
    pub cheapest: String,
    /// The orders: value, name, the price of the first in it.
    pub sorts: Vec<(&'static str, &'static str, String)>,
    pub stops: Vec<Facet>,
    pub airlines: Vec<Facet>,
    pub times: Vec<Facet>,
    pub suppliers: Vec<Facet>,
    /// Whether each way can be chosen by itself.
    pub has_halves: bool,
    /// Whether there are offers of the whole trip.
    pub has_whole: bool,
    /// The half that was chosen, as a card.
    pub chosen: Option<Card>,
}

pub fn listed(found: &FlightsFound, wanted: &Wanted, trip: &str) -> Listed {
    let journeys = found.legs.iter().map(|leg| leg.route_index).max().map_or(1, |last| usize::from(last) + 1);
    let is_whole = |offer: &&Offer| offer.legs.len() >= journeys;
    let has_whole = found.offers.iter().any(|offer| is_whole(&offer));
    let has_halves = journeys > 1 && found.offers.iter().any(|offer| !is_whole(&offer));
    let by_halves = has_halves && (wanted.by_halves || !has_whole);
    let first = wanted.first.as_deref().filter(|_| by_halves);
    let first = first.and_then(|id| found.offers.iter().find(|offer| offer.offer_id == id));
    let of_route = |offer: &&Offer| match (by_halves, first) {
        (false, _) => is_whole(offer),
        (true, None) => !is_whole(offer) && offer.route_index == 0,
        (true, Some(first)) => !is_whole(offer) && offer.route_index == 1 && go_together(first, offer),
    };
    let make = Maker { found, wanted, trip, by_halves, first };
    let all = make.cards(found.offers.iter().filter(of_route));
    let chosen = &wanted.chosen;
    let stops = chosen.of_known("stops", all.iter().map(Card::stops_key), &STOPS);
    let parts = TIMES.map(|(value, label, ..)| (value, label));
    let times = chosen.of_known("time", all.iter().map(Card::time_key), &parts);
    let airlines = all.iter().map(|card| card.airlines.clone());
    let mut airlines = chosen.facets("airline", airlines, |code| make.airline(code));
    airlines.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.label.cmp(&other.label)));
    let sellers = all.iter().map(|card| card.fares.iter().map(|fare| fare.supplier.clone()));
    let suppliers = chosen.facets("supplier", sellers, str::to_owned);
    let count = all.len();
    let mut cards: Vec<Card> = all.into_iter().filter(|card| wanted.takes(card)).collect();
    for card in &mut cards {
        card.fares.retain(|fare| wanted.takes_fare(fare));
    }
    cards.retain(|card| !card.fares.is_empty());
    let price = |card: Option<&Card>| card.and_then(|card| card.fares.first()).map(|fare| fare.price.clone());
    let sorts = SORTS.map(|(value, name)| {
        sort(&mut cards, value);
        (value, name, price(cards.first()).unwrap_or_default())
    });
    let cheapest = sorts.iter().find(|(value, ..)| *value == "cheapest");
    let cheapest = cheapest.map(|(.., price)| price.clone()).unwrap_or_default();
    sort(&mut cards, wanted.sort);
    let matching = cards.len();
    cards.truncate(wanted.cards);
    Listed {
        cards,
        matching,
        all: count,
        cheapest,
        sorts: sorts.to_vec(),
        stops,
        airlines,
        times,
        suppliers,
        has_halves,
        has_whole,
        chosen: first.and_then(|first| make.card(&[first])),
    }
}

/// Whether two halves can be bought together.
fn go_together(first: &Offer, second: &Offer) -> bool {
    let names = |one: &Offer, other: &Offer| {
        let group = other.combination_group_id.as_ref();
        group.is_some_and(|group| one.combinable_with.contains(group))
    };
    match (&first.kind, &second.kind) {
        (OfferType::Combinable, OfferType::Combinable) => names(first, second) && names(second, first),
        (one, other) => one == other,
    }
}

/// Puts cards in order. Best is what costs and takes least: the price, and a third of it for twice the time, a tenth for
/// each landing.
fn sort(cards: &mut [Card], by: &str) {
    let least = cards.iter().map(|card| card.least).min().unwrap_or_default().max(Decimal::ONE);
    let shortest = cards.iter().map(|card| card.minutes).min().unwrap_or(1).max(1);
    let score = |card: &Card| {
        let time = Decimal::from(card.minutes) / Decimal::from(shortest) / Decimal::from(3);
        card.least / least + time + Decimal::from(card.stops) / Decimal::TEN
    };
    match by {
        "cheapest" => cards.sort_by_key(|one| (one.least, one.minutes)),
        "fastest" => cards.sort_by_key(|one| (one.minutes, one.least)),
        "earliest" => {
            cards.sort_by(|one, other| (&one.departs, one.least).cmp(&(&other.departs, other.least)))
        }
        _ => cards.sort_by_cached_key(score),
    }
}

struct Maker<'a> {
    found: &'a FlightsFound,
    wanted: &'a Wanted,
    trip: &'a str,
    by_halves: bool,
    first: Option<&'a Offer>,
}

impl<'a> Maker<'a> {
    fn cards(&self, offers: impl Iterator<Item = &'a Offer>) -> Vec<Card> {
        let mut groups = BTreeMap::<Vec<String>, Vec<&Offer>>::new();
        for offer in offers {
            groups.entry(self.flights_of(offer)).or_default().push(offer);
        }
        groups.values().filter_map(|offers| self.card(offers)).collect()
    }

    fn flights_of(&self, offer: &Offer) -> Vec<String> {
        let legs = offer.legs.iter().filter_map(|leg| self.found.leg(leg));
        let segments = legs.flat_map(|leg| &leg.segments);
        let segments = segments.filter_map(|segment| self.found.segment(segment));
        segments
            .map(|segment| format!("{} {}{}", segment.departure, segment.airline, segment.flight_number))
            .collect()
    }

    fn card(&self, offers: &[&'a Offer]) -> Option<Card> {
        let first = offers.first()?;
        let legs: Vec<&FoundLeg> = first.legs.iter().filter_map(|leg| self.found.leg(leg)).collect();
        let departure = legs.first()?.departure?;
        let mut fares: Vec<Fare> = offers.iter().map(|offer| self.fare(offer)).collect();
        fares.sort_by_key(|one| one.amount);
        let segments = legs.iter().flat_map(|leg| &leg.segments);
        let mut airlines: Vec<String> = segments
            .filter_map(|segment| self.found.segment(segment))
            .map(|segment| segment.airline.clone())
            .collect();
        airlines.sort();
        airlines.dedup();
        Some(Card {
            least: fares.first()?.amount,
            minutes: legs.iter().filter_map(|leg| leg.duration_minutes).sum(),
            stops: legs.iter().map(|leg| leg.stops).max().unwrap_or(0),
            hour: departure.format("%H").to_string().parse().unwrap_or(0),
            departs: departure.to_string(),
            legs: legs.iter().filter_map(|leg| self.leg(leg)).collect(),
            airlines,
            fares,
        })
    }

    fn leg(&self, leg: &FoundLeg) -> Option<Leg> {
        let (departure, arrival) = (leg.departure?, leg.arrival?);
        let segments: Vec<_> =
            leg.segments.iter().filter_map(|segment| self.found.segment(segment)).collect();
        let airline = segments.first().map(|segment| segment.airline.as_str()).unwrap_or_default();
        let flights = segments.iter().map(|segment| format!("{} {}", segment.airline, segment.flight_number));
        let city = |code: &str| {
            let airport = self.found.dictionaries.airports.get(code);
            airport.and_then(|airport| airport.city.clone()).unwrap_or_default()
        };
        let stops = match (leg.stops, leg.stops_detail.as_slice()) {
            (0, _) => "Nonstop".to_owned(),
            (1, [place]) => format!("1 stop, {place}"),
            (count, places) => {
                format!("{count} stops{}{}", if places.is_empty() { "" } else { ", " }, places.join(", "))
            }
        };
        Some(Leg {
            airline: self.airline(airline),
            flights: flights.collect::<Vec<_>>().join(", "),
            departs: day::clock(departure),
            arrives: day::clock(arrival),
            later: match day::days_between(departure, arrival) {
                0 => String::new(),
                days => format!("{days:+}"),
            },
            day: day::day(departure.date()),
            from_city: city(&leg.origin),
            to_city: city(&leg.destination),
            origin: leg.origin.clone(),
            destination: leg.destination.clone(),
            duration: leg.duration_minutes.map(day::duration).unwrap_or_default(),
            stops,
        })
    }

    fn airline(&self, code: &str) -> String {
        let airline = self.found.dictionaries.airlines.get(code);
        airline.map_or_else(|| code.to_owned(), |airline| airline.name.clone())
    }

    fn fare(&self, offer: &Offer) -> Fare {
        let price = &offer.price;
        let before = self.first.filter(|_| self.by_halves);
        let amount = price.agent_price.agent_fare.0
            + before.map(|first| first.price.agent_price.agent_fare.0).unwrap_or_default();
        let public = price.public_fare.0 + before.map(|first| first.price.public_fare.0).unwrap_or_default();
        let shown = |amount: Decimal| money(amount.into(), &price.currency);
        let baggage = self.found.dictionaries.baggage.get(&offer.fare_details.baggage_ref);
        let policy = self.found.dictionaries.refund_policies.get(&offer.fare_details.refund_ref);
        let of_bag = |part: fn(&Baggage) -> &Option<String>| baggage.and_then(|bag| part(bag).as_deref());
        let marks = bags(of_bag(|bag| &bag.check_in), of_bag(|bag| &bag.cabin)).collect();
        let is_half = self.by_halves && before.is_none();
        Fare {
            name: self.name(offer),
            marks,
            is_refundable: policy.and_then(|policy| policy.is_refundable),
            seats: offer.fare_details.seats_left.filter(|seats| (1..=4).contains(seats)),
            supplier: offer.supplier.clone(),
            price: shown(amount),
            public: (public != amount).then(|| shown(public)),
            address: self.address(offer, is_half),
            is_half,
            rules: rules_address(&self.found.search_id, &offer.offer_id),
            can_hold: offer.hold.can_hold == Some(true),
            amount,
        }
    }

    fn name(&self, offer: &Offer) -> String {
        let details = &offer.fare_details;
        let named = details.fare_family.clone().or_else(|| details.fare_name.clone());
        let named = named.filter(|name| !name.trim().is_empty());
        let leg = offer.legs.first().and_then(|leg| self.found.leg(leg));
        let segment = leg.and_then(|leg| self.found.segment(leg.segments.first()?));
        let cabin = segment.and_then(|segment| segment.cabin.as_ref()).map(cabin_name);
        named.or(cabin).unwrap_or_else(|| "Fare".to_owned())
    }

    fn address(&self, offer: &Offer, is_half: bool) -> String {
        let trip = self.trip;
        if is_half {
            let wanted = Wanted {
                by_halves: true,
                first: Some(offer.offer_id.clone()),
                sort: self.wanted.sort,
                ..Wanted::default()
            };
            return format!("{BASE}/flights?{trip}&wait=1&{}", wanted.query_sorted(wanted.sort));
        }
        let offers = self.first.into_iter().chain([offer]).map(|offer| ("offer", &offer.offer_id));
        let offers = serde_urlencoded::to_string(offers.collect::<Vec<_>>()).unwrap_or_default();
        format!("{BASE}/flights/quote?{offers}&{trip}")
    }
}

fn rules_address(search: &str, offer: &str) -> String {
    let query = serde_urlencoded::to_string([("search", search), ("offer", offer)]).unwrap_or_default();
    format!("{BASE}/flights/rules?{query}")
}

/// What may be checked in, and what goes into the cabin, in words; nothing of what is not known.
pub fn bags(checked_in: Option<&str>, cabin: Option<&str>) -> impl Iterator<Item = String> {
    let checked_in = checked_in.filter(|text| !text.is_empty());
    let checked_in = checked_in.map(|text| match text.eq_ignore_ascii_case("none") {
        true => "No checked bag".to_owned(),
        false => format!("{text} checked in"),
    });
    let cabin = cabin.filter(|text| !text.is_empty()).map(|text| format!("{text} in the cabin"));
    checked_in.into_iter().chain(cabin)
}

pub fn cabin_name(cabin: &Cabin) -> String {
    let known = CABINS.into_iter().find(|(code, _)| *code == cabin.as_str());
    known.map_or_else(|| cabin.to_string(), |(_, name)| name.to_owned())
}
