//! Paying for held orders, which issues their tickets.

use actix_web::HttpRequest;
use actix_web::web::Data;
use serde_json::{Value, json};

use super::World;
use super::bookings::{Booking, OrderKind, Payment};
use super::create_order::{money, wrong_amount};
use super::errors::REQUIRED;
use super::errors::{ApiError, ApiResult, Problem};
use super::fields::{Fields, Sent};
use super::{orders, paging, wire};

/// `POST /air/payments`.
pub(super) async fn create(world: Data<World>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let order_id = fields.text("order_id");
    let given: Vec<Fields<'_>> = fields.optional_object("payment").into_iter().collect();
    if given.is_empty() {
        fields.wrong("payment", REQUIRED, "can't be blank");
    }
    let payment = money(&fields, &given, world.tariff.currency, world.clock.now());
    let (Some(order_id), Some(payment), true) = (order_id, payment, sent.is_right()) else {
        return Err(sent.error());
    };
    let missing = || ApiError::linked_record_not_found("/order_id");
    let order = orders::change(&world, order_id, missing, |booking, now| {
        if booking.kind == OrderKind::Instant {
            let message =
                "The order's type is not eligible for payment: only held orders are paid for later.";
            return Err(Problem::invalid("order_type_not_eligible_for_payment", "/order_id", message).into());
        }
        if booking.is_paid() {
            let message = "The order you're paying for has already been paid for.";
            return Err(ApiError::invalid_state("already_paid", message));
        }
        if booking.lapsed_at(now).is_some() {
            let message = "The order's 'payment_required_by' date has elapsed.";
            return Err(ApiError::invalid_state("past_payment_required_by_date", message)
                .titled("Past payment deadline"));
        }
        if booking.cancelled_at(now).is_some() {
            let message = "The order you're paying for has been cancelled.";
            return Err(ApiError::invalid_state("already_cancelled", message));
        }
        if booking.price_is_stale(now) {
            let message =
                "The price of the order has changed. Please price the order to get its latest price.";
            return Err(Problem::invalid("price_changed", "/payment/amount", message).into());
        }
        if payment.amount != booking.total() {
            return Err(wrong_amount("/payment/amount"));
        }
        booking.pay(payment);
        Ok(())
    })?;
    let booking = &order.booking;
    let paid = booking.payments.last().ok_or_else(|| ApiError::of_status(500))?;
    Ok(wire::created(body_of(&order.id, booking, paid)))
}

/// `GET /air/payments?order_id=`: the payments of one order.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let order_id = paging::required(&parameters, "order_id")?;
    let order = orders::visible(&world, order_id).ok_or_else(ApiError::not_found)?;
    let booking = &order.booking;
    let payments = booking.payments.iter().collect();
    let (page, meta) = paging::page(payments, |payment: &&Payment| &payment.id, &parameters)?;
    let page = page.into_iter().map(|payment| body_of(&order.id, booking, payment));
    Ok(wire::listed(meta, page.collect()))
}

fn body_of(order_id: &str, booking: &Booking, payment: &Payment) -> Value {
    json!({
        "id": payment.id,
        "live_mode": false,
        "created_at": wire::instant(payment.created_at),
        "order_id": order_id,
        "type": payment.kind,
        "status": "succeeded",
        "amount": payment.amount,
        "currency": booking.currency,
        "airline_credit_id": null,
        "failure_reason": null,
    })
}
