//! Field by field against the official examples of LiteAPI's answers.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;
use crate::recordings::Recordings;

/// What the examples have and the sandbox does not sell or give: extras beside rooms, and money out of kindness.
const LEFT_OUT: [&str; 3] = [".data.addons[]", ".data.addonsRequest[]", ".data.goodwillPayment."];

#[tokio::test]
async fn every_field_of_the_examples_is_sent_here() {
    let Some(recordings) = Recordings::open("liteapi") else { return };
    let stage = Stage::open().await;
    let searched = stage.liteapi("/hotels/rates", &query()).await.good();
    let mut five_stars = query();
    five_stars["starRating"] = json!([5]);
    let offer = stage.hotel_offer(&five_stars, is_refundable).await;
    let body = json!({ "offerId": offer["offerId"], "usePaymentSdk": true });
    let with_sdk = stage.liteapi("/rates/prebook", &body).await.good();
    let prebook = stage.prebook(&offer).await.good();
    let made = stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-A-1")).await.good();
    let path = format!("/bookings/{}", text(&made["data"]["bookingId"]));
    let read = stage.liteapi_get(&path).await.good();
    let cancelled = stage.cancel_rooms(&made["data"]["bookingId"]).await.good();
    let after = stage.liteapi_get(&path).await.good();
    let content = async |path: &str| stage.liteapi_get(path).await.good();
    let cities = content("/data/cities?countryCode=AE").await;
    let hotels = content("/data/hotels?countryCode=HR&cityName=Zagreb").await;
    let hotel = content(&format!("/data/hotel?hotelId={}", text(&hotels["hotelIds"][0]))).await;
    for (name, answers) in [
        ("search/post_hotels_rates__200__Search-response.json", vec![searched]),
        ("booking/post_rates_prebook__200__Prebook-response.json", vec![with_sdk, prebook]),
        ("booking/post_rates_book__200__confirmed-booking.json", vec![made]),
        ("booking/get_bookings_bookingId__200__example-0.json", vec![read]),
        ("booking/get_bookings_bookingId__200__example-1.json", vec![after]),
        ("booking/put_bookings_bookingId__200__refundable.json", vec![cancelled]),
        ("static/get_data_cities__200__AE-result.json", vec![cities]),
        ("static/get_data_hotels__200__HR-Sibenik-3-hotels.json", vec![hotels]),
        ("static/get_data_hotel__200__hotel-lp1897.json", vec![hotel]),
    ] {
        recordings.is_covered("liteapi", name, &answers, &LEFT_OUT);
    }
}

#[tokio::test]
async fn refusals_are_those_of_the_examples() {
    let Some(recordings) = Recordings::open("liteapi") else { return };
    let stage = Stage::open().await;
    let searched = async |name: &str, value: Value| {
        let mut query = query();
        query[name] = value;
        stage.liteapi("/hotels/rates", &query).await
    };
    let unknown = searched("hotelIds", json!(["lp"])).await;
    let nowhere = searched("cityName", json!("Nowhere at all")).await;
    let cities = stage.liteapi_get("/data/cities").await;
    let hotels = stage.liteapi_get("/data/hotels").await;
    let hotel = stage.liteapi_get("/data/hotel").await;
    let body = json!({ "offerId": "nothing", "usePaymentSdk": false });
    let no_offer = stage.liteapi("/rates/prebook", &body).await;

    let offer = stage.hotel_offer(&query(), |_| true).await;
    let prebook = stage.prebook(&offer).await.good();
    let book = async |fault: Option<&str>, reference: &str| {
        if let Some(fault) = fault {
            stage.next_of("liteapi", "book", fault).await;
        }
        stage.liteapi("/rates/book", &booking_request(&prebook, reference)).await
    };
    book(None, "HTL-A-1").await.good();
    let duplicate = book(None, "HTL-A-1").await;
    let dearer = book(Some("price_changed:1"), "HTL-B-1").await;
    let gone = book(Some("sold_out"), "HTL-B-1").await;
    let outdated = stage.prebook(&offer).await;
    for (name, answer) in [
        ("search/post_hotels_rates__400__hotel-ids-not-found.json", unknown),
        ("search/post_hotels_rates__204__no-availability-found.json", nowhere),
        ("static/get_data_cities__400__countryCode-is-required.json", cities),
        ("static/get_data_hotels__400__countryCode-is-required.json", hotels),
        ("static/get_data_hotel__400__hotelId-is-missing-or-invalid.json", hotel),
        ("booking/post_rates_prebook__400__invalid-offerId.json", no_offer),
        ("booking/post_rates_book__400__duplicate-booking-attempt-with-existing-.json", duplicate),
        ("booking/post_rates_book__400__invalid-prebookId-invalid-rate.json", dearer),
        ("booking/post_rates_book__400__booking-failed-provider-response-was-uns.json", gone),
        ("booking/post_rates_prebook__408__Outdated-offerId.json", outdated),
    ] {
        assert_eq!(answer.body, recordings.read("liteapi", name), "{name}");
    }
}
