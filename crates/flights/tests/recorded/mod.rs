//! Which recorded answers of Duffel there are, and how tests come by all suppliers', in whatever files they are. Not one
//! of those whose figures we know may get lost: each has its place here.

pub mod tripjack;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_flights::Offers;
use wayfare_flights::duffel::read;
use wayfare_stub_server::recordings;

/// Offers inside an offer request, a batch of it or a partial one.
pub const SEARCHES: [&str; 11] = [
    "java/offer_request.json",
    "js/booking__BatchOfferRequests__mockBatchOfferRequest__mockBatchOfferRequest.json",
    "js/booking__OfferRequests__mockOfferRequest__mockOfferRequest.json",
    "js/booking__PartialOfferRequests__mockPartialOfferRequest__mockPartialOfferRequest.json",
    "python/create-offer-request.json",
    "python/create-partial-offer-request.json",
    "python/get-offer-request-by-id.json",
    "python/get-offer-requests.json",
    "python/get-partial-offer-request-by-id.json",
    "python/get-partial-offer-request-fares-by-id.json",
    "ruby/offer_requests__create_with_offers.json",
];

/// Searches none of whose offers can be used, and the reason of each.
pub const UNUSABLE_SEARCHES: [(&str, &str); 2] = [
    // A search of the past read again tells the prices of its offers and nothing of their flights.
    ("java/offer_request_by_id.json", "missing field `slices`"),
    ("ruby/offer_requests__show.json", "missing field `slices`"),
];

/// Searches without any offer; they are read as empty.
pub const EMPTY_SEARCHES: [(&str, &str); 3] = [
    (
        "js/booking__BatchOfferRequests__mockBatchOfferRequest__mocCreatedBatchOfferRequest.json",
        "not answered yet",
    ),
    (
        "js/booking__OfferRequests__mockOfferRequest__mockItinerariesOfferRequest.json",
        "another view: itineraries",
    ),
    ("ruby/offer_requests__list.json", "a list of searches without their offers"),
];

pub const OFFER_LISTS: [&str; 3] =
    ["java/offers_by_offer_request_id.json", "python/get-offers.json", "ruby/offers__list.json"];

pub const OFFERS: [&str; 7] = [
    "java/offers_by_id_with_services.json",
    "js/booking__Offers__mockOffer__mockOffer.json",
    "js/booking__Offers__mockOffer__mockOfferPriced.json",
    "js/booking__Offers__mockPartialOffer__mockPartialOffer.json",
    "python/get-offer-by-id-with-null-payment-requirements.json",
    "python/get-offer-by-id.json",
    "ruby/offers__show.json",
];

/// Each a list of maps or one map.
pub const SEAT_MAPS: [&str; 5] = [
    "java/seat_map.json",
    "java/seat_map_complex.json",
    "js/booking__SeatMaps__mockSeatMap__mockSeatMap.json",
    "python/get-seat-maps.json",
    "ruby/seat_maps__list.json",
];

pub const ORDERS: [&str; 8] = [
    "java/order.json",
    "java/order_update.json",
    "js/booking__Orders__mockOrders__mockOrder.json",
    "python/create-hold-order.json",
    "python/create-instant-order.json",
    "python/get-order-by-id.json",
    "python/update-order-by-id.json",
    "ruby/orders__show.json",
];

pub const ORDER_LISTS: [&str; 5] = [
    "java/order_page_filtered.json",
    "java/order_page_unfiltered.json",
    "js/booking__Orders__mockOrders__mockOnHoldOrders.json",
    "python/get-orders.json",
    "ruby/orders__list.json",
];

/// What can be bought for orders, which are not recorded with it.
pub const ORDER_SERVICES: [&str; 2] =
    ["java/order_available_services.json", "js/booking__Orders__mockOrders__mockServices.json"];

pub const AIRLINE_CHANGES: [&str; 2] = [
    "js/booking__AirlineInitiatedChanges__mockAirlineInitiatedChanges__mockAirlineInitiatedChange.json",
    "js/booking__AirlineInitiatedChanges__mockAirlineInitiatedChanges__mockAirlineInitiatedChangeAccepted.json",
];

/// Changes in the words of an older version, whose flights have no times that we know.
pub const UNREADABLE_AIRLINE_CHANGES: [&str; 3] = [
    "java/airline_initiated_change.json",
    "java/airline_initiated_change_cancelled.json",
    "java/airline_initiated_changes.json",
];

pub const CANCELLATIONS: [&str; 7] = [
    "java/order_cancellation.json",
    "java/order_cancellation_confirmed.json",
    "js/booking__OrderCancellations__mockOrderCancellations__mockOrderCancellation.json",
    "python/confirm-order-cancellation.json",
    "python/create-order-cancellation.json",
    "python/get-order-cancellation-by-id.json",
    "ruby/order_cancellations__show.json",
];

pub const CANCELLATION_LISTS: [&str; 3] = [
    "java/order_cancellations.json",
    "python/get-order-cancellations.json",
    "ruby/order_cancellations__list.json",
];

/// Words in the names of what the adapter never reads: what others send, other resources, errors (judged in
/// `duffel/errors.rs`) and Duffel's hotels.
pub const NOT_READ: &str = "aircraft airline_ airlines airport exceptions__ \
    order_change order-change OrderChange payment Payment refund \
    webhook Webhook Places__ Stays__ mockCreate mockUpdated mockAddServices \
    supportingResources offer-passenger offer_passengers get-airline api_error authentication_error error.html \
    invalid_ rate_limit_error validation_error";

pub fn are_here() -> bool {
    recordings::are_here("duffel")
}

/// What is in the file, without the envelope that some lack.
pub fn data(name: &str) -> Option<Value> {
    let mut value = recordings::json("duffel", name)?;
    Some(value.get_mut("data").map(Value::take).unwrap_or(value))
}

pub fn bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

/// Recorded offers as an answer to a search.
pub fn searched(offers: &[Value]) -> Offers {
    read::search(&bytes(&json!({"data": {"offers": offers}})), true).unwrap()
}

pub fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        other => vec![other],
    }
}

pub fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub fn without(value: &Value, pointer: &str) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let mut value = value.clone();
    value.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(field).expect(pointer);
    value
}

pub fn now() -> DateTime<Utc> {
    "2026-01-01T00:00:00Z".parse().unwrap()
}
