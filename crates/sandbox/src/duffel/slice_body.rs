//! Duffel's words for a trip: slices, segments, and who sits where with how much baggage.

use chrono::NaiveDateTime;
use serde::Serialize;

use super::airline_changes::{AirlineChange, present};
use super::ids;
use super::places::{AircraftBody, AirlineBody, AirportBody};
use super::service_body::SeatBody;
use super::wire::{ConditionBody, duration};
use crate::airlines::{Cabin, Style};
use crate::ancillaries::Ancillary;
use crate::fares::{self, Fare};
use crate::itinerary::{Bundle, Flight, Journey, RouteScenario, Stop, Traveller};

#[derive(Serialize)]
struct SliceConditionsBody {
    advance_seat_selection: Option<bool>,
    change_before_departure: Option<ConditionBody>,
    priority_boarding: Option<bool>,
    priority_check_in: Option<bool>,
}

/// One way of a trip.
#[derive(Serialize)]
pub(super) struct SliceBody {
    id: String,
    origin: AirportBody,
    origin_type: &'static str,
    destination: AirportBody,
    destination_type: &'static str,
    duration: String,
    fare_brand_name: String,
    comparison_key: String,
    ngs_shelf: u8,
    conditions: SliceConditionsBody,
    segments: Vec<SegmentBody>,
    /// Only orders say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    changeable: Option<bool>,
}

#[derive(Serialize)]
struct SegmentBody {
    id: String,
    origin: AirportBody,
    origin_terminal: Option<String>,
    destination: AirportBody,
    destination_terminal: Option<String>,
    departing_at: NaiveDateTime,
    arriving_at: NaiveDateTime,
    duration: String,
    distance: String,
    marketing_carrier: AirlineBody,
    marketing_carrier_flight_number: String,
    operating_carrier: AirlineBody,
    operating_carrier_flight_number: String,
    aircraft: Option<AircraftBody>,
    stops: Vec<StopBody>,
    media: [(); 0],
    passengers: Vec<SegmentPassengerBody>,
    #[serde(flatten)]
    of_order: Option<OrderSegmentBody>,
}

/// The older names of some fields, which orders still carry.
#[derive(Serialize)]
struct OrderSegmentBody {
    departure_datetime: NaiveDateTime,
    departure_terminal: Option<String>,
    arrival_datetime: NaiveDateTime,
    arrival_terminal: Option<String>,
}

#[derive(Serialize)]
struct StopBody {
    id: String,
    airport: AirportBody,
    arriving_at: NaiveDateTime,
    departing_at: NaiveDateTime,
    duration: String,
}

#[derive(Serialize)]
struct SegmentPassengerBody {
    passenger_id: String,
    cabin_class: Cabin,
    cabin_class_marketing_name: &'static str,
    cabin: CabinBody,
    fare_basis_code: String,
    baggages: Vec<BaggageBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<SeatBody>,
}

#[derive(Serialize)]
struct CabinBody {
    name: Cabin,
    marketing_name: &'static str,
    amenities: Option<()>,
}

#[derive(Serialize)]
struct BaggageBody {
    #[serde(rename = "type")]
    kind: &'static str,
    quantity: u8,
}

/// A trip whose slices are to be written.
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
    /// What its airline has changed of an order since.
    pub(super) changes: &'a [AirlineChange],
}

impl Trip<'_> {
    /// The id of a slice that was changed so often.
    fn slice_id(&self, slice: usize, moves: usize) -> String {
        let name = format!("{}/{slice}", self.id);
        ids::named("sli", self.seed, &after(moves, name))
    }

    /// All slices.
    pub(super) fn slices(&self) -> Vec<SliceBody> {
        self.bundle
            .journeys
            .iter()
            .enumerate()
            .map(|(at, sold)| {
                let (journey, moves) = present(self.changes, at, sold);
                self.slice(at, journey, moves)
            })
            .collect()
    }

    /// A slice as it is when it was changed so often.
    pub(super) fn slice(&self, at: usize, journey: &Journey, moves: usize) -> SliceBody {
        let change_before_departure =
            ConditionBody::of(&self.fare.change, self.fare.discloses_rules, self.currency);
        let flights: Vec<String> = journey
            .flights()
            .map(|flight| format!("{}{}", flight.number, flight.departs))
            .collect();
        SliceBody {
            id: self.slice_id(at, moves),
            origin: journey.first.from.into(),
            origin_type: "airport",
            destination: journey.last().to.into(),
            destination_type: "airport",
            duration: duration(journey.duration()),
            fare_brand_name: self.fare.brand_name.clone(),
            comparison_key: ids::named("", self.seed, &flights.join("/")).split_off(15),
            ngs_shelf: match self.bundle.cabin {
                Cabin::Economy => self.bundle.brand as u8 + 1,
                Cabin::PremiumEconomy => 3,
                Cabin::Business => 4,
                Cabin::First => 5,
            },
            conditions: SliceConditionsBody {
                advance_seat_selection: None,
                change_before_departure,
                priority_boarding: None,
                priority_check_in: None,
            },
            segments: journey
                .flights()
                .enumerate()
                .map(|(flight, flown)| self.segment((at, flight), flown, moves))
                .collect(),
            changeable: self.bought.map(|_| false),
        }
    }

    fn segment(&self, (slice, place): (usize, usize), flight: &Flight, moves: usize) -> SegmentBody {
        let id = segment_id(self.seed, self.offer_id, (slice, place), moves);
        let terminal = |terminal: Option<u8>| terminal.map(|number| number.to_string());
        let (origin_terminal, destination_terminal) =
            (terminal(flight.from_terminal), terminal(flight.to_terminal));
        let stops = flight.stops.iter().map(|stop| self.stop(&id, stop)).collect();
        SegmentBody {
            origin: flight.from.into(),
            destination: flight.to.into(),
            departing_at: flight.departs,
            arriving_at: flight.arrives,
            duration: duration(flight.duration()),
            distance: format!("{}.0", flight.km),
            marketing_carrier: flight.airline.into(),
            marketing_carrier_flight_number: flight.number.to_string(),
            operating_carrier: flight.operator.into(),
            operating_carrier_flight_number: flight.number.to_string(),
            // Duffel Airways does not say what it flies.
            aircraft: (flight.airline.style != Style::Everywhere).then(|| flight.aircraft.into()),
            stops,
            media: [],
            passengers: self.segment_passengers(slice, place, flight),
            of_order: self.bought.map(|_| OrderSegmentBody {
                departure_datetime: flight.departs,
                departure_terminal: origin_terminal.clone(),
                arrival_datetime: flight.arrives,
                arrival_terminal: destination_terminal.clone(),
            }),
            id,
            origin_terminal,
            destination_terminal,
        }
    }

    fn stop(&self, segment_id: &str, stop: &Stop) -> StopBody {
        StopBody {
            id: ids::named("sto", self.seed, &format!("{segment_id}/{}", stop.at.iata)),
            airport: stop.at.into(),
            arriving_at: stop.arrives,
            departing_at: stop.departs,
            duration: duration(stop.departs - stop.arrives),
        }
    }

    fn segment_passengers(&self, slice: usize, place: usize, flight: &Flight) -> Vec<SegmentPassengerBody> {
        let class = fares::cabin_name(self.bundle.cabin);
        let people = self.party.iter().zip(self.passenger_ids).enumerate();
        let on_it = |extra: &&&Ancillary, at: usize| {
            extra.traveller == at && extra.journey == slice && extra.flights.contains(&place)
        };
        let of = |(at, (traveller, id)): (usize, (&Traveller, &String))| SegmentPassengerBody {
            passenger_id: id.clone(),
            cabin_class: self.bundle.cabin,
            cabin_class_marketing_name: class,
            cabin: CabinBody {
                name: self.bundle.cabin,
                marketing_name: class,
                amenities: None,
            },
            fare_basis_code: fares::fare_basis(self.seed, self.bundle, *traveller),
            baggages: self.baggages(flight, *traveller),
            seat: self.bought.and_then(|extras| {
                extras
                    .iter()
                    .filter(|extra| on_it(extra, at))
                    .find_map(|extra| SeatBody::of(extra))
            }),
        };
        people.map(of).collect()
    }

    fn baggages(&self, flight: &Flight, traveller: Traveller) -> Vec<BaggageBody> {
        let bags = fares::bags(self.bundle, flight, traveller, self.scenario);
        [("checked", bags.checked), ("carry_on", bags.carry_on)]
            .into_iter()
            .filter(|(_, quantity)| *quantity > 0)
            .map(|(kind, quantity)| BaggageBody { kind, quantity })
            .collect()
    }
}

/// The id of a flight of an offer, counted within its slice, which its order keeps until the airline changes the slice.
pub(super) fn segment_id(seed: u64, offer_id: &str, (slice, flight): (usize, usize), moves: usize) -> String {
    let name = format!("{offer_id}/{slice}/{flight}");
    ids::named("seg", seed, &after(moves, name))
}

/// What was changed is another thing, with an id of its own.
fn after(moves: usize, name: String) -> String {
    match moves {
        0 => name,
        moves => format!("{name}/{moves}"),
    }
}
