//! One realistic body and more for each request, for the document, which is made by reading them.

use serde_json::{Value, json};

/// Under what it shows.
pub type Example = (&'static str, Value);

/// `POST /auth/login`.
pub fn log_in() -> Vec<Example> {
    let body = json!({ "agent_id": "WF7K2M9Q", "username": "asha", "password": "correct horse battery" });
    vec![("log-in", body)]
}

/// `POST /auth/refresh` and `POST /auth/logout`.
pub fn refresh() -> Vec<Example> {
    vec![("refresh token", json!({ "refresh_token": "rt_3yJb0pVZ" }))]
}

/// `POST /org/users`.
pub fn new_user() -> Vec<Example> {
    let body = json!({
        "email": "bina@sunrise.example",
        "name": "Bina Shah",
        "username": "bina",
        "password": "correct horse battery",
        "role": "agent",
        "phone": "+919812345678",
    });
    vec![("agent", body)]
}

/// `PUT /org/users/{id}`.
pub fn user_changes() -> Vec<Example> {
    vec![
        (
            "profile",
            json!({ "name": "Bina Mehta", "phone": "+919812345678" }),
        ),
        ("standing", json!({ "status": "suspended" })),
    ]
}

/// `PUT /me`.
pub fn own_changes() -> Vec<Example> {
    vec![
        ("all", json!({ "name": "Bina Mehta", "phone": "+919812345678" })),
        ("phone", json!({ "phone": "" })),
    ]
}

/// `PUT /me/password`.
pub fn new_password() -> Vec<Example> {
    let body =
        json!({ "current_password": "correct horse battery", "new_password": "staple of another horse" });
    vec![("passwords", body)]
}

/// `PUT /org/profile`.
pub fn profile() -> Vec<Example> {
    let body = json!({
        "name": "Sunrise Travels",
        "email": "desk@sunrise.example",
        "phone": "+911123456789",
        "address": "12 Janpath, New Delhi",
        "country": "IN",
    });
    vec![("profile", body)]
}

/// `POST /org/wallet/topup/{id}`.
pub fn allocation() -> Vec<Example> {
    vec![(
        "allocation",
        json!({ "amount": 25000, "description": "for January" }),
    )]
}

/// `POST /org/reports` and `POST /reports`.
pub fn report() -> Vec<Example> {
    let month = json!({ "type": "sales", "period_start": "2027-01-01", "period_end": "2027-01-31" });
    let mut filtered = month.clone();
    if let Some(body) = filtered.as_object_mut() {
        let filters = json!({
            "agent_id": "0197a5c2-3a60-7cc1-9b6e-2f1d0c4b8a55",
            "status": "confirmed",
            "product": "flight",
            "supplier": "duffel",
            "ref_type": "refund",
            "type": "credit",
        });
        body.insert("filters".to_owned(), filters);
    }
    let mut unfiltered = month.clone();
    if let Some(body) = unfiltered.as_object_mut() {
        body.insert("filters".to_owned(), json!({}));
    }
    vec![
        ("a month", month),
        ("filtered", filtered),
        ("no filter", unfiltered),
    ]
}

/// `PUT /org/settings`.
pub fn setting() -> Vec<Example> {
    vec![("setting", json!({ "key": "invoice_prefix", "value": "SUN-" }))]
}

/// `POST /flights/search`.
pub fn search() -> Vec<Example> {
    let one_way = json!({
        "search_params": {
            "trip_type": "ONE_WAY",
            "cabin_class": "ECONOMY",
            "passengers": { "adults": 1, "children": 0, "infants": 0 },
            "preferred_currency": "INR",
            "direct_flights_only": true,
            "max_results": 50,
            "airline_id": "AI",
        },
        "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": "2027-02-10" }],
    });
    let there_and_back = json!({
        "search_params": {
            "trip_type": "RETURN",
            "cabin_class": "ECONOMY",
            "passengers": { "adults": 2, "children": 1, "infants": 0 },
        },
        "slices": [
            { "origin": "DEL", "destination": "BOM", "departure_date": "2027-02-10" },
            { "origin": "BOM", "destination": "DEL", "departure_date": "2027-02-17" },
        ],
    });
    vec![("one way", one_way), ("there and back", there_and_back)]
}

/// `POST /flights/fare-rules`.
pub fn fare_rules() -> Vec<Example> {
    let offers = json!({
        "search_id": "01941f29-7c00-7000-8000-000000000001",
        "offer_ids": ["of_5kq2"],
        "fare_keys": ["fk_5kq2"],
        "booking_keys": ["bk_01941f297c00"],
    });
    vec![("of offers, earlier answers and quotes", offers)]
}

/// `POST /flights/price`.
pub fn price() -> Vec<Example> {
    let offers = json!({ "offer_ids": ["of_5kq2"], "adults": 1, "children": 0, "infants": 0 });
    let selection = json!({ "flight_selection": { "offer_ids": ["of_5kq2", "of_8wz1"] } });
    vec![("an offer", offers), ("a selection", selection)]
}

/// `POST /flights/book`.
pub fn book() -> Vec<Example> {
    let adult = json!({
        "pax_index": 1,
        "type": "ADT",
        "title": "Mr",
        "first_name": "Ravi",
        "last_name": "Sharma",
        "gender": "M",
        "dob": "1990-05-17",
        "ancillaries": [{ "type": "SEAT", "code": "12A", "segment_id": "s1" }],
    });
    let infant = json!({
        "pax_index": 2,
        "type": "INF",
        "title": "Miss",
        "first_name": "Mira",
        "last_name": "Sharma",
        "gender": "F",
        "dob": "2026-03-02",
        "infant_ref": 1,
    });
    let priced = json!({
        "booking_keys": ["bk_01941f297c00"],
        "contact_email": "ravi@example.com",
        "contact_phone": "9812345678",
        "contact_country_code": "91",
        "passengers": [adult, infant],
        "agent_price": {
            "service_fee": 0,
            "gst_on_service_fee": 0,
            "platform_charge": 0,
            "agent_commission": 120.5,
            "agent_fare": 4810.5,
        },
        "hold": false,
        "allow_duplicate": false,
        "issue_ticket_password": "a word for tickets",
    });
    let at_once = json!({
        "offer_ids": ["of_5kq2"],
        "contact_email": "ravi@example.com",
        "contact_phone": "+919812345678",
        "passengers": [adult],
    });
    vec![("what was priced", priced), ("priced in the same call", at_once)]
}

/// `POST /flights/bookings/{ref}/issue-ticket`.
pub fn issue_ticket() -> Vec<Example> {
    let body =
        json!({ "amount": 4810.5, "agent_fare": 4810.5, "public_fare": 4931, "agent_commission": 120.5 });
    vec![("what it costs", body)]
}

/// `POST /flights/bookings/{ref}/ssr`.
pub fn add_services() -> Vec<Example> {
    let meal =
        json!({ "type": "MEAL", "code": "VGML", "pax_ref": 1, "segment_id": "s1", "name": "vegetarian" });
    vec![(
        "a meal",
        json!({ "ssr": [meal], "remarks": "asked for by telephone" }),
    )]
}

/// `POST /flights/bookings/{ref}/reschedule-avail`.
pub fn reschedule_avail() -> Vec<Example> {
    let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-02-12", "remarks": "two days later" });
    vec![("another day", body)]
}

/// `POST /flights/bookings/{ref}/reschedule-penalty`.
pub fn reschedule_penalty() -> Vec<Example> {
    vec![(
        "an itinerary",
        json!({ "fare_key": "fk_5kq2", "itinerary_id": "of_5kq2" }),
    )]
}

/// `POST /flights/bookings/{ref}/reschedule`.
pub fn reschedule() -> Vec<Example> {
    let said_again = json!({
        "fare_keys": ["fk_5kq2"],
        "passengers": [
            { "pax_index": 1, "type": "ADT", "title": "Mr", "first_name": "Ravi", "last_name": "Sharma", "gender": "M" },
            { "pax_index": 2 },
        ],
        "contact_email": "ravi@example.com",
        "contact_phone": "9812345678",
        "contact_country_code": "91",
        "pnr": "5KQ2ZX",
        "remarks": "two days later",
    });
    vec![
        ("an itinerary", json!({ "fare_keys": ["fk_5kq2"] })),
        ("with the people said again", said_again),
    ]
}

/// `POST /org/packages` and `PUT /org/packages/{id}`.
pub fn flight_package() -> Vec<Example> {
    let full = json!({
        "name": "Corporate",
        "description": "for companies with a contract",
        "markup_type": "percent",
        "markup_value": 2.5,
        "markup_apply_on": "fare",
        "priority": 10,
        "is_active": true,
    });
    vec![
        ("full", full),
        (
            "least",
            json!({ "name": "Plain", "markup_type": "flat", "markup_value": 150 }),
        ),
    ]
}

/// `POST /org/hotel-packages` and `PUT /org/hotel-packages/{id}`.
pub fn hotel_package() -> Vec<Example> {
    let banded = json!({
        "name": "Corporate",
        "description": "for companies with a contract",
        "markup_type": "percent",
        "markup_value": 2.5,
        "markup_apply_on": "total",
        "priority": 10,
        "is_active": true,
        "price_ranges": [
            { "min_amount": 0, "max_amount": 10000, "markup_type": "flat", "markup_value": 150 },
            { "min_amount": 10000, "markup_type": "percent", "markup_value": 3 },
        ],
    });
    vec![
        ("with price bands", banded),
        (
            "least",
            json!({ "name": "Plain", "markup_type": "flat", "markup_value": 150 }),
        ),
    ]
}

/// `POST` of an assignment.
pub fn assignment() -> Vec<Example> {
    vec![(
        "a package",
        json!({ "package_id": "01941f29-7c00-7000-8000-000000000001" }),
    )]
}

/// `POST /org/webhooks` and `PUT /org/webhooks/{id}`.
pub fn webhook() -> Vec<Example> {
    let url = "https://crm.sunrise.example/wayfare";
    let some = json!({
        "url": url,
        "description": "The CRM",
        "event_types": ["booking.confirmed", "booking.cancelled"],
        "is_active": true,
    });
    vec![("every event", json!({ "url": url })), ("some events", some)]
}
