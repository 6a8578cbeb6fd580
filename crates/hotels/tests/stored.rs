//! Documents that bookings were stored with: under the names that they have there they are read, and written again.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use wayfare_domain::{Product, ProductParts};
use wayfare_hotels::{
    CancellationPolicy, HotelDetails, HotelResults, PricedStay, Query, RoomRate, Stay, StoredStay,
    StoredStayRequest, SupplierStay,
};

/// What is written of a document that was read as this.
fn rewritten<T: Serialize + DeserializeOwned>(document: &Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_str::<T>(&document.to_string())?)
}

type Rewrite = fn(&Value) -> serde_json::Result<Value>;

fn euros(amount: f64) -> Value {
    json!({"amount": serde_json::from_str::<Value>(&format!("{amount:.2}")).unwrap(), "currency": "EUR"})
}

fn policy() -> Value {
    json!({
        "refundable": true, "remarks": ["No pets."],
        "deadlines": [{"from": "2026-04-29T21:59:00Z", "text": "2026-04-29T23:59:00+02:00", "fee": euros(300.1)}],
    })
}

fn parts() -> Value {
    json!({
        "rooms": euros(273.1), "taxes": euros(27.0), "service_charge": euros(0.0), "resort_fee": euros(0.0),
        "other_fees": euros(2.5), "discounts": euros(2.5),
    })
}

fn fees() -> Value {
    json!([{"name": "City tax", "amount": euros(6.6)}])
}

fn rate() -> Value {
    json!({
        "token": "OFFER#0", "bundle": "OFFER", "kind": 0, "rooms": 2, "room_id": "DBL.ST", "room_name": "DOUBLE STANDARD",
        "bed_type": "2 × Single bed", "max_occupancy": 3, "rooms_left": null, "rate_name": "package",
        "meal_plan": "half_board", "meals": "HALF BOARD", "parts": parts(), "commission": euros(1.25),
        "minimum_price": null, "fees_at_hotel": fees(), "payment": "pay_at_hotel", "policy": policy(),
        "remarks": ["Check-in hour 15:00."], "expires_at": "2026-03-01T12:30:00Z",
    })
}

fn query(area: &Value) -> Value {
    json!({
        "check_in": "2026-05-01", "check_out": "2026-05-04", "rooms": [{"adults": 1, "children_ages": [7]}],
        "place": area, "nationality": "GB", "language": "en",
    })
}

fn address() -> Value {
    json!({"line1": "Calle 1", "city": "PALMA", "country": "ES"})
}

fn room() -> Value {
    json!({"token": "OFFER#0", "number": 1, "guests": [{
        "kind": "child", "title": "Mstr", "first_name": "Dan", "last_name": "Lee", "nationality": null, "age": 7,
    }]})
}

fn contact() -> Value {
    json!({"first_name": "Agent", "last_name": "Smith", "email": "agent@example.com", "phone": "+34600000000"})
}

#[test]
fn what_was_stored_is_read_under_its_old_names_and_written_again() {
    let (hotels, city) = (
        json!({"hotels": ["74400"]}),
        json!({"city": {"name": "Palma", "country": "ES", "latitude": "39.57", "longitude": "2.65"}}),
    );
    let airport = json!({"airport": {"code": "PMI", "latitude": "39.55", "longitude": "2.73"}});
    let around = json!({"around": {"latitude": "-33.9", "longitude": "18.4", "radius_m": 1500}});
    let request = json!({
        "reference": "HTL-7K2M9Q4X-1", "hotel_id": "74400", "check_in": "2026-05-01", "check_out": "2026-05-04",
        "memory": {"prebook_id": "len80MPr_"}, "priced": {"query": query(&hotels), "rates": [rate()]},
        "total": euros(300.1), "rooms": [room()], "contact": contact(),
    });
    let held = json!({
        "id": "207-12306403", "status": "cancelled", "confirmation": "16923904M", "total": euros(300.1),
        "policy": policy(), "voucher_texts": ["Car park."], "created_at": null, "raw": {"status": "CANCELLED"},
    });
    let stay = json!({
        "supplier": "liteapi", "hotel_id": "74400", "hotel_name": "Hotel M HOUSE", "address": address(),
        "time_zone": "Europe/Madrid", "check_in": "2026-05-01", "check_out": "2026-05-04",
        "rates": [{
            "room_id": "DBL.ST", "room_name": "DOUBLE STANDARD", "token": "OFFER#0", "rooms": 2,
            "guests": {"adults": 1, "children_ages": [7]}, "meal_plan": "half_board", "meals": "HALF BOARD",
            "fees_at_hotel": fees(), "payment": "prepaid", "parts": parts(),
        }],
        "rooms": [room()], "contact": contact(), "policy": policy(), "remarks": ["Check-in hour 15:00."],
    });
    let priced = json!({"rates": [rate()], "memory": {"rates": [["key", 2]]}, "expires_at": null});
    let found = json!({"hotels": [{
        "id": "74400", "name": "Hotel M HOUSE", "stars": "3.5", "property_type": "hotel", "address": address(),
        "latitude": "39.574442", "longitude": null, "images": [{"url": "https://pictures.example/1.jpg", "kind": null}],
        "amenities": ["Gym"], "rates": [rate()],
    }], "unusable": ["hotel 7: currency"]});
    let described = json!({
        "id": "74400", "name": "Hotel M HOUSE", "stars": null, "property_type": null, "description": "In the centre.",
        "address": address(), "phone": "3", "email": "desk@example.com", "images": [], "amenities": ["Gym"],
        "room_amenities": ["Hairdryer"], "has_free_breakfast": true,
    });
    let without = |document: &Value, members: &[&str]| {
        let mut document = document.clone();
        members.iter().for_each(|member| drop(document.as_object_mut().unwrap().remove(*member)));
        document
    };
    let sealed = json!([{"token": "OFFER#0", "number": 1, "guests": [{"kind": "child"}]}]);
    let read: Stay = serde_json::from_str(&stay.to_string()).unwrap();
    let parts = read.clone().parts();
    let people = json!({"rooms": [room()["guests"]], "contact": contact()});
    assert_eq!(serde_json::to_value(&parts.people).unwrap(), people);
    assert_eq!(Stay::of_parts(parts.clone()), read);
    let mut without_people = without(&stay, &["contact"]);
    without_people["rooms"] = sealed.clone();
    assert_eq!(serde_json::to_value(&parts.stored).unwrap(), without_people);
    let erased = Stay::of_parts(ProductParts { people: None, ..parts.clone() });
    assert_eq!((erased.contact.email.as_str(), erased.rooms[0].guests[0].age), ("", None));
    let mut stored = without(&request, &["contact"]);
    stored["rooms"] = sealed;
    assert_eq!(rewritten::<StoredStayRequest>(&request).unwrap(), stored);
    let composed: StoredStayRequest = serde_json::from_str(&request.to_string()).unwrap();
    let composed = composed.with(&parts.people.unwrap());
    assert_eq!((&composed.rooms, &composed.contact), (&read.rooms, &read.contact));
    // What the supplier said is stored beside it.
    let without_answer = without(&held, &["raw"]);
    assert_eq!(rewritten::<SupplierStay>(&held).unwrap(), without_answer);
    let rows: [(&str, Rewrite, Value); 11] = [
        ("PricedStay", rewritten::<PricedStay>, priced),
        ("StoredStayRequest", rewritten::<StoredStayRequest>, stored),
        ("SupplierStay", rewritten::<SupplierStay>, without_answer),
        ("StoredStay", rewritten::<StoredStay>, without_people),
        ("RoomRate", rewritten::<RoomRate>, rate()),
        ("HotelResults", rewritten::<HotelResults>, found),
        ("HotelDetails", rewritten::<HotelDetails>, described),
        ("Query, hotels", rewritten::<Query>, query(&hotels)),
        ("Query, a city", rewritten::<Query>, query(&city)),
        ("Query, an airport", rewritten::<Query>, query(&airport)),
        ("Query, around a place", rewritten::<Query>, query(&around)),
    ];
    for (name, rewrite, document) in rows {
        assert_eq!(rewrite(&document).unwrap(), document, "{name}");
    }
}

#[test]
fn requests_of_before_the_quoted_rates_are_read() {
    let old = json!({
        "reference": "HTL-7K2M9Q4X-1", "hotel_id": "74400", "check_in": "2026-05-01", "check_out": "2026-05-04",
        "memory": {}, "total": euros(300.1), "rooms": [], "contact": contact(),
    });
    assert_eq!(rewritten::<StoredStayRequest>(&old).unwrap()["priced"], Value::Null);
}

#[test]
fn a_deadline_says_that_it_is_the_day_of_arrival_only_where_it_is() {
    let mut arriving = policy();
    arriving["deadlines"][0]["is_arrival"] = json!(true);
    for document in [policy(), arriving] {
        let written = rewritten::<CancellationPolicy>(&document).unwrap();
        assert_eq!(written, document);
    }
}
