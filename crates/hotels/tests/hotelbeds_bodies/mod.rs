//! Hotelbeds' answers as its documentation and its recorded ones show them, and the adapter in a time that stands still.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_domain::{Clock, Money, Remarks, parse_currency};
use wayfare_hotels::hotelbeds::Hotelbeds;
use wayfare_hotels::{
    Guest, GuestKind, HotelSupplier, Lookup, Query, RoomGuests, RoomRate, RoomRequest, SearchArea,
    StayContact, StayRequest, SupplierStay,
};
use wayfare_supply::{Answer, SupplierConfig, SupplierHttp};

pub use crate::answers::{done, is_refused, is_unavailable, is_unknown};
use crate::plain_config::plain_config;
use wayfare_stub_server::{Reply, SideReply, StubServer, reply};

/// SHA-256 of `hb_keyhb_secret1772366400`, by another tool.
pub const SIGNATURE: &str = "56551d3e28313ddea34e5eb2ac9c8af2415230a0f5500d017b742c37ac7093a6";
pub const REFERENCE: &str = "HTL-7K2M9Q4X-1";
pub const EXPIRED: &str = "400 INVALID_DATA Invalid rateKey: The rateKey value that you have entered does not exist or it has expired";
pub const ABSENT: &str =
    "404 INVALID_DATA Invalid data. The booking does not exist or you do not have permissions to access it.";
pub const BOOKINGS: &str = "/hotel-api/1.0/bookings";

pub fn now() -> DateTime<Utc> {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

pub fn config(base_url: &str) -> SupplierConfig {
    plain_config("hotelbeds", base_url, "hb_key:hb_secret")
}

pub fn hotelbeds(stub: &StubServer) -> Hotelbeds {
    let http = SupplierHttp::new(config(&stub.base_url), Clock::frozen_at(now())).unwrap();
    Hotelbeds::new(http).unwrap()
}

pub fn ok(body: &Value) -> Reply {
    reply(200, body.to_string())
}

/// An error: `400 INVALID_DATA What they say.`
pub fn error(text: &str) -> Reply {
    let [status, code, message] = text.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
    let error = json!({"code": format!("{code}-0DE456A558FA420B8BC1CAC9D5B28652"), "message": message});
    reply(status.parse().unwrap(), json!({"auditData": {}, "error": error}).to_string())
}

pub fn money(amount: &str) -> Money {
    Money::exact(amount.parse().unwrap(), parse_currency("EUR").unwrap()).unwrap()
}

pub fn guests(adults: u8, ages: &[u8]) -> RoomGuests {
    RoomGuests { adults, children_ages: ages.to_vec() }
}

/// Two rooms for couples, one for a mother and her child.
pub fn query(area: SearchArea) -> Query {
    Query {
        check_in: "2026-05-01".parse().unwrap(),
        check_out: "2026-05-04".parse().unwrap(),
        rooms: vec![guests(2, &[]), guests(1, &[7]), guests(2, &[])],
        area,
        nationality: "GB".to_owned(),
        language: "en".to_owned(),
    }
}

pub fn hotels(ids: &[&str]) -> SearchArea {
    SearchArea::Hotels(ids.iter().map(|id| (*id).to_owned()).collect())
}

/// Anything with other values in some of its fields.
pub fn with(mut value: Value, changes: &[(&str, Value)]) -> Value {
    for (field, change) in changes {
        value[field] = change.clone();
    }
    value
}

/// A rate for the couples' two rooms.
pub fn couples(key: &str, net: Value) -> Value {
    json!({
        "rateKey": key, "rateClass": "NOR", "rateType": "BOOKABLE", "net": net, "allotment": 6,
        "paymentType": "AT_WEB", "packaging": false, "boardCode": "BB", "boardName": "BED AND BREAKFAST",
        "cancellationPolicies": [{"amount": net, "from": "2026-04-29T23:59:00+02:00"}],
        "rooms": 2, "adults": 2, "children": 0
    })
}

/// A rate for the mother and her child.
pub fn family(key: &str, net: Value) -> Value {
    let room =
        [("rooms", json!(1)), ("adults", json!(1)), ("children", json!(1)), ("childrenAges", json!("7"))];
    with(couples(key, net), &room)
}

pub fn hotel(code: u32, rates: &[Value]) -> Value {
    json!({
        "code": code, "name": "Hotel M HOUSE", "categoryCode": "H3_5", "destinationCode": "PMI",
        "latitude": "39.574442", "longitude": 2.651_402, "currency": "EUR",
        "rooms": [{"code": "DBL.ST", "name": "DOUBLE STANDARD", "rates": rates}]
    })
}

pub fn found(hotels: &[Value]) -> Value {
    json!({"auditData": {}, "hotels": {"checkIn": "2026-05-01", "total": hotels.len(), "hotels": hotels}})
}

pub fn checked(rate: &Value) -> Value {
    let mut hotel = hotel(74400, std::slice::from_ref(rate));
    hotel["totalNet"] = rate["net"].clone();
    hotel["paymentDataRequired"] = json!(false);
    json!({"auditData": {}, "hotel": hotel})
}

/// A booking of both rates, 300.10 and 99.90.
pub fn booking() -> Value {
    let mut couples = couples("", json!("300.10"));
    couples["rateComments"] = json!("Car park YES 12.00 EUR.");
    let mut family = family("", json!("99.90"));
    for rate in [&mut couples, &mut family] {
        rate.as_object_mut().unwrap().remove("rateKey");
    }
    json!({"auditData": {"internal": "hb_key"}, "booking": {
        "reference": "207-12306403", "clientReference": REFERENCE, "creationDate": "2026-03-01",
        "status": "CONFIRMED", "creationUser": "hb_key",
        "modificationPolicies": {"cancellation": true, "modification": true},
        "holder": {"name": "ANN", "surname": "LEE"},
        "hotel": {
            "checkIn": "2026-05-01", "checkOut": "2026-05-04", "code": 74400, "name": "Hotel M HOUSE",
            "rooms": [
                {"status": "CONFIRMED", "id": 1, "code": "DBL.ST", "rates": [couples]},
                {"status": "CONFIRMED", "id": 2, "code": "DBL.ST", "rates": [family]}
            ],
            "totalNet": "400.00", "currency": "EUR",
            "supplier": {"name": "HOTELBEDS PRODUCT,S.L.U.", "vatNumber": "ESB38877676"}
        },
        "totalNet": 400.00, "pendingAmount": 400.00, "currency": "EUR"
    }})
}

/// The booking with other values, and so its hotel.
pub fn booking_with(changes: &[(&str, Value)], of_hotel: &[(&str, Value)]) -> Value {
    let mut body = booking();
    body["booking"] = with(body["booking"].take(), changes);
    body["booking"]["hotel"] = with(body["booking"]["hotel"].take(), of_hotel);
    body
}

/// The booking after it was cancelled for so much.
pub fn cancelled(amount: &Value) -> Value {
    let changes = [
        ("status", json!("CANCELLED")),
        ("cancellationReference", json!("PPFPPJXXVZ")),
        ("totalNet", json!(0)),
    ];
    let of_hotel = [("totalNet", json!("0.00")), ("cancellationAmount", amount.clone())];
    booking_with(&changes, &of_hotel)
}

fn guest(kind: GuestKind, name: &str, age: Option<u8>) -> Guest {
    Guest {
        kind,
        title: None,
        first_name: name.to_owned(),
        last_name: "Lee".to_owned(),
        nationality: None,
        age,
    }
}

/// What is remembered of a price: keys with their numbers of rooms, and what T has above what is charged.
pub fn supplier_context(rates: Value, margin: &str) -> Value {
    let amount: Value = serde_json::from_str(margin).unwrap();
    json!({"rates": rates, "margin": {"amount": amount, "currency": "EUR"}})
}

/// Both rates, as they were priced.
pub fn request() -> StayRequest {
    let adult = |name| guest(GuestKind::Adult, name, None);
    let room = |number, token: &str, guests: &[Guest]| RoomRequest {
        token: token.to_owned(),
        number,
        guests: guests.to_vec(),
    };
    StayRequest {
        remarks: Some(Remarks::new("late arrival")),
        reference: REFERENCE.to_owned().into(),
        hotel_id: "74400".to_owned(),
        check_in: "2026-05-01".parse().unwrap(),
        check_out: "2026-05-04".parse().unwrap(),
        supplier_context: supplier_context(json!([["key-couples", 2], ["key-family", 1]]), "0.00"),
        priced: None,
        total: money("400.00"),
        rooms: vec![
            room(1, "key-couples", &[adult("Ann"), adult("Bob")]),
            room(2, "key-family", &[adult("Cleo"), guest(GuestKind::Child, "Dan", Some(7))]),
            room(3, "key-couples", &[adult("Eve"), adult("Finn")]),
        ],
        contact: StayContact {
            first_name: "Agent".to_owned(),
            last_name: "Smith".to_owned(),
            email: "agent@example.com".to_owned(),
            phone: "+34600000000".to_owned(),
        },
    }
}

pub async fn find(
    hotelbeds: &Hotelbeds,
    id: Option<&str>,
    request: &StayRequest,
) -> Answer<Option<SupplierStay>> {
    let lookup = Lookup { order_id: id, request };
    hotelbeds.find(lookup).await
}

/// The only rate that a search reads out of this.
pub fn only_rate(rate: Value) -> RoomRate {
    let body = found(&[hotel(74400, &[rate])]);
    let found = wayfare_hotels::hotelbeds::read::search(
        body.to_string().as_bytes(),
        &query(hotels(&["74400"])),
        now(),
    )
    .unwrap();
    assert_eq!(found.unusable, Vec::<String>::new());
    found.hotels[0].rates[0].clone()
}

/// What their lists of codes and their content say.
pub fn content() -> [SideReply; 4] {
    let list = |name: &str, items: Value| ok(&json!({"from": 1, "to": 2, "total": 2, name: items}));
    let text = |text: &str| json!({"content": text});
    let hotel = json!({
        "code": 74400, "name": text("Hotel M HOUSE"), "description": text("In the centre."), "countryCode": "UK",
        "categoryCode": "H3_5", "accommodationTypeCode": "H", "address": text("Calle 1"), "city": text("PALMA"),
        "email": "desk@example.com",
        "phones": [
            {"phoneNumber": "1", "phoneType": "FAXNUMBER"},
            {"phoneNumber": "2", "phoneType": "PHONEBOOKING"},
            {"phoneNumber": "3", "phoneType": "PHONEHOTEL"},
            {"phoneType": "no number"}
        ],
        "rooms": [{"roomCode": "DBL.ST", "maxPax": 3,
            "roomFacilities": [{"facilityCode": 40, "facilityGroupCode": 60, "indLogic": true}],
            "roomStays": [{"roomStayFacilities": [{"facilityCode": 1, "facilityGroupCode": 61, "number": 2}]}]}],
        "facilities": [
            {"facilityCode": 470, "facilityGroupCode": 70, "indLogic": true, "indFee": true},
            {"facilityCode": 320, "facilityGroupCode": 70, "indYesOrNo": false},
            {"facilityCode": 50, "facilityGroupCode": 10, "number": 9},
            {"facilityCode": 261, "facilityGroupCode": 60, "indYesOrNo": true},
            {"facilityCode": 295, "facilityGroupCode": 60, "indYesOrNo": true, "number": 31}
        ],
        "images": [
            {"imageTypeCode": "COM", "path": "00/1.jpg", "visualOrder": 9},
            {"imageTypeCode": "GEN", "path": "00/2.jpg", "visualOrder": 1}
        ]
    });
    let facility =
        |code, group, name| json!({"code": code, "facilityGroupCode": group, "description": text(name)});
    let facilities = json!([
        facility(470, 70, "Gym"),
        facility(320, 70, "Car park"),
        facility(40, 60, "Hairdryer"),
        facility(261, 60, "Wi-fi"),
        facility(295, 60, "Room size (sqm)"),
        facility(1, 61, "Single bed 80-130 width")
    ]);
    let images = json!([{"code": "GEN", "description": text("General view")}]);
    [
        ("GET /hotel-content-api/1.0/hotels?", list("hotels", json!([hotel]))),
        (
            "GET /hotel-content-api/1.0/types/accommodations",
            list("accommodations", json!([{"code": "H", "typeDescription": "Hotel"}])),
        ),
        ("GET /hotel-content-api/1.0/types/facilities", list("facilities", facilities)),
        ("GET /hotel-content-api/1.0/types/imagetypes", list("imageTypes", images)),
    ]
}
