//! An answer of Duffel to an offer request, as long as one likes: every field of the recorded ones, flights by
//! several airlines all day long, each in four fares.

use serde_json::{Value, json};

/// Fares per flight, as in the recorded answers.
const BRANDS: [(&str, &str); 4] = [
    ("Economy Saver", "economy"),
    ("Economy Flex", "economy"),
    ("Business", "business"),
    ("Flexible Business", "business"),
];
const AIRLINES: [(&str, &str); 5] = [
    ("QF", "Qantas"),
    ("VA", "Virgin Australia"),
    ("JQ", "Jetstar"),
    ("ZZ", "Duffel Airways"),
    ("NZ", "Air New Zealand"),
];
const PASSENGER: &str = "pas_0000AEatBgILqTHcCDhDmr";

/// The body, without white space as it comes over the network.
pub fn of(offers: usize) -> Vec<u8> {
    let answer = json!({ "data": {
        "id": "orq_0000AEatBgHzrn02B7WwEa",
        "created_at": "2026-05-02T11:40:11.169611Z",
        "cabin_class": null,
        "live_mode": false,
        "slices": [{
            "origin_type": "airport",
            "origin": place("SYD", "YSSY", "Sydney", "Australia/Sydney", 151.176138, -33.943011),
            "destination_type": "airport",
            "destination": place("MEL", "YMML", "Melbourne", "Australia/Melbourne", 144.842014, -37.671157),
            "departure_date": "2026-06-16",
            "created_at": "2026-05-02T11:40:11.172172Z",
        }],
        "passengers": [passenger()],
        "offers": (0..offers).map(offer).collect::<Vec<_>>(),
    }});
    answer.to_string().into_bytes()
}

fn offer(number: usize) -> Value {
    let (flight, fare) = (number / BRANDS.len(), number % BRANDS.len());
    let (airline, (brand, cabin)) = (AIRLINES[flight % AIRLINES.len()], BRANDS[fare]);
    let base = 9_950 + 140 * (flight % 90) + 21_000 * fare;
    let tax = 2_110 + 10 * (flight % 7);
    let flexible = fare % 2 == 1;
    json!({
        "id": format!("off_0000AEatBxAp5iMWX{number:05}"),
        "created_at": "2026-05-02T11:40:14.121574Z",
        "updated_at": "2026-05-02T11:40:14.121574Z",
        "expires_at": format!("2026-05-02T12:00:13.{number:06}Z"),
        "live_mode": false,
        "owner": carrier(airline),
        "base_amount": amount(base),
        "base_currency": "GBP",
        "tax_amount": amount(tax),
        "tax_currency": "GBP",
        "total_amount": amount(base + tax),
        "total_currency": "GBP",
        "total_emissions_kg": "28",
        "allowed_passenger_identity_document_types": [],
        "passenger_identity_documents_required": false,
        "payment_requirements": {
            "requires_instant_payment": !flexible,
            "price_guarantee_expires_at": null,
            "payment_required_by": null,
        },
        "conditions": {
            "refund_before_departure": condition(flexible, "45.00"),
            "change_before_departure": condition(true, if flexible { "0.00" } else { "30.00" }),
        },
        "passengers": [passenger()],
        "slices": [slice(flight, airline, brand, cabin)],
    })
}

fn slice(flight: usize, airline: (&str, &str), brand: &str, cabin: &str) -> Value {
    let from = place("SYD", "YSSY", "Sydney", "Australia/Sydney", 151.176138, -33.943011);
    let to = place("MEL", "YMML", "Melbourne", "Australia/Melbourne", 144.842014, -37.671157);
    let (hour, minute) = (flight / 12 % 22, flight % 12 * 5);
    json!({
        "id": format!("sli_0000AEatBxAp5iMWX{flight:05}"),
        "duration": "PT01H35M",
        "fare_brand_name": brand,
        "origin_type": "airport",
        "origin": from,
        "destination_type": "airport",
        "destination": to,
        "conditions": { "change_before_departure": null },
        "segments": [{
            "id": format!("seg_0000AEatBxAp5iMWX{flight:05}"),
            "origin": from,
            "origin_terminal": "3",
            "destination": to,
            "destination_terminal": "1",
            "departing_at": format!("2026-06-16T{hour:02}:{minute:02}:00"),
            "arriving_at": format!("2026-06-16T{:02}:{minute:02}:00", hour + 1),
            "duration": "PT01H35M",
            "distance": "704.89092",
            "marketing_carrier": carrier(airline),
            "marketing_carrier_flight_number": format!("{}", 400 + flight),
            "operating_carrier": carrier(airline),
            "operating_carrier_flight_number": format!("{}", 400 + flight),
            "aircraft": {
                "id": "arc_00009VMF8AhBTmADP77oj7",
                "iata_code": "73H",
                "name": "Boeing 737-800 (winglets)/BBJ2",
            },
            "passengers": [{
                "passenger_id": PASSENGER,
                "fare_basis_code": "CBQW",
                "cabin_class": cabin,
                "cabin_class_marketing_name": cabin.to_uppercase(),
                "baggages": [{ "type": "checked", "quantity": 1 }, { "type": "carry_on", "quantity": 1 }],
            }],
        }],
    })
}

fn place(iata: &str, icao: &str, city: &str, zone: &str, longitude: f64, latitude: f64) -> Value {
    let lower = iata.to_lowercase();
    json!({
        "id": format!("arp_{lower}_au"),
        "type": "airport",
        "name": format!("{city} Airport"),
        "iata_code": iata,
        "icao_code": icao,
        "iata_country_code": "AU",
        "iata_city_code": iata,
        "city_name": city,
        "time_zone": zone,
        "longitude": longitude,
        "latitude": latitude,
        "airports": null,
        "city": {
            "id": format!("cit_{lower}_au"),
            "type": "city",
            "name": city,
            "iata_code": iata,
            "icao_code": null,
            "iata_country_code": "AU",
            "iata_city_code": iata,
            "city_name": null,
            "time_zone": null,
            "longitude": null,
            "latitude": null,
        },
    })
}

fn carrier((iata, name): (&str, &str)) -> Value {
    json!({ "id": format!("arl_00009VME7DD6Xm0axa2{iata}"), "iata_code": iata, "name": name })
}

fn passenger() -> Value {
    json!({
        "id": PASSENGER,
        "type": "adult",
        "age": null,
        "given_name": null,
        "family_name": null,
        "loyalty_programme_accounts": [],
    })
}

fn condition(allowed: bool, penalty: &str) -> Value {
    json!({
        "allowed": allowed,
        "penalty_amount": allowed.then_some(penalty),
        "penalty_currency": allowed.then_some("GBP"),
    })
}

fn amount(pence: usize) -> String {
    format!("{}.{:02}", pence / 100, pence % 100)
}
