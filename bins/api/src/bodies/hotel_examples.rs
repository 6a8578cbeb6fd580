//! Bodies of hotel requests for the document, which is made by reading them.

use serde_json::{Value, json};

use super::examples::Example;

/// `POST /hotels/search`.
pub fn search() -> Vec<Example> {
    let in_a_city = json!({
        "search_id": "trip-4711",
        "check_in": "2027-02-10",
        "check_out": "2027-02-12",
        "rooms": [{ "adults": 2, "children": 1, "children_ages": [7] }],
        "location": { "type": "city", "name": "Mumbai" },
        "currency": "INR",
        "language": "en",
        "guest_nationality": "IN",
        "filters": {
            "star_rating": [4, 5],
            "price_min": 2000,
            "price_max": 20000,
            "amenities": ["pool"],
            "property_type": ["hotel"],
            "refundable_only": true,
            "meal_plan": ["breakfast"],
            "payment_type": "prepaid",
        },
        "sort": { "field": "price", "order": "asc" },
        "pagination": { "page": 1, "per_page": 20 },
    });
    let around = json!({ "type": "coordinates", "latitude": 19.076, "longitude": 72.8777, "radius_km": 5 });
    let near = |location: Value| {
        json!({
            "check_in": "2027-02-10",
            "check_out": "2027-02-12",
            "rooms": [{ "adults": 2 }],
            "location": location,
            "filters": { "star_rating": [5] },
            "sort": { "field": "star_rating" },
        })
    };
    vec![
        ("in a city", in_a_city),
        (
            "in a city by its code",
            near(json!({ "type": "city", "code": "1275339", "name": "Mumbai" })),
        ),
        ("at an airport", near(json!({ "type": "airport", "code": "BOM" }))),
        ("around a point", near(around)),
        (
            "these hotels",
            near(json!({ "type": "hotel_id", "hotel_ids": ["liteapi:lp1897"] })),
        ),
    ]
}

/// `POST /hotels/details`.
pub fn details() -> Vec<Example> {
    vec![(
        "a hotel",
        json!({ "hotel_ids": ["liteapi:lp1897"], "language": "en" }),
    )]
}

/// `POST /hotels/price`.
pub fn price() -> Vec<Example> {
    let body = json!({
        "search_id": "trip-4711",
        "hotel_id": "liteapi:lp1897",
        "room_selections": [{ "room_id": "deluxe", "rate_id": "rt_9x", "quantity": 1 }],
    });
    vec![("a room", body)]
}

/// `POST /hotels/book`.
pub fn book() -> Vec<Example> {
    let guests = json!([
        { "type": "adult", "title": "Mr", "first_name": "Ravi", "last_name": "Sharma", "nationality": "IN" },
        { "type": "adult", "first_name": "Sita", "last_name": "Sharma" },
    ]);
    let body = json!({
        "price_id": "01941f29-7c00-7000-8000-000000000001",
        "hotel_id": "liteapi:lp1897",
        "check_in": "2027-02-10",
        "check_out": "2027-02-12",
        "rooms": [{ "room_id": "deluxe", "rate_id": "rt_9x", "guests": guests }],
        "contact": {
            "first_name": "Ravi",
            "last_name": "Sharma",
            "email": "ravi@example.com",
            "phone": "+919812345678",
        },
        "fare": { "agent_fare": 9600, "public_fare": 9900, "agent_commission": 300, "currency": "INR" },
    });
    vec![("a room for two", body)]
}

/// `POST /hotels/bookings/{ref}/cancel`.
pub fn cancel() -> Vec<Example> {
    vec![(
        "why",
        json!({ "reason": "the meeting was moved", "notify_guest": true }),
    )]
}
