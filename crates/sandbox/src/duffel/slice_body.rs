//! Duffel's words for a trip: slices, segments, and who sits where with how much baggage.

use serde_json::{Value, json};

use super::bookings::{AirlineChange, present};
use super::ids::{after, segment_id};
use super::wire::{condition, duration};
use super::{ids, places, service_body};
use crate::airlines::{Cabin, Style};
use crate::ancillaries::Ancillary;
use crate::fares::{self, Fare};
use crate::itinerary::{Bundle, Flight, Journey, RouteScenario, Stop, Traveller};

pub(super) struct Trip<'a> {
    pub(super) seed: u64,
    /// The id that the ids of slices follow from: an offer's, or an order's.
    pub(super) id: &'a str,
    /// The id that the ids of segments follow from: the offer's.
    pub(super) offer_id: &'a str,
    pub(super) bundle: &'a Bundle,
    pub(super) fare: &'a Fare,
    pub(super) currency: &'a str,
    pub(super) party: &'a [Traveller],
    pub(super) passenger_ids: &'a [String],
    pub(super) scenario: RouteScenario,
    /// What was bought with an order; offers have none.
    pub(super) bought: Option<&'a [&'a Ancillary]>,
    pub(super) changes: &'a [AirlineChange],
    /// Whether the slices of an order can be changed; offers don't say.
    pub(super) is_changeable: bool,
}

/// The present id of a slice of an order or offer, after so many changes of it.
pub(super) fn slice_id(seed: u64, id: &str, at: usize, moves: usize) -> String {
    ids::named("sli", seed, &after(moves, format!("{id}/{at}")))
}

fn insert(body: &mut Value, members: impl IntoIterator<Item = (&'static str, Value)>) {
    if let Value::Object(body) = body {
        body.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
}

impl Trip<'_> {
    pub(super) fn slices(&self) -> Vec<Value> {
        let journeys = self.bundle.journeys.iter().enumerate();
        journeys
            .map(|(at, sold)| {
                let (journey, moves) = present(self.changes, at, sold);
                self.slice(at, journey, moves)
            })
            .collect()
    }

    pub(super) fn slice(&self, at: usize, journey: &Journey, moves: usize) -> Value {
        let flights = journey.flights();
        let flights: Vec<String> =
            flights.map(|flight| format!("{}{}", flight.number, flight.departs)).collect();
        let segments = journey.flights().enumerate();
        let segments = segments.map(|(flight, flown)| self.segment((at, flight), flown, moves));
        let mut body = json!({
            "id": slice_id(self.seed, self.id, at, moves),
            "origin": places::airport(journey.first.from),
            "origin_type": "airport",
            "destination": places::airport(journey.last().to),
            "destination_type": "airport",
            "duration": duration(journey.duration()),
            "fare_brand_name": self.fare.brand_name,
            "comparison_key": ids::named("", self.seed, &flights.join("/")).split_off(15),
            "ngs_shelf": match self.bundle.cabin {
                Cabin::Economy => self.bundle.brand as u8 + 1,
                Cabin::PremiumEconomy => 3,
                Cabin::Business => 4,
                Cabin::First => 5,
            },
            "conditions": {
                "advance_seat_selection": null,
                "change_before_departure": condition(self.fare, &self.fare.change, self.currency),
                "priority_boarding": null,
                "priority_check_in": null,
            },
            "segments": segments.collect::<Vec<_>>(),
        });
        if self.bought.is_some() {
            insert(&mut body, [("changeable", self.is_changeable.into())]);
        }
        body
    }

    fn segment(&self, (slice, place): (usize, usize), flight: &Flight, moves: usize) -> Value {
        let id = segment_id(self.seed, self.offer_id, (slice, place), moves);
        let terminal = |terminal: Option<u8>| terminal.map(|number| number.to_string());
        let (from_terminal, to_terminal) = (terminal(flight.from_terminal), terminal(flight.to_terminal));
        // Duffel Airways does not say what it flies.
        let says_aircraft = flight.airline.style != Style::Everywhere;
        let mut body = json!({
            "id": id,
            "origin": places::airport(flight.from),
            "origin_terminal": from_terminal,
            "destination": places::airport(flight.to),
            "destination_terminal": to_terminal,
            "departing_at": flight.departs,
            "arriving_at": flight.arrives,
            "duration": duration(flight.duration()),
            "distance": format!("{}.0", flight.km),
            "marketing_carrier": places::airline(flight.airline),
            "marketing_carrier_flight_number": flight.number.to_string(),
            "operating_carrier": places::airline(flight.operator),
            "operating_carrier_flight_number": flight.number.to_string(),
            "aircraft": says_aircraft.then(|| places::aircraft(flight.aircraft)),
            "stops": flight.stops.iter().map(|stop| self.stop(&id, stop)).collect::<Vec<_>>(),
            "media": [],
            "passengers": self.segment_passengers(slice, place, flight),
        });
        if self.bought.is_some() {
            // The older names of some fields, which orders still carry.
            let older = [
                ("departure_datetime", json!(flight.departs)),
                ("departure_terminal", json!(from_terminal)),
                ("arrival_datetime", json!(flight.arrives)),
                ("arrival_terminal", json!(to_terminal)),
            ];
            insert(&mut body, older);
        }
        body
    }

    fn stop(&self, segment_id: &str, stop: &Stop) -> Value {
        json!({
            "id": ids::named("sto", self.seed, &format!("{segment_id}/{}", stop.at.iata)),
            "airport": places::airport(stop.at),
            "arriving_at": stop.arrives,
            "departing_at": stop.departs,
            "duration": duration(stop.departs - stop.arrives),
        })
    }

    fn segment_passengers(&self, slice: usize, place: usize, flight: &Flight) -> Vec<Value> {
        let class = fares::cabin_name(self.bundle.cabin);
        let cabin = self.bundle.cabin;
        let people = self.party.iter().zip(self.passenger_ids).enumerate();
        let of = |(at, (traveller, id)): (usize, (&Traveller, &String))| {
            let mut body = json!({
                "passenger_id": id,
                "cabin_class": cabin,
                "cabin_class_marketing_name": class,
                "cabin": { "name": cabin, "marketing_name": class, "amenities": null },
                "fare_basis_code": fares::fare_basis(self.seed, self.bundle, *traveller),
                "baggages": self.baggages(flight, *traveller),
            });
            let is_on_it = |extra: &&&Ancillary| {
                extra.traveller == at && extra.journey == slice && extra.flights.contains(&place)
            };
            let mut own = self.bought.into_iter().flatten().filter(is_on_it);
            let seat = own.find_map(|extra| service_body::seat(extra));
            insert(&mut body, seat.map(|seat| ("seat", seat)));
            body
        };
        people.map(of).collect()
    }

    fn baggages(&self, flight: &Flight, traveller: Traveller) -> Vec<Value> {
        let bags = fares::bags(self.bundle, flight, traveller, self.scenario);
        let all = [("checked", bags.checked), ("carry_on", bags.carry_on)].into_iter();
        all.filter(|(_, quantity)| *quantity > 0)
            .map(|(kind, quantity)| json!({ "type": kind, "quantity": quantity }))
            .collect()
    }
}
