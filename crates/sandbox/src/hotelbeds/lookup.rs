//! `GET /bookings` and `GET /bookings/{reference}`: bookings that were made.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, Responder};
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::auth;
use super::booking_body;
use super::bookings::{self, Booking};
use super::errors::{ApiError, ApiResult};
use super::paging;
use crate::orders::{Order, Status};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    start: NaiveDate,
    end: NaiveDate,
    filter_type: FilterType,
    #[serde(default)]
    status: StatusFilter,
    client_reference: Option<String>,
    hotel: Option<String>,
    from: Option<usize>,
    to: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum FilterType {
    Creation,
    CheckIn,
}

#[derive(Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
enum StatusFilter {
    #[default]
    All,
    Confirmed,
    Cancelled,
}

pub(super) async fn status(world: Data<World>) -> impl Responder {
    HttpResponse::Ok().json(json!({ "auditData": Audit::of_booking(&world), "status": "OK" }))
}

pub(super) async fn show(world: Data<World>, request: HttpRequest, reference: Path<String>) -> ApiResult {
    let order = bookings::find(&world, auth::key(&request), &reference)?;
    booking_body::answer(&world, &order, &order.booking)
}

/// The key's bookings that were made, or begin, between two days, the oldest first.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let wanted: Wanted = paging::query(&request)?;
    if wanted.end < wanted.start {
        return Err(ApiError::invalid("The end must not be before the start"));
    }
    let page = paging::Page::of(wanted.from, wanted.to)?;
    let key = auth::key(&request);
    let orders: Vec<Order<Booking>> = world.orders.of();
    let found = orders.iter().filter_map(|order| {
        let is_found = bookings::is_visible(&world, key, order) && wanted.fits(&world, order);
        is_found.then(|| booking_body::listed(&world, order))?
    });
    let found: Vec<Value> = found.skip(page.skip()).take(page.size()).collect();
    let body = json!({ "auditData": Audit::of_booking(&world), "bookings": { "bookings": found } });
    Ok(HttpResponse::Ok().json(body))
}

impl Wanted {
    fn fits(&self, world: &World, order: &Order<Booking>) -> bool {
        let reservation = &order.booking.reservation;
        let day = match self.filter_type {
            FilterType::Creation => order.created_at.date_naive(),
            FilterType::CheckIn => reservation.stay.check_in,
        };
        let is_cancelled = reservation.status(world.clock.now()) == Status::Cancelled;
        let has_status = match self.status {
            StatusFilter::All => true,
            StatusFilter::Confirmed => !is_cancelled,
            StatusFilter::Cancelled => is_cancelled,
        };
        let own = reservation.client_reference.as_deref().unwrap_or_default();
        let code = reservation.hotel.hotelbeds().to_string();
        (self.start..=self.end).contains(&day)
            && has_status
            && self.client_reference.as_ref().is_none_or(|wanted| wanted.to_uppercase() == own.to_uppercase())
            && self.hotel.as_ref().is_none_or(|codes| codes.split(',').any(|each| each.trim() == code))
    }
}
