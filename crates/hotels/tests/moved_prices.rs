//! Prices that move between price and book, over real sockets: what fell is booked, what rose is not, and nothing that may
//! stand is asked for again.

use serde_json::{Value, json};
use wayfare_domain::Currency;
use wayfare_hotels::{HotelSupplier, QuotedRates, StayRequest, SupplierStay};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::Answer;

fn word(answer: &Answer<SupplierStay>) -> String {
    match answer {
        Answer::Done(stay) => stay.total.to_string(),
        Answer::Refused(refusal) => format!("{:?}", refusal.kind),
        Answer::Unavailable(_) => "unavailable".to_owned(),
        Answer::Unknown(_) => "unknown".to_owned(),
    }
}

/// At LiteAPI, two rooms of two kinds for 150.
fn at_liteapi() -> StayRequest {
    use crate::liteapi_stage::{hotel_offers, now, offer, rate, request, stream, two_kinds};
    let offer = offer("OFFER", &[rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)]);
    let body = stream(&[json!({"rates": [hotel_offers("lp1897", &[offer])]})]);
    let query = two_kinds();
    let found = wayfare_hotels::liteapi::read::search(body.as_bytes(), &query, Currency::USD, now()).unwrap();
    let rates = found.hotels[0].rates.clone();
    StayRequest { priced: Some(QuotedRates { query, rates }), ..request() }
}

#[tokio::test]
async fn liteapi_books_what_costs_no_more_once_more() {
    use crate::liteapi_stage::{REFERENCE, booking, error, liteapi, prebook, rate};
    let moved = || reply(400, error(4002, "invalid prebookId, invalid rate"));
    let at = |first: f64| {
        let body = prebook(&[rate(1, 2, 0, first), rate(2, 1, 1, 50.0)], first + 50.0);
        reply(200, body.to_string())
    };
    let made = |price: f64| {
        let mut body = booking("CONFIRMED", REFERENCE);
        body["data"]["price"] = json!(price);
        reply(200, body.to_string())
    };
    let mut strict = rate(1, 2, 0, 90.0);
    strict["cancellationPolicies"] = json!({"refundableTag": "NRFN", "cancelPolicyInfos": []});
    let strict = prebook(&[strict, rate(2, 1, 1, 50.0)], 140.0);
    // The same price, of which we would have to pay more.
    let mut unearned = rate(1, 2, 0, 100.0);
    unearned["commission"] = json!([{"amount": 0.25, "currency": "USD"}]);
    let unearned = prebook(&[unearned, rate(2, 1, 1, 50.0)], 150.0);
    for (replies, expected) in [
        (vec![moved(), at(90.0), made(140.0)], "140.00"),
        (vec![moved(), at(100.0), made(150.0)], "150.00"),
        (vec![moved(), at(100.01)], "PriceChanged"),
        (vec![moved(), reply(200, strict.to_string())], "Expired"),
        (vec![moved(), reply(200, unearned.to_string())], "Expired"),
        (vec![moved(), reply(408, error(4040, "outdated"))], "Expired"),
        (vec![moved(), Reply::Hang], "Expired"),
        (vec![moved(), at(90.0), moved()], "Expired"),
        (vec![moved(), at(90.0), Reply::Hang], "unknown"),
        (vec![reply(400, error(2010, "not confirmed"))], "Other"),
        (vec![reply(400, error(2001, "no availability"))], "Gone"),
        (vec![Reply::Hang], "unknown"),
        (vec![reply(500, error(5000, "no"))], "unknown"),
    ] {
        let stub = StubServer::start(replies.clone()).await;
        let answer = liteapi(&stub).book(&at_liteapi()).await;
        assert_eq!(word(&answer), expected, "{replies:?}");
        let asked = stub.requests();
        assert_eq!(asked.len(), replies.len(), "{replies:?}");
        let booked: Vec<&Value> = asked
            .iter()
            .filter(|asked| asked.line == "POST /book/rates/book")
            .map(|asked| &asked.body["clientReference"])
            .collect();
        assert!(booked.iter().all(|reference| **reference == REFERENCE), "{booked:?}");
        assert!(booked.len() <= 2, "{booked:?}");
    }
}

/// At Hotelbeds, two rooms of one rate for 300.10.
fn at_hotelbeds() -> StayRequest {
    use crate::hotelbeds_bodies::{couples, hotels, money, only_rate, query, request, supplier_context};
    let mut query = query(hotels(&["74400"]));
    query.rooms.remove(1);
    let mut request = request();
    request.rooms.remove(1);
    let rates = vec![only_rate(couples("key-couples", json!("300.10")))];
    StayRequest {
        supplier_context: supplier_context(json!([["key-couples", 2]]), "0.00"),
        total: money("300.10"),
        priced: Some(QuotedRates { query, rates }),
        ..request
    }
}

#[tokio::test]
async fn hotelbeds_books_what_costs_no_more_once_more() {
    use crate::hotelbeds_bodies::{booking_with, checked, couples, error, hotelbeds, ok};
    let moved = || error("500 PRODUCT_ERROR Price has changed: Unable to book");
    let at = |net: &str| ok(&checked(&couples("new-key", json!(net))));
    let made = |net: &str| ok(&booking_with(&[("totalNet", json!(net))], &[("totalNet", json!(net))]));
    let mut strict = couples("new-key", json!("280.00"));
    strict["rateClass"] = json!("NRF");
    // Cheaper, at a price that the hotel dictates since.
    let mut dictated = couples("new-key", json!("280.00"));
    dictated["sellingRate"] = json!("290.00");
    dictated["hotelMandatory"] = json!(true);
    let mut repeated = booking_with(&[("totalNet", json!("280.00"))], &[("totalNet", json!("280.00"))]);
    repeated["booking"]["hotel"]["rooms"][0]["rates"] = json!([dictated]);
    let mut with_fee = couples("new-key", json!("280.00"));
    with_fee["taxes"] = json!({"taxes": [
        {"included": false, "amount": "5.00", "currency": "EUR", "type": "TAX"}
    ]});
    for (replies, expected) in [
        (vec![moved(), at("280.00"), made("280.00")], "280.00"),
        (vec![moved(), at("300.10"), made("300.10")], "300.10"),
        (vec![moved(), at("300.11")], "PriceChanged"),
        (vec![moved(), ok(&checked(&strict))], "PriceChanged"),
        (vec![moved(), ok(&checked(&dictated)), made("280.00")], "280.00"),
        (vec![moved(), ok(&checked(&dictated)), ok(&repeated)], "290.00"),
        (vec![moved(), ok(&checked(&with_fee))], "PriceChanged"),
        (vec![moved(), ok(&json!({"hotel": {}}))], "PriceChanged"),
        (vec![moved(), Reply::Hang], "PriceChanged"),
        (vec![moved(), at("280.00"), moved()], "PriceChanged"),
        (vec![moved(), at("280.00"), Reply::Hang], "unknown"),
        (vec![error("500 PRODUCT_ERROR Insufficient allotment")], "Gone"),
        (vec![error("500 PRODUCT_ERROR Price has changed, request timed out")], "unknown"),
        (vec![Reply::Hang], "unknown"),
    ] {
        let stub = StubServer::start(replies.clone()).await;
        let answer = hotelbeds(&stub).book(&at_hotelbeds()).await;
        assert_eq!(word(&answer), expected, "{replies:?}");
        let asked = stub.requests();
        assert_eq!(asked.len(), replies.len(), "{replies:?}");
        if let [first, _, second] = &asked[..] {
            assert_eq!(second.body["clientReference"], first.body["clientReference"]);
            assert_eq!(second.body["rooms"][0]["rateKey"], "new-key");
            assert_eq!(second.body["rooms"][0]["paxes"], first.body["rooms"][0]["paxes"]);
        }
    }
}
