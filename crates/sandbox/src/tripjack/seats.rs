//! `POST /fms/v1/seat`: the cabin of every flight of a review, seat by seat.

use std::collections::{HashMap, HashSet};

use actix_web::web::{Bytes, Data};
use chrono::NaiveDateTime;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::World;
use super::bookings::Booking;
use super::errors::{ApiError, ApiResult, done, json_body};
use super::reviews::Review;
use super::sold_fare::Sold;
use crate::ancillaries::{self, PlannedSeat, Row, SeatPlan};
use crate::itinerary::{Flight, Journey};
use crate::json::{Number, without_nulls};
use crate::orders::Order;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    booking_id: String,
}

/// The seats of a review's flights, by segment, without those that bookings have taken; refused where the airline has
/// none.
pub(super) async fn show(world: Data<World>, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    let review = Review::find(&world, &body.booking_id)?;
    let plans = free(&world, review.sold());
    if plans.is_empty() {
        return Err(ApiError::refused(400, "Seat map is not available for this booking"));
    }
    let by_segment: Map<String, Value> =
        plans.into_iter().map(|(segment_id, plan)| (segment_id, map_of(&plan))).collect();
    Ok(done(json!({ "tripSeatMap": { "tripSeat": by_segment } })))
}

/// The cabins of the flights of fares, each with its segment's id.
pub(super) fn plans<'a>(world: &World, fares: impl Iterator<Item = &'a Sold>) -> Vec<(String, SeatPlan)> {
    let of_fare = |sold: &Sold| {
        let search = &sold.search();
        let plans = ancillaries::seat_plans(world.seed, &world.tariff, &sold.bundle, search);
        let named = |plan: SeatPlan| {
            let before = sold.journeys().take(plan.journey);
            let flights: usize = before.map(|journey| Journey::flights(journey).count()).sum();
            (sold.segment_id(flights + plan.flight), plan)
        };
        plans.into_iter().map(named).collect::<Vec<_>>()
    };
    fares.flat_map(of_fare).collect()
}

/// The same, where seats that bookings have taken are not free.
pub(super) fn free<'a>(world: &World, fares: impl Iterator<Item = &'a Sold>) -> Vec<(String, SeatPlan)> {
    let fares: Vec<&Sold> = fares.collect();
    let now = world.clock.now();
    let orders: Vec<Order<Booking>> = world.orders.of();
    let bookings = orders.iter().map(|order| &*order.booking);
    let taken: HashSet<(FlightName, &str)> = bookings
        .filter(|booking| booking.cancelled_at(now).is_none())
        .flat_map(Booking::seats)
        .map(|(flight, designator)| (name(flight), designator))
        .collect();
    let flights: HashMap<String, FlightName> = fares
        .iter()
        .flat_map(|sold| {
            sold.flights().enumerate().map(|(place, flight)| (sold.segment_id(place), name(flight)))
        })
        .collect();
    let mut plans = plans(world, fares.into_iter());
    for (segment_id, plan) in &mut plans {
        let Some(flight) = flights.get(segment_id) else { continue };
        for seat in plan.seats_mut() {
            if taken.contains(&(*flight, seat.designator.as_str())) {
                seat.price = None;
            }
        }
    }
    plans
}

/// What only the same flight shares: airline, number and departure.
type FlightName = (&'static str, u32, NaiveDateTime);

fn name(flight: &Flight) -> FlightName {
    (flight.airline.code, flight.number, flight.departs)
}

/// What the code begins with under which a seat is booked.
const CODE: &str = "ST";

pub(super) fn designator(code: &str) -> Option<&str> {
    code.strip_prefix(CODE)
}

fn map_of(plan: &SeatPlan) -> Value {
    let rows: Vec<&Vec<Vec<PlannedSeat>>> = plan
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Seats { sections } => Some(sections),
            Row::Exits | Row::Services => None,
        })
        .collect();
    // An aisle takes a column, too.
    let columns =
        rows.first().map_or(0, |sections| sections.iter().map(Vec::len).sum::<usize>() + sections.len() - 1);
    let seats: Vec<Value> = (1..).zip(&rows).flat_map(|(row, sections)| row_of(row, sections)).collect();
    json!({ "sData": { "row": rows.len(), "column": columns }, "sInfo": seats })
}

fn row_of(row: usize, sections: &[Vec<PlannedSeat>]) -> Vec<Value> {
    let mut column = 0;
    let mut seats = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        column += usize::from(at > 0);
        for (place, seat) in section.iter().enumerate() {
            column += 1;
            let beside_left = place == 0 && at > 0;
            let beside_right = place + 1 == section.len() && at + 1 < sections.len();
            let body = json!({
                "seatNo": seat.designator,
                "seatPosition": { "row": row, "column": column },
                "code": format!("{CODE}{}", seat.designator),
                "isBooked": seat.price.is_none(),
                "isLegroom": seat.adults_only,
                "isAisle": beside_left || beside_right,
                "amount": seat.price.map(Number),
            });
            seats.push(without_nulls(body));
        }
    }
    seats
}
