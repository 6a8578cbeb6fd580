//! `PUT /bookings/{id}`: giving a booking back, at once, for the penalty of its terms.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::json;

use super::World;
use super::bookings::{self, Booking, status};
use super::errors::{ApiError, ApiResult};
use crate::hotels::Hotel;
use crate::json::Number;
use crate::orders::{Cancellation, Reservation};

pub(super) async fn cancel(world: Data<World>, id: Path<String>) -> ApiResult {
    let (found, now) = (bookings::find(&world, &id)?, world.clock.now());
    let changed = world.orders.change(&found.id, |booking: &mut Booking| {
        end(&world, &mut booking.reservation, now)
    })?;
    let order = changed.ok_or_else(ApiError::booking_not_found)?;
    let reservation = &order.booking.reservation;
    let fee = reservation
        .cancellation
        .map_or(Decimal::ZERO, |cancellation| cancellation.fee);
    Ok(HttpResponse::Ok().json(json!({
        "data": {
            "bookingId": order.id,
            "status": status(reservation, now),
            "cancellation_fee": Number(fee),
            "refund_amount": Number(reservation.total() - fee),
            "currency": reservation.currency,
        }
    })))
}

/// Ends it, once, where it is confirmed, and before the guests may be there.
fn end(world: &World, reservation: &mut Reservation, now: DateTime<Utc>) -> Result<(), ApiError> {
    let hotel = Hotel::of(world.seed, reservation.hotel).ok_or_else(ApiError::not_cancellable)?;
    let begins = hotel
        .city
        .instant_of(reservation.stay.check_in.and_time(hotel.check_in_from()));
    if status(reservation, now) != "CONFIRMED" || begins <= now {
        return Err(ApiError::not_cancellable());
    }
    reservation.cancellation = Some(Cancellation {
        at: now,
        fee: reservation.penalty_at(now),
    });
    Ok(())
}
