//! TripJack's Air API, version 1, below `/tripjack`: its calls, its words and its refusals.
//!
//! Shapes are those of recorded answers for search and review, and of what clients of the API wrote down for the rest;
//! what nobody wrote down (most codes of refusals among it) is assumed. `docs/SUPPLIERS.md` says which is which.

mod account;
mod amendments;
mod auth;
mod book;
mod bookings;
mod conditions;
mod details;
mod errors;
mod holds;
mod offers;
mod price_ids;
mod pricing;
mod review;
mod reviews;
mod rules;
mod search;
mod seats;
mod sold_fare;
mod ssr;
mod ssr_requests;
mod travellers;
mod trip_body;
mod trip_parts;
mod wire;

use std::sync::Mutex;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{ServiceConfig, get, post, scope, to};
use actix_web::{Error, ResponseError};

pub(crate) use bookings::Booking;

use crate::fault_injection::{self, Wire};
use crate::faults::{Call, Supplier};

/// What TripJack remembers besides its orders; all of it may be lost.
#[derive(Debug, Default)]
pub(crate) struct State {
    moves: Mutex<offers::Moves>,
    reviews: Mutex<reviews::Reviews>,
}

/// Every call.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let air = scope("/tripjack")
        .route("/fms/v1/air-search-all", post().to(search::search))
        .route("/fms/v1/review", post().to(review::review))
        .route("/fms/v2/farerule", post().to(rules::show))
        .route("/fms/v1/seat", post().to(seats::show))
        .route("/oms/v1/air/book", post().to(book::create))
        .route("/oms/v1/air/fare-validate", post().to(holds::validate))
        .route("/oms/v1/air/confirm-book", post().to(holds::confirm))
        .route("/oms/v1/air/unhold", post().to(holds::release))
        .route("/oms/v1/booking-details", post().to(details::show))
        .route(
            "/oms/v1/air/amendment/amendment-charges",
            post().to(amendments::charges),
        )
        .route(
            "/oms/v1/air/amendment/submit-amendment",
            post().to(amendments::submit),
        )
        .route(
            "/oms/v1/air/amendment/amendment-details",
            post().to(amendments::show),
        )
        .route("/ums/v1/user-detail", get().to(account::show))
        .default_service(to(auth::nowhere));
    // The last one wrapped is the first one asked.
    config.service(air.wrap(from_fn(strike)).wrap(from_fn(auth::admit)));
}

const WIRE: Wire = Wire {
    supplier: Supplier::Tripjack,
    call_of,
    of_status: |status| errors::ApiError::of_status(status).error_response(),
    cut_json: r#"{"status":{"success":true,"#,
};

async fn strike(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    fault_injection::strike(&WIRE, request, next).await
}

/// What a caller asks for with a call, in the words that faults are queued with.
fn call_of(_: &Method, pattern: &str) -> Option<Call> {
    Some(match pattern.strip_prefix("/tripjack/")? {
        "fms/v1/air-search-all" => Call::Search,
        "fms/v1/review" | "fms/v2/farerule" | "oms/v1/air/fare-validate" => Call::Price,
        "fms/v1/seat" => Call::Services,
        "oms/v1/air/book" => Call::Book,
        "oms/v1/air/confirm-book" => Call::Ticket,
        "oms/v1/booking-details" | "oms/v1/air/amendment/amendment-details" => Call::Lookup,
        "oms/v1/air/amendment/amendment-charges" => Call::CancelQuote,
        "oms/v1/air/amendment/submit-amendment" | "oms/v1/air/unhold" => Call::Cancel,
        _ => return None,
    })
}
