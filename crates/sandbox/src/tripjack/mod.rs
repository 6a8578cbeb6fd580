//! TripJack's Air API, version 1, below `/tripjack`: its calls, its words and its errors.
//!
//! Shapes are those of recorded answers for search and review, and of what clients of the API wrote down for the rest;
//! what nobody wrote down (most error codes among it) is assumed. `docs/SUPPLIERS.md` says which is which.

mod account;
mod airline_changes;
mod amendments;
mod book;
mod bookings;
mod conditions;
mod details;
mod errors;
mod holds;
mod offers;
mod papers;
mod price_ids;
mod pricing;
mod reissues;
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

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::to;

pub(crate) use airline_changes::delay;
pub(crate) use bookings::Booking;

use crate::expiring_map::{ExpiringMap, OfferChanges};
use crate::faults::{Call, Supplier};
use crate::supplier_api::{Endpoint, SupplierApi};

#[derive(Debug, Default)]
pub(crate) struct State {
    changes: ExpiringMap<String, OfferChanges>,
    reviews: ExpiringMap<String, Arc<reviews::Review>>,
    reissues: ExpiringMap<String, Arc<reissues::Session>>,
}

type World = crate::world::Hosted<State>;

#[derive(Debug)]
pub(crate) struct Tripjack;

#[rustfmt::skip]
const ENDPOINTS: &[Endpoint] = &[
    (Method::POST, "/fms/v1/air-search-all", Some(Call::Search), || to(search::search)),
    (Method::POST, "/fms/v1/review", Some(Call::Price), || to(review::review)),
    (Method::POST, "/fms/v2/farerule", Some(Call::Price), || to(rules::show)),
    (Method::POST, "/fms/v1/seat", Some(Call::Services), || to(seats::show)),
    (Method::POST, "/oms/v1/air/book", Some(Call::Book), || to(book::create)),
    (Method::POST, "/oms/v1/air/fare-validate", Some(Call::Price), || to(holds::validate)),
    (Method::POST, "/oms/v1/air/confirm-book", Some(Call::Ticket), || to(holds::confirm)),
    (Method::POST, "/oms/v1/air/unhold", Some(Call::Cancel), || to(holds::release)),
    (Method::POST, "/oms/v1/booking-details", Some(Call::Lookup), || to(details::show)),
    (Method::POST, "/oms/v1/air/amendment/amendment-charges", Some(Call::CancelQuote), || to(amendments::charges)),
    (Method::POST, "/oms/v1/air/amendment/submit-amendment", Some(Call::Cancel), || to(amendments::submit)),
    (Method::POST, "/oms/v1/air/amendment/amendment-details", Some(Call::Lookup), || to(amendments::show)),
    (Method::POST, "/fms/v1/reissue/poll/searchquery-list", Some(Call::Price), || to(reissues::query)),
    (Method::POST, "/fms/v1/reissue/poll/search", Some(Call::Price), || to(reissues::search)),
    (Method::POST, "/fms/v1/reissue/review", Some(Call::Change), || to(reissues::review)),
    (Method::POST, "/oms/v1/air/amendment/auto-reissue", Some(Call::Ticket), || to(reissues::make)),
    (Method::GET, "/ums/v1/user-detail", None, || to(account::show)),
];

impl SupplierApi for Tripjack {
    type State = State;
    const SUPPLIER: Supplier = Supplier::Tripjack;
    const BASE: &'static str = "/tripjack";
    const ENDPOINTS: &'static [Endpoint] = ENDPOINTS;
    const KEY: (&'static str, &'static str) = ("apikey", "tripjack_test_");
    const CUT_JSON: &'static str = r#"{"status":{"success":true,"#;
}
