//! A client that knows no field of docs/API.md's table of what goes beyond: it sends and reads only the others, and finds each
//! with the type that it expects, whatever else stands beside it. So it comes from a search to a cancellation, for flights
//! and stays.

use serde_json::{Map, Value, json};
use wayfare_tests::{Person, Reply, Seller, World, WorldOptions};

/// Of an answer what such a client knows of it, and nothing else.
///
/// A shape names the fields of an object with their types; `*` stands for every key of a map. A type that ends with `?` may
/// be null, a name that ends with `?` may be missing.
fn read(answer: &Value, shape: &Value, at: &str) -> Value {
    match shape {
        Value::String(kind) => {
            let is_kind = match kind.trim_end_matches('?') {
                "text" => answer.is_string(),
                "number" => answer.is_number(),
                "whole" => answer.is_i64(),
                "flag" => answer.is_boolean(),
                "list" => answer.is_array(),
                "object" => answer.is_object(),
                other => panic!("{other} is no type"),
            };
            assert!(is_kind || (kind.ends_with('?') && answer.is_null()), "{at} must be {kind}: {answer}");
            answer.clone()
        }
        Value::Array(items) => {
            let Some(found) = answer.as_array() else {
                panic!("{at} must be a list: {answer}");
            };
            found.iter().map(|item| read(item, &items[0], at)).collect()
        }
        Value::Object(fields) => {
            let Some(found) = answer.as_object() else {
                panic!("{at} must be an object: {answer}");
            };
            let mut known = Map::new();
            if let Some(each) = fields.get("*") {
                for (key, value) in found {
                    known.insert(key.clone(), read(value, each, &format!("{at}.{key}")));
                }
                return Value::Object(known);
            }
            for (name, kind) in fields {
                let field = name.trim_end_matches('?');
                match found.get(field) {
                    Some(value) => {
                        known.insert(field.to_owned(), read(value, kind, &format!("{at}.{field}")));
                    }
                    None => assert!(name.ends_with('?'), "{at}.{field} is missing: {answer}"),
                }
            }
            Value::Object(known)
        }
        other => panic!("{other} is no shape"),
    }
}

/// The data of a success, as such a client knows it.
#[track_caller]
fn data(reply: &Reply, status: u16, shape: &Value) -> Value {
    assert_eq!(reply.status, status, "{}", reply.text);
    let envelope = read(&reply.json(), &json!({ "success": "flag", "message?": "text" }), "answer");
    assert_eq!(envelope["success"], true);
    read(&reply.json()["data"], shape, "data")
}

#[track_caller]
fn listed(reply: &Reply, item: &Value) -> Value {
    let pages = json!({ "page": "whole", "per_page": "whole", "total": "whole", "total_pages": "whole" });
    read(&reply.json()["meta"], &pages, "meta");
    data(reply, 200, &json!([item]))
}

fn found_flights() -> Value {
    json!({
        "search_id": "text",
        "search_meta": {
            "currency": "text", "created_at": "text", "expires_at": "text", "total_results": "whole",
            "duration_ms": "whole",
            "provider_status": { "*": { "status": "text", "duration_ms": "whole", "results": "whole" } },
        },
        "dictionaries": {
            "airlines": { "*": { "name": "text", "logo_url": "text?" } },
            "airports": { "*": {
                "name": "text", "city": "text", "country": "text", "iso_country": "text", "timezone": "text",
                "utc_offset": "text",
            } },
            "baggage": { "*": {
                "check_in": "text?", "cabin": "text?", "fare_family": "text?", "desc": "text?",
            } },
            "refund_policies": { "*": {
                "is_refundable": "flag?", "cancel_fee": "number?", "change_fee": "number?", "no_show_fee": "number?",
            } },
        },
        "segments": [{
            "segment_id": "text", "airline": "text", "flight_number": "text", "origin": "text",
            "destination": "text", "departure": "text", "arrival": "text", "duration_minutes": "whole",
            "aircraft_type": "text?", "cabin": "text", "operating_carrier": "text?", "seats_available": "whole?",
        }],
        "legs": [{
            "leg_id": "text", "route_index": "whole", "origin": "text", "destination": "text",
            "departure": "text", "arrival": "text", "duration_minutes": "whole", "stops": "whole",
            "stops_detail": "list", "segments": ["text"], "operating_carrier": "text?",
        }],
        "offers": [{
            "offer_id": "text", "type": "text", "route_index": "whole", "combination_group_id": "text?",
            "combinable_with": "list", "legs": ["text"], "supplier": "text",
            "price": {
                "total": "number", "public_fare": "number", "currency": "text",
                "agent_price": {
                    "service_fee": "number", "gst_on_service_fee": "number", "platform_charge": "number",
                    "agent_fare": "number", "agent_commission?": "number",
                },
                "breakdown": [{
                    "passenger_type": "text", "count": "whole", "unit_base": "number", "unit_tax": "number",
                    "subtotal": "number",
                }],
            },
            "fare_details": {
                "fare_class": "text?", "fare_family": "text?", "fare_name": "text?", "seats_left": "whole?",
                "baggage_ref": "text?", "refund_ref": "text?",
            },
            "supplier_ref": { "offer_token": "text", "integrity_hash": "text", "expires_at": "text" },
        }],
        "debug": { "provider_errors": "object" },
    })
}

fn flight_price() -> Value {
    let agent = json!({
        "agent_fare": "number", "service_fee": "number", "gst_on_service_fee": "number",
        "platform_charge": "number", "agent_commission?": "number",
    });
    json!({
        "booking_keys": ["text"], "status": "text", "currency": "text", "expires_at": "text",
        "price_summary": {
            "total_payable": "number", "public_fare": "number", "currency": "text", "exchange_rate": "number",
            "base_fare_total": "number", "tax_total": "number", "agent_details": agent,
        },
        "passenger_breakdown": [{
            "pax_type": "text", "count": "whole", "base_per_pax": "number", "tax_per_pax": "number",
            "total_per_pax": "number",
            "tax_breakdown": [{ "code": "text", "amount": "number", "description": "text" }],
        }],
        "itinerary_snapshot": { "segments": [{
            "segment_id": "text", "airline": "text", "operating_carrier": "text?", "flight_number": "text",
            "origin": "text", "destination": "text", "dep_terminal": "text?", "arr_terminal": "text?",
            "departure": "text", "arrival": "text", "cabin_class": "text", "rbd": "text?",
            "fare_basis": "text?", "fare_type": "text?", "baggage": "text?", "cabin_baggage": "text?",
            "refundable": "flag?", "avail_seats": "whole?", "duration_minutes": "whole",
        }] },
        "fare_rules": {
            "is_refundable": "flag?", "cancellation_fee": "number?", "change_fee": "number?", "rule_text": "text",
        },
        "ancillaries": [{
            "type": "text", "code": "text", "name": "text", "price": "number", "segment_id": "text",
        }],
    })
}

fn flight_booked() -> Value {
    json!({
        "booking_ref": "text", "provider": "text", "status": "text", "total_amount": "number",
        "currency": "text",
        "legs": [{
            "booking_track_id": "text", "provider_pnr": "text", "airline_pnr": "text", "ticket_number": "text",
            "origin": "text", "destination": "text", "gross_amount": "number", "currency": "text",
            "issued_date": "text",
        }],
    })
}

fn flight_detail() -> Value {
    json!({
        "booking_id": "text", "booking_ref": "text", "provider": "text", "provider_ref": "text",
        "status": "text", "created_at": "text", "currency": "text",
        "pnr_details": [{
            "pnr": "text", "airline_pnr": "text", "airline": "text", "supplier": "text", "supplier_ref": "text",
            "status": "text", "segment_refs": ["text"], "ancillaries": "list",
        }],
        "passengers": [{
            "pax_id": "text", "type": "text", "title": "text", "first_name": "text", "last_name": "text",
            "dob": "text", "gender": "text", "seat_onward": "text", "seat_return": "text",
        }],
        "itinerary": {
            "legs": [{
                "leg_index": "whole", "origin": "text", "destination": "text", "segment_refs": ["text"],
            }],
            "segments": [{
                "segment_id": "text", "airline": "text", "flight_number": "text", "origin": "text",
                "destination": "text", "departure": "text", "arrival": "text", "duration_minutes": "whole",
                "cabin": "text", "rbd": "text?", "baggage": "text?", "cabin_baggage": "text?",
                "operating_carrier": "text?", "status": "text",
            }],
        },
        "pricing": {
            "currency": "text", "total_payable": "number", "supplier_currency": "text",
            "supplier_total": "number", "exchange_rate": "number", "public_fare": "number",
            "agent_fare": "number", "ancillary": "number", "agent_details?": "object",
            "pax_breakdown": [{
                "pax_id": "text", "type": "text", "base": "number", "tax": "number", "total": "number",
            }],
        },
        "tickets": [{
            "tkt_number": "text", "pax_id": "text", "pnr_ref": "text", "status": "text",
            "segment_refs": ["text"],
        }],
        "baggage_allowance": "list",
        "contact_details": { "country_code": "text", "phone": "text", "email": "text" },
        "can_issue_ticket": "flag",
    })
}

fn flight_listed() -> Value {
    json!({
        "id": "text", "booking_ref": "text", "pnr": "text", "provider": "text", "origin": "text",
        "destination": "text", "passenger_count": "whole", "base_fare": "number", "public_fare": "number",
        "currency": "text", "status": "text", "booked_at": "text?",
        "passengers": [{ "title": "text", "first_name": "text", "last_name": "text", "type": "text" }],
    })
}

fn retrieved() -> Value {
    json!({
        "local": { "booking_ref": "text", "pnr": "text", "status": "text", "provider": "text" },
        "provider": {
            "booking_ref": "text", "pnr": "text", "status": "text", "provider_booking_id": "text",
            "ticket_status": "text",
        },
    })
}

fn refund_state() -> Value {
    json!({
        "booking_ref": "text", "status": "text", "provider": "text", "cancellation_charge": "number",
        "provider_refund_amount": "number", "platform_charges": "number", "refund_to_wallet": "number",
        "currency": "text", "refund_id": "text", "credit_note_no": "text", "refunded_at": "text?",
        "message": "text",
    })
}

fn refund_row() -> Value {
    json!({
        "booking_ref": "text", "pnr": "text", "booking_status": "text", "refund_status": "text",
        "provider_refund_id": "text?", "cancellation_charge": "number", "provider_refund_amount": "number",
        "platform_charges": "number", "refund_to_wallet": "number", "currency": "text", "agent_name": "text",
        "cancelled_at": "text?", "refunded_at": "text?",
    })
}

/// Somebody who has logged in through such a client.
async fn client(world: &World) -> Person {
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "9000000").await;
    let login =
        json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": wayfare_tests::PASSWORD });
    let shape = json!({
        "user": {
            "id": "text", "username": "text", "email": "text", "name": "text", "role": "text", "status": "text",
            "org_id": "text", "sub_agent_id": "text",
        },
        "tokens": { "access_token": "text", "refresh_token": "text", "expires_in_seconds": "whole" },
        "agent_id": "text",
    });
    let session = data(&agent.with_token(None).post("/auth/login", &login).await, 200, &shape);
    agent.with_token(session["tokens"]["access_token"].as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_from_search_to_cancellation() {
    for seller in [Seller::duffel(), Seller::tripjack()] {
        let world = World::with(WorldOptions::of([seller])).await;
        let client = client(&world).await;
        gives_the_flight_back(&client, &buys_a_flight(&client).await).await;
        world.books_agree().await;
    }
}

/// Searches, prices, books, and has the tickets issued; the reference.
async fn buys_a_flight(client: &Person) -> String {
    let day = client.today() + chrono::Duration::days(40);
    let search = json!({
        "search_params": {
            "trip_type": "ONE_WAY", "passengers": { "adults": 1, "children": 1, "infants": 0 },
            "cabin_class": "ECONOMY", "preferred_currency": "INR", "direct_flights_only": false,
            "max_results": 5000, "airline_id": "",
        },
        "slices": [{ "origin": "del", "destination": "BOM", "departure_date": day }],
    });
    let found = data(&client.post("/flights/search", &search).await, 200, &found_flights());
    let mut offers = found["offers"].as_array().unwrap().iter();
    let offer = &offers.rfind(|offer| offer["type"] != "combinable").unwrap()["offer_id"];
    let rules = json!({ "search_id": found["search_id"], "offer_ids": [offer] });
    let shape = json!({
        "fare_key": "text", "cancellation": "text", "date_change": "text", "baggage_policy": "text",
        "raw_text": "text",
    });
    data(&client.post("/flights/fare-rules", &rules).await, 200, &shape);
    let price = json!({
        "flight_selection": { "offer_ids": [offer] }, "adults": 1, "children": 1, "infants": 0,
    });
    let priced = data(&client.post("/flights/price", &price).await, 200, &flight_price());
    assert_eq!(priced["status"], "PRICE_VERIFIED");

    let passenger = |index: u32, kind: &str, title: &str, name: &str, born: &str| {
        json!({
            "pax_index": index, "type": kind, "title": title, "first_name": name, "last_name": "Sharma",
            "gender": "M", "dob": born, "ancillaries": [],
        })
    };
    let child_born = (client.today() - chrono::Duration::days(8 * 365)).to_string();
    let agent = &priced["price_summary"]["agent_details"];
    let order = json!({
        "booking_keys": priced["booking_keys"], "contact_email": "ravi@example.com",
        "contact_phone": "9812345678", "contact_country_code": "91",
        "passengers": [
            passenger(1, "ADT", "Mr", "Ravi", "1990-05-17"),
            passenger(2, "CHD", "Mr", "Kiran", &child_born),
        ],
        "agent_price": agent,
    });
    let booked = data(&client.post("/flights/book", &order).await, 200, &flight_booked());
    assert_eq!(booked["status"], "CONFIRMED");
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    let pay = json!({
        "amount": booked["total_amount"], "public_fare": priced["price_summary"]["public_fare"],
        "agent_fare": agent["agent_fare"], "agent_commission": 0,
    });
    let path = format!("/flights/bookings/{reference}/issue-ticket");
    let shape = json!({ "ticket_numbers": ["text"], "status": "text" });
    assert_eq!(data(&client.post(&path, &pay).await, 200, &shape)["status"], "ISSUED");
    reference
}

async fn gives_the_flight_back(client: &Person, reference: &str) {
    let path = |what: &str| format!("/flights/bookings/{reference}{what}");
    let rows = listed(&client.get("/flights/bookings?status=confirmed").await, &flight_listed());
    assert_eq!(rows[0]["booking_ref"], *reference);
    let detail = data(&client.get(&path("")).await, 200, &flight_detail());
    assert_eq!(detail["passengers"].as_array().unwrap().len(), 2);
    let seen = data(&client.get(&path("/retrieve")).await, 200, &retrieved());
    assert_has!(seen, { "provider/booking_ref": reference, "local/pnr": seen["provider"]["pnr"] });
    data(&client.get(&path("/track")).await, 200, &json!("object"));
    let penalty = json!({
        "booking_ref": "text", "pnr": "text", "penalty": "number", "refund_amount": "number", "currency": "text",
    });
    let penalty = data(&client.post(&path("/penalty"), &json!({})).await, 200, &penalty);
    let cancelled = client.post(&path("/cancel"), &json!({})).await;
    assert_eq!(cancelled.json()["message"], "booking cancelled", "{}", cancelled.text);
    let state = data(&client.post(&path("/refund-status"), &json!({})).await, 200, &refund_state());
    assert_eq!(
        (&state["status"], &state["refund_to_wallet"]),
        (&json!("refunded"), &penalty["refund_amount"])
    );
    let rows = listed(&client.get("/flights/refunds").await, &refund_row());
    assert_eq!(rows[0]["refund_to_wallet"], state["refund_to_wallet"]);
}

fn found_stays() -> Value {
    json!({
        "search_id": "text", "status": "text", "currency": "text", "total_results": "whole", "page": "whole",
        "per_page": "whole", "duration_ms": "whole",
        "provider_status": { "*": { "status": "text", "results_count": "whole", "duration_ms": "whole" } },
        "hotels": [{
            "hotel_id": "text", "provider": "text", "provider_hotel_id": "text", "name": "text",
            "star_rating": "number?", "property_type": "text?",
            "address": { "line1": "text?", "city": "text?", "country": "text?" },
            "images": [{ "url": "text", "type": "text?" }],
            "rooms": [{
                "room_id": "text", "provider_room_id": "text", "name": "text", "bed_type": "text?",
                "max_occupancy": "whole?",
                "availability": { "status": "text", "rooms_left": "whole?" },
                "pricing": {
                    "rate_id": "text", "rate_name": "text?", "currency": "text", "total_after_tax": "number",
                    "meal_plan": "text", "refundable": "flag?", "pay_at_hotel_fees": "number",
                    "pay_at_hotel_fees_currency": "text?",
                },
            }],
        }],
    })
}

fn stay_price() -> Value {
    json!({
        "price_id": "text", "hotel_id": "text", "status": "text", "expires_at": "text", "currency": "text",
        "pricing_breakdown": {
            "room_charges": { "nights": "whole", "rate_per_night": "number", "subtotal": "number" },
            "taxes": { "total_taxes": "number" },
            "fees": { "service_charge": "number", "resort_fee": "number", "total_fees": "number" },
            "discounts": { "loyalty_discount": "number", "total_discounts": "number" },
            "total_before_discount": "number", "total_discount": "number", "total_after_discount": "number",
            "grand_total": "number",
        },
    })
}

fn stay_booked() -> Value {
    json!({
        "booking_id": "text", "status": "text", "confirmation_number": "text", "provider_confirmation": "text",
        "created_at": "text", "hotel": { "name": "text" },
        "reservation": {
            "check_in": "text", "check_out": "text", "nights": "whole",
            "rooms": [{ "room_type": "text", "guests": "list" }],
        },
        "pricing": {
            "currency": "text", "room_charges": "number", "taxes": "number", "fees": "number",
            "discounts": "number", "total_paid": "number", "payment_status": "text",
        },
    })
}

fn stay_detail() -> Value {
    json!({
        "id": "text", "booking_ref": "text", "provider": "text", "provider_booking_id": "text",
        "provider_confirmation": "text", "hotel_id": "text", "hotel_name": "text", "check_in": "text",
        "check_out": "text", "nights": "whole", "room_count": "whole", "currency": "text",
        "total_amount": "number", "net_amount": "number", "public_fare": "number", "status": "text",
        "payment_status": "text", "booked_at": "text?", "contact_email": "text", "contact_phone": "text",
        "guests": [{
            "id": "text", "title": "text?", "first_name": "text", "last_name": "text", "type": "text",
            "nationality": "text?",
        }],
    })
}

fn voucher() -> Value {
    json!({
        "confirmation_number": "text", "status": "text", "hotel_name": "text", "hotel_address": "text",
        "check_in": "text", "check_out": "text", "currency": "text", "total_price": "text", "provider": "text",
    })
}

fn stay_cancelled() -> Value {
    json!({
        "booking_id": "text", "status": "text", "cancelled_at": "text?",
        "cancellation_fee": { "amount": "number", "currency": "text", "reason": "text" },
        "refund": {
            "amount": "number", "currency": "text", "method": "text", "estimated_processing_days": "whole",
        },
        "message": "text",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_from_search_to_cancellation() {
    let world = World::with(WorldOptions::hotels()).await;
    let client = client(&world).await;
    for supplier in ["liteapi", "hotelbeds"] {
        gives_the_stay_back(&client, &buys_a_stay(&client, supplier).await).await;
    }
    world.books_agree().await;
}

/// Searches, prices and books a room for two adults and a child; the reference.
async fn buys_a_stay(client: &Person, supplier: &str) -> String {
    let cities = json!([{ "code": "text", "name": "text", "country_code": "text" }]);
    let cities = data(&client.get("/hotels/cities?q=mumbai&limit=1").await, 200, &cities);
    let check_in = client.today() + chrono::Duration::days(30);
    let check_out = check_in + chrono::Duration::days(2);
    let search = json!({
        "check_in": check_in, "check_out": check_out,
        "rooms": [{ "adults": 2, "children": 1, "children_ages": [7] }],
        "location": { "type": "city", "code": cities[0]["code"], "name": cities[0]["name"] },
        "currency": "INR", "language": "en", "guest_nationality": "IN",
        "filters": { "star_rating": [], "amenities": "", "property_type": [], "refundable_only": false, "meal_plan": [] },
        "sort": { "field": "price", "order": "asc" },
        "pagination": { "page": 1, "per_page": 100 },
    });
    let found = data(&client.post("/hotels/search", &search).await, 200, &found_stays());
    let mut hotels = found["hotels"].as_array().unwrap().iter();
    let hotel = hotels.find(|hotel| hotel["provider"] == supplier).unwrap();
    let shape = json!([{
        "provider": "text",
        "hotels": [{
            "hotel_id": "text", "provider_hotel_id": "text", "name": "text", "star_rating": "number?",
            "property_type": "text?", "description": "text?",
            "address": { "line1": "text?", "city": "text?", "country": "text?" },
            "contact": { "phone": "text?", "email": "text?" },
            "images": "list", "amenities": "list", "room_amenities": "list", "has_free_breakfast": "flag?",
        }],
    }]);
    data(&client.post("/hotels/details", &json!({ "hotel_ids": [hotel["hotel_id"]] })).await, 200, &shape);
    let room = &hotel["rooms"][0];
    let (room_id, rate_id) = (&room["room_id"], &room["pricing"]["rate_id"]);
    let price = json!({
        "search_id": found["search_id"], "hotel_id": hotel["hotel_id"],
        "room_selections": [{ "room_id": room_id, "rate_id": rate_id, "quantity": 1 }],
    });
    let priced = data(&client.post("/hotels/price", &price).await, 200, &stay_price());

    let guest = |kind: &str, title: &str, name: &str| json!({ "type": kind, "title": title, "first_name": name, "last_name": "Sharma", "nationality": "IN" });
    let order = json!({
        "price_id": priced["price_id"], "hotel_id": hotel["hotel_id"],
        "check_in": check_in, "check_out": check_out,
        "rooms": [{
            "room_id": room_id, "rate_id": rate_id,
            "guests": [guest("adult", "Mr", "Ravi"), guest("adult", "Mrs", "Sita"), guest("child", "Miss", "Tara")],
        }],
        "contact": {
            "first_name": "Ravi", "last_name": "Sharma", "email": "ravi@example.com", "phone": "+919812345678",
        },
        "fare": {
            "public_fare": room["pricing"]["total_after_tax"],
            "agent_fare": priced["pricing_breakdown"]["grand_total"], "agent_commission": 0, "currency": "INR",
        },
    });
    let booked = data(&client.post("/hotels/book", &order).await, 201, &stay_booked());
    assert_eq!(booked["status"], "CONFIRMED");
    booked["booking_id"].as_str().unwrap().to_owned()
}

async fn gives_the_stay_back(client: &Person, reference: &str) {
    let path = |what: &str| format!("/hotels/bookings/{reference}{what}");
    let mut listed_item = stay_detail();
    listed_item["created_at"] = json!("text");
    assert_eq!(listed(&client.get("/hotels/bookings").await, &listed_item)[0]["booking_ref"], *reference);
    let detail = data(&client.get(&path("")).await, 200, &stay_detail());
    assert_eq!(detail["guests"].as_array().unwrap().len(), 3);
    let shown = data(&client.get(&path("/voucher")).await, 200, &voucher());
    assert_eq!(shown["confirmation_number"], detail["provider_confirmation"]);
    let body = json!({ "reason": "plans changed", "notify_guest": true });
    let cancelled = data(&client.post(&path("/cancel"), &body).await, 200, &stay_cancelled());
    assert_eq!((&cancelled["booking_id"], &cancelled["status"]), (&json!(reference), &json!("cancelled")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_reads_of_their_own() {
    let world = World::with(WorldOptions::default()).await;
    let client = client(&world).await;
    let reference = buys_a_flight(&client).await;
    let stats = json!({
        "total_bookings": "whole", "confirmed_bookings": "whole", "cancelled_bookings": "whole",
        "total_spent": "number", "total_commissions": "number", "wallet_balance": "number",
    });
    data(&client.get("/me/stats").await, 200, &stats);
    let wallet = json!({
        "id": "text", "owner_id": "text", "owner_type": "text", "balance": "number", "currency": "text",
        "credit_limit": "number", "is_active": "flag",
    });
    data(&client.get("/wallet").await, 200, &wallet);
    let ledger = json!({
        "period": "text",
        "summary": {
            "total_public_fare": "number", "total_agent_fare": "number", "total_agent_commission": "number",
            "transaction_count": "whole",
        },
        "transactions": [{
            "id": "text", "booking_ref": "text", "pnr": "text", "agent_id": "text", "agent_name": "text",
            "public_fare": "number", "agent_fare": "number", "agent_commission": "number", "currency": "text",
            "issued_at": "text",
        }],
        "total": "whole", "page": "whole", "per_page": "whole",
    });
    let ledger = data(&client.get("/me/fare-transactions").await, 200, &ledger);
    assert_eq!(ledger["transactions"][0]["booking_ref"], json!(reference));
    data(&client.get("/notifications/unread-count").await, 200, &json!({ "unread": "whole" }));
}
