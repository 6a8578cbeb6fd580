//! One part of an answer that can't be read costs that part: never another rate or hotel, and never a stay that was sold. What
//! decides about money is never read better than it is.

use crate::hotelbeds_bodies::{self as hotelbeds, couples, family, found, hotel};
use crate::liteapi_stage::{self as liteapi, hotel_offers, offer, rate};
use crate::recorded;
use serde_json::{Value, json};
use wayfare_domain::{Currency, Money};
use wayfare_hotels::{
    HotelResults, RoomRate, hotelbeds::read as hotelbeds_read, liteapi::read as liteapi_read,
};
use wayfare_stub_server::spoiling::{parts_of, strange_parts, strange_parts_of, with_part};
use wayfare_supply::{LossKind, losses_in};

/// The rate as it is read with a spoiled part promises nothing that it does not promise as it is.
fn assert_no_better(spoiled: &RoomRate, well: &RoomRate, told: &str) {
    let total = well.parts.total().unwrap();
    assert_eq!(spoiled.parts.total(), Ok(total), "{told}");
    assert_eq!(spoiled.commission, well.commission, "{told}");
    assert_eq!(spoiled.minimum_price, well.minimum_price, "{told}");
    assert_eq!(spoiled.payment, well.payment, "{told}");
    let fees = |rate: &RoomRate| rate.fees_at_hotel.iter().map(|fee| fee.amount).collect::<Vec<_>>();
    // One that is no amount is told in words.
    let in_words = spoiled.remarks.len() > well.remarks.len();
    assert!(fees(spoiled) == fees(well) || in_words, "{told}");
    assert!(spoiled.policy.refundable != Some(true) || well.policy.refundable == Some(true), "{told}");
    let deadlines = well.policy.deadlines.iter().chain(&spoiled.policy.deadlines);
    for at in deadlines.map(|deadline| deadline.from).chain([liteapi::now(), hotelbeds::now()]) {
        let kept = |rate: &RoomRate| rate.policy.fee_at(at, total).unwrap().amount();
        assert!(kept(spoiled) >= kept(well), "{told}: {} of {}", kept(spoiled), kept(well));
    }
}

/// The rates of an answer, by hotel and token, without one of them.
fn others<'a>(found: &'a HotelResults, one: &str) -> Vec<(&'a str, &'a RoomRate)> {
    let rates =
        found.hotels.iter().flat_map(|hotel| hotel.rates.iter().map(|rate| (hotel.id.as_str(), rate)));
    rates.filter(|(_, rate)| rate.token != one).collect()
}

/// Spoils each part of the rate at this place, whose token this is.
fn assert_costs_itself(
    body: &Value,
    at: &str,
    token: &str,
    search: impl Fn(&Value) -> HotelResults,
) -> usize {
    let well = search(body);
    let as_it_is =
        well.hotels.iter().flat_map(|hotel| &hotel.rates).find(|rate| rate.token == token).unwrap();
    let mut read = 0;
    for place in parts_of(body.pointer(at).unwrap()) {
        let place = format!("{at}{place}");
        for strange in strange_parts_of(body.pointer(&place).unwrap()) {
            let told = format!("{place} is {strange}");
            // It tells no taxes at all then, as some do.
            if place.ends_with("/taxes") && (strange.is_object() || strange.is_array()) {
                continue;
            }
            let (found, losses) = losses_in(|| search(&with_part(body, &place, &strange)));
            // One whose own key is another is another rate.
            let known: Vec<_> = others(&found, token)
                .into_iter()
                .filter(|(_, rate)| others(&well, token).iter().any(|(_, known)| known.token == rate.token))
                .collect();
            assert_eq!(known, others(&well, token), "{told}");
            match found.hotels.iter().flat_map(|hotel| &hotel.rates).find(|rate| rate.token == token) {
                Some(rate) => {
                    read += 1;
                    // Null is said by the supplier itself: that there is none.
                    if !strange.is_null() {
                        assert_no_better(rate, as_it_is, &told);
                    }
                }
                None if others(&found, token).len() == known.len() && found.unusable.is_empty() => {
                    assert!(!losses.is_empty(), "{told} is counted by nobody");
                }
                None => {}
            }
        }
    }
    read
}

#[test]
fn a_part_of_a_rate_of_liteapi_costs_no_other_rate() {
    let query = liteapi::query(&[(2, &[])]);
    let search = |body: &Value| {
        liteapi_read::search(body.to_string().as_bytes(), &query, Currency::USD, liteapi::now()).unwrap()
    };
    let mut first = rate(1, 2, 0, 100.0);
    first["remarks"] = json!("Bring a towel.");
    let offers = [offer("A", &[first]), offer("B", &[rate(1, 2, 0, 120.0)])];
    let body = json!({
        "data": [hotel_offers("lp1", &offers), hotel_offers("lp2", &[offer("C", &[rate(1, 2, 0, 90.0)])])],
        "hotels": [{"id": "lp1", "name": "Inn", "address": "Road 1", "main_photo": "https://a/b.jpg", "stars": 4}],
    });
    let mut read = assert_costs_itself(&body, "/data/0/roomTypes/0", "A", search);
    // And what hotels are costs no hotel.
    let well = search(&body);
    for place in parts_of(&body["hotels"]) {
        for strange in strange_parts() {
            let found = search(&with_part(&body, &format!("/hotels{place}"), &strange));
            assert_eq!(others(&found, ""), others(&well, ""), "{place} is {strange}");
            read += 1;
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn a_part_of_a_rate_of_hotelbeds_costs_no_other_rate_and_of_a_hotel_no_other_hotel() {
    let query = hotelbeds::query(hotelbeds::hotels(&["1", "2"]));
    let search =
        |body: &Value| hotelbeds_read::search(body.to_string().as_bytes(), &query, hotelbeds::now()).unwrap();
    let taxed = hotelbeds::with(
        couples("taxed", json!("300.00")),
        &[
            (
                "taxes",
                json!({"taxes": [
                    {"included": true, "amount": "27.27", "currency": "EUR", "type": "TAX"},
                    {"included": false, "amount": "6.60", "currency": "USD", "type": "FEE", "subType": "City tax"}
                ]}),
            ),
            ("promotions", json!([{"code": "001", "name": "Free WiFi", "remark": "In the lobby"}])),
            ("rateComments", json!("Bring a towel.")),
        ],
    );
    let body = found(&[
        hotel(1, &[taxed, family("key-2", json!("99.90"))]),
        hotel(2, &[couples("key-3", json!("80.00"))]),
    ]);
    let read = assert_costs_itself(&body, "/hotels/hotels/0/rooms/0/rates/0", "taxed", search);
    assert!(read > 50, "{read}");
    let well = search(&body);
    for place in parts_of(&body["hotels"]["hotels"][0]) {
        for strange in strange_parts() {
            let found = search(&with_part(&body, &format!("/hotels/hotels/0{place}"), &strange));
            let second = |found: &HotelResults| found.hotels.iter().find(|hotel| hotel.id == "2").cloned();
            assert_eq!(second(&found), second(&well), "{place} is {strange}");
        }
    }
    // A name that is none costs no hotel, and is its code.
    for strange in strange_parts() {
        let named = search(&with_part(&body, "/hotels/hotels/0/name", &strange));
        assert_eq!(others(&named, ""), others(&well, ""));
    }
}

#[test]
fn no_part_hides_a_stay_of_liteapi_that_was_sold() {
    let due = liteapi::dollars("150.00");
    let own = json!({ "data": liteapi::booking("CONFIRMED", "FA-1")["data"].clone() });
    let recorded = recorded::BOOKINGS.into_iter().filter_map(recorded::json);
    let mut read = 0;
    for body in std::iter::once(own).chain(recorded) {
        let as_it_is = liteapi_read::booking(body.to_string().as_bytes(), liteapi::now()).unwrap();
        for place in parts_of(&body) {
            let of_booking = ["/data", "/data/bookingId", "/data/status", "/data/clientReference"];
            if of_booking.contains(&place.as_str()) {
                continue;
            }
            for strange in strange_parts_of(body.pointer(&place).unwrap()) {
                let spoiled = with_part(&body, &place, &strange).to_string();
                let booking = liteapi_read::sold_booking(spoiled.as_bytes(), Some(due), liteapi::now());
                let booking = booking.unwrap_or_else(|error| panic!("{place} is {strange}: {error}"));
                let (stay, well) = (&booking.stay, &as_it_is.stay);
                assert_eq!((&stay.id, stay.status), (&well.id, well.status), "{place} is {strange}");
                let is_price = place == "/data/price" || place == "/data/currency";
                assert!(stay.total == well.total || stay.total == due || is_price, "{place} is {strange}");
                read += 1;
            }
        }
    }
    assert!(read > 200, "{read}");
}

#[test]
fn no_part_hides_a_stay_of_hotelbeds_that_was_sold() {
    let request = hotelbeds::request();
    let body = hotelbeds::booking();
    let margin = Money::zero(Currency::EUR);
    let read =
        |body: &Value| hotelbeds_read::stay(body.to_string().as_bytes(), &request, margin, hotelbeds::now());
    let as_it_is = read(&body).unwrap();
    for place in parts_of(&body) {
        let of_booking = [
            "/booking",
            "/booking/reference",
            "/booking/clientReference",
            "/booking/status",
            "/booking/hotel",
        ];
        if of_booking.contains(&place.as_str()) {
            continue;
        }
        for strange in strange_parts_of(body.pointer(&place).unwrap()) {
            let stay = read(&with_part(&body, &place, &strange));
            let stay = stay.unwrap_or_else(|error| panic!("{place} is {strange}: {error}"));
            assert_eq!((&stay.id, stay.status), (&as_it_is.id, as_it_is.status), "{place} is {strange}");
        }
    }
}

#[test]
fn what_confirmed_stays_always_have_is_counted_where_it_is_missing() {
    let request = hotelbeds::request();
    let margin = Money::zero(Currency::EUR);
    let missing = |read: &dyn Fn()| {
        let ((), losses) = losses_in(read);
        let missing = losses.into_iter().filter(|loss| loss.kind == LossKind::Missing);
        missing.map(|loss| loss.field).collect::<Vec<_>>()
    };
    let renamed = |body: Value, from: &str, to: &str| {
        body.to_string().replace(&format!("\"{from}\""), &format!("\"{to}\""))
    };
    let of_hotelbeds = |from: &str, to: &str| {
        let body = renamed(hotelbeds::booking(), from, to);
        missing(&|| drop(hotelbeds_read::stay(body.as_bytes(), &request, margin, hotelbeds::now()).unwrap()))
    };
    let before = of_hotelbeds("none", "none");
    let after = of_hotelbeds("rooms", "chambers");
    assert!(!before.contains(&"booking.hotel.rooms".to_owned()), "{before:?}");
    assert!(after.contains(&"booking.hotel.rooms".to_owned()), "{after:?}");
    let of_liteapi = |from: &str, to: &str| {
        let body = renamed(liteapi::booking("CONFIRMED", "FA-1"), from, to);
        missing(&|| drop(liteapi_read::booking(body.as_bytes(), liteapi::now()).unwrap()))
    };
    assert_eq!(of_liteapi("none", "none"), Vec::<String>::new());
    assert_eq!(of_liteapi("supplierBookingId", "bookingIdOfSupplier"), ["hotelConfirmationCode"]);
}
