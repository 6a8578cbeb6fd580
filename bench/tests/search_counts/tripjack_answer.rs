//! An answer of TripJack to a search: flights by several airlines all day long, each in two fares.

use serde_json::{Value, json};

/// Fares per flight.
const FARES: [(&str, &str, &str); 2] = [("PUBLISHED", "S", "SLOWUS"), ("CORPORATE", "H", "HCORPF")];
const AIRLINES: [(&str, &str); 4] =
    [("6E", "IndiGo"), ("AI", "Air India"), ("IX", "Air India Express"), ("SG", "SpiceJet")];

/// The body, without white space as it comes over the network.
pub fn of(offers: usize) -> Vec<u8> {
    let trips: Vec<Value> = (0..offers / FARES.len()).map(trip).collect();
    let answer = json!({
        "searchResult": { "tripInfos": { "ONWARD": trips } },
        "status": { "success": true, "httpStatus": 200 },
    });
    answer.to_string().into_bytes()
}

fn trip(number: usize) -> Value {
    let (code, name) = AIRLINES[number % AIRLINES.len()];
    let (hour, minute) = (number / 4 % 22, number % 4 * 15);
    json!({
        "sI": [{
            "id": format!("{number}"),
            "fD": {
                "aI": { "code": code, "name": name, "isLcc": number.is_multiple_of(2) },
                "fN": format!("{}", 400 + number),
                "eT": "320",
            },
            "stops": 0,
            "so": [],
            "duration": 130,
            "da": airport("SYD", "Kingsford Smith Intl", "Sydney", "Terminal 3"),
            "aa": airport("MEL", "Melbourne Tullamarine", "Melbourne", "Terminal 2"),
            "dt": format!("2026-06-16T{hour:02}:{minute:02}"),
            "at": format!("2026-06-16T{:02}:{minute:02}", hour + 2),
            "iand": false,
            "isRs": false,
            "sN": 0,
        }],
        "totalPriceList": (0..FARES.len()).map(|fare| price(number, fare)).collect::<Vec<_>>(),
    })
}

fn airport(code: &str, name: &str, city: &str, terminal: &str) -> Value {
    json!({
        "code": code, "name": name, "cityCode": code, "city": city, "country": "Australia", "countryCode": "AU",
        "terminal": terminal,
    })
}

fn price(number: usize, fare: usize) -> Value {
    let (name, class, basis) = FARES[fare];
    let base = 3_500 + 35 * (number % 90) + 900 * fare;
    let taxes = 812 + number % 7;
    json!({
        "fd": { "ADULT": {
            "fC": { "BF": base, "TAF": taxes, "NF": base + taxes, "TF": base + taxes },
            "afC": { "TAF": { "YQ": 300, "AGST": 180, "OT": taxes - 480 } },
            "sR": 9,
            "bI": { "iB": "15 Kg (01 Piece only)", "cB": "7 Kg" },
            "rT": 1,
            "cc": "ECONOMY",
            "cB": class,
            "fB": basis,
            "mI": false,
        } },
        "fareIdentifier": name,
        "id": format!("4-{number:010}_0SYDMEL6E{}_23459087234509{fare}", 400 + number),
        "messages": [],
        "icca": false,
    })
}
