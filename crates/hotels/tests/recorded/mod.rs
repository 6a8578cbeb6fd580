//! Which recorded answers of LiteAPI's hotels there are. Not one of those whose figures we know may get lost:
//! each has its place here.

use serde_json::Value;
use wayfare_stub_server::recordings;

pub const SUPPLIER: &str = "liteapi";

pub const SEARCH: &str = "search/post_hotels_rates__200__Search-response.json";

/// The description of the API has a streamed answer, as its example.
pub const STREAMED_IN: &str = "spec/search.json";

pub const PREBOOK: &str = "booking/post_rates_prebook__200__Prebook-response.json";

pub const BOOKINGS: [&str; 3] = [
    "booking/get_bookings_bookingId__200__example-0.json",
    "booking/get_bookings_bookingId__200__example-1.json",
    "booking/post_rates_book__200__confirmed-booking.json",
];

pub const BOOKING_LIST: &str = "booking/get_bookings__200__example.json";

pub const CANCELLATIONS: [&str; 2] = [
    "booking/put_bookings_bookingId__200__non-refundable.json",
    "booking/put_bookings_bookingId__200__refundable.json",
];

pub const HOTEL: &str = "static/get_data_hotel__200__hotel-lp1897.json";
pub const HOTELS: &str = "static/get_data_hotels__200__HR-Sibenik-3-hotels.json";

/// Beginnings of the names of errors, and what asks for what they answer.
pub const ERRORS: [(&str, &str); 10] = [
    ("search/post_hotels_rates__204", "search"),
    ("search/post_hotels_rates__400", "search"),
    ("booking/post_rates_prebook__4", "price"),
    ("booking/post_rates_book__400", "book"),
    ("booking/get_bookings__40", "find"),
    ("booking/get_bookings_bookingId__204", "find by id"),
    ("booking/get_bookings_bookingId__401", "find by id"),
    ("booking/put_bookings_bookingId__204", "cancel"),
    ("booking/put_bookings_bookingId__304", "cancel"),
    ("booking/put_bookings_bookingId__401", "cancel"),
];

/// Errors about what hotels are.
pub const HOTEL_ERRORS: [&str; 2] = ["static/get_data_hotel__40", "static/get_data_hotels__40"];

/// Words in the names of what the adapter never reads: what others send, and other resources.
pub const NOT_READ: &str = "__request__ min-rates alternative-prebooks rebook amend get_prebooks \
    cities countries currencies hotel_ask hotel_search room-search semantic-search iataCodes languages places reviews \
    weather highlights";

pub fn bytes(name: &str) -> Option<Vec<u8>> {
    recordings::bytes(SUPPLIER, name)
}

pub fn json(name: &str) -> Option<Value> {
    recordings::json(SUPPLIER, name)
}

/// The streamed answer.
pub fn streamed() -> Option<String> {
    let description = json(STREAMED_IN)?;
    let examples =
        "/paths/~1hotels~1rates/post/responses/200/content/text~1event-stream/examples/Example 1/value";
    Some(description.pointer(examples).unwrap().as_str().unwrap().to_owned())
}

/// The offers of all hotels in a search's answer, each with its hotel.
pub fn offers(answer: &Value) -> Vec<(&str, &Value)> {
    let hotels = ["/data", "/rates"].into_iter().filter_map(|list| answer.pointer(list)?.as_array());
    hotels
        .flatten()
        .flat_map(|hotel| {
            let id = hotel["hotelId"].as_str().unwrap();
            hotel["roomTypes"].as_array().unwrap().iter().map(move |offer| (id, offer))
        })
        .collect()
}

/// The priced offer as if nothing had been asked for beside it.
pub fn prebook_alone() -> Option<Value> {
    let mut prebook = json(PREBOOK)?;
    prebook["data"]["price"] =
        prebook["data"]["roomTypes"][0]["rates"][0]["retailRate"]["total"][0]["amount"].clone();
    Some(prebook)
}
