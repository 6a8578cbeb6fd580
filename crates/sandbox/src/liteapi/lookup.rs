//! `GET /bookings` and `GET /bookings/{id}`: bookings that were made.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::booking_body;
use super::bookings::{self, Booking};
use super::errors::{ApiError, ApiResult, parameters};
use crate::orders::{Order, Status};

/// `GET /bookings/{id}`: the booking as it is now.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    let order = bookings::find(&world, &id)?;
    let body = booking_body::read(&world, &order);
    Ok(HttpResponse::Ok().json(json!({ "data": body })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    client_reference: Option<String>,
    guest_id: Option<String>,
    /// The stay overlaps with the days from here...
    start_date: Option<NaiveDate>,
    end_date: Option<NaiveDate>,
    status: Option<StatusFilter>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum StatusFilter {
    Confirmed,
    Cancelled,
}

impl Wanted {
    fn says_which(&self) -> bool {
        let named = self.client_reference.is_some() || self.guest_id.is_some();
        named || self.start_date.is_some() || self.end_date.is_some() || self.status.is_some()
    }

    fn fits(&self, order: &Order<Booking>, now: DateTime<Utc>) -> bool {
        let reservation = &order.booking.reservation;
        let stay = &reservation.stay;
        let is_wanted =
            |wanted: &Option<String>, own: Option<&str>| wanted.is_none() || wanted.as_deref() == own;
        let guest_id = booking_body::guest_id(&order.booking.holder).to_string();
        let is_in_period = self.start_date.is_none_or(|start| stay.check_out >= start)
            && self.end_date.is_none_or(|end| stay.check_in <= end);
        let has_status = match self.status {
            None => true,
            Some(StatusFilter::Confirmed) => reservation.status(now) == Status::Confirmed,
            Some(StatusFilter::Cancelled) => reservation.cancelled_by(now).is_some(),
        };
        is_wanted(&self.client_reference, reservation.client_reference.as_deref())
            && is_wanted(&self.guest_id, Some(&guest_id))
            && is_in_period
            && has_status
    }
}

/// `GET /bookings?clientReference=`: the bookings under a reference of the client's, or of a guest; and `GET /bookings/`:
/// those of a period or a status.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = parameters(&request)?;
    if !wanted.says_which() {
        return Err(ApiError::bad_request("guestId or clientReference is required"));
    }
    let now = world.clock.now();
    let orders: Vec<Order<Booking>> = world.orders.of();
    let found = orders.iter().filter(|order| order.visible_from <= now && wanted.fits(order, now));
    let found: Vec<Value> = found.map(|order| booking_body::listed(&world, order)).collect();
    Ok(HttpResponse::Ok().json(json!({ "data": found })))
}
