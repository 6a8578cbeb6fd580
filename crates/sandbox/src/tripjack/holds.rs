//! Held bookings: is the fare still there, paying for it, giving the seats back.

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;

use super::World;
use super::book::{Payment, check_amount};
use super::bookings::{self, Booking, OrderStatus};
use super::errors::{ApiError, ApiResult, done, json_body};
use super::pricing::fare_alert;
use crate::fault_injection::InjectedFault;
use crate::json::without_nulls;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Validated {
    booking_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Confirmed {
    booking_id: String,
    #[serde(default)]
    payment_infos: Vec<Payment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Released {
    booking_id: String,
    #[serde(default)]
    pnrs: Vec<String>,
}

fn check_held(booking: &Booking, now: DateTime<Utc>) -> Result<(), ApiError> {
    match booking.order_status(now) {
        OrderStatus::OnHold if booking.released_at.is_none() => Ok(()),
        OrderStatus::Unconfirmed => Err(ApiError::refused(1059, "The hold of the booking has expired")),
        _ => Err(ApiError::refused(400, "The booking is not on hold")),
    }
}

/// `POST /oms/v1/air/fare-validate`: what a held booking costs now.
pub(super) async fn validate(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Validated = json_body(&body)?;
    let mut before = Decimal::ZERO;
    let found = bookings::change(&world, &body.booking_id, |booking, now| {
        check_held(booking, now)?;
        before = booking.total();
        if injected.sold_out {
            booking.released_at = Some(now);
        }
        for sold in booking.fares.iter_mut() {
            if let Some(percent) = injected.price_changed {
                sold.price = sold.price.clone().moved(&world.tariff, percent);
            }
        }
        Ok(())
    })?;
    if injected.sold_out {
        return Err(ApiError::sold_out());
    }
    let now = found.booking.total();
    let answer = json!({
        "bookingId": body.booking_id,
        "alerts": fare_alert(before, now),
        "iobfe": injected.fare_stale.then_some(true),
    });
    Ok(done(without_nulls(answer)))
}

/// `POST /oms/v1/air/confirm-book`: a held booking is paid, and ticketed at once or, under `pending`, when the time has come.
pub(super) async fn confirm(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Confirmed = json_body(&body)?;
    bookings::change(&world, &body.booking_id, |booking, now| {
        check_held(booking, now)?;
        check_amount(&body.payment_infos, booking.total())?;
        booking.pay(now);
        booking.pending_until = injected.pending_until(now);
        Ok(())
    })?;
    Ok(done(json!({ "bookingId": body.booking_id })))
}

/// `POST /oms/v1/air/unhold`: the seats of a held booking are given back, at once or, under `refund_later`, when the time
/// has come. Under `rejected` they are said to be, and are not.
pub(super) async fn release(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Released = json_body(&body)?;
    bookings::change(&world, &body.booking_id, |booking, now| {
        let names_all = booking.pnrs.iter().all(|pnr| body.pnrs.contains(pnr));
        if check_held(booking, now).is_err() || !names_all {
            return Err(ApiError::refused(1072, "Cancellation not available for PNR"));
        }
        if injected.rejected_s.is_none() {
            booking.released_at = Some(injected.cancelled_from(now));
        }
        Ok(())
    })?;
    Ok(done(json!({ "bookingId": body.booking_id })))
}
