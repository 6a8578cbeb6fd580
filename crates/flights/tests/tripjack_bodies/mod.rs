//! Small answers in TripJack's words, of our own writing, and who asks in these tests.

use std::time::Duration;

pub use crate::answers::{done, is_refused, is_unavailable, is_unknown};
pub use crate::duffel_bodies::with;
use crate::plain_config::plain_config;
use serde_json::{Value, json};
use wayfare_domain::{
    BookingPapers, BookingRef, Clock, Contact, Currency, Gender, Money, Party, PassengerType, Title,
    Traveller,
};
use wayfare_flights::tripjack::{TripJack, read};
use wayfare_flights::{
    Ancillary, AncillaryChoice, Cabin, FlightSupplier, Offer, OfferKind, Offers, OrderMode, OrderRequest,
    PricedOrder, Query, Slice, TripType,
};
use wayfare_stub_server::patience;
use wayfare_supply::{CityCodes, SupplierConfig, SupplierHttp};

pub const KEY: &str = "tj_very_secret";

pub const PARTY: Party = Party { adults: 2, children: 1, infants: 1 };

/// Noon of the first of March 2026, when the tests here begin: 17:30 in India.
pub fn clock() -> Clock {
    Clock::frozen_at("2026-03-01T12:00:00Z".parse().unwrap())
}

pub fn config(base_url: &str) -> SupplierConfig {
    plain_config("tripjack", base_url, KEY).with(|config| {
        // It pauses for a fifth of it between its readings of an order that is pending.
        config.read_deadline = patience(base_url).min(Duration::from_secs(5));
        config.city_codes = CityCodes::Spread;
        config.reissue = true;
    })
}

pub fn tripjack(base_url: &str) -> TripJack {
    TripJack::new(SupplierHttp::new(config(base_url), clock()).unwrap())
}

pub fn inr(text: &str) -> Money {
    Money::exact(text.parse().unwrap(), Currency::INR).unwrap()
}

/// One route for each day of April 2026, beginning with the first.
pub fn query(trip_type: TripType, route: &[(&str, &str)]) -> Query {
    let slices = route.iter().zip(1..).map(|((origin, destination), day)| {
        let date = format!("2026-04-{day:02}").parse().unwrap();
        Slice::between((origin, None), (destination, None), date)
    });
    Query {
        trip_type,
        party: PARTY,
        cabin: Cabin::PremiumEconomy,
        slices: slices.collect(),
        direct_only: false,
        airline: None,
    }
}

/// From Delhi to Bombay and back.
pub fn both_ways() -> Query {
    query(TripType::Return, &[("DEL", "BOM"), ("BOM", "DEL")])
}

/// What is read of a search that found these lists of trips.
pub fn offers(lists: &Value) -> Offers {
    read::search(found(lists).as_bytes(), PARTY, clock().now()).unwrap()
}

/// How it may be bought, the slice it begins with, and the ends of its legs.
pub fn shape(offer: &Offer) -> (OfferKind, u8, Vec<String>) {
    let ends = offer.journeys.iter().map(|journey| {
        let (first, last) = (journey.segments.first().unwrap(), journey.segments.last().unwrap());
        format!("{}-{}", first.origin, last.destination)
    });
    (offer.kind, offer.route_index, ends.collect())
}

pub fn place(code: &str) -> Value {
    json!({"code": code, "name": format!("Airport {code}"), "cityCode": code, "terminal": "Terminal 3"})
}

/// A flight of ZZ on that day of April 2026, 10:00 to 11:30; `number` within its journey.
pub fn flight(id: &str, from: &str, to: &str, day: u8, number: u32) -> Value {
    json!({
        "id": id,
        "fD": {"aI": {"code": "ZZ", "name": "Airline ZZ", "isLcc": true}, "fN": "042", "eT": "32N"},
        "stops": 0, "so": [], "duration": 90,
        "da": place(from), "aa": place(to),
        "dt": format!("2026-04-{day:02}T10:00"), "at": format!("2026-04-{day:02}T11:30"),
        "iand": false, "isRs": false, "sN": number,
    })
}

/// A flight of the way back.
pub fn back(flight: Value) -> Value {
    with(flight, &[("/isRs", json!(true))])
}

fn passenger(base: &str, taxes: &str, total: &str, check_in: &str) -> Value {
    let number = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    json!({
        "fC": {"BF": number(base), "TAF": number(taxes), "TF": number(total), "NF": number(total)},
        "afC": {"TAF": {"YQ": number("10.0"), "OT": number(taxes)}},
        "sR": 4, "bI": {"iB": check_in, "cB": "7 Kg"}, "rT": 1, "cc": "PREMIUM_ECONOMY", "cB": "W", "fB": "WFLEX",
    })
}

/// A fare of 4,000.50 for an adult, 3,000.25 for a child and 500.10 for an infant: 11,501.35 for the party.
pub fn fare(id: &str) -> Value {
    json!({
        "id": id, "fareIdentifier": "PUBLISHED", "msri": [], "messages": [],
        "fd": {
            "ADULT": passenger("3500.0", "500.5", "4000.5", "15 Kg"),
            "CHILD": passenger("2500.00", "500.25", "3000.25", "15 Kg"),
            "INFANT": passenger("400", "100.1", "500.1", "0Default"),
        },
    })
}

/// The same fare, to be paired with one of the other direction.
pub fn special(id: &str, group: &str, with: &str) -> Value {
    let mut fare = fare(id);
    fare["fareIdentifier"] = json!("SPECIAL_RETURN");
    fare["sri"] = json!(group);
    fare["msri"] = json!([with]);
    fare
}

pub fn trip(flights: &[Value], fares: &[Value]) -> Value {
    json!({"sI": flights, "totalPriceList": fares})
}

pub fn found(lists: &Value) -> String {
    json!({"searchResult": {"tripInfos": lists}, "status": {"success": true, "httpStatus": 200}}).to_string()
}

/// A review of one fare from Delhi to Bombay, with a seat map and things to buy.
pub fn review(fares: &[&str]) -> Value {
    let sold = json!({
        "BAGGAGE": [{"code": "XB05", "amount": 1900.5, "desc": "5 kg more"}, {"code": "FREE"}],
        "MEAL": [{"code": "VGML", "amount": 275.0, "desc": "Veg Meal"}],
        "EXTRASERVICES": [{"code": "FAST", "amount": 400, "desc": "Fast Forward"}],
    });
    let trips = fares.iter().zip(1_u8..).map(|(fare_id, day)| {
        let ends = if day == 1 { ("DEL", "BOM") } else { ("BOM", "DEL") };
        let mut flight = flight(&format!("{day}00"), ends.0, ends.1, day, 0);
        flight["ssrInfo"] = sold.clone();
        let mut fare = fare(fare_id);
        fare["pc"] = json!({"code": "ZZ", "name": "Airline ZZ", "isLcc": true});
        fare["fd"]["ADULT"]["fC"]["NCM"] = json!(100.5);
        fare["fd"]["CHILD"]["fC"]["NCM"] = json!(50.25);
        fare["fd"]["ADULT"]["afC"]["TAF"] = json!({"YQ": 400.0, "AGST": 100.5});
        trip(&[flight], &[fare])
    });
    let total: Money = (1..fares.len()).fold(inr("11501.35"), |sum, _| sum.plus(inr("11501.35")).unwrap());
    json!({
        "bookingId": "TJS1",
        "tripInfos": trips.collect::<Vec<_>>(),
        "alerts": [{"oldFare": 11000.0, "newFare": 11501.35, "type": "FAREALERT"}],
        "searchQuery": {
            "paxInfo": {"ADULT": 2, "CHILD": "1", "INFANT": 1},
            "routeInfos": [
                {"fromCityOrAirport": place("DEL"), "toCityOrAirport": place("BOM"), "travelDate": "2026-04-01"},
                {"fromCityOrAirport": place("BOM"), "toCityOrAirport": place("DEL"), "travelDate": "2026-04-02"},
            ],
        },
        "totalPriceInfo": {"totalFareDetail": {"fC": {
            "TF": total.number(), "BF": 0, "TAF": 0,
        }}},
        "conditions": {
            "isBA": true, "isa": false, "st": 840, "sct": "2026-03-01T17:29:00.123", "iecr": true, "ipa": true,
            "dob": {"adobr": false, "cdobr": true, "idobr": true},
            "gst": {"gstappl": true, "igm": false},
            "pcs": {"pm": false, "pped": false},
            "dc": {"ida": false, "idm": false},
        },
        "status": {"success": true, "httpStatus": 200},
    })
}

pub fn seat(designator: &str, amount: Value, booked: bool) -> Value {
    json!({"seatNo": designator, "code": format!("{designator}|X"), "amount": amount, "isBooked": booked,
           "isAisle": true, "isLegroom": false, "seatPosition": {"row": 1, "column": 1}})
}

pub fn seats(tree: Value) -> String {
    json!({"tripSeatMap": tree, "bookingId": "TJS1", "status": {"success": true, "httpStatus": 200}})
        .to_string()
}

pub fn rules() -> Value {
    json!({"fareRule": {"DEL-BOM": {
        "isML": false,
        "tfr": {
            "CANCELLATION": [
                {"amount": 3500.0, "additionalFee": 50.0, "policyInfo": "Airline fee__nls__per__bs__head", "st": "4", "et": "72"},
                {"amount": 5000, "st": "0", "et": "4"},
            ],
            "DATECHANGE": [{"policyInfo": "With penalty", "pp": "BEFORE_DEPARTURE",
                            "fcs": {"ARF": 2500, "ARFT": 125.5, "CRF": 50}}],
            "NO_SHOW": [{"policyInfo": "Not Applicable", "pp": "AFTER_DEPARTURE", "st": 0, "et": 8760}],
            "SEAT_CHARGEABLE": [{"policyInfo": "yes"}],
        },
        "miscInfo": ["Fares move.", ""],
    }}, "status": {"success": true, "httpStatus": 200}})
}

fn traveller(index: u32, kind: PassengerType, title: Title, gender: Gender, born: &str) -> Traveller {
    Traveller {
        index,
        kind,
        title,
        first_name: ["Anna", "Bela", "Cato", "Dora"][usize::try_from(index - 1).unwrap()].into(),
        last_name: "Rao".into(),
        gender,
        born_on: Some(born.parse().unwrap()),
        held_by: None,
        loyalty: Vec::new(),
    }
}

/// Two adults, a boy and an infant, by the review `TJS1`.
pub fn booking(mode: OrderMode) -> OrderRequest {
    use PassengerType::{Adult, Child, Infant};
    OrderRequest {
        reference: BookingRef::from("FA-7K2M9Q4X".to_owned()).order(1),
        offer_token: "p1".into(),
        supplier_context: json!({
            "booking_id": "TJS1",
            "total": {"amount": inr("11501.35").number(), "currency": "INR"},
            "emergency_contact": false,
        }),
        mode,
        total: inr("11501.35"),
        travellers: vec![
            traveller(1, Adult, Title::Mrs, Gender::Female, "1990-01-02"),
            traveller(2, Adult, Title::Dr, Gender::Male, "1991-01-02"),
            traveller(3, Child, Title::Mstr, Gender::Male, "2018-01-02"),
            traveller(4, Infant, Title::Miss, Gender::Female, "2025-06-02"),
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

/// What these travellers buy of this, as it was priced.
pub fn ancillaries(
    tripjack: &TripJack,
    priced: &PricedOrder,
    wanted: &[(u32, &Ancillary)],
) -> Vec<AncillaryChoice> {
    let travellers = booking(OrderMode::Hold).travellers;
    let mut all: Vec<AncillaryChoice> = wanted
        .iter()
        .map(|&(traveller, ancillary)| AncillaryChoice::new(traveller, ancillary.clone(), 1))
        .collect();
    let wire_formats =
        tripjack.order_wire_format(&priced.supplier_context, &priced.ancillary_catalog, &travellers, &all);
    for (choice, wire_format) in all.iter_mut().zip(wire_formats.unwrap()) {
        choice.wire_format = wire_format;
    }
    all
}

pub fn acknowledged() -> String {
    json!({"bookingId": "TJS1", "status": {"success": true, "httpStatus": 200}}).to_string()
}

/// An order of that booking, in this state.
pub fn order(state: &str) -> Value {
    let traveller = |kind: &str, first: &str, last: &str, number: &str| {
        json!({
            "ti": "Mr", "pt": kind, "fN": first, "lN": last,
            "pnrDetails": {"DEL-BOM": "AIRPNR"}, "gdsPnrs": {"DEL-BOM": "GDSPNR"},
            "ticketNumberDetails": {"DEL-BOM": number},
        })
    };
    json!({
        "order": {"bookingId": "TJS1", "amount": 11501.35, "status": state},
        "itemInfos": {"AIR": {"travellerInfos": [
            traveller("INFANT", "DORA", "RAO", "T4"), traveller("ADULT", "Anna", "Rao", "T1"),
            traveller("ADULT", "Bela", "Rao", "T2"), traveller("CHILD", "Cato", "Rao", "T3"),
        ]}},
        "status": {"success": true, "httpStatus": 200},
    })
}

/// The order of one flight that may be reissued, and its travellers' ids: now numbers and now texts.
pub fn reissuable() -> Value {
    let mut order = order("SUCCESS");
    let trip = trip(&[flight("100", "DEL", "BOM", 1, 0)], &[]);
    order["itemInfos"]["AIR"]["tripInfos"] = json!([trip]);
    let travellers = order["itemInfos"]["AIR"]["travellerInfos"].as_array_mut();
    for (traveller, id) in travellers.unwrap().iter_mut().zip([json!(14), json!("11"), json!(12), json!(13)])
    {
        traveller["id"] = id;
    }
    order
}

/// The same order after its reissue, under its new id.
pub fn reissued(state: &str) -> Value {
    with(reissuable(), &[("/order/bookingId", json!("TJS2")), ("/order/status", json!(state))])
}

/// A fare of a reissue: 1,000 and 300 of fees for an adult, 500 and 300 for a child, 50 for an infant; 3,450 for the party,
/// of which 900 are fees.
pub fn reissue_fare(id: &str) -> Value {
    let one = |base: i32, fees: Value, total: i32| json!({"fC": {"BF": base, "TAF": 0, "AFS": fees, "RSSR": 0, "TF": total}});
    let mut infant = one(50, json!(0), 50);
    infant["fC"].as_object_mut().unwrap().remove("AFS");
    json!({"id": id, "fd": {
        "ADULT": one(1000, json!(300), 1300), "CHILD": one(500, json!(300.0), 800), "INFANT": infant,
    }})
}

/// Other flights of the tenth of April.
pub fn reissue_flights() -> String {
    found(&json!({"ONWARD": [trip(&[flight("200", "DEL", "BOM", 10, 0)], &[reissue_fare("r1")])]}))
}

/// A review of one of them, under the id that the order gets.
pub fn reissue_review() -> Value {
    let named = |id: &str, kind: &str, first: &str| json!({"id": id, "ti": "Mr", "pt": kind, "fN": first, "lN": "RAO"});
    json!({
        "bookingId": "TJS2",
        "tripInfos": [trip(&[flight("200", "DEL", "BOM", 10, 0)], &[reissue_fare("r1")])],
        "totalPriceInfo": {"totalFareDetail": {"fC": {"BF": 2550, "TAF": 0, "AFS": 900, "TF": 3450}}},
        "conditions": {"st": 840},
        "travellers": [
            named("22", "ADULT", "BELA"), named("21", "ADULT", "Anna"), named("23", "CHILD", "Cato"),
            named("24", "INFANT", "Dora"),
        ],
        "status": {"success": true, "httpStatus": 200},
    })
}

/// The same before it was ticketed.
pub fn held() -> Value {
    let mut order = order("ON_HOLD");
    for traveller in order["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap() {
        traveller.as_object_mut().unwrap().remove("ticketNumberDetails");
    }
    order
}

pub fn error(http_status: u16, code: &str, message: &str) -> String {
    json!({
        "status": {"success": false, "httpStatus": http_status},
        "errors": [{"errCode": code, "message": message, "details": "more"}],
    })
    .to_string()
}
