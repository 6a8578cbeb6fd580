//! What buyers read of changes of an airline, and do about them.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::World;
use super::airline_changes::{bodies, delay};
use super::bookings::{Action, AirlineChange, Booking, Service, Taken};
use super::errors::{ApiError, ApiResult};
use super::fields::Sent;
use super::order_trip::{ancillaries, trip};
use super::{orders, paging, wire};
use crate::orders::Order;

fn bodies_of(world: &World, order: &Order<Booking>, now: DateTime<Utc>) -> Vec<Value> {
    let services: Vec<&Service> = order.booking.listed_services(now).collect();
    let extras = ancillaries(&services);
    bodies(&order.booking, &trip(world, order, &extras, now), now)
}

/// `GET /air/airline_initiated_changes?order_id=`. On LHR→LTN each reading makes a new change, of an hour.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let order_id = paging::required(&parameters, "order_id")?;
    let mut order = orders::visible(&world, order_id).ok_or_else(ApiError::not_found)?;
    if order.booking.scenario.changes_when_read && delay(&world, order_id, 0, 60).is_ok() {
        order = orders::visible(&world, order_id).ok_or_else(ApiError::not_found)?;
    }
    let changes = bodies_of(&world, &order, world.clock.now());
    Ok(wire::ok(changes.into()))
}

/// `POST /air/airline_initiated_changes/{id}/actions/accept`. A change that a later one has overtaken is stale; one that was
/// accepted is accepted again.
pub(super) async fn accept(world: Data<World>, id: Path<String>) -> ApiResult {
    take(&world, &id, Action::Accepted, |booking, place| {
        let slice_of = |change: &AirlineChange| change.slice;
        let mut later = booking.airline_changes.iter().skip(place + 1).map(slice_of);
        let is_overtaken = later.any(|slice| booking.airline_changes.get(place).map(slice_of) == Some(slice));
        if is_overtaken { Err(ApiError::stale_change()) } else { Ok(()) }
    })
}

/// `PATCH /air/airline_initiated_changes/{id}`: the buyer says what was done about it elsewhere.
pub(super) async fn update(world: Data<World>, id: Path<String>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let actions =
        [("accepted", Action::Accepted), ("cancelled", Action::Cancelled), ("changed", Action::Changed)];
    match fields.choice("action_taken", &actions) {
        Some(action) => take(&world, &id, action, |_, _| Ok(())),
        None => Err(sent.error()),
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
    let changed =
        |order: &Order<Booking>| order.booking.airline_changes.iter().position(|each| each.id == id);
    let mut found = orders.iter().filter_map(|order| Some((&order.id, changed(order)?)));
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
    let mut changes = bodies_of(world, &order, world.clock.now()).into_iter();
    let found = changes.find(|change| change.get("id").and_then(Value::as_str) == Some(id));
    found.map(wire::ok).ok_or_else(ApiError::not_found)
}
