//! Documents that bookings were stored with: under the names that they have there they are read, and written again.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use wayfare_domain::Product;
use wayfare_flights::{
    AddedServices, AncillaryChoice, FareRules, Itinerary, Offer, Offers, PricedOrder, Query, SoldServices,
    StoredItinerary, StoredOrder, SupplierOrder,
};

/// What is written of a document that was read as this.
fn rewritten<T: Serialize + DeserializeOwned>(document: &Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_str::<T>(&document.to_string())?)
}

type Rewrite = fn(&Value) -> serde_json::Result<Value>;

fn inr(amount: f64) -> Value {
    json!({"amount": serde_json::from_str::<Value>(&format!("{amount:.2}")).unwrap(), "currency": "INR"})
}

fn segment() -> Value {
    json!({
        "airline": "AI", "flight_number": "865", "origin": "DEL", "destination": "BOM",
        "departure": "2026-04-01T10:00:00", "arrival": "2026-04-01T12:10:00", "duration_minutes": 130,
        "departure_terminal": "3", "arrival_terminal": null, "stops": ["JAI"], "aircraft": "32N", "cabin": "PREMIUM_ECONOMY",
        "operating_carrier": null, "seats_available": 4, "booking_class": "W", "fare_basis": "WFLEX",
        "baggage": {"check_in": "15 kg", "cabin": null},
    })
}

fn journey() -> Value {
    json!({"segments": [segment()], "duration_minutes": 130})
}

fn fare() -> Value {
    json!({
        "fare_class": "W", "fare_family": null, "fare_name": "SPECIAL_RETURN", "fare_type": "published", "seats_left": 4,
        "baggage": {"check_in": "15 kg", "cabin": "7 kg"},
        "refund": {
            "refundable": true, "cancel_fee": inr(3500.0), "changeable": null, "change_fee": null, "no_show_fee": null,
        },
    })
}

fn shares() -> Value {
    json!([
        {"kind": "ADT", "count": 2, "base": inr(3500.0), "taxes": inr(500.5),
         "tax_parts": [{"code": "YQ", "amount": inr(500.5)}]},
        {"kind": "INF", "count": 1, "base": inr(400.0), "taxes": inr(100.1)},
    ])
}

fn offer() -> Value {
    json!({
        "token": "p1", "kind": "one_way", "route_index": 1, "combination": {"group": "a", "with": ["b"]},
        "legs": [journey()], "owner": "AI",
        "charge": {"base": inr(7400.0), "taxes": inr(1101.1), "total": inr(8501.1), "commission": inr(251.25)},
        "shares": shares(), "fare": fare(), "expires_at": "2026-03-01T12:30:00Z", "instant": true, "holdable": false,
    })
}

fn seat() -> Value {
    json!({"kind": "SEAT", "code": "12A", "name": "Seat 12A", "price": inr(999.0), "segments": [0], "most": 1})
}

fn choice() -> Value {
    json!({"traveller": 1, "ancillary": seat(), "quantity": 1, "words": {"list": "ssrSeatInfos", "key": "100"}})
}

fn traveller() -> Value {
    json!({
        "index": 1, "kind": "ADT", "title": "Mrs", "first_name": "Anna", "last_name": "Rao", "gender": "F",
        "born_on": "1990-01-02", "held_by": null,
    })
}

fn contact() -> Value {
    json!({"email": "a@b.example", "country_code": "91", "phone": "9812345678"})
}

#[test]
fn what_was_stored_is_read_under_its_old_names_and_written_again() {
    let order = json!({
        "id": "TJS1", "status": "confirmed", "pnr": "GDSPNR", "airline_pnr": "AIRONE",
        "locators": [{"route": "DEL-BOM", "pnr": "AIRONE"}],
        "tickets": [{"number": "T1", "traveller": 1, "status": "ISSUED"}], "total": inr(8501.1),
        "payment_required_by": null, "price_guaranteed_until": null, "created_at": "2026-03-01T12:00:05Z",
        "airline_changes": [{
            "id": "aic_1", "removed": [segment()], "added": [], "action_taken": "cancelled",
            "available_actions": ["accept"], "told_at": "2026-03-01T12:20:00Z",
        }],
        "raw": {"order": {"status": "SUCCESS"}},
    });
    let request = json!({
        "reference": "FA-7K2M9Q4X-1", "offer_token": "p1", "memory": {"booking_id": "TJS1"}, "mode": "hold",
        "total": inr(8501.1), "travellers": [traveller()], "contact": contact(), "extras": [choice()],
    });
    let itinerary = json!({
        "orders": [{"supplier": "tripjack", "legs": [journey()], "fare": fare(), "shares": shares(), "travellers": [1]}],
        "travellers": [traveller()], "contact": contact(),
    });
    let priced = json!({
        "offers": [offer()], "memory": {"booking_id": "TJS1"}, "expires_at": null, "ancillaries": [seat()],
        "shelf": {"segments": ["100"]},
    });
    let found = json!({
        "offers": [offer()], "airlines": {"AI": {"name": "Air India", "logo_url": null}}, "unusable": ["p2: sI is empty"],
    });
    let query = json!({
        "trip_type": "ONE_WAY", "party": {"adults": 1, "children": 0, "infants": 1}, "cabin": "FIRST",
        "slices": [{"origin": "DEL", "destination": "BOM", "date": "2026-04-01"}], "direct_only": true, "airline": null,
    });
    let rules = json!({"fees": [{
        "kind": "no_show", "route": "DEL-BOM", "passenger": "CHD", "allowed": false, "amount": null,
        "supplier_fee": inr(50.0), "from_hours": 72, "until_hours": null, "after_departure": true, "text": "None",
    }], "text": "Fares move."});
    let sold = json!({"ancillaries": [seat()], "shelf": {"segments": ["seg_1"]}, "memory": {"services": []}});
    let added = json!({"extras": [choice()], "memory": {"services": []}, "total": inr(999.0)});
    let people = json!({"travellers": [traveller()], "contact": contact()});
    let read: Itinerary = serde_json::from_str(&itinerary.to_string()).unwrap();
    let parts = read.clone().parts();
    assert_eq!(serde_json::to_value(&parts.people).unwrap(), people);
    assert_eq!(Itinerary::of_parts(parts.clone()), read);
    let sealed = json!({"index": 1, "kind": "ADT", "held_by": null});
    let mut without_people = itinerary.clone();
    without_people["travellers"] = json!([sealed]);
    without_people.as_object_mut().unwrap().remove("contact");
    assert_eq!(serde_json::to_value(&parts.stored).unwrap(), without_people);
    let mut stored = request.clone();
    stored["travellers"] = json!([1]);
    stored.as_object_mut().unwrap().remove("contact");
    assert_eq!(rewritten::<StoredOrder>(&request).unwrap(), stored);
    let composed: StoredOrder = serde_json::from_value(request).unwrap();
    let composed = composed.with(&parts.people.unwrap(), &parts.papers).unwrap();
    assert_eq!(serde_json::to_value(&composed.travellers).unwrap(), people["travellers"]);
    // What the supplier said is stored beside it.
    let mut without_answer = order.clone();
    without_answer.as_object_mut().unwrap().remove("raw");
    assert_eq!(rewritten::<SupplierOrder>(&order).unwrap(), without_answer);
    // What is kept beside its text is what the text says.
    let mut kept: SupplierOrder = serde_json::from_str(&order.to_string()).unwrap();
    kept.flights.push(serde_json::from_str(&segment().to_string()).unwrap());
    Itinerary::take_raw(&mut kept);
    assert_eq!(serde_json::from_str::<SupplierOrder>(&without_answer.to_string()).unwrap(), kept);
    let rows: [(&str, Rewrite, Value); 11] = [
        ("PricedOrder", rewritten::<PricedOrder>, priced),
        ("StoredOrder", rewritten::<StoredOrder>, stored),
        ("SupplierOrder", rewritten::<SupplierOrder>, without_answer),
        ("StoredItinerary", rewritten::<StoredItinerary>, without_people),
        ("AncillaryChoice", rewritten::<AncillaryChoice>, choice()),
        ("SoldServices", rewritten::<SoldServices>, sold),
        ("AddedServices", rewritten::<AddedServices>, added),
        ("Offer", rewritten::<Offer>, offer()),
        ("Offers", rewritten::<Offers>, found),
        ("Query", rewritten::<Query>, query),
        ("FareRules", rewritten::<FareRules>, rules),
    ];
    for (name, rewrite, document) in rows {
        assert_eq!(rewrite(&document).unwrap(), document, "{name}");
    }
}

#[test]
fn what_older_rows_lack_is_none() {
    let mut offer = offer();
    offer.as_object_mut().unwrap().remove("owner");
    assert_eq!(rewritten::<Offer>(&offer).unwrap()["owner"], Value::Null);
}
