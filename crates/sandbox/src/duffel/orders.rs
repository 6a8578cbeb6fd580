//! Orders: finding them, reading one, changing what the buyer wrote on it, pricing one that is held.

use std::cmp::Reverse;

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::dec;

use super::World;
use super::bookings::{Booking, Person};
use super::errors::{ApiError, ApiResult, Problem};
use super::fields::Sent;
use super::paging::{self, Parameters, parameter};
use super::{create_order, order_body, wire};
use crate::fault_injection::InjectedFault;
use crate::orders::Order;

/// The order, where look-ups find it by now.
pub(super) fn visible(world: &World, id: &str) -> Option<Order<Booking>> {
    world.orders.visible(id, world.clock.now())
}

/// Changes an order that look-ups find, and answers with it.
pub(super) fn change(
    world: &World,
    id: &str,
    missing: impl FnOnce() -> ApiError,
    change: impl FnOnce(&mut Booking, DateTime<Utc>) -> Result<(), ApiError>,
) -> Result<Order<Booking>, ApiError> {
    let now = world.clock.now();
    let changed = match visible(world, id) {
        Some(order) => world.orders.change(&order.id, |booking| change(booking, now))?,
        None => None,
    };
    changed.ok_or_else(missing)
}

/// `GET /air/orders/{id}`.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    let order = visible(&world, &id).ok_or_else(ApiError::not_found)?;
    Ok(wire::ok(order_body::order(&world, &order, world.clock.now())))
}

/// `GET /air/orders`: newest first, unless asked for otherwise.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let now = world.clock.now();
    let filter = Filter::of(&parameters)?;
    let mut orders: Vec<Order<Booking>> = world.orders.of();
    orders.retain(|order| order.visible_from <= now && filter.lets(&order.booking, now));
    orders.reverse();
    sort(&mut orders, parameter(&parameters, "sort"))?;
    let (page, meta) = paging::page(orders, |order| &order.id, &parameters)?;
    let page = page.iter().map(|order| order_body::order(&world, order, now));
    Ok(wire::listed(meta, page.collect()))
}

struct Filter<'a> {
    booking_reference: Option<&'a str>,
    offer_id: Option<&'a str>,
    user_id: Option<&'a str>,
    awaiting_payment: Option<bool>,
    requires_action: Option<bool>,
    /// Lower case; an order of any of them will do.
    names: Vec<String>,
}

impl<'a> Filter<'a> {
    fn of(parameters: &'a Parameters) -> Result<Self, ApiError> {
        let names = parameters.iter().filter(|(name, _)| name == "passenger_name[]");
        Ok(Self {
            booking_reference: parameter(parameters, "booking_reference"),
            offer_id: parameter(parameters, "offer_id"),
            user_id: parameter(parameters, "user_id"),
            awaiting_payment: paging::flag(parameters, "awaiting_payment")?,
            requires_action: paging::flag(parameters, "requires_action")?,
            names: names
                .map(|(_, name)| name.trim().to_lowercase())
                .filter(|name| !name.is_empty())
                .collect(),
        })
    }

    fn lets(&self, booking: &Booking, now: DateTime<Utc>) -> bool {
        let awaiting = !booking.is_paid() && booking.cancelled_at(now).is_none();
        let named = |wanted: &String| {
            let full = |one: &Person| format!("{} {}", one.given_name, one.family_name).to_lowercase();
            booking.people.iter().any(|one| full(one).contains(wanted))
        };
        self.booking_reference.is_none_or(|reference| booking.booking_reference == reference)
            && self.offer_id.is_none_or(|id| booking.offer_id == id)
            && self.user_id.is_none_or(|id| booking.users.iter().any(|user| user == id))
            && self.awaiting_payment.is_none_or(|wanted| awaiting == wanted)
            && self.requires_action.is_none_or(|wanted| booking.requires_action(now) == wanted)
            && (self.names.is_empty() || self.names.iter().any(named))
    }
}

fn sort(orders: &mut [Order<Booking>], by: Option<&str>) -> Result<(), ApiError> {
    let pay_by = |order: &Order<Booking>| order.booking.pay_by;
    let departure = |order: &Order<Booking>| order.booking.departure();
    match by {
        None | Some("-created_at") => {}
        Some("created_at") => orders.reverse(),
        Some("payment_required_by") => orders.sort_by_key(pay_by),
        Some("-payment_required_by") => orders.sort_by_key(|order| Reverse(pay_by(order))),
        Some("next_departure") => orders.sort_by_key(departure),
        Some("-next_departure") => orders.sort_by_key(|order| Reverse(departure(order))),
        Some(_) => {
            let message = "Parameter 'sort' must be one of: payment_required_by, created_at, next_departure, or one of \
                           them after a '-'";
            return Err(Problem::bad_parameter("validation_inclusion", "sort", message).into());
        }
    }
    Ok(())
}

/// `PATCH /air/orders/{id}`: the buyer's own words are the only thing that changes.
pub(super) async fn update(world: Data<World>, id: Path<String>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let metadata = create_order::metadata(&fields);
    sent.check()?;
    let order = change(&world, &id, ApiError::not_found, |booking, _| {
        if fields.members().any(|(name, _)| name == "metadata") {
            booking.metadata = metadata;
        }
        Ok(())
    })?;
    Ok(wire::ok(order_body::order(&world, &order, world.clock.now())))
}

/// `POST /air/orders/{id}/actions/price`: what a held order costs now. A price that is guaranteed no more has moved, by
/// 3.5 % or by what a fault says.
pub(super) async fn price(world: Data<World>, injected: InjectedFault, id: Path<String>) -> ApiResult {
    if let Some(order) = visible(&world, &id).filter(|_| injected.sold_out) {
        let airline = order.booking.bundle.airline.name;
        return Err(ApiError::offer_no_longer_available(airline));
    }
    let order = change(&world, &id, ApiError::not_found, |booking, now| {
        if booking.is_paid() || booking.cancelled_at(now).is_some() {
            return Ok(());
        }
        let is_stale = booking.price_is_stale(now);
        let drift = is_stale.then_some(dec!(3.5));
        if let Some(percent) = injected.price_changed.or(drift) {
            booking.fare = booking.fare.clone().moved(&world.tariff, percent);
        }
        if is_stale {
            let tomorrow = now + TimeDelta::days(1);
            booking.price_until = Some(booking.pay_by.map_or(tomorrow, |pay_by| pay_by.min(tomorrow)));
        }
        Ok(())
    })?;
    Ok(wire::ok(order_body::order(&world, &order, world.clock.now())))
}
