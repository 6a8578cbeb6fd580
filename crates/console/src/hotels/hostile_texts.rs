//! Texts of suppliers are text on every page of hotels, whatever stands in them.

use serde_json::{Value, json};
use wayfare_client::{
    TimelineEntry,
    hotels::{HotelBooking, HotelDetails, HotelsFound, Voucher},
};

use super::{booking, cards::Wanted, hotel, rates, search, stay::Stay, voucher};
use crate::{
    assets::ASSETS,
    form::Fields,
    page::{Shell, part},
    side::{Area, Side},
};

const TEXT: &str = "<img src=x onerror=alert(1)>\" autofocus '";

fn shell() -> Shell {
    Shell {
        side: Side::Agency,
        title: TEXT.to_owned(),
        area: Area::Hotels,
        person: None,
        is_signed: true,
        unread: 0,
        theme: None,
        is_sandbox: true,
        assets: &ASSETS,
    }
}

fn stay() -> Stay {
    Stay::read(&Fields::of([("place", TEXT), ("check_in", "2027-03-05"), ("check_out", "2027-03-07")]))
}

fn room(rate: &str, price: u32, plan: &str) -> Value {
    json!({
        "room_id": "R", "provider_room_id": "R", "name": TEXT, "bed_type": TEXT, "max_occupancy": 2,
        "occupancy": { "adults": 2, "children_ages": [] },
        "availability": { "status": "available", "rooms_left": 2 },
        "pricing": {
            "rate_id": rate, "rate_name": TEXT, "currency": "INR", "total_after_tax": price, "quantity": 1,
            "sold_with": null, "meal_plan": plan, "meals": TEXT, "refundable": true,
            "free_cancellation_until": "2027-03-01T10:00:00Z", "payment_type": "prepaid",
            "pay_at_hotel_fees": 10, "pay_at_hotel_fees_currency": "EUR",
            "pay_at_hotel_fee_lines": [{ "name": TEXT, "amount": 10, "currency": "EUR" }],
            "minimum_selling_price": null, "minimum_selling_price_currency": null,
            "agent_price": {
                "public_fare": price, "agent_fare": price, "service_fee": 0, "gst_on_service_fee": 0,
                "platform_charge": 0, "currency": "INR",
            },
        },
    })
}

fn found() -> HotelsFound {
    let address = json!({ "line1": TEXT, "city": TEXT, "country": TEXT });
    let hotel = |id: &str, price: u32| {
        json!({
            "hotel_id": id, "provider": "liteapi", "provider_hotel_id": "1", "name": TEXT, "star_rating": 4.5,
            "property_type": TEXT, "address": address, "latitude": null, "longitude": null,
            "images": [
                { "url": "javascript:alert(1)", "type": null },
                { "url": "https://images.example/\"onerror=alert(1)", "type": null },
            ],
            "rooms": [room("a", price, "room_only"), room("b", price + 10, "breakfast")],
        })
    };
    let found = json!({
        "search_id": "s", "status": "partial", "currency": "INR", "total_results": 2, "page": 1, "per_page": 100,
        "total_pages": 1, "duration_ms": 1, "created_at": "2027-01-01T00:00:00Z",
        "expires_at": "2027-01-01T01:00:00Z", "debug": { "provider_errors": {}, "problems": [] },
        "provider_status": {
            "liteapi": { "status": "success", "results_count": 2, "duration_ms": 1 },
            "hotelbeds": { "status": "error", "results_count": 0, "duration_ms": 1 },
        },
        "hotels": [hotel("liteapi:1", 200), hotel("liteapi:2", 100)],
    });
    serde_json::from_value(found).unwrap()
}

/// The text, of which nothing has become an element or an attribute.
fn is_text(page: &str) -> &str {
    assert!(page.contains("&#60;img src=x onerror=alert(1)&#62;"), "{page}");
    assert!(!page.contains("<img src=x") && !page.contains("\" autofocus '"), "{page}");
    assert!(!page.contains("javascript:") && !page.contains("\"onerror"), "{page}");
    page
}

#[test]
fn the_list_has_texts_as_text_and_filters_what_was_found() {
    let wanted = |pairs: &[(&str, &str)]| Wanted::read(&Fields::of(pairs.iter().copied()));
    let list =
        |pairs: &[(&str, &str)]| search::render(&found(), &wanted(pairs), &stay()).unwrap().text().to_owned();
    let all = list(&[]);
    let all = is_text(&all);
    assert!(all.contains("Hotelbeds did not answer; these 2 stays are LiteAPI&#39;s."));
    assert!(all.contains("2 of 2 hotels, from ₹100.00") && all.contains("4.5 stars"));
    for (filter, expected) in [
        (("board", "breakfast"), "2 of 2 hotels, from ₹110.00"),
        (("board", "half_board"), "Nothing passes the filters"),
        (("stars", "4"), "2 of 2 hotels"),
        (("stars", "5"), "Nothing passes the filters"),
        (("max", "150"), "1 of 2 hotels, from ₹100.00"),
        (("min", "150"), "1 of 2 hotels, from ₹200.00"),
        (("supplier", "hotelbeds"), "Nothing passes the filters"),
        (("refundable", "on"), "2 of 2 hotels"),
    ] {
        let page = list(&[filter]);
        assert!(page.contains(expected), "{filter:?}: {page}");
    }
}

#[test]
fn the_hotels_page_has_texts_as_text() {
    let told = json!({
        "hotel_id": "liteapi:1", "provider_hotel_id": "1", "name": TEXT, "star_rating": 4, "property_type": TEXT,
        "description": TEXT, "address": { "line1": null, "city": null, "country": null },
        "contact": { "phone": TEXT, "email": TEXT }, "images": [{ "url": "https://images.example/1.jpg", "type": TEXT }],
        "amenities": [TEXT], "room_amenities": [TEXT], "has_free_breakfast": null,
    });
    let told: HotelDetails = serde_json::from_value(told).unwrap();
    let (found, stay) = (found(), stay());
    let kinds = rates::kinds(&stay.search().unwrap());
    for details in [Some(told), None] {
        let is_told = details.is_some();
        let shown = hotel::page_of(shell(), &found.hotels[0], details, &kinds, stay.clone());
        let page = part(&shown).unwrap().text().to_owned();
        is_text(&page);
        assert_eq!(page.contains("Facilities could not be told"), !is_told);
        assert!(page.contains("referrerpolicy=\"no-referrer\"") && page.contains("Free until"));
    }
}

#[test]
fn voucher_and_booking_have_texts_as_text() {
    let guest = json!({ "type": "child", "title": null, "first_name": TEXT, "last_name": "שלום", "age": 4 });
    let voucher: Voucher = serde_json::from_value(json!({
        "confirmation_number": TEXT, "confirmation_source": "supplier", "confirmations": [], "booking_ref": "HTL-1",
        "provider_booking_id": TEXT, "status": "confirmed", "nights": 2, "hotel_name": TEXT, "hotel_address": TEXT,
        "check_in": "2027-03-05", "check_out": "2027-03-07", "currency": "INR", "total_price": "100.00",
        "provider": "liteapi", "rooms": [{ "room_type": TEXT, "guests": [guest] }], "meals": [TEXT],
        "contact_name": TEXT, "pay_at_hotel": [{ "name": TEXT, "amount": 1, "currency": "EUR" }],
        "remarks": [TEXT, "once"], "mandatory_texts": ["once"],
        "cancellation_policy": { "refundable": null, "free_until": null, "time_zone": null, "deadlines": [],
            "remarks": [] },
    }))
    .unwrap();
    let page = part(&voucher::page_of(shell(), voucher)).unwrap().text().to_owned();
    is_text(&page);
    assert_eq!(page.matches("once").count(), 1, "what must be printed is printed once");
    assert!(page.contains("שלום, 4 years"));
    let booking: HotelBooking = serde_json::from_value(json!({
        "id": "8f14e45f-ceea-467f-ab3e-4d2b1c9a7f00", "booking_ref": "HTL-1", "provider": "liteapi",
        "provider_booking_id": TEXT, "provider_confirmation": TEXT, "hotel_id": "liteapi:1", "hotel_name": TEXT,
        "check_in": "2027-03-05", "check_out": "2027-03-07", "nights": 2, "room_count": 1, "currency": "INR",
        "total_amount": 100, "net_amount": 90, "public_fare": 110, "status": "pending", "payment_status": "pending",
        "booked_at": null, "cancelled_at": null, "pending": [], "contact_email": TEXT, "contact_phone": TEXT,
        "created_at": "2027-01-01T00:00:00Z",
        "guests": [{ "id": "1", "title": null, "first_name": TEXT, "last_name": "", "type": "adult", "nationality": null,
            "age": null, "room": 1 }],
        "confirmation_source": "supplier", "confirmations": [],
        "pricing": { "room_charges": 100, "taxes": 0, "fees": 0, "discounts": 0, "public_markup": 10,
            "public_fare": 110, "platform_charges": 0, "agent_fare": 100 },
        "rooms": [{ "room_id": "R", "name": TEXT, "quantity": 1, "meal_plan": "room_only", "pay_at_hotel_fees": 5,
            "pay_at_hotel_fees_currency": "EUR" }],
        "cancellation_policy": { "refundable": null, "free_until": null, "time_zone": null, "deadlines": [],
            "remarks": [TEXT] },
        "remarks": [TEXT],
    }))
    .unwrap();
    let happened: Vec<TimelineEntry> = serde_json::from_value(json!([{
        "at": "2027-01-01T00:00:00Z", "what": "asked", "action": null, "by": null, "step": TEXT, "outcome": null,
        "order": 1, "provider": TEXT, "amount": null, "currency": null, "refund_status": null,
    }]))
    .unwrap();
    let page = part(&booking::BookingPart::of(booking, &happened)).unwrap().text().to_owned();
    is_text(&page);
    assert!(page.contains("hx-trigger=\"every 3s\"") && page.contains("Do not book it again"));
    assert!(page.contains("What comes back is not known.") && !page.contains("/cancel\""));
}
