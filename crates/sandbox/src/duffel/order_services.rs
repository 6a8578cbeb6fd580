//! Extras for an order that is booked already: what there still is, and adding it.

use actix_web::web::{Data, Path};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::Value;

use super::World;
use super::bookings::{Booking, Bought, Service};
use super::create_order::{money, wrong_amount};
use super::errors::{ApiError, ApiResult};
use super::fields::{Fields, Sent};
use super::service_body::{Quantity, service};
use super::{ids, offer_services, order_body, orders, wire};
use crate::airlines::Style;
use crate::ancillaries::{self, Ancillary};
use crate::fault_injection::InjectedFault;

/// Under which id an order still sells which extra. Duffel Airways sells none once an order is made.
fn still_sold(
    world: &World,
    order_id: &str,
    booking: &Booking,
    now: DateTime<Utc>,
) -> Vec<(String, Ancillary)> {
    let closed = booking.cancelled_at(now).is_some() || booking.has_departed(now);
    if closed || booking.bundle.airline.style == Style::Everywhere {
        return Vec::new();
    }
    let bags = ancillaries::bags(world.seed, &world.tariff, &booking.bundle, &booking.search()).into_iter();
    bags.enumerate()
        .filter_map(|(place, bag)| {
            let same = |service: &&Service| {
                let bought = &service.bought.extra;
                (bought.traveller, bought.journey, &bought.kind) == (bag.traveller, bag.journey, &bag.kind)
            };
            let had: u32 = booking.services.iter().filter(same).map(|service| service.bought.quantity).sum();
            let most = bag.most.checked_sub(had).filter(|left| *left > 0)?;
            let id = ids::named("aso", world.seed, &format!("{order_id}/{place}"));
            Some((id, Ancillary { most, ..bag }))
        })
        .collect()
}

/// `GET /air/orders/{id}/available_services`.
pub(super) async fn list(world: Data<World>, id: Path<String>) -> ApiResult {
    let now = world.clock.now();
    let order = orders::visible(&world, &id).ok_or_else(ApiError::not_found)?;
    let booking = &order.booking;
    let segment = |slice, flight| booking.segment_id(world.seed, slice, flight);
    let services = still_sold(&world, &order.id, booking, now).into_iter().map(|(id, extra)| {
        let quantity = Quantity::AtMost(extra.most);
        service(&id, &extra, quantity, &booking.currency, &booking.passenger_ids, segment)
    });
    Ok(wire::listed(Value::Null, services.collect()))
}

/// `POST /air/orders/{id}/services`.
pub(super) async fn add(
    world: Data<World>,
    injected: InjectedFault,
    id: Path<String>,
    sent: Sent,
) -> ApiResult {
    let fields = sent.fields();
    if fields.list("add_services").is_empty() {
        return Err(sent.error());
    }
    let requests = offer_services::wanted(&fields, "add_services");
    let given: Vec<Fields<'_>> = fields.optional_object("payment").into_iter().collect();
    let payment = money(&fields, &given, world.tariff.currency, world.clock.now());
    sent.check()?;
    let order = orders::change(&world, &id, ApiError::not_found, |booking, now| {
        if booking.cancelled_at(now).is_some() {
            let message = "The order has been cancelled.";
            return Err(ApiError::invalid_state("already_cancelled", message));
        }
        if !booking.is_paid() && payment.is_some() {
            let message = "A held order takes no payment for its services: they are paid for with the order.";
            let code = "pay_later_order_no_payment_for_ancillaries";
            return Err(ApiError::invalid_state(code, message).titled("No payment for services"));
        }
        let sold = still_sold(&world, &id, booking, now);
        if sold.is_empty() {
            let message = "The airline does not support adding services to this order.";
            return Err(ApiError::unsupported_operation(message));
        }
        let mut due = Decimal::ZERO;
        let mut added = Vec::new();
        for (at, request) in requests.iter().enumerate() {
            let found = sold.iter().find(|(id, extra)| *id == request.id && request.quantity <= extra.most);
            let (_, extra) =
                found.ok_or_else(|| ApiError::linked_record_not_found(&format!("/add_services/{at}/id")))?;
            due += extra.price * Decimal::from(request.quantity);
            let bought = Bought { extra: extra.clone(), quantity: request.quantity };
            added.push(Service {
                id: ids::fresh("ser"),
                bought,
                visible_from: Some(injected.visible_from(now)),
            });
        }
        match payment {
            Some(payment) if payment.amount == due => booking.pay(payment),
            None if !booking.is_paid() => {}
            _ => return Err(wrong_amount("/payment/amount")),
        }
        booking.services.extend(added);
        Ok(())
    })?;
    Ok(wire::ok(order_body::order(&world, &order, world.clock.now())))
}
