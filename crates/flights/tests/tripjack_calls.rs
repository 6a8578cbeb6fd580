//! TripJack's questions over real sockets: prices and rules, and what each way a call can end means for us.

use std::time::{Duration, Instant};

use crate::tripjack_bodies::*;
use crate::{answers, brief};
use chrono::TimeDelta;
use serde_json::{Value, json};
use tokio::time::timeout;
use wayfare_domain::Party;
use wayfare_flights::tripjack::TripJack;
use wayfare_flights::{AncillaryKind, FlightSupplier, OrderMode, PricedOrder};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{Answer, Refusal, RefusalKind, SupplierHttp};

async fn price(stub: &StubServer, tokens: &[&str]) -> Answer<PricedOrder> {
    tripjack(&stub.base_url).price(tokens, PARTY).await
}

/// Otherwise than well; the key is in no text.
fn problem<T: std::fmt::Debug>(answer: Answer<T>) -> Answer<T> {
    assert!(answer.problem().is_some_and(|text| !text.is_empty()), "{answer:?}");
    assert!(!format!("{answer:?}").contains(KEY), "{answer:?}");
    answer
}

#[tokio::test]
async fn a_review_is_a_price_with_all_that_a_booking_needs() {
    let stub = StubServer::start([reply(200, review(&["p1"]).to_string())]).await;
    let priced = done(price(&stub, &["p1"]).await);
    let asked = stub.only();
    assert_eq!((asked.line.as_str(), asked.body), ("POST /fms/v1/review", json!({"priceIds": ["p1"]})));

    // The alert only says that the price moved; taxes that don't add up have no parts; what has no price is not sold.
    let offers = priced.offers.iter().map(brief::offer);
    let lines: Vec<String> = offers.chain(priced.ancillaries.iter().map(brief::ancillary)).collect();
    insta::assert_snapshot!("tripjack_priced", lines.join("\n"));
    // A minute of the 14 was over when it came.
    assert_eq!(priced.expires_at, "2026-03-01T12:13:00.123Z".parse().ok());
    let supplier_context = json!({
        "booking_id": "TJS1",
        "total": {"amount": inr("11501.35").number(), "currency": "INR"},
        "emergency_contact": true,
        "taken": {"passport": true, "gst": true, "pan": true, "fare_document": false, "loyalty": []},
    });
    assert_eq!(priced.supplier_context, supplier_context);
}

#[tokio::test]
async fn two_halves_are_reviewed_together_in_the_order_of_their_ids() {
    for tokens in [["p1", "p2"], ["p2", "p1"]] {
        let stub = StubServer::start([reply(200, review(&["p1", "p2"]).to_string())]).await;
        let priced = done(price(&stub, &tokens).await);
        let read: Vec<_> =
            priced.offers.iter().map(|offer| (offer.token.as_str(), offer.route_index)).collect();
        let expected = tokens.map(|token| (token, u8::from(token == "p2")));
        assert_eq!(read, expected);
        assert_eq!(stub.only().body, json!({"priceIds": tokens}));
        assert!(priced.offers.iter().all(|offer| offer.charge.total == inr("11501.35")));
    }
    // A review may give prices other names: then they are told by the journeys that they cover.
    let renamed = review(&["R1", "R2"]);
    let mut turned = renamed.clone();
    turned["tripInfos"].as_array_mut().unwrap().reverse();
    for body in [renamed.clone(), turned] {
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let priced = done(price(&stub, &["p1", "p2"]).await);
        let read: Vec<_> =
            priced.offers.iter().map(|offer| (offer.token.as_str(), offer.route_index)).collect();
        assert_eq!(read, [("p1", 0), ("p2", 1)]);
    }
    let mut both_there = renamed;
    both_there["tripInfos"][1]["sI"] = both_there["tripInfos"][0]["sI"].clone();
    let stub = StubServer::start([reply(200, both_there.to_string())]).await;
    assert_eq!(answers::ending(&price(&stub, &["p1", "p2"]).await), "gone");
    for (fares, tokens) in [(&["R1", "R2"][..], &["p1"][..]), (&["R1"], &["p1", "p2"])] {
        let stub = StubServer::start([reply(200, review(fares).to_string())]).await;
        assert!(matches!(price(&stub, tokens).await, Answer::Unknown(_)));
    }
}

#[tokio::test]
async fn the_orders_total_wins_over_the_sum_of_its_parts() {
    for (stated, first, taxes) in [("23003.70", "11502.35", "1602.35"), ("23000.00", "11498.65", "1598.65")] {
        let total = serde_json::from_str::<Value>(stated).unwrap();
        let body = with(review(&["p1", "p2"]), &[("/totalPriceInfo/totalFareDetail/fC/TF", total)]);
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let priced = done(price(&stub, &["p1", "p2"]).await);
        let [one, two] = priced.offers.as_slice() else { panic!() };
        assert_eq!((one.charge.total, one.charge.taxes), (inr(first), inr(taxes)));
        assert_eq!((&one.shares, two.charge.total), (&None, inr("11501.35")));
        assert_eq!(priced.supplier_context["total"]["amount"], json!(inr(stated).number()));
    }
    let body = with(review(&["p1", "p2"]), &[("/totalPriceInfo/totalFareDetail/fC/TF", json!(1))]);
    let stub = StubServer::start([reply(200, body.to_string())]).await;
    assert!(matches!(price(&stub, &["p1", "p2"]).await, Answer::Unknown(_)));
}

#[tokio::test]
async fn a_session_ends_in_time_whatever_zone_its_beginning_is_told_in() {
    for (conditions, minute) in [
        (json!({"st": 900, "sct": "2026-03-01T17:30:00"}), Some(15)),
        (json!({"st": 900, "sct": "2026-03-01T12:00:00"}), Some(15)),
        (json!({"st": 900, "sct": "2026-03-01T17:40:00"}), Some(15)),
        (json!({"st": 900, "sct": "then"}), Some(15)),
        (json!({"st": 900}), Some(15)),
        (json!({"sct": "2026-03-01T17:30:00"}), None),
    ] {
        let body = with(review(&["p1"]), &[("/conditions", conditions.clone())]);
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let priced = done(price(&stub, &["p1"]).await);
        let expected = minute.map(|minute| clock().now() + TimeDelta::minutes(minute));
        assert_eq!(priced.expires_at, expected, "{conditions}");
        assert_eq!(priced.offers[0].can_hold, Some(false), "what is not said may not be held");
    }
}

#[tokio::test]
async fn a_bag_of_connecting_flights_is_sold_once_for_all_of_them() {
    let mut body = review(&["p1"]);
    let mut connection = flight("101", "BOM", "GOI", 1, 1);
    connection["ssrInfo"] = json!({
        "BAGGAGE": [{"code": "XB05", "desc": "5 kg more"}, {"code": "XB99"}],
        "MEAL": [{"code": "VGML", "amount": 275.0, "desc": "Veg Meal"}],
    });
    body["tripInfos"][0]["sI"].as_array_mut().unwrap().push(connection);
    let stub = StubServer::start([reply(200, body.to_string())]).await;
    let priced = done(price(&stub, &["p1"]).await);
    let sold: Vec<_> =
        priced.ancillaries.iter().map(|sold| (sold.code.as_str(), sold.segments.as_slice())).collect();
    let expected = [("XB05", &[0_u16, 1][..]), ("FAST", &[0]), ("VGML", &[0]), ("VGML", &[1])];
    assert_eq!(sold, expected);
}

#[tokio::test]
async fn free_seats_are_sold_with_a_review_and_cost_nothing_else_when_they_fail() {
    let body = with(review(&["p1"]), &[("/conditions/isa", json!(true))]);
    let map = json!({"100": {"sData": {"row": 1, "column": 3}, "sInfo": [
        seat("1A", json!(999.0), false), seat("1B", json!(0), true), seat("1C", json!(null), false),
    ]}, "999": {"nt": "none"}, "555": {"sInfo": [seat("9A", json!(1), false)]}});
    for tree in [map.clone(), json!({"tripSeat": map})] {
        let stub = StubServer::start([reply(200, body.to_string()), reply(200, seats(tree))]).await;
        let priced = done(price(&stub, &["p1"]).await);
        let [_, asked] = stub.requests().try_into().unwrap();
        assert_eq!((asked.line.as_str(), asked.body), ("POST /fms/v1/seat", json!({"bookingId": "TJS1"})));
        let sold = priced.ancillaries.last().unwrap();
        assert_eq!((sold.kind, sold.code.as_str(), sold.price), (AncillaryKind::Seat, "1A", inr("999.00")));
        assert_eq!((sold.name.as_str(), sold.segments.as_slice()), ("Seat 1A, aisle", &[0][..]));
        assert_eq!(priced.ancillaries.len(), 4);
        assert_eq!(
            priced.ancillary_catalog,
            json!({
                "segments": ["100"],
                "seat_codes": [{"segment": 0, "seat": "1A", "code": "1A|X"}],
                "others": {"FAST": "ssrExtraServiceInfos"},
            })
        );
    }
    let whole = seats(json!({"100": {"sInfo": [seat("1A", json!(999.0), false)]}}));
    for act in [
        reply(200, error(400, "1056", "Seat map is not there")),
        reply(200, whole.replace("seatNo", "seat")),
        reply(200, "<h1>no</h1>"),
        reply(503, ""),
        reply(429, ""),
        reply(401, ""),
        Reply::Cut(200, whole),
        Reply::Hang,
        Reply::Silence,
    ] {
        let stub = StubServer::start([reply(200, body.to_string()), act.clone()]).await;
        let priced = done(price(&stub, &["p1"]).await);
        assert!(priced.ancillaries.iter().all(|sold| sold.kind != AncillaryKind::Seat), "{act:?}");
        assert_eq!((priced.ancillaries.len(), stub.requests().len()), (3, 2), "{act:?}");
    }
}

#[tokio::test]
async fn seats_that_fail_shut_nobody_out() {
    let review = with(review(&["p1"]), &[("/conditions/isa", json!(true))]);
    let stub = StubServer::start([reply(200, review.to_string()), reply(500, ""), reply(500, "")]).await;
    let mut config = config(&stub.base_url);
    config.limits.failures_to_open = 1;
    let tripjack = TripJack::new(SupplierHttp::new(config, clock()).unwrap());
    done(tripjack.price(&["p1"], PARTY).await);
    is_unknown(tripjack.book(&booking(OrderMode::Instant)).await, "it was sent");
    assert_eq!(stub.requests().len(), 3);
    is_unavailable(tripjack.price(&["p1"], PARTY).await, "that failure counts");
}

#[tokio::test]
async fn seats_are_waited_for_three_seconds_at_most() {
    let review = with(review(&["p1"]), &[("/conditions/isa", json!(true))]);
    let stub = StubServer::start([reply(200, review.to_string()), Reply::Silence]).await;
    let config = config(&stub.base_url).with(|config| config.read_deadline = Duration::from_secs(3600));
    let tripjack = TripJack::new(SupplierHttp::new(config, clock()).unwrap());
    let begun = Instant::now();
    let priced = timeout(Duration::from_secs(60), tripjack.price(&["p1"], PARTY)).await;
    assert_eq!(done(priced.expect("it waits for seats")).ancillaries.len(), 3);
    assert!(begun.elapsed() >= Duration::from_secs(3));
}

#[tokio::test]
async fn what_cannot_be_bought_is_refused_with_its_kind() {
    use RefusalKind::{Expired, Gone, Other};
    for (status, code, text, kind) in [
        (200, "808", "Keys passed in the request is already expired", Expired),
        (400, "808", "Keys passed in the request is already expired", Expired),
        (400, "1", "Selected fare is no longer available", Gone),
        (400, "2", "Because of tj_very_secret", Other),
    ] {
        let stub = StubServer::start([reply(status, error(400, code, text))]).await;
        let refused = answers::refused(kind, code, &text.replace(KEY, "***"));
        assert_eq!(problem(price(&stub, &["p1"]).await), refused);
    }
    let stub = StubServer::start([reply(200, review(&["p1"]).to_string())]).await;
    let others = Party { children: 2, ..PARTY };
    let refused = Answer::Refused(Refusal::new("the offer is for other passengers"));
    assert_eq!(tripjack(&stub.base_url).price(&["p1"], others).await, refused);
    let stub = StubServer::start([]).await;
    for tokens in [&[][..], &["p"; 7]] {
        assert!(matches!(price(&stub, tokens).await, Answer::Refused(_)));
    }
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn fare_rules_are_asked_by_price_or_by_review() {
    let offer = offers(&json!({"ONWARD": [trip(&[flight("1", "DEL", "BOM", 1, 0)], &[fare("p1")])]}));
    let offer = &offer.offers[0];
    let stub = StubServer::start([
        reply(200, rules().to_string()),
        reply(200, review(&["p1"]).to_string()),
        reply(200, rules().to_string().replace("fareRule", "farerule")),
    ])
    .await;
    let supplier = tripjack(&stub.base_url);
    let searched = done(supplier.fare_rules(offer, None).await);
    let priced = done(supplier.price(&["p1"], PARTY).await);
    let reviewed = done(supplier.fare_rules(offer, Some(&priced)).await);
    assert_eq!(searched, reviewed);
    let [by_price, _, by_review] = stub.requests().try_into().unwrap();
    assert_eq!(by_price.line, "POST /fms/v2/farerule");
    assert_eq!(by_price.body, json!({"flowType": "SEARCH", "id": "p1"}));
    assert_eq!(by_review.body, json!({"flowType": "REVIEW", "id": "TJS1"}));
    let spoiled = PricedOrder { supplier_context: json!(5), ..priced };
    assert!(matches!(supplier.fare_rules(offer, Some(&spoiled)).await, Answer::Unknown(_)));
    assert_eq!(stub.requests().len(), 3);
    insta::assert_snapshot!("tripjack_rules", brief::rules(&searched));
}
