//! An answer of Hotelbeds to a search: hotels that sell five rooms in two rates each.

use serde_json::{Value, json};

/// Rates of each hotel: two for each room.
const RATES: usize = 10;

/// The body, without white space as it comes over the network.
pub fn of(rates: usize) -> Vec<u8> {
    let hotels: Vec<Value> = (0..rates / RATES).map(hotel).collect();
    let answer = json!({
        "auditData": { "processTime": "310" },
        "hotels": { "hotels": hotels, "checkIn": "2026-06-16", "checkOut": "2026-06-19", "total": rates / RATES },
    });
    answer.to_string().into_bytes()
}

fn hotel(number: usize) -> Value {
    json!({
        "code": 1_000 + number, "name": format!("Orchid Resort {number}"), "categoryCode": "4EST",
        "categoryName": "4 STARS", "destinationCode": "DEL", "zoneCode": 10, "latitude": "28.6139", "longitude": "77.2090",
        "currency": "INR", "minRate": "9000.00", "maxRate": "15300.00",
        "rooms": (0..RATES / 2).map(|room| self::room(number, room)).collect::<Vec<_>>(),
    })
}

fn room(hotel: usize, number: usize) -> Value {
    json!({
        "code": format!("DBT.{number}"), "name": "DOUBLE OR TWIN STANDARD",
        "rates": (0..2).map(|rate| self::rate(hotel, number, rate)).collect::<Vec<_>>(),
    })
}

fn rate(hotel: usize, room: usize, number: usize) -> Value {
    let net = 9_000 + 13 * hotel + 700 * room + 350 * number;
    json!({
        "rateKey": format!("20260616|20260619|W|1|{hotel}|DBT.{room}|BAR|BB||1~2~0||N@06~~2{number}~{net}"),
        "rateClass": "NOR", "rateType": "BOOKABLE", "net": format!("{net}.00"), "allotment": 7,
        "paymentType": "AT_WEB", "packaging": false, "boardCode": "BB", "boardName": "BED AND BREAKFAST",
        "cancellationPolicies": [{ "amount": format!("{net}.00"), "from": "2026-06-10T23:59:00+05:30" }],
        "taxes": { "taxes": [{ "included": false, "amount": "150.00", "currency": "INR", "type": "TAX" }], "allIncluded": false },
        "promotions": [{ "code": "073", "name": "Non-refundable rate. No amendments permitted" }],
        "rooms": 1, "adults": 2, "children": 0,
    })
}
