//! Small answers in Duffel's words, of our own writing, and who books in these tests.

pub mod sold;

use serde_json::{Value, json};
use wayfare_domain::{
    BookingPapers, BookingRef, Clock, Contact, Currency, Gender, Money, Party, PassengerType, Title,
    Traveller,
};
use wayfare_flights::duffel::Duffel;
use wayfare_flights::{Cabin, OrderMode, OrderRequest, Query, Slice, TripType};
use wayfare_supply::{SupplierConfig, SupplierHttp};

pub use crate::answers::{done, is_refused, is_unavailable, is_unknown};
use crate::plain_config::plain_config;
use wayfare_stub_server::{Reply, StubServer, reply};

pub const TOKEN: &str = "duffel_test_very_secret";

/// Noon of the first of March 2026, when the tests here begin.
pub fn clock() -> Clock {
    Clock::frozen_at("2026-03-01T12:00:00Z".parse().unwrap())
}

/// Duffel by these replies. No flight has a seat map, and nothing can be bought for an order.
pub async fn duffel_stub(replies: impl IntoIterator<Item = Reply>) -> StubServer {
    duffel_stub_with(replies, reply(200, r#"{"data":[]}"#)).await
}

/// The same with this reply about seats and about what can be bought for an order: they are asked for beside something else.
pub async fn duffel_stub_with(replies: impl IntoIterator<Item = Reply>, beside: Reply) -> StubServer {
    let side = [("GET /air/seat_maps?", beside.clone()), ("/available_services", beside)];
    StubServer::with_side(replies, side).await
}

pub fn config(stub: &StubServer, token: &str) -> SupplierConfig {
    plain_config("duffel", &stub.base_url, token)
}

pub fn duffel_with(stub: &StubServer, token: &str) -> Duffel {
    Duffel::new(SupplierHttp::new(config(stub, token), clock()).unwrap())
}

pub fn duffel(stub: &StubServer) -> Duffel {
    duffel_with(stub, TOKEN)
}

pub const PARTY: Party = Party { adults: 2, children: 1, infants: 1 };

pub fn query(route: &[(&str, &str)]) -> Query {
    let slices = route.iter().zip(1..).map(|((origin, destination), day)| {
        let date = format!("2026-04-{day:02}").parse().unwrap();
        Slice::between((origin, None), (destination, None), date)
    });
    Query {
        trip_type: if route.len() == 1 { TripType::OneWay } else { TripType::Return },
        party: PARTY,
        cabin: Cabin::PremiumEconomy,
        slices: slices.collect(),
        direct_only: false,
        airline: None,
    }
}

pub fn carrier(code: &str) -> Value {
    json!({"iata_code": code, "name": format!("Airline {code}"), "logo_symbol_url": format!("https://l/{code}")})
}

/// A flight of airline ZZ, 10:00 to 11:30 by local clocks.
pub fn flight(from: &str, to: &str) -> Value {
    json!({
        "origin": {"iata_code": from, "time_zone": "Europe/London"},
        "destination": {"iata_code": to, "time_zone": "Europe/London"},
        "origin_terminal": "2",
        "destination_terminal": null,
        "departing_at": "2026-04-01T10:00:00",
        "arriving_at": "2026-04-01T11:30:00",
        "duration": "PT1H30M",
        "marketing_carrier": carrier("ZZ"),
        "marketing_carrier_flight_number": "0042",
        "operating_carrier": carrier("YY"),
        "aircraft": {"name": "Airbus A320", "iata_code": "320"},
        "stops": [],
        "passengers": [{
            "passenger_id": "pas_1",
            "cabin_class": "premium_economy",
            "fare_basis_code": "YFLEX",
            "baggages": [{"type": "checked", "quantity": 2}, {"type": "carry_on", "quantity": 1}],
        }],
    })
}

pub fn offer(id: &str, flights: &[Value]) -> Value {
    json!({
        "id": id,
        "live_mode": false,
        "created_at": "2026-03-01T11:50:00Z",
        "expires_at": "2026-03-01T12:20:00Z",
        "total_amount": "130.30", "total_currency": "GBP",
        "base_amount": "100.00", "base_currency": "GBP",
        "tax_amount": "30.30", "tax_currency": "GBP",
        "owner": carrier("ZZ"),
        "slices": flights.iter().map(|flight| json!({
            "duration": null, "fare_brand_name": "Flex", "segments": [flight],
        })).collect::<Vec<_>>(),
        "passengers": [
            {"id": "pas_1", "type": "adult"}, {"id": "pas_2", "type": "adult"},
            {"id": "pas_3", "type": "child"}, {"id": "pas_4", "type": "infant_without_seat"},
        ],
        "payment_requirements": {"requires_instant_payment": true},
        "conditions": {
            "refund_before_departure": {"allowed": true, "penalty_amount": "25.00", "penalty_currency": "GBP"},
            "change_before_departure": null,
        },
        "private_fares": [],
    })
}

pub fn answer(data: &Value) -> String {
    json!({"data": data}).to_string()
}

pub fn found(offers: &[Value]) -> String {
    answer(&json!({"id": "orq_1", "offers": offers}))
}

pub fn error(kind: &str, code: &str, message: &str) -> String {
    json!({
        "meta": {"status": 422, "request_id": "r"},
        "errors": [{"type": kind, "code": code, "title": "No", "message": message, "source": "some_airline"}],
    })
    .to_string()
}

pub fn gbp(text: &str) -> Money {
    Money::exact(text.parse().unwrap(), Currency::GBP).unwrap()
}

fn traveller(index: u32, kind: PassengerType, title: Title, born: &str, held_by: Option<u32>) -> Traveller {
    Traveller {
        index,
        kind,
        title,
        first_name: format!("Name{index}"),
        last_name: "Rao".into(),
        gender: if title == Title::Mstr || title == Title::Mr { Gender::Male } else { Gender::Female },
        born_on: Some(born.parse().unwrap()),
        held_by,
        loyalty: Vec::new(),
    }
}

/// Two adults, a boy, and an infant that the second adult holds.
pub fn booking(mode: OrderMode) -> OrderRequest {
    OrderRequest {
        reference: BookingRef::from("FA-7K2M9Q4X".to_owned()).order(1),
        offer_token: "off_1".into(),
        supplier_context: json!({
            "passengers": [
                {"id": "pas_1", "kind": "ADT"}, {"id": "pas_2", "kind": "ADT"},
                {"id": "pas_3", "kind": "CHD"}, {"id": "pas_4", "kind": "INF"},
            ],
            "offer_created_at": "2026-03-01T11:50:00Z",
        }),
        mode,
        total: gbp("130.30"),
        travellers: vec![
            traveller(1, PassengerType::Adult, Title::Mr, "1990-01-02", None),
            traveller(2, PassengerType::Adult, Title::Dr, "1991-01-02", None),
            traveller(3, PassengerType::Child, Title::Mstr, "2018-01-02", None),
            traveller(4, PassengerType::Infant, Title::Miss, "2025-06-02", Some(2)),
        ],
        contact: Contact {
            email: "a@b.example".into(),
            country_code: "91".into(),
            phone: "9812345678".into(),
        },
        ancillaries: Vec::new(),
        papers: BookingPapers::default(),
    }
}

/// An order of that booking.
pub fn order() -> Value {
    let ticket = |number: &str, passenger: &str| json!({"type": "electronic_ticket", "unique_identifier": number, "passenger_ids": [passenger]});
    json!({
        "id": "ord_1",
        "created_at": "2026-03-01T12:00:05Z",
        "booking_reference": "RZPNX8",
        "booking_references": [{"booking_reference": "AIRPNR", "carrier": carrier("ZZ")}],
        "total_amount": "130.30", "total_currency": "GBP",
        "payment_status": {
            "awaiting_payment": false, "payment_required_by": null, "price_guarantee_expires_at": null,
            "paid_at": "2026-03-01T12:00:05Z",
        },
        "documents": [
            ticket("T4", "pas_4"), ticket("T1", "pas_1"), ticket("T2", "pas_2"), ticket("T3", "pas_3"),
            {"type": "electronic_miscellaneous_document_associated", "unique_identifier": "E", "passenger_ids": []},
        ],
        "cancelled_at": null,
        "metadata": {"reference": "FA-7K2M9Q4X-1"},
    })
}

/// The same with other values at these fields.
pub fn with(mut value: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, change) in changes {
        *value.pointer_mut(pointer).expect(pointer) = change.clone();
    }
    value
}
