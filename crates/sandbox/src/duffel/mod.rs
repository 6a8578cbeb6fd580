//! Duffel's Flights API, version 2, below `/duffel`: its calls, its words and its errors.
//!
//! The calls an agency needs to search, price, book, pay, look up, extend, change and cancel are here, and the webhooks
//! that tell of changes; what is not (batches, places) is answered as a path that leads nowhere.

mod airline_change_calls;
mod airline_changes;
mod auth;
mod bookings;
mod cancellations;
mod create_order;
mod errors;
mod fields;
mod ids;
mod offer_body;
mod offer_ids;
mod offer_requests;
mod offer_services;
mod offered;
mod offers;
mod order_body;
mod order_change_body;
mod order_changes;
mod order_services;
mod order_trip;
mod orders;
mod paging;
mod papers;
mod passengers;
mod payments;
mod places;
mod seat_maps;
mod service_body;
mod slice_body;
mod webhooks;
mod wire;

use std::sync::Mutex;

use actix_web::HttpRequest;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::web::to;
use chrono::{DateTime, Utc};

pub(crate) use airline_changes::delay;
pub(crate) use bookings::Booking;

use crate::expiring_map::ExpiringMap;
use crate::faults::{Call, Supplier};
use crate::supplier_api::{ApiError, Endpoint, SupplierApi};

#[derive(Debug, Default)]
pub(crate) struct State {
    offers: ExpiringMap<String, offered::OfferState>,
    minute: Mutex<auth::Minute>,
}

type World = crate::world::Hosted<State>;

#[derive(Debug)]
pub(crate) struct Duffel;

#[rustfmt::skip]
const ENDPOINTS: &[Endpoint] = &[
    (Method::POST, "/air/offer_requests", Some(Call::Search), || to(offer_requests::create)),
    (Method::GET, "/air/offer_requests/{id}", Some(Call::Search), || to(offer_requests::show)),
    (Method::GET, "/air/offers", Some(Call::Search), || to(offers::list)),
    (Method::GET, "/air/offers/{id}", Some(Call::Price), || to(offers::show)),
    (Method::POST, "/air/offers/{id}/actions/price", Some(Call::Price), || to(offers::price)),
    (Method::GET, "/air/seat_maps", Some(Call::Services), || to(seat_maps::list)),
    (Method::POST, "/air/orders", Some(Call::Book), || to(create_order::create)),
    (Method::GET, "/air/orders", Some(Call::Lookup), || to(orders::list)),
    (Method::GET, "/air/orders/{id}", Some(Call::Lookup), || to(orders::show)),
    (Method::PATCH, "/air/orders/{id}", Some(Call::Change), || to(orders::update)),
    (Method::POST, "/air/orders/{id}/actions/price", Some(Call::Price), || to(orders::price)),
    (Method::GET, "/air/orders/{id}/available_services", Some(Call::Services), || to(order_services::list)),
    (Method::POST, "/air/orders/{id}/services", Some(Call::AddService), || to(order_services::add)),
    (Method::POST, "/air/payments", Some(Call::Ticket), || to(payments::create)),
    (Method::GET, "/air/payments", Some(Call::Lookup), || to(payments::list)),
    (Method::POST, "/air/order_cancellations", Some(Call::CancelQuote), || to(cancellations::create)),
    (Method::GET, "/air/airline_initiated_changes", Some(Call::Lookup), || to(airline_change_calls::list)),
    (Method::PATCH, "/air/airline_initiated_changes/{id}", Some(Call::Change), || to(airline_change_calls::update)),
    (Method::POST, "/air/airline_initiated_changes/{id}/actions/accept", Some(Call::Change), || to(airline_change_calls::accept)),
    (Method::GET, "/air/webhooks", None, || to(webhooks::list)),
    (Method::POST, "/air/webhooks", None, || to(webhooks::create)),
    (Method::DELETE, "/air/webhooks/{id}", None, || to(webhooks::delete)),
    (Method::POST, "/air/webhooks/{id}/actions/ping", None, || to(webhooks::ping)),
    (Method::POST, "/air/order_change_requests", Some(Call::Price), || to(order_changes::request)),
    (Method::GET, "/air/order_change_requests/{id}", Some(Call::Price), || to(order_changes::show_request)),
    (Method::GET, "/air/order_change_offers", Some(Call::Price), || to(order_changes::list_offers)),
    (Method::GET, "/air/order_change_offers/{id}", Some(Call::Price), || to(order_changes::show_offer)),
    (Method::POST, "/air/order_changes", Some(Call::Change), || to(order_changes::create)),
    (Method::GET, "/air/order_changes/{id}", Some(Call::Lookup), || to(order_changes::show)),
    (Method::POST, "/air/order_changes/{id}/actions/confirm", Some(Call::Ticket), || to(order_changes::confirm)),
    (Method::GET, "/air/order_cancellations", Some(Call::Lookup), || to(cancellations::list)),
    (Method::GET, "/air/order_cancellations/{id}", Some(Call::Lookup), || to(cancellations::show)),
    (Method::POST, "/air/order_cancellations/{id}/actions/confirm", Some(Call::Cancel), || to(cancellations::confirm)),
];

impl SupplierApi for Duffel {
    type State = State;
    const SUPPLIER: Supplier = Supplier::Duffel;
    const BASE: &'static str = "/duffel";
    const ENDPOINTS: &'static [Endpoint] = ENDPOINTS;
    const KEY: (&'static str, &'static str) = ("Authorization", "duffel_test_");
    const CUT_JSON: &'static str = r#"{"data":{"id":"off_0000"#;

    fn authenticate(request: &HttpRequest, _now: DateTime<Utc>) -> Result<(), ApiError<Self>> {
        auth::check(request)
    }

    fn label(world: &World, response: &mut ServiceResponse<BoxBody>) {
        auth::label(world, response);
    }
}
