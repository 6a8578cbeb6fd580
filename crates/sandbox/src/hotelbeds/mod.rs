//! Hotelbeds' APItude, version 1.0, below `/hotelbeds`: its calls, its words and its refusals.
//!
//! Shapes are those of recorded answers and of the vendor's specification; what is assumed is marked in
//! `docs/SUPPLIERS.md`.

mod audit;
mod auth;
mod book;
mod booking_body;
mod booking_guests;
mod bookings;
mod cancel;
mod check;
mod comments;
mod content;
mod content_body;
mod destinations;
mod errors;
mod facilities;
mod filters;
mod locations;
mod lookup;
mod offers;
mod paging;
mod party;
mod price_changes;
mod rate_body;
mod rate_keys;
mod search;
mod types;
mod wire;

use std::sync::Mutex;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{ServiceConfig, delete, get, post, scope, to};
use actix_web::{Error, ResponseError};

pub(crate) use bookings::Booking;

use crate::fault_injection::{self, Wire};
use crate::faults::{Call, Supplier};

/// What Hotelbeds remembers besides its bookings; all of it may be lost.
#[derive(Debug, Default)]
pub(crate) struct State {
    moves: Mutex<price_changes::Moves>,
}

/// Every call.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let booking = scope("/hotel-api/1.0")
        .route("/status", get().to(lookup::status))
        .route("/hotels", post().to(search::search))
        .route("/checkrates", post().to(check::check))
        .route("/bookings", post().to(book::create))
        .route("/bookings", get().to(lookup::list))
        .route("/bookings/{reference}", get().to(lookup::show))
        .route("/bookings/{reference}", delete().to(cancel::cancel));
    let content = scope("/hotel-content-api/1.0")
        .route("/hotels", get().to(content::list))
        .route("/hotels/{codes}/details", get().to(content::details))
        .route("/locations/countries", get().to(locations::countries))
        .route("/locations/destinations", get().to(locations::destinations))
        .route("/types/{type}", get().to(types::list));
    let all = scope("/hotelbeds")
        .service(booking)
        .service(content)
        .default_service(to(auth::nowhere));
    // The last one wrapped is the first one asked.
    config.service(all.wrap(from_fn(strike)).wrap(from_fn(auth::admit)));
}

const WIRE: Wire = Wire {
    supplier: Supplier::Hotelbeds,
    call_of,
    of_status: |status| errors::ApiError::of_status(status).error_response(),
    cut_json: r#"{"auditData":{"processTime":"26","#,
};

/// The wire of a call that cancels nothing and only asks what cancelling would cost.
const SIMULATION: Wire = Wire {
    call_of: |_, _| Some(Call::CancelQuote),
    ..WIRE
};

async fn strike(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_simulation = *request.method() == Method::DELETE && cancel::is_simulation(request.query_string());
    let wire = if is_simulation { &SIMULATION } else { &WIRE };
    fault_injection::strike(wire, request, next).await
}

/// What a caller asks for with a call, in the words that faults are queued with.
fn call_of(method: &Method, pattern: &str) -> Option<Call> {
    let path = pattern.strip_prefix("/hotelbeds/")?;
    if path.starts_with("hotel-content-api/") {
        return Some(Call::Services);
    }
    Some(match (method, path.strip_prefix("hotel-api/1.0/")?) {
        (_, "hotels") => Call::Search,
        (_, "checkrates") => Call::Price,
        (&Method::POST, "bookings") => Call::Book,
        (&Method::GET, "bookings" | "bookings/{reference}") => Call::Lookup,
        (&Method::DELETE, "bookings/{reference}") => Call::Cancel,
        _ => return None,
    })
}
