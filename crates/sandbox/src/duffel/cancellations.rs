//! Cancelling, in Duffel's two steps: a quote that is valid for an hour, and its confirmation.

use std::cmp::Reverse;

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use chrono::{DateTime, TimeDelta, Utc};

use super::World;
use super::bookings::{Booking, Cancellation};
use super::errors::{ApiError, ApiResult};
use super::fields::Sent;
use super::order_body::cancellation;
use super::{ids, orders, paging, wire};
use crate::fault_injection::InjectedFault;
use crate::orders::Order;

fn already_cancelled() -> ApiError {
    let message = "The order has already been cancelled.";
    ApiError::invalid_state("already_cancelled", message).titled("Order already cancelled")
}

fn check_open(booking: &Booking, now: DateTime<Utc>) -> Result<(), ApiError> {
    // Also while a confirmed cancellation is still under way.
    if booking.cancelled_from.is_some() || booking.cancelled_at(now).is_some() {
        return Err(already_cancelled());
    }
    if booking.has_departed(now) {
        let message = "The order cannot be cancelled through the API any more.";
        return Err(ApiError::invalid_state("order_not_cancellable", message));
    }
    Ok(())
}

/// `POST /air/order_cancellations`: what a cancellation would give back.
pub(super) async fn create(world: Data<World>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let order_id = fields.text("order_id").ok_or_else(|| sent.error())?;
    let missing = || ApiError::linked_record_not_found("/order_id");
    let order = orders::change(&world, order_id, missing, |booking, now| {
        check_open(booking, now)?;
        let (refund, refund_to) = booking.refund(now);
        booking.cancellations.push(Cancellation {
            id: ids::fresh("ore"),
            created_at: now,
            expires_at: now + TimeDelta::hours(1),
            refund,
            refund_currency: None,
            refund_to,
            confirmed_from: None,
        });
        Ok(())
    })?;
    let booking = &order.booking;
    let quote = booking.cancellations.last().ok_or_else(|| ApiError::of_status(500))?;
    Ok(wire::created(cancellation(&order.id, booking, quote, world.clock.now())))
}

fn order_of(world: &World, id: &str) -> Result<Order<Booking>, ApiError> {
    let has_it = |order: &Order<Booking>| order.booking.cancellations.iter().any(|each| each.id == id);
    let mut orders = world.orders.of().into_iter();
    orders.find(has_it).ok_or_else(ApiError::not_found)
}

/// `GET /air/order_cancellations?order_id=`: newest first, of one order or of all.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let wanted = paging::parameter(&parameters, "order_id");
    let now = world.clock.now();
    let mut orders: Vec<Order<Booking>> = world.orders.of();
    orders.retain(|order| order.visible_from <= now && wanted.is_none_or(|id| order.id == id));
    let mut found: Vec<(&Order<Booking>, &Cancellation)> = orders
        .iter()
        .flat_map(|order| order.booking.cancellations.iter().map(move |each| (order, each)))
        .collect();
    found.sort_by_key(|(_, each)| Reverse(each.created_at));
    let (page, meta) = paging::page(found, |(_, each)| &each.id, &parameters)?;
    let page = page.into_iter().map(|(order, each)| cancellation(&order.id, &order.booking, each, now));
    Ok(wire::listed(meta, page.collect()))
}

/// `GET /air/order_cancellations/{id}`.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    answer(&world, &id)
}

fn answer(world: &World, id: &str) -> ApiResult {
    let order = order_of(world, id)?;
    let booking = &order.booking;
    let mut all = booking.cancellations.iter();
    let found = all.find(|each| each.id == id).ok_or_else(ApiError::not_found)?;
    Ok(wire::ok(cancellation(&order.id, booking, found, world.clock.now())))
}

/// `POST /air/order_cancellations/{id}/actions/confirm`: ends the order. Under `refund_later` the answer's
/// `confirmed_at` is null, the order stays as it is, and both change by themselves when the time has come.
pub(super) async fn confirm(world: Data<World>, injected: InjectedFault, id: Path<String>) -> ApiResult {
    let order_id = &order_of(&world, &id)?.id;
    orders::change(&world, order_id, ApiError::not_found, |booking, now| {
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
        let from = injected.cancelled_from(now);
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
    ApiError::invalid_state("order_cancellation_stale", message)
}
