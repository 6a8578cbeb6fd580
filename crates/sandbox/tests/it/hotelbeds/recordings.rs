//! Field by field against answers that the real Hotelbeds gave.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;
use crate::recordings::Recordings;

fn is_covered(recordings: &Recordings, name: &str, answers: &[Value], left_out: &[&str]) {
    recordings.is_covered("hotelbeds", name, answers, left_out);
}

/// Lists of the recorder's own, where Hotelbeds sends texts.
const AUDIT: [&str; 2] = [".auditData.environment[]", ".auditData.requestHost[]"];

#[tokio::test]
async fn every_field_of_searches_checks_and_bookings_is_sent_here() {
    let Some(recordings) = Recordings::open("hotelbeds") else { return };
    let stage = Stage::open().await;
    let search = stage.hotelbeds("/hotels", &query()).await.fine();
    is_covered(&recordings, "200-list-available-hotels.json", &[search], &AUDIT);
    let (mut checks, mut bookings) = (Vec::new(), Vec::new());
    for name in ["sellingRate", "offers"] {
        let rate = stage.rate(&query(), |rate| !rate[name].is_null()).await.rate;
        let checked = stage.check(&[&rate]).await.fine();
        let fresh = &checked["hotel"]["rooms"][0]["rates"][0];
        bookings.push(stage.book_rate(fresh, "HTL-1").await.fine());
        checks.push(checked);
    }
    let left_out = [AUDIT[0], AUDIT[1], ".hotel.minRate", ".hotel.maxRate"];
    is_covered(&recordings, "200-list-checkrates.json", &checks, &left_out);
    is_covered(&recordings, "200-confirm-booking.json", &bookings, &[]);
}

#[tokio::test]
async fn every_field_of_the_content_is_sent_here() {
    let Some(recordings) = Recordings::open("hotelbeds") else { return };
    let stage = Stage::open().await;
    let get = async |path: &str| stage.hotelbeds_get(&format!("{CONTENT}{path}")).await.fine();
    let facilities = |list: &'static str| {
        ["amount", "currency", "applicationType", "dateTo", "number"]
            .map(|name| format!(".hotels[].{list}[].{name}"))
    };
    let house = facilities("facilities");
    let mut left_out: Vec<&str> = house.iter().map(String::as_str).collect();
    left_out.extend([
        ".hotels[].chain",
        ".hotels[].segment",
        ".hotels[].interestPoints",
        ".hotels[].web",
        ".hotels[].address.number",
        ".hotels[].images[].roomCode",
        ".hotels[].images[].roomType",
        ".hotels[].images[].characteristicCode",
    ]);
    let list = get("/hotels?destinationCode=LON&fields=all&from=1&to=100").await;
    is_covered(&recordings, "200-list-hotels.json", std::slice::from_ref(&list), &left_out);
    let codes = format!("{},{}", list["hotels"][0]["code"], list["hotels"][1]["code"]);
    let details = get(&format!("/hotels/{codes}/details")).await;
    is_covered(&recordings, "200-get-hotel-details.json", &[details], &left_out);
    #[rustfmt::skip]
    let cases = [
        ("200-list-locations-countries.json", "/locations/countries?from=1&to=2"),
        ("200-list-locations-destinations.json", "/locations/destinations"),
        ("200-list-types-accommodations.json", "/types/accommodations"),
        ("200-list-types-boards.json", "/types/boards"),
        ("200-list-types-categories.json", "/types/categories"),
        ("200-list-types-facilities.json", "/types/facilities"),
        ("200-list-types-facllity-groups.json", "/types/facilitygroups"),
        ("200-list-types-group-categories.json", "/types/groupcategories"),
        ("200-list-types-image-types.json", "/types/imagetypes"),
        ("200-list-types-promotions.json", "/types/promotions"),
        ("200-list-types-ratecomments.json", "/types/ratecomments?from=1&to=2"),
        ("200-list-types-rooms.json", "/types/rooms"),
    ];
    for (name, path) in cases {
        is_covered(&recordings, name, &[get(path).await], &[]);
    }
}

#[tokio::test]
async fn amounts_are_texts_and_numbers_where_the_recorded_booking_has_them_so() {
    let Some(recordings) = Recordings::open("hotelbeds") else { return };
    let recorded = recordings.read("hotelbeds", "200-confirm-booking.json");
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    let ours = stage.book_rate(&rate, "HTL-1").await.fine();
    for path in [
        "/booking/totalNet",
        "/booking/pendingAmount",
        "/booking/hotel/totalNet",
        "/booking/hotel/latitude",
        "/booking/hotel/zoneCode",
        "/booking/hotel/code",
        "/booking/hotel/rooms/0/id",
        "/booking/hotel/rooms/0/rates/0/net",
        "/booking/hotel/rooms/0/rates/0/cancellationPolicies/0/amount",
        "/booking/hotel/rooms/0/rates/0/adults",
        "/auditData/processTime",
        "/auditData/environment",
    ] {
        let kind = |body: &Value| std::mem::discriminant(body.pointer(path).unwrap());
        assert_eq!(kind(&recorded), kind(&ours), "{path}");
    }
    assert_ne!(recorded["booking"]["totalNet"], json!(null));
}
