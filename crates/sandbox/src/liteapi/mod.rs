//! LiteAPI for hotels, version 3.0, below `/liteapi/v3.0`: its calls, its words and its refusals.
//!
//! The real one has a host for searches and one for bookings; here both are one base. Shapes are those of the official
//! specification and its examples; what those leave open is assumed, and `docs/SUPPLIERS.md` says what.

mod auth;
mod book;
mod booking_body;
mod bookings;
mod cancel;
mod content;
mod errors;
mod hotel_lookup;
mod offers;
mod prebook;
mod rate_body;
mod rates;
mod search_request;
mod wire;

use std::sync::Mutex;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{ServiceConfig, get, post, put, scope, to};
use actix_web::{Error, ResponseError};

pub(crate) use bookings::Booking;

use crate::fault_injection::{self, Wire};
use crate::faults::{Call, Supplier};

/// What LiteAPI remembers besides its orders; all of it may be lost.
#[derive(Debug, Default)]
pub(crate) struct State {
    moves: Mutex<offers::Moves>,
    prebooks: Mutex<prebook::Prebooks>,
}

/// Every call.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let hotels = scope("/liteapi/v3.0")
        .route("/hotels/rates", post().to(rates::search))
        .route("/data/hotels", get().to(content::hotels))
        .route("/data/hotel", get().to(content::hotel))
        .route("/data/cities", get().to(content::cities_of))
        .route("/data/hotelTypes", get().to(content::hotel_types))
        .route("/data/facilities", get().to(content::facilities))
        .route("/rates/prebook", post().to(prebook::create))
        .route("/prebooks/{id}", get().to(prebook::show))
        .route("/rates/book", post().to(book::create))
        .route("/bookings", get().to(bookings::list))
        .route("/bookings/{id}", get().to(bookings::show))
        .route("/bookings/{id}", put().to(cancel::cancel))
        .default_service(to(auth::nowhere));
    // The last one wrapped is the first one asked.
    config.service(hotels.wrap(from_fn(strike)).wrap(from_fn(auth::admit)));
}

const WIRE: Wire = Wire {
    supplier: Supplier::Liteapi,
    call_of,
    of_status: |status| errors::ApiError::of_status(status).error_response(),
    cut_json: r#"{"data":[{"hotelId":"lp"#,
};

async fn strike(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    fault_injection::strike(&WIRE, request, next).await
}

/// What a caller asks for with a call, in the words that faults are queued with.
fn call_of(method: &Method, pattern: &str) -> Option<Call> {
    Some(match (method, pattern.strip_prefix("/liteapi/v3.0/")?) {
        (_, "hotels/rates") => Call::Search,
        (_, "data/hotels" | "data/hotel" | "data/cities" | "data/hotelTypes" | "data/facilities") => {
            Call::Services
        }
        (_, "rates/prebook" | "prebooks/{id}") => Call::Price,
        (_, "rates/book") => Call::Book,
        (&Method::PUT, "bookings/{id}") => Call::Cancel,
        (_, "bookings" | "bookings/{id}") => Call::Lookup,
        _ => return None,
    })
}
