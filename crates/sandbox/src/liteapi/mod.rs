//! LiteAPI for hotels, version 3.0, below `/liteapi/v3.0`: its calls, its words and its errors.
//!
//! The real one has a host for searches and one for bookings; here both are one base. Shapes are those of the official
//! specification and its examples; what those leave open is assumed, and `docs/SUPPLIERS.md` says what.

mod book;
mod booking_body;
mod bookings;
mod cancel;
mod content;
mod errors;
mod hotel_lookup;
mod lookup;
mod offers;
mod prebook;
mod rate_body;
mod rates;
mod search_request;
mod wire;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::to;

pub(crate) use bookings::Booking;

use crate::expiring_map::{ExpiringMap, OfferChanges};
use crate::faults::{Call, Supplier};
use crate::supplier_api::{Endpoint, SupplierApi};

#[derive(Debug, Default)]
pub(crate) struct State {
    changes: ExpiringMap<String, OfferChanges>,
    prebooks: ExpiringMap<String, Arc<prebook::Prebook>>,
}

type World = crate::world::Hosted<State>;

#[derive(Debug)]
pub(crate) struct Liteapi;

#[rustfmt::skip]
const ENDPOINTS: &[Endpoint] = &[
    (Method::POST, "/hotels/rates", Some(Call::Search), || to(rates::search)),
    (Method::GET, "/data/hotels", Some(Call::Services), || to(content::hotels)),
    (Method::GET, "/data/hotel", Some(Call::Services), || to(content::hotel)),
    (Method::GET, "/data/cities", Some(Call::Services), || to(content::cities_of)),
    (Method::GET, "/data/hotelTypes", Some(Call::Services), || to(content::hotel_types)),
    (Method::GET, "/data/facilities", Some(Call::Services), || to(content::facilities)),
    (Method::POST, "/rates/prebook", Some(Call::Price), || to(prebook::create)),
    (Method::GET, "/prebooks/{id}", Some(Call::Price), || to(prebook::show)),
    (Method::POST, "/rates/book", Some(Call::Book), || to(book::create)),
    (Method::GET, "/bookings", Some(Call::Lookup), || to(lookup::list)),
    (Method::GET, "/bookings/{id}", Some(Call::Lookup), || to(lookup::show)),
    (Method::PUT, "/bookings/{id}", Some(Call::Cancel), || to(cancel::cancel)),
];

impl SupplierApi for Liteapi {
    type State = State;
    const SUPPLIER: Supplier = Supplier::Liteapi;
    const BASE: &'static str = "/liteapi/v3.0";
    const ENDPOINTS: &'static [Endpoint] = ENDPOINTS;
    const KEY: (&'static str, &'static str) = ("x-api-key", "liteapi_test_");
    const CUT_JSON: &'static str = r#"{"data":[{"hotelId":"lp"#;
}
