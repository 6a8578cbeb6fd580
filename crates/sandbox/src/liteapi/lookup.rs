//! `GET /bookings` and `GET /bookings/{id}`: bookings that were made.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::booking_body;
use super::bookings::{self, Booking};
use super::errors::{ApiError, ApiResult, parameters};
use crate::orders::Order;

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
}

/// `GET /bookings?clientReference=`: the bookings under a reference of the client's, or of a guest.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = parameters(&request)?;
    if wanted.client_reference.is_none() && wanted.guest_id.is_none() {
        return Err(ApiError::bad_request("guestId or clientReference is required"));
    }
    let now = world.clock.now();
    let orders: Vec<Order<Booking>> = world.orders.of();
    let is_wanted = |wanted: &Option<String>, own: Option<&str>| wanted.is_none() || wanted.as_deref() == own;
    let found = orders.iter().filter(|order| {
        let reference = order.booking.reservation.client_reference.as_deref();
        let guest_id = booking_body::guest_id(&order.booking.holder).to_string();
        order.visible_from <= now
            && is_wanted(&wanted.client_reference, reference)
            && is_wanted(&wanted.guest_id, Some(&guest_id))
    });
    let found: Vec<Value> = found.map(|order| booking_body::listed(&world, order)).collect();
    Ok(HttpResponse::Ok().json(json!({ "data": found })))
}
