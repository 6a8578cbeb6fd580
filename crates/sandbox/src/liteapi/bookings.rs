//! What LiteAPI keeps of a booking, and finding it again.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::booking_body;
use super::errors::{ApiError, ApiResult};
use crate::faults::Supplier;
use crate::orders::{Detail, Order, Reservation};
use crate::server::World;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(crate) reservation: Reservation,
    /// What of the price is the client's.
    pub(super) commission: Decimal,
    pub(super) prebook_id: String,
    pub(super) offer_id: String,
    /// ISO 3166-1 alpha-2, as the search asked.
    pub(super) nationality: String,
    pub(super) holder: Person,
    /// The first guest of each room.
    pub(super) guests: Vec<Guest>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) email: String,
    #[serde(default)]
    pub(super) phone: String,
}

impl Person {
    pub(super) fn is_whole(&self) -> bool {
        !self.first_name.is_empty() && !self.last_name.is_empty() && self.email.contains('@')
    }
}

/// The first guest of a room.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Guest {
    /// The room's number, counted from 1.
    pub(super) occupancy_number: usize,
    #[serde(flatten)]
    pub(super) person: Person,
    #[serde(default)]
    pub(super) remarks: String,
}

/// An id as LiteAPI's are: nine letters and digits.
pub(super) fn fresh_id() -> String {
    const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    rand::random::<[u8; 9]>()
        .iter()
        .filter_map(|byte| LETTERS.get(usize::from(*byte) % LETTERS.len()))
        .map(|letter| char::from(*letter))
        .collect()
}

/// What is kept of an order.
pub(super) fn of(order: &Order) -> Result<&Booking, ApiError> {
    match &order.detail {
        Detail::Liteapi(booking) => Ok(booking),
        _ => Err(ApiError::booking_not_found()),
    }
}

fn is_found(order: &Order, now: DateTime<Utc>) -> bool {
    order.supplier == Supplier::Liteapi && order.visible_from <= now
}

pub(super) fn find(world: &World, id: &str) -> Result<Arc<Order>, ApiError> {
    let order = world
        .orders
        .find(id)
        .filter(|order| is_found(order, world.clock.now()));
    order.ok_or_else(ApiError::booking_not_found)
}

/// What has been paid in a currency and not come back.
pub(super) fn charged(world: &World, currency: &str) -> Decimal {
    let now = world.clock.now();
    let charge = |order: &Arc<Order>| {
        let reservation = order
            .reservation()
            .filter(|each| each.currency == currency && !each.is_aborted)?;
        let cancellation = reservation.cancellation.filter(|each| each.at <= now);
        Some(cancellation.map_or(reservation.total(), |cancellation| cancellation.fee))
    };
    let orders = world.orders.all();
    let own = orders.iter().filter(|order| order.supplier == Supplier::Liteapi);
    own.filter_map(charge).sum()
}

/// `GET /bookings/{id}`: the booking as it stands.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    let order = find(&world, &id)?;
    let body = booking_body::read(&world, &order, of(&order)?);
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
    let wanted = Query::<Wanted>::from_query(request.query_string());
    let wanted = wanted
        .map_err(|reason| ApiError::bad_request(reason.to_string()))?
        .into_inner();
    if wanted.client_reference.is_none() && wanted.guest_id.is_none() {
        return Err(ApiError::bad_request("guestId or clientReference is required"));
    }
    let now = world.clock.now();
    let body = |order: &Arc<Order>| {
        let booking = of(order).ok().filter(|_| is_found(order, now))?;
        let is_wanted =
            |wanted: &Option<String>, own: Option<&str>| wanted.is_none() || wanted.as_deref() == own;
        let reference = booking.reservation.client_reference.as_deref();
        let guest_id = booking_body::guest_id(&booking.holder).to_string();
        let fits =
            is_wanted(&wanted.client_reference, reference) && is_wanted(&wanted.guest_id, Some(&guest_id));
        fits.then(|| booking_body::listed(&world, order, booking))
    };
    let found: Vec<Value> = world.orders.all().iter().filter_map(body).collect();
    Ok(HttpResponse::Ok().json(json!({ "data": found })))
}

#[cfg(test)]
impl Booking {
    /// A booking of these rooms and of nobody in particular.
    pub(crate) fn for_tests(reservation: Reservation) -> Self {
        Self {
            reservation,
            commission: Decimal::ZERO,
            prebook_id: String::new(),
            offer_id: String::new(),
            nationality: "IN".to_owned(),
            holder: Person {
                first_name: "Asha".to_owned(),
                last_name: "Rao".to_owned(),
                email: "asha@example.com".to_owned(),
                phone: String::new(),
            },
            guests: Vec::new(),
        }
    }
}
