//! What any supplier sells, from the search to the booking, each in its own words.

use rust_decimal::Decimal;
use serde_json::Value;

use crate::every_supplier::code;
use crate::harness::*;
use crate::hotelbeds::harness as hotelbeds;
use crate::liteapi::harness as liteapi;
use crate::tripjack::harness as tripjack;

pub(crate) const SUPPLIERS: [&str; 4] = ["duffel", "tripjack", "liteapi", "hotelbeds"];

/// Something that a supplier sells, as its search lists it.
pub(crate) async fn found(stage: &Stage, supplier: &str) -> Value {
    match supplier {
        "duffel" => stage.any_offer().await,
        "tripjack" => {
            let mut trips = stage.trips(tripjack::query(&[("DEL", "BOM", DAY)])).await;
            trips["ONWARD"][0]["totalPriceList"][0].take()
        }
        "liteapi" => stage.hotel_offer(&liteapi::query(), liteapi::is_refundable).await,
        _ => stage.bookable().await,
    }
}

/// The same at its present price, as it can be booked.
pub(crate) async fn priced(stage: &Stage, supplier: &str, found: &Value) -> Answer {
    match supplier {
        "duffel" => stage.get(&format!("/offers/{}", text(&found["id"]))).await,
        "tripjack" => stage.review(&[&found["id"]]).await,
        "liteapi" => stage.prebook(found).await,
        _ => stage.check(&[found]).await,
    }
}

pub(crate) fn total(supplier: &str, priced: &Value) -> Decimal {
    match supplier {
        "duffel" => amount(&priced["data"]["total_amount"]),
        "tripjack" => tripjack::due(priced),
        "liteapi" => number(&priced["data"]["price"]),
        _ => number(&priced["hotel"]["totalNet"]),
    }
}

pub(crate) async fn booked(
    stage: &Stage,
    supplier: &str,
    priced: &Value,
    id: &str,
) -> Result<Answer, reqwest::Error> {
    match supplier {
        "duffel" => stage.try_post("/orders", instant(&priced["data"])).await,
        "tripjack" => stage.try_tripjack("/oms/v1/air/book", tripjack::paid(priced)).await,
        "liteapi" => stage.try_liteapi("/rates/book", &liteapi::booking_request(priced, id)).await,
        _ => {
            let rate = &priced["hotel"]["rooms"][0]["rates"][0];
            stage.try_hotelbeds("/bookings", &hotelbeds::booking_request(&[rate], id)).await
        }
    }
}

/// What look-ups find of a booking: by its offer, its review or the client's reference.
pub(crate) async fn looked_up(stage: &Stage, supplier: &str, priced: &Value, id: &str) -> Vec<Value> {
    match supplier {
        "duffel" => {
            let path = format!("/orders?offer_id={}", text(&priced["data"]["id"]));
            list(&stage.get(&path).await.data(200)).clone()
        }
        "tripjack" => {
            let details = stage.details(&priced["bookingId"]).await.body;
            details.get("order").cloned().into_iter().collect()
        }
        "liteapi" => stage.under(id).await,
        _ => stage.bookings_under(id).await,
    }
}

#[track_caller]
pub(crate) fn is_refused(supplier: &str, answer: &Answer, with: &str, words: &str) {
    assert!(answer.status >= 400, "{supplier}: {}", answer.text);
    assert_eq!(code(supplier, answer), with, "{supplier}");
    assert!(answer.text.contains(words), "{supplier}: {}", answer.text);
}

/// What comes of a look-up by the supplier's id: the status.
pub(crate) async fn looked_up_by_id(stage: &Stage, supplier: &str, id: &Value) -> u16 {
    match supplier {
        "duffel" => stage.get(&format!("/orders/{}", text(id))).await.status,
        "tripjack" => stage.details(id).await.status,
        // LiteAPI's error is a code in the body, whatever the status is.
        "liteapi" => {
            let answer = stage.liteapi_get(&format!("/bookings/{}", text(id))).await;
            let code = answer.body["error"]["code"].as_u64();
            code.map_or(answer.status, |code| u16::try_from(code).unwrap())
        }
        _ => stage.booking(id).await.status,
    }
}

/// Ends a booking by its supplier's id.
pub(crate) async fn cancel(stage: &Stage, supplier: &str, id: &Value) {
    match supplier {
        "duffel" => {
            let quote = done(stage, "/order_cancellations", serde_json::json!({ "order_id": id })).await;
            done(stage, &confirm_path(&quote), serde_json::json!({})).await;
        }
        "tripjack" => {
            let body = serde_json::json!({ "bookingId": id, "type": "CANCELLATION", "remarks": "" });
            stage.tripjack("/oms/v1/air/amendment/submit-amendment", body).await.done();
        }
        "liteapi" => drop(stage.cancel_rooms(id).await.good()),
        _ => drop(stage.end_booking(id, "CANCELLATION").await.fine()),
    }
}
