//! LiteAPI at the far end of a wire: how it is reached, what is asked, and bodies in its words.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_domain::{Clock, Currency, Money, Remarks};
use wayfare_hotels::liteapi::{LiteApi, Payment};
use wayfare_hotels::{
    Guest, GuestKind, Query, RoomGuests, RoomRequest, SearchArea, StayContact, StayRequest,
};
use wayfare_supply::{SupplierConfig, SupplierHttp};

pub use crate::answers::{done, is_refused, is_unavailable, is_unknown};
use crate::plain_config::plain_config;
use wayfare_stub_server::{Reply, StubServer, reply};

pub const KEY: &str = "key_secret";
pub const REFERENCE: &str = "HA-7K2M9Q4X-01";

/// Each call is told apart by its path; both addresses are of one far end.
pub fn config(stub: &StubServer) -> SupplierConfig {
    let config = plain_config("liteapi", &format!("{}/api", stub.base_url), KEY);
    config.with(|config| config.booking_url = Some(format!("{}/book", stub.base_url)))
}

pub fn now() -> DateTime<Utc> {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

pub fn liteapi(stub: &StubServer) -> LiteApi {
    liteapi_at(stub, now())
}

/// The adapter at this time.
pub fn liteapi_at(stub: &StubServer, now: DateTime<Utc>) -> LiteApi {
    LiteApi::new(SupplierHttp::new(config(stub), Clock::frozen_at(now)).unwrap(), Payment::Credit)
}

pub fn dollars(amount: &str) -> Money {
    Money::exact(amount.parse().unwrap(), Currency::USD).unwrap()
}

pub fn query(rooms: &[(u8, &[u8])]) -> Query {
    let rooms = rooms.iter().map(|&(adults, ages)| RoomGuests { adults, children_ages: ages.to_vec() });
    Query {
        check_in: "2026-05-01".parse().unwrap(),
        check_out: "2026-05-04".parse().unwrap(),
        rooms: rooms.collect(),
        area: SearchArea::Hotels(vec!["lp1897".to_owned()]),
        nationality: "IN".to_owned(),
        language: "en".to_owned(),
    }
}

/// Two rooms of two kinds.
pub fn two_kinds() -> Query {
    query(&[(2, &[]), (1, &[7])])
}

pub fn rate(number: u16, adults: u8, children: usize, total: f64) -> Value {
    json!({
        "rateId": format!("R{number}"), "occupancyNumber": number, "name": "Standard King Room", "maxOccupancy": 3,
        "adultCount": adults, "childCount": children, "boardType": "BI", "boardName": "Breakfast Included",
        "remarks": "", "commission": [{"amount": 1.25, "currency": "USD"}],
        "retailRate": {"total": [{"amount": total, "currency": "USD"}], "taxesAndFees": [
            {"included": true, "description": "Tax", "amount": 2.5, "currency": "USD"},
            {"included": false, "description": "City tax", "amount": 3, "currency": "EUR"},
        ]},
        "cancellationPolicies": policies(total),
        "paymentTypes": ["NUITEE_PAY"],
    })
}

/// Half of it from the 20th of April on, all of it from the 25th.
pub fn policies(total: f64) -> Value {
    json!({"refundableTag": "RFN", "hotelRemarks": [], "cancelPolicyInfos": [
        {"cancelTime": "2026-04-20 10:00:00", "amount": 50, "type": "percentage", "timezone": "GMT"},
        {"cancelTime": "2026-04-25", "amount": total, "currency": "USD", "type": "amount", "timezone": "GMT"},
    ]})
}

pub fn offer(id: &str, rates: &[Value]) -> Value {
    json!({"roomTypeId": "RT", "offerId": id, "rates": rates, "rateType": "standard"})
}

pub fn hotel_offers(id: &str, offers: &[Value]) -> Value {
    json!({"hotelId": id, "roomTypes": offers})
}

/// A stream of these events to its end.
pub fn stream(events: &[Value]) -> String {
    let lines: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    format!("{lines}data: [DONE]\n\n")
}

pub fn prebook(rates: &[Value], price: f64) -> Value {
    json!({"data": {
        "prebookId": "len80MPr_", "offerId": "OFFER", "hotelId": "lp1897", "checkin": "2026-05-01",
        "checkout": "2026-05-04", "currency": "USD", "price": price, "termsAndConditions": "",
        "roomTypes": [{"rates": rates}], "cancellationChanged": false, "boardChanged": false,
    }})
}

pub fn booking(status: &str, reference: &str) -> Value {
    json!({"data": {
        "bookingId": "hSq2gVDrf", "clientReference": reference, "supplierBookingId": "38000", "status": status,
        "hotelConfirmationCode": "", "checkin": "2026-05-01", "checkout": "2026-05-04", "price": 150.0,
        "currency": "USD", "createdAt": "2026-03-01T12:00:01", "cancellationPolicies": policies(150.0),
        "mandatoryFees": "A resort fee is due.", "knowBeforeYouGo": "", "optionalFees": null,
        "bookedRooms": [{"amount": 150.0, "currency": "USD", "rate": {"remarks": "Minimum age is 21."}}],
    }})
}

pub fn error(code: i64, description: &str) -> String {
    json!({"error": {"code": code, "message": "no", "description": description}}).to_string()
}

pub fn request() -> StayRequest {
    let guest = |first: &str, age: Option<u8>| Guest {
        kind: age.map_or(GuestKind::Adult, |_| GuestKind::Child),
        title: None,
        first_name: first.to_owned(),
        last_name: "Rao".to_owned(),
        nationality: None,
        age,
    };
    StayRequest {
        remarks: Some(Remarks::new("late arrival")),
        reference: REFERENCE.to_owned().into(),
        hotel_id: "lp1897".to_owned(),
        check_in: "2026-05-01".parse().unwrap(),
        check_out: "2026-05-04".parse().unwrap(),
        supplier_context: json!({"prebook_id": "len80MPr_"}),
        priced: None,
        total: dollars("150.00"),
        rooms: vec![
            RoomRequest {
                token: "OFFER#0".to_owned(),
                number: 1,
                guests: vec![guest("Asha", None), guest("Ravi", None)],
            },
            RoomRequest {
                token: "OFFER#1".to_owned(),
                number: 2,
                guests: vec![guest("Meera", None), guest("Kiran", Some(7))],
            },
        ],
        contact: StayContact {
            first_name: "Priya".to_owned(),
            last_name: "Nair".to_owned(),
            email: "p@agency.example".to_owned(),
            phone: "+919812345678".to_owned(),
        },
    }
}

/// Calls that end so that nobody knows what was done.
pub fn silences() -> Vec<Reply> {
    vec![
        Reply::Silence,
        Reply::Hang,
        Reply::Cut(200, booking("CONFIRMED", REFERENCE).to_string()),
        reply(200, "<h1>busy</h1>"),
        reply(200, "{}"),
        reply(500, error(5000, "no")),
        reply(503, ""),
        reply(302, ""),
        reply(400, "<h1>no</h1>"),
    ]
}
