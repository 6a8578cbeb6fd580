//! `PUT /bookings/{id}`: giving a booking back, at once, for the penalty of its terms.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use chrono::{DateTime, Utc};
use rust_decimal::{Decimal, dec};
use serde_json::json;

use super::World;
use super::bookings::{self, Booking, status};
use super::errors::{ApiError, ApiResult};
use crate::fault_injection::InjectedFault;
use crate::hotels::Hotel;
use crate::json::{Number, without_nulls};
use crate::orders::{Cancellation, Reservation};

pub(super) async fn cancel(world: Data<World>, injected: InjectedFault, id: Path<String>) -> ApiResult {
    let (found, now) = (bookings::find(&world, &id)?, world.clock.now());
    let changed = world.orders.change(&found.id, |booking: &mut Booking| {
        end(&world, &mut booking.reservation, injected.gives_back, now)
    })?;
    let order = changed.ok_or_else(ApiError::booking_not_found)?;
    let reservation = &order.booking.reservation;
    let fee = reservation.cancellation.map_or(Decimal::ZERO, |cancellation| cancellation.fee);
    let (fee, refund) = match injected.refund_untold {
        true => (None, None),
        false => (Some(Number(fee)), Some(Number(reservation.total() - fee))),
    };
    let data = without_nulls(json!({
        "bookingId": order.id,
        "status": status(reservation, now),
        "cancellation_fee": fee,
        "refund_amount": refund,
        "currency": reservation.currency,
    }));
    Ok(HttpResponse::Ok().json(json!({ "data": data })))
}

/// Ends it, once, where it is confirmed, and before the guests may be there.
fn end(
    world: &World,
    reservation: &mut Reservation,
    gives_back: Option<Decimal>,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let hotel = Hotel::of(world.seed, reservation.hotel).ok_or_else(ApiError::not_cancellable)?;
    let begins = hotel.city.instant_of(reservation.stay.check_in.and_time(hotel.check_in_from()));
    if status(reservation, now) != "CONFIRMED" || begins <= now {
        return Err(ApiError::not_cancellable());
    }
    reservation.cancellation = Some(Cancellation {
        at: now,
        fee: match gives_back {
            Some(percent) => {
                let refund = (reservation.total() * percent / dec!(100)).round_dp(2);
                reservation.total() - refund
            }
            None => reservation.penalty_at(now),
        },
    });
    Ok(())
}
