//! Hotelbeds' APItude, version 1.0, below `/hotelbeds`: its calls, its words and its errors.
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
mod rate_body;
mod rate_keys;
mod reconfirmations;
mod search;
mod types;
mod wire;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::to;
use chrono::{DateTime, Utc};

pub(crate) use bookings::Booking;
pub(crate) use reconfirmations::push_reconfirmation;

use crate::expiring_map::{ExpiringMap, OfferChanges};
use crate::faults::{Call, Supplier};
use crate::supplier_api::{ApiError, Endpoint, SupplierApi};

#[derive(Debug, Default)]
pub(crate) struct State {
    changes: ExpiringMap<Vec<u8>, OfferChanges>,
}

type World = crate::world::Hosted<State>;

#[derive(Debug)]
pub(crate) struct Hotelbeds;

#[rustfmt::skip]
const ENDPOINTS: &[Endpoint] = &[
    (Method::GET, "/hotel-api/1.0/status", None, || to(lookup::status)),
    (Method::POST, "/hotel-api/1.0/hotels", Some(Call::Search), || to(search::search)),
    (Method::POST, "/hotel-api/1.0/checkrates", Some(Call::Price), || to(check::check)),
    (Method::POST, "/hotel-api/1.0/bookings", Some(Call::Book), || to(book::create)),
    (Method::GET, "/hotel-api/1.0/bookings", Some(Call::Lookup), || to(lookup::list)),
    (Method::GET, "/hotel-api/1.0/bookings/reconfirmations", Some(Call::Lookup), || to(reconfirmations::list)),
    (Method::GET, "/hotel-api/1.0/bookings/{reference}", Some(Call::Lookup), || to(lookup::show)),
    (Method::DELETE, "/hotel-api/1.0/bookings/{reference}", Some(Call::Cancel), || to(cancel::cancel)),
    (Method::GET, "/hotel-content-api/1.0/hotels", Some(Call::Services), || to(content::list)),
    (Method::GET, "/hotel-content-api/1.0/hotels/{codes}/details", Some(Call::Services), || to(content::details)),
    (Method::GET, "/hotel-content-api/1.0/locations/countries", Some(Call::Services), || to(locations::countries)),
    (Method::GET, "/hotel-content-api/1.0/locations/destinations", Some(Call::Services), || to(locations::destinations)),
    (Method::GET, "/hotel-content-api/1.0/types/{type}", Some(Call::Services), || to(types::list)),
];

impl SupplierApi for Hotelbeds {
    type State = State;
    const SUPPLIER: Supplier = Supplier::Hotelbeds;
    const BASE: &'static str = "/hotelbeds";
    const ENDPOINTS: &'static [Endpoint] = ENDPOINTS;
    const KEY: (&'static str, &'static str) = ("Api-key", "hotelbeds_test_");
    const CUT_JSON: &'static str = r#"{"auditData":{"processTime":"26","#;

    fn authenticate(request: &HttpRequest, now: DateTime<Utc>) -> Result<(), ApiError<Self>> {
        auth::check(request, now)
    }

    /// A simulation cancels nothing, and only asks what cancelling would cost.
    fn refine(call: Call, query: &str) -> Call {
        match call {
            Call::Cancel if cancel::is_simulation(query) => Call::CancelQuote,
            call => call,
        }
    }
}
