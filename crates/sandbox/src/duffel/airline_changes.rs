//! What an airline changes of an order's flights by itself: made at the control surface, sent with the order.

use std::cell::RefCell;
use std::io;

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data, Path};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::World;
use super::bookings::{Action, AirlineChange, Booking, Taken, present};
use super::errors::{ApiError, ApiResult, INCLUSION};
use super::fields::{self, Fields};
use super::slice_body::Trip;
use super::{ids, order_body, orders, paging, wire};
use crate::itinerary::Flight;
use crate::orders::Order;
use crate::world;

/// Why an airline can't change an order's flights.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AirlineChangeError {
    #[error("Duffel has no order {0}")]
    NoOrder(String),
    #[error("the order has no slice {0}")]
    NoSlice(usize),
    #[error("the order is cancelled")]
    Cancelled,
    #[error("the order log cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

/// Lets all flights of a slice leave so many minutes later; the id of the change.
pub(crate) fn delay(
    world: &world::World,
    order_id: &str,
    slice: usize,
    minutes: u32,
) -> Result<String, AirlineChangeError> {
    let now = world.clock.now();
    let id = ids::fresh("aic");
    let changed = world.orders.change(order_id, |booking: &mut Booking| {
        if booking.cancelled_at(now).is_some() {
            return Err(AirlineChangeError::Cancelled);
        }
        let sold = booking
            .bundle
            .journeys
            .get(slice)
            .ok_or(AirlineChangeError::NoSlice(slice))?;
        let (before, _) = present(&booking.airline_changes, slice, sold);
        let (before, mut after) = (before.clone(), before.clone());
        let later = TimeDelta::minutes(minutes.into());
        put_off(&mut after.first, later);
        after.then.iter_mut().for_each(|flight| put_off(flight, later));
        booking.airline_changes.push(AirlineChange {
            id: id.clone(),
            created_at: now,
            slice,
            before,
            after,
            taken: None,
            is_wanted: false,
        });
        Ok(())
    })?;
    let missing = || AirlineChangeError::NoOrder(order_id.to_owned());
    changed.map(|_| id).ok_or_else(missing)
}

fn put_off(flight: &mut Flight, by: TimeDelta) {
    flight.departs += by;
    flight.arrives += by;
    for stop in &mut flight.stops {
        stop.arrives += by;
        stop.departs += by;
    }
}

/// All changes of an order, oldest first. Who cancels the order has cancelled what was changed.
pub(super) fn bodies(booking: &Booking, trip: &Trip<'_>, now: DateTime<Utc>) -> Vec<Value> {
    let cancelled_at = booking.cancelled_at(now);
    let changes = booking.airline_changes.iter().enumerate();
    changes
        .filter(|(_, change)| !change.is_wanted)
        .map(|(place, change)| {
            let earlier = booking.airline_changes.iter().take(place);
            let moves = earlier.filter(|earlier| earlier.slice == change.slice).count();
            let cancelled = cancelled_at.map(|at| Taken {
                action: Action::Cancelled,
                at,
            });
            let taken = change.taken.or(cancelled);
            json!({
                "id": change.id,
                "order_id": trip.id,
                "created_at": wire::instant(change.created_at),
                "updated_at": wire::instant(taken.map_or(change.created_at, |taken| taken.at)),
                "action_taken": taken.map(|taken| taken.action),
                "action_taken_at": taken.map(|taken| wire::instant(taken.at)),
                "available_actions": match taken {
                    Some(_) => json!([]),
                    None => json!(["accept", "cancel", "change"]),
                },
                "removed": [trip.slice(change.slice, &change.before, moves)],
                "added": [trip.slice(change.slice, &change.after, moves + 1)],
                "travel_agent_ticket": null,
            })
        })
        .collect()
}

/// `GET /air/airline_initiated_changes?order_id=`. On LHR→LTN each reading makes a new change, of an hour.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let order_id = paging::required(&parameters, "order_id")?;
    let mut order = orders::visible(&world, order_id).ok_or_else(ApiError::not_found)?;
    if order.booking.scenario.changes_when_read && delay(&world, order_id, 0, 60).is_ok() {
        order = orders::visible(&world, order_id).ok_or_else(ApiError::not_found)?;
    }
    let changes = order_body::airline_changes(&world, &order, world.clock.now());
    Ok(wire::ok(changes.into()))
}

/// `POST /air/airline_initiated_changes/{id}/actions/accept`. A change that a later one has overtaken is stale; one that was
/// accepted is accepted again.
pub(super) async fn accept(world: Data<World>, id: Path<String>) -> ApiResult {
    take(&world, &id, Action::Accepted, |booking, place| {
        let later = booking.airline_changes.iter().skip(place + 1);
        let mut overtakes = later.filter(|later| {
            let this = booking.airline_changes.get(place);
            this.is_some_and(|this| this.slice == later.slice)
        });
        match overtakes.next() {
            Some(_) => {
                let message = "A newer change of the airline has replaced this one.";
                Err(ApiError::invalid_state(
                    "stale_airline_initiated_change_accept",
                    message,
                ))
            }
            None => Ok(()),
        }
    })
}

/// `PATCH /air/airline_initiated_changes/{id}`: the buyer says what was done about it elsewhere.
pub(super) async fn update(
    world: Data<World>,
    request: HttpRequest,
    id: Path<String>,
    body: Bytes,
) -> ApiResult {
    let data = fields::data(&request, &body)?;
    let problems = RefCell::default();
    let fields = Fields::of(&data, &problems);
    let action = match fields.text("action_taken") {
        Some("accepted") => Some(Action::Accepted),
        Some("cancelled") => Some(Action::Cancelled),
        Some("changed") => Some(Action::Changed),
        Some(_) => {
            fields.wrong(
                "action_taken",
                INCLUSION,
                "must be one of: accepted, cancelled, changed",
            );
            None
        }
        None => None,
    };
    match action {
        Some(action) => take(&world, &id, action, |_, _| Ok(())),
        None => Err(problems.take().into()),
    }
}

/// Notes what was done about a change, where nothing was, and answers with it.
fn take(
    world: &World,
    id: &str,
    action: Action,
    check: impl FnOnce(&Booking, usize) -> Result<(), ApiError>,
) -> ApiResult {
    let orders: Vec<Order<Booking>> = world.orders.of();
    let changed = |order: &Order<Booking>| {
        order
            .booking
            .airline_changes
            .iter()
            .position(|each| each.id == id)
    };
    let mut found = orders
        .iter()
        .filter_map(|order| Some((&order.id, changed(order)?)));
    let (order_id, place) = found.next().ok_or_else(ApiError::not_found)?;
    let order = orders::change(world, order_id, ApiError::not_found, |booking, now| {
        if booking.cancelled_at(now).is_some() {
            let message = "The order has been cancelled.";
            return Err(ApiError::invalid_state("already_cancelled", message));
        }
        check(booking, place)?;
        if let Some(change) = booking.airline_changes.get_mut(place) {
            change.taken.get_or_insert(Taken { action, at: now });
        }
        Ok(())
    })?;
    let mut changes = order_body::airline_changes(world, &order, world.clock.now()).into_iter();
    let found = changes.find(|change| change.get("id").and_then(Value::as_str) == Some(id));
    found.map(wire::ok).ok_or_else(ApiError::not_found)
}
