//! Cancelling, in Duffel's two steps: a quote that stands for an hour, and its confirmation.

use std::cell::RefCell;

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, TimeDelta, Utc};

use super::bookings::{Booking, Cancellation};
use super::errors::{ApiError, ApiResult};
use super::fields::{self, Fields};
use super::order_body::CancellationBody;
use super::wire::Single;
use super::{ids, orders};
use crate::fault_injection::InjectedFault;
use crate::server::World;

fn already_cancelled() -> ApiError {
    let message = "The order has already been cancelled.";
    ApiError::invalid_state("already_cancelled", "Order already cancelled", message)
}

fn check_open(booking: &Booking, now: DateTime<Utc>) -> Result<(), ApiError> {
    // Also while a confirmed cancellation is still under way.
    if booking.cancelled_from.is_some() || booking.cancelled_at(now).is_some() {
        return Err(already_cancelled());
    }
    if booking.has_departed(now) {
        let message = "The order cannot be cancelled through the API any more.";
        return Err(ApiError::invalid_state(
            "order_not_cancellable",
            "Order not cancellable",
            message,
        ));
    }
    Ok(())
}

/// `POST /air/order_cancellations`: what a cancellation would give back.
pub(super) async fn create(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let data = fields::data(&request, &body)?;
    let problems = RefCell::default();
    let Some(order_id) = Fields::of(&data, &problems).text("order_id") else {
        return Err(problems.take().into());
    };
    let missing = || ApiError::linked_record_not_found("/order_id");
    let order = orders::change(&world, order_id, missing, |booking, now| {
        check_open(booking, now)?;
        let (refund, refund_to) = booking.refund(now);
        booking.cancellations.push(Cancellation {
            id: ids::fresh("ore"),
            created_at: now,
            expires_at: now + TimeDelta::hours(1),
            refund,
            refund_to,
            confirmed_from: None,
        });
        Ok(())
    })?;
    let booking = orders::booking(&order)?;
    let quote = booking
        .cancellations
        .last()
        .ok_or_else(|| ApiError::of_status(500))?;
    let body = CancellationBody::of(&order.id, booking, quote, world.clock.now());
    Ok(HttpResponse::Created().json(Single { data: body }))
}

/// The id of the order that a cancellation belongs to.
fn order_of(world: &World, cancellation_id: &str) -> Option<String> {
    let has_it = |booking: &Booking| {
        booking
            .cancellations
            .iter()
            .any(|each| each.id == cancellation_id)
    };
    world
        .orders
        .all()
        .iter()
        .find(|order| orders::booking(order).is_ok_and(has_it))
        .map(|order| order.id.clone())
}

/// `GET /air/order_cancellations/{id}`.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    answer(&world, &id)
}

fn answer(world: &World, id: &str) -> ApiResult {
    let now = world.clock.now();
    let order = order_of(world, id)
        .and_then(|order_id| world.orders.find(&order_id))
        .ok_or_else(ApiError::not_found)?;
    let booking = orders::booking(&order)?;
    let cancellation = booking
        .cancellations
        .iter()
        .find(|each| each.id == id)
        .ok_or_else(ApiError::not_found)?;
    let body = CancellationBody::of(&order.id, booking, cancellation, now);
    Ok(HttpResponse::Ok().json(Single { data: body }))
}

/// `POST /air/order_cancellations/{id}/actions/confirm`: ends the order. Under `refund_later` the answer's
/// `confirmed_at` is null, the order stands, and both change by themselves when the time has come.
pub(super) async fn confirm(world: Data<World>, request: HttpRequest, id: Path<String>) -> ApiResult {
    let later = TimeDelta::seconds(InjectedFault::of(&request).refund_later.map_or(0, i64::from));
    let order_id = order_of(&world, &id).ok_or_else(ApiError::not_found)?;
    orders::change(&world, &order_id, ApiError::not_found, |booking, now| {
        let under_way = booking.cancelled_from.is_some_and(|from| from > now);
        let Some(newest) = booking.cancellations.last().filter(|newest| newest.id == *id) else {
            return Err(stale());
        };
        if under_way {
            return Ok(());
        }
        check_open(booking, now)?;
        if newest.expires_at <= now {
            return Err(stale());
        }
        let from = now + later;
        booking.cancelled_from = Some(from);
        if let Some(newest) = booking.cancellations.last_mut() {
            newest.confirmed_from = Some(from);
        }
        Ok(())
    })?;
    answer(&world, &id)
}

fn stale() -> ApiError {
    let message =
        "Only the most recent cancellation of an order can be confirmed, and only before it expires.";
    ApiError::invalid_state("order_cancellation_stale", "Order cancellation stale", message)
}
