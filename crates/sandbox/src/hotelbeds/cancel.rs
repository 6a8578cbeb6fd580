//! `DELETE /bookings/{reference}`: ends a booking, or answers what that would cost.

use actix_web::HttpRequest;
use actix_web::web::{Data, Path};
use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::World;
use super::audit;
use super::auth;
use super::booking_body;
use super::bookings::{self, Booking};
use super::errors::{ApiError, ApiResult};
use super::paging;
use crate::hotels::Hotel;
use crate::orders::Cancellation;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    #[serde(default)]
    cancellation_flag: Flag,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum Flag {
    #[default]
    Cancellation,
    Simulation,
}

/// Whether a query asks for nothing more than the cost.
pub(super) fn is_simulation(query: &str) -> bool {
    paging::parse::<Wanted>(query).is_ok_and(|wanted| wanted.cancellation_flag == Flag::Simulation)
}

/// Cancels a booking. A simulation answers the same and changes nothing.
pub(super) async fn cancel(world: Data<World>, request: HttpRequest, reference: Path<String>) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    let mut order = bookings::find(&world, auth::key(&request), &reference)?;
    let now = world.clock.now();
    if wanted.cancellation_flag == Flag::Cancellation {
        let changed = world.orders.change(&reference, |booking| end(&world, booking, now))?;
        order = changed.ok_or_else(ApiError::no_booking)?;
        tracing::info!(order = order.id, "an order is cancelled");
    }
    let mut booking = Booking::clone(&order.booking);
    if wanted.cancellation_flag == Flag::Simulation {
        end(&world, &mut booking, now)?;
    }
    booking_body::answer(&world, &order, &booking)
}

/// Ends a booking, where it has not ended and the stay has not begun.
fn end(world: &World, booking: &mut Booking, now: DateTime<Utc>) -> Result<(), ApiError> {
    let reservation = &mut booking.reservation;
    if reservation.cancellation.is_some() {
        return Err(ApiError::invalid("The booking has already been cancelled"));
    }
    let hotel = Hotel::of(world.seed, reservation.hotel).ok_or_else(ApiError::no_booking)?;
    let check_in = reservation.stay.check_in.and_time(hotel.check_in_from());
    if hotel.city.instant_of(check_in) <= now {
        return Err(ApiError::product("Cannot cancel a booking after the check-in"));
    }
    reservation.cancellation = Some(Cancellation { at: now, fee: reservation.penalty_at(now) });
    booking.cancellation_reference = Some(audit::token());
    Ok(())
}
