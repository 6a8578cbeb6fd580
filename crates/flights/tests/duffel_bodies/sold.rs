//! What Duffel sells beside the fare, in its words, of our own writing.

use serde_json::{Value, json};

use super::{flight, offer, order};

pub fn service(id: &str, passengers: &[&str], segments: &[&str], price: &str, changes: &Value) -> Value {
    let mut service = json!({
        "id": id, "type": "baggage", "total_amount": price, "total_currency": "GBP", "maximum_quantity": 2,
        "passenger_ids": passengers, "segment_ids": segments,
        "metadata": {
            "type": "checked", "maximum_weight_kg": 23, "maximum_length_cm": null, "maximum_height_cm": null,
            "maximum_depth_cm": null,
        },
    });
    for (field, value) in changes.as_object().into_iter().flatten() {
        service[field] = value.clone();
    }
    service
}

pub fn seat(designator: &str, services: &[(&str, &str, &str)]) -> Value {
    json!({
        "type": "seat", "designator": designator, "name": "", "disclosures": [],
        "available_services": services.iter().map(|(id, passenger, price)| json!({
            "id": id, "passenger_id": passenger, "total_amount": price, "total_currency": "GBP",
        })).collect::<Vec<_>>(),
    })
}

pub fn seat_map(segment: &str, elements: &[Value]) -> Value {
    json!({
        "segment_id": segment,
        "cabins": [{"rows": [{"sections": [{"elements": [{"type": "exit_row"}]}, {"elements": elements}]}]}],
    })
}

/// There and back, with a change on the way back, and these services.
pub fn journey(services: &[Value]) -> Value {
    let named = |id: &str, from: &str, to: &str| {
        let mut flight = flight(from, to);
        flight["id"] = json!(id);
        flight
    };
    let mut offer = offer("off_1", &[named("seg_1", "LHR", "EDI"), named("seg_2", "EDI", "MAN")]);
    let last = named("seg_3", "MAN", "LHR");
    offer["slices"][1]["segments"].as_array_mut().unwrap().push(last);
    offer["available_services"] = json!(services);
    offer
}

/// The order of that journey with these services, as it costs with them.
pub fn order_with(services: &[Value], total: &str) -> Value {
    let mut order = order();
    order["slices"] = journey(&[])["slices"].take();
    order["services"] = json!(services);
    order["total_amount"] = json!(total);
    order
}

/// The same while it is held.
pub fn held_with(services: &[Value], total: &str) -> Value {
    let mut order = order_with(services, total);
    order["documents"] = json!([]);
    order["payment_status"] = json!({
        "awaiting_payment": true, "payment_required_by": "2026-03-03T12:00:00Z",
        "price_guarantee_expires_at": null, "paid_at": null,
    });
    order
}

/// A bag of 23 kg that is on the order.
pub fn bag_on(id: &str, passenger: &str, segment: &str, quantity: u32) -> Value {
    json!({
        "id": id, "type": "baggage", "quantity": quantity, "total_amount": "20.00", "total_currency": "GBP",
        "passenger_ids": [passenger], "segment_ids": [segment],
        "metadata": {
            "type": "checked", "maximum_weight_kg": 23, "maximum_length_cm": null, "maximum_height_cm": null,
            "maximum_depth_cm": null,
        },
    })
}
