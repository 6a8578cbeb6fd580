//! Duffel's Flights API, version 2, below `/duffel`: its calls, its words and its refusals.
//!
//! The calls an agency needs to search, price, book, pay, look up, extend and cancel are here; what is not (changes of
//! dates, webhooks, batches, places) is answered as a path that leads nowhere.

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
mod offers;
mod order_body;
mod order_services;
mod orders;
mod paging;
mod passengers;
mod payments;
mod places;
mod seat_maps;
mod service_body;
mod slice_body;
mod wire;

use std::sync::Mutex;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{ServiceConfig, get, patch, post, scope, to};
use actix_web::{Error, ResponseError};

pub(crate) use airline_changes::{AirlineChangeError, delay};
pub(crate) use bookings::Booking;

use crate::fault_injection::{self, Wire};
use crate::faults::{Call, Supplier};

/// What Duffel remembers besides its orders; all of it may be lost.
#[derive(Debug, Default)]
pub(crate) struct State {
    offers: Mutex<offers::Moves>,
    minute: Mutex<auth::Minute>,
}

/// Every call.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let air = scope("/duffel")
        .route("/air/offer_requests", post().to(offer_requests::create))
        .route("/air/offer_requests/{id}", get().to(offer_requests::show))
        .route("/air/offers", get().to(offers::list))
        .route("/air/offers/{id}", get().to(offers::show))
        .route("/air/offers/{id}/actions/price", post().to(offers::price))
        .route("/air/seat_maps", get().to(seat_maps::list))
        .route("/air/orders", post().to(create_order::create))
        .route("/air/orders", get().to(orders::list))
        .route("/air/orders/{id}", get().to(orders::show))
        .route("/air/orders/{id}", patch().to(orders::update))
        .route("/air/orders/{id}/actions/price", post().to(orders::price))
        .route(
            "/air/orders/{id}/available_services",
            get().to(order_services::list),
        )
        .route("/air/orders/{id}/services", post().to(order_services::add))
        .route("/air/payments", post().to(payments::create))
        .route("/air/payments", get().to(payments::list))
        .route("/air/order_cancellations", post().to(cancellations::create))
        .route("/air/order_cancellations/{id}", get().to(cancellations::show))
        .route(
            "/air/order_cancellations/{id}/actions/confirm",
            post().to(cancellations::confirm),
        )
        .default_service(to(auth::nowhere));
    // The last one wrapped is the first one asked.
    config.service(
        air.wrap(from_fn(strike))
            .wrap(from_fn(auth::admit))
            .wrap(from_fn(auth::label)),
    );
}

const WIRE: Wire = Wire {
    supplier: Supplier::Duffel,
    call_of,
    of_status: |status| errors::ApiError::of_status(status).error_response(),
    cut_json: r#"{"data":{"id":"off_0000"#,
};

async fn strike(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    fault_injection::strike(&WIRE, request, next).await
}

/// What a caller asks for with a call, in the words that faults are queued with.
fn call_of(method: &Method, pattern: &str) -> Option<Call> {
    let path = pattern.strip_prefix("/duffel/air/")?;
    Some(match (method.as_str(), path) {
        ("POST", "offer_requests") | ("GET", "offer_requests/{id}" | "offers") => Call::Search,
        ("GET", "offers/{id}") | ("POST", "offers/{id}/actions/price" | "orders/{id}/actions/price") => {
            Call::Price
        }
        ("GET", "seat_maps" | "orders/{id}/available_services") => Call::Services,
        ("POST", "orders") => Call::Book,
        ("GET", "orders" | "orders/{id}" | "payments" | "order_cancellations/{id}") => Call::Lookup,
        ("PATCH", "orders/{id}") => Call::Change,
        ("POST", "orders/{id}/services") => Call::AddService,
        ("POST", "payments") => Call::Ticket,
        ("POST", "order_cancellations") => Call::CancelQuote,
        ("POST", "order_cancellations/{id}/actions/confirm") => Call::Cancel,
        _ => return None,
    })
}
