//! Field by field against the official examples of LiteAPI's answers.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;
use crate::recordings::Recordings;

/// What the examples have and the sandbox does not sell or give: extras beside rooms, and money out of kindness.
const LEFT_OUT: [&str; 3] = [
    ".data.addons[]",
    ".data.addonsRequest[]",
    ".data.goodwillPayment.",
];

fn is_covered(recordings: &Recordings, name: &str, answers: &[Value]) {
    recordings.is_covered("liteapi", name, answers, &LEFT_OUT);
}

#[tokio::test]
async fn every_field_of_the_examples_is_sent_here() {
    let Some(recordings) = Recordings::open() else {
        return;
    };
    let stage = Stage::open().await;
    let searched = stage.liteapi("/hotels/rates", &query()).await.good();
    is_covered(
        &recordings,
        "search/post_hotels_rates__200__Search-response.json",
        &[searched],
    );
    let mut five_stars = query();
    five_stars["starRating"] = json!([5]);
    let offer = stage.hotel_offer(&five_stars, is_refundable).await;
    let body = json!({ "offerId": offer["offerId"], "usePaymentSdk": true });
    let with_sdk = stage.liteapi("/rates/prebook", &body).await.good();
    let prebook = stage.prebook(&offer).await.good();
    let name = "booking/post_rates_prebook__200__Prebook-response.json";
    is_covered(&recordings, name, &[with_sdk, prebook.clone()]);
    let made = is_good(&stage, "/rates/book", &wish(&prebook, "HTL-A-1")).await;
    is_covered(
        &recordings,
        "booking/post_rates_book__200__confirmed-booking.json",
        std::slice::from_ref(&made),
    );
    let path = format!("/bookings/{}", text(&made["data"]["bookingId"]));
    let read = stage.liteapi_get(&path).await.good();
    let cancelled = stage.cancel_rooms(&made["data"]["bookingId"]).await.good();
    let after = stage.liteapi_get(&path).await.good();
    is_covered(
        &recordings,
        "booking/get_bookings_bookingId__200__example-0.json",
        &[read],
    );
    is_covered(
        &recordings,
        "booking/get_bookings_bookingId__200__example-1.json",
        &[after],
    );
    is_covered(
        &recordings,
        "booking/put_bookings_bookingId__200__refundable.json",
        &[cancelled],
    );

    let content = async |path: &str| stage.liteapi_get(path).await.good();
    let cities = content("/data/cities?countryCode=AE").await;
    is_covered(
        &recordings,
        "static/get_data_cities__200__AE-result.json",
        &[cities],
    );
    let hotels = content("/data/hotels?countryCode=HR&cityName=Zagreb").await;
    is_covered(
        &recordings,
        "static/get_data_hotels__200__HR-Sibenik-3-hotels.json",
        std::slice::from_ref(&hotels),
    );
    let path = format!("/data/hotel?hotelId={}", text(&hotels["hotelIds"][0]));
    is_covered(
        &recordings,
        "static/get_data_hotel__200__hotel-lp1897.json",
        &[content(&path).await],
    );
}

#[tokio::test]
async fn refusals_are_those_of_the_examples() {
    let Some(recordings) = Recordings::open() else {
        return;
    };
    let stage = Stage::open().await;
    let is = |name: &str, answer: Answer| assert_eq!(answer.body, recordings.read("liteapi", name), "{name}");
    let mut unknown = query();
    unknown["hotelIds"] = json!(["lp"]);
    let answer = stage.liteapi("/hotels/rates", &unknown).await;
    is("search/post_hotels_rates__400__hotel-ids-not-found.json", answer);
    let mut nowhere = query();
    nowhere["cityName"] = json!("Nowhere at all");
    let answer = stage.liteapi("/hotels/rates", &nowhere).await;
    is(
        "search/post_hotels_rates__204__no-availability-found.json",
        answer,
    );
    is(
        "static/get_data_cities__400__countryCode-is-required.json",
        stage.liteapi_get("/data/cities").await,
    );
    is(
        "static/get_data_hotels__400__countryCode-is-required.json",
        stage.liteapi_get("/data/hotels").await,
    );
    is(
        "static/get_data_hotel__400__hotelId-is-missing-or-invalid.json",
        stage.liteapi_get("/data/hotel").await,
    );
    let body = json!({ "offerId": "nothing", "usePaymentSdk": false });
    let answer = stage.liteapi("/rates/prebook", &body).await;
    is("booking/post_rates_prebook__400__invalid-offerId.json", answer);

    let offer = stage.hotel_offer(&query(), |_| true).await;
    let prebook = stage.prebook(&offer).await.good();
    let book = async |fault: Option<&str>, reference: &str| {
        if let Some(fault) = fault {
            stage.next_of("liteapi", "book", fault).await;
        }
        stage.liteapi("/rates/book", &wish(&prebook, reference)).await
    };
    book(None, "HTL-A-1").await.good();
    let answer = book(None, "HTL-A-1").await;
    is(
        "booking/post_rates_book__400__duplicate-booking-attempt-with-existing-.json",
        answer,
    );
    let answer = book(Some("price_changed:1"), "HTL-B-1").await;
    is(
        "booking/post_rates_book__400__invalid-prebookId-invalid-rate.json",
        answer,
    );
    let answer = book(Some("sold_out"), "HTL-B-1").await;
    is(
        "booking/post_rates_book__400__booking-failed-provider-response-was-uns.json",
        answer,
    );
    is(
        "booking/post_rates_prebook__408__Outdated-offerId.json",
        stage.prebook(&offer).await,
    );
}
