//! TripJack's orders over real sockets: made once, looked up and paid for, whatever the far end does.

use std::time::Duration;

use crate::answers::{ending, refused};
use crate::brief;
use crate::lookups::{as_named, by_reference};
use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, TicketStatus};
use wayfare_flights::tripjack::TripJack;
use wayfare_flights::{FlightSupplier, OrderMode, OrderRequest, SupplierOrder};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{AfterSales, Answer, LossKind, OutageKind, RefusalKind, SupplierHttp};

async fn book(stub: &StubServer, request: &OrderRequest) -> Answer<SupplierOrder> {
    let answer = tripjack(&stub.base_url).book(request).await;
    assert!(!format!("{answer:?}").contains(KEY));
    answer
}

async fn find(stub: &StubServer, order_id: Option<&str>) -> Answer<Option<SupplierOrder>> {
    tripjack(&stub.base_url).find(as_named(order_id, &booking(OrderMode::Instant))).await
}

async fn ticket(stub: &StubServer) -> Answer<SupplierOrder> {
    tripjack(&stub.base_url).ticket("TJS1", &booking(OrderMode::Hold), inr("11501.35")).await
}

#[tokio::test]
async fn an_instant_order_is_paid_with_the_reviewed_total() {
    let stub = StubServer::start([taken(), ok(&order("SUCCESS"))]).await;
    let made = done(book(&stub, &booking(OrderMode::Instant)).await);
    let [asked, looked] = stub.requests().try_into().unwrap();
    assert_eq!(asked.line, BOOK);
    let traveller = |title: &str, kind: &str, name: &str, born: &str| json!({"ti": title, "pt": kind, "fN": name, "lN": "Rao", "dob": born});
    let expected = json!({
        "bookingId": "TJS1",
        "paymentInfos": [{"amount": inr("11501.35").number()}],
        "travellerInfo": [
            traveller("Mrs", "ADULT", "Anna", "1990-01-02"),
            traveller("Mr", "ADULT", "Bela", "1991-01-02"),
            traveller("Master", "CHILD", "Cato", "2018-01-02"),
            traveller("Ms", "INFANT", "Dora", "2025-06-02"),
        ],
        "deliveryInfo": {"emails": ["a@b.example"], "contacts": ["+919812345678"]},
    });
    assert_eq!(asked.body, expected);
    assert_eq!((looked.line.as_str(), looked.body), (DETAILS, json!({"bookingId": "TJS1"})));

    assert_eq!(*made.raw.tree(), order("SUCCESS"));
    insta::assert_snapshot!("tripjack_order", brief::order(&made));
}

/// What is noted once an answer is read is counted by nobody.
#[tokio::test]
async fn what_an_order_lacks_is_counted_at_its_supplier() {
    let mut told = reissuable();
    told["order"].as_object_mut().unwrap().remove("amount");
    told["itemInfos"]["AIR"]["tripInfos"][0]["sI"][0]["dt"] = json!("soon");
    let stub = StubServer::start([taken(), ok(&told)]).await;
    let tripjack = tripjack(&stub.base_url);
    let made = done(tripjack.book(&booking(OrderMode::Instant)).await);
    assert_eq!((made.status, made.flights.len()), (OrderStatus::Confirmed, 0));
    let losses = tripjack.metrics().losses;
    let lost: Vec<_> = losses.iter().map(|loss| (loss.field.as_str(), loss.kind)).collect();
    let expected = [
        ("itemInfos.AIR.tripInfos[].sI", LossKind::LeftOut),
        ("itemInfos.AIR.tripInfos[].sI[].dt", LossKind::LeftOut),
        ("order.amount", LossKind::Missing),
    ];
    assert_eq!(lost, expected);
}

#[tokio::test]
async fn a_hold_is_made_without_payment_and_with_an_emergency_contact_where_one_is_wanted() {
    let mut request = booking(OrderMode::Hold);
    request.supplier_context["emergency_contact"] = json!(true);
    let stub = StubServer::start([taken(), ok(&held())]).await;
    let made = done(book(&stub, &request).await);
    let body = &stub.requests()[0].body;
    assert_eq!(body.get("paymentInfos"), None);
    let contact = json!({"emails": ["a@b.example"], "contacts": ["+919812345678"], "ecn": "Anna Rao"});
    assert_eq!(body["contactInfo"], contact);
    assert_eq!((made.status, made.tickets.len()), (OrderStatus::Held, 0));
}

#[tokio::test]
async fn an_order_that_tripjack_is_still_at_is_looked_at_again_and_never_sent_again() {
    let absent = || refusal("Order not found");
    let stub = StubServer::start([taken(), absent(), ok(&order("PENDING")), ok(&order("SUCCESS"))]).await;
    let made = done(book(&stub, &booking(OrderMode::Instant)).await);
    assert_eq!(made.status, OrderStatus::Confirmed);
    assert_eq!(stub.lines(), [BOOK, DETAILS, DETAILS, DETAILS]);
    let pending = std::iter::repeat_n(ok(&order("PENDING")), 9);
    let stub = StubServer::start(std::iter::once(taken()).chain(pending)).await;
    let made = done(book(&stub, &booking(OrderMode::Instant)).await);
    assert_eq!(made.status, OrderStatus::Pending);
    assert_eq!(stub.lines(), [BOOK, DETAILS, DETAILS, DETAILS, DETAILS]);
}

#[tokio::test]
async fn all_looks_at_an_order_take_no_longer_than_one_may() {
    let slow = || Reply::Late(Duration::from_secs(5), order("PENDING").to_string());
    let stub = StubServer::start([taken(), slow(), slow(), slow(), slow()]).await;
    // Enough for one reading, not for two.
    let config = config(&stub.base_url).with(|config| config.read_deadline = Duration::from_secs(9));
    let tripjack = TripJack::new(SupplierHttp::new(config, clock()).unwrap());
    let made = done(tripjack.book(&booking(OrderMode::Instant)).await);
    assert_eq!(made.status, OrderStatus::Pending, "as it was seen last");
    assert_eq!(stub.lines(), [BOOK, DETAILS, DETAILS]);
}

#[tokio::test]
async fn what_would_only_be_refused_is_not_sent() {
    let stub = StubServer::start([]).await;
    let mut dearer = booking(OrderMode::Instant);
    dearer.total = inr("11501.36");
    assert_eq!(ending(&book(&stub, &dearer).await), "price changed");
    let mut forgotten = booking(OrderMode::Instant);
    forgotten.supplier_context = Value::Null;
    assert!(matches!(book(&stub, &forgotten).await, Answer::Refused(_)));
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn a_refused_order_did_not_happen_unless_it_is_there() {
    use RefusalKind::{Expired, Other, PriceChanged};
    for (status, text, kind) in [
        (400, "Not possible", Other),
        (200, "Session is expired", Expired),
        (200, "Fare has changed", PriceChanged),
    ] {
        let act = || reply(status, error(400, "1", text));
        for there in [
            refusal("Order not found"),
            refusal("Who knows"),
            ok(&order("FAILED")),
            ok(&order("ABORTED")),
            ok(&order("CANCELLED")),
            Reply::Hang,
        ] {
            let stub = StubServer::start([act(), there]).await;
            let expected = refused(kind, "1", text);
            assert_eq!(book(&stub, &booking(OrderMode::Instant)).await, expected);
            assert_eq!(stub.lines(), [BOOK, DETAILS]);
        }
        for state in ["SUCCESS", "ON_HOLD", "PENDING", "UNCONFIRMED"] {
            let stub = StubServer::start([act(), ok(&order(state))]).await;
            is_unknown(book(&stub, &booking(OrderMode::Instant)).await, state);
        }
    }
}

#[tokio::test]
async fn an_order_that_may_be_is_unknown_and_never_sent_again() {
    for look in [reply(503, ""), reply(429, ""), reply(401, ""), refusal("Who knows"), Reply::Hang] {
        let stub = StubServer::start([taken(), look.clone()]).await;
        let answer = book(&stub, &booking(OrderMode::Instant)).await;
        let Answer::Unknown(reason) = answer else { panic!("{look:?}: {answer:?}") };
        assert!(reason.starts_with("booked, but "), "{reason}");
        assert_eq!(stub.lines(), [BOOK, DETAILS]);
    }
}

#[tokio::test]
async fn an_order_is_found_by_the_id_of_its_review_in_each_of_its_states() {
    use OrderStatus::{Cancelled, Confirmed, Failed, Held, Pending};
    for (state, status) in [
        ("SUCCESS", Confirmed),
        ("ON_HOLD", Held),
        ("PENDING", Pending),
        ("UNCONFIRMED", Pending),
        ("CANCELLED", Cancelled),
        ("FAILED", Failed),
        ("ABORTED", Failed),
    ] {
        // Of a hold it is asked whether its fare stands, too.
        let fare = (status == Held).then(|| ok(&json!({ "status": { "success": true } })));
        let looks = [Some(ok(&order(state))), fare.clone(), Some(ok(&order(state))), fare];
        let stub = StubServer::start(looks.into_iter().flatten()).await;
        for order_id in [None, Some("TJS1")] {
            let found = done(find(&stub, order_id).await).unwrap();
            assert_eq!((found.status, found.id.as_str()), (status, "TJS1"));
            let refunded = found.tickets.iter().all(|ticket| ticket.status == TicketStatus::Refunded);
            assert_eq!(refunded, status == Cancelled);
        }
        assert_eq!(stub.requests()[0].body, json!({"bookingId": "TJS1"}));
    }
    let stub =
        StubServer::start([refusal("Order not found"), reply(404, error(404, "1", "No such booking"))]).await;
    assert_eq!(done(find(&stub, None).await), None);
    assert_eq!(done(find(&stub, None).await), None);
    // That a look-up fails or is refused says nothing of the order; nor does another's order.
    // Of one in an unknown word nobody knows how it ends.
    let stub = StubServer::start([ok(&order("SOMEHOW"))]).await;
    assert_eq!(done(find(&stub, None).await).unwrap().status, Pending);
    // An amount that can't be read hides none: it costs what was due.
    for amount in [json!(-1), json!("much"), json!(null), json!({})] {
        let odd = with(order("SUCCESS"), &[("/order/amount", amount.clone())]);
        let stub = StubServer::start([ok(&odd)]).await;
        let found = done(find(&stub, None).await).unwrap();
        assert_eq!((found.status, found.total), (Confirmed, inr("11501.35")), "{amount}");
    }
    let stub = StubServer::start([]).await;
    assert!(matches!(find(&stub, Some("TJS2")).await, Answer::Unknown(_)));
    assert!(stub.requests().is_empty());
}

/// That a held fare is stale is all that is told: its price counts as guaranteed until it is seen.
#[tokio::test]
async fn a_hold_whose_fare_is_stale_has_lost_its_price() {
    let stale = json!({ "status": { "success": true }, "iobfe": true });
    let fresh = json!({ "status": { "success": true }, "iobfe": false });
    for (answer, lost) in [
        (ok(&stale), true),
        (ok(&fresh), false),
        (ok(&json!({ "status": { "success": true }, "iobfe": null })), false),
        // What is not known of it is not lost.
        (ok(&json!({ "status": { "success": true }, "iobfe": "yes" })), false),
        (refusal("The booking is not on hold"), false),
        (reply(500, "{}".to_owned()), false),
    ] {
        let stub = StubServer::start([ok(&order("ON_HOLD")), answer]).await;
        let found = done(find(&stub, None).await).unwrap();
        assert_eq!((found.status, found.price_guaranteed_until.is_some()), (OrderStatus::Held, lost));
        assert_eq!(stub.lines()[1], "POST /oms/v1/air/fare-validate");
    }
}

#[tokio::test]
async fn a_hold_says_until_when_it_must_be_paid() {
    let limited = |limit: Value| {
        let mut held = held();
        held["itemInfos"]["AIR"]["timeLimit"] = limit;
        held
    };
    let until = Some("2026-03-02T12:30:00Z".parse().unwrap());
    let paid = with(limited(json!("2026-03-02T18:00:00")), &[("/order/status", json!("SUCCESS"))]);
    for (body, expected) in [
        (limited(json!("2026-03-02T18:00:00")), until),
        (limited(json!("2026-03-02T18:00")), until),
        (limited(json!("2026-03-02T18:00:00.000")), until),
        (limited(json!("tomorrow")), None),
        (limited(json!(1_772_454_600_000_u64)), None),
        (limited(Value::Null), None),
        (held(), None),
        (paid, None),
    ] {
        let stub = StubServer::start([ok(&body)]).await;
        let found = done(find(&stub, None).await).unwrap();
        assert_eq!(found.payment_required_by, expected, "{body}");
    }
}

#[tokio::test]
async fn a_hold_that_an_airline_gave_up_unpaid_is_cancelled() {
    use OrderStatus::{Cancelled, Pending};
    let gone = with(held(), &[("/order/status", json!("UNCONFIRMED"))]);
    let mut never_held = gone.clone();
    for traveller in never_held["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap() {
        traveller["pnrDetails"] = json!({"DEL-BOM": ""});
    }
    for (mode, body, status) in [
        (OrderMode::Hold, gone.clone(), Cancelled),
        (OrderMode::Instant, gone, Pending),
        (OrderMode::Hold, never_held, Pending),
        (OrderMode::Hold, order("UNCONFIRMED"), Pending),
    ] {
        let stub = StubServer::start([ok(&body)]).await;
        let found = done(tripjack(&stub.base_url).find(by_reference(&booking(mode))).await).unwrap();
        assert_eq!(found.status, status, "{mode:?} {body}");
    }
}

#[tokio::test]
async fn two_airlines_names_for_an_order_are_told_by_route() {
    let with_pnrs = |pnrs: [Value; 2]| {
        let mut order = order("SUCCESS");
        let travellers = order["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap();
        for (traveller, pnrs) in travellers.iter_mut().zip(pnrs.into_iter().cycle()) {
            traveller["pnrDetails"] = pnrs;
            traveller["gdsPnrs"] = Value::Null;
        }
        let trip = |from, to| json!({"sI": [flight("100", from, to, 1, 0)]});
        order["itemInfos"]["AIR"]["tripInfos"] = json!([trip("DEL", "BOM"), trip("BOM", "DEL")]);
        order
    };
    let two = json!({"DEL-BOM": "AIRONE", "BOM-DEL": "AIRTWO"});
    let split = json!({"DEL-BOM": "AIRONE", "BOM-DEL": "AIRSIX"});
    let one = json!({"DEL-BOM": "AIRONE", "BOM-DEL": "AIRONE"});
    let late = json!({"DEL-BOM": "AIRONE", "BOM-DEL": null});
    let (there, home) = (("DEL-BOM", "AIRONE"), ("BOM-DEL", "AIRTWO"));
    for (pnrs, expected) in [
        ([two.clone(), two.clone()], vec![there, home]),
        ([two, split], vec![there, home, ("BOM-DEL", "AIRSIX")]),
        ([one.clone(), one], vec![]),
        ([late.clone(), late], vec![]),
    ] {
        let body = with_pnrs(pnrs);
        let stub = StubServer::start([ok(&body)]).await;
        let found = done(find(&stub, None).await).unwrap();
        let read: Vec<_> =
            found.locators.iter().map(|locator| (locator.route.as_str(), locator.pnr.as_str())).collect();
        assert_eq!(read, expected, "{body}");
        assert_eq!((found.pnr.as_str(), found.airline_pnr.as_str()), ("AIRONE", "AIRONE"));
    }
}

#[tokio::test]
async fn an_order_of_another_id_is_not_taken_for_ours() {
    let others = with(order("SUCCESS"), &[("/order/bookingId", json!("TJS2"))]);
    let stub = StubServer::start([ok(&others)]).await;
    is_unknown(find(&stub, None).await, "");
    let stub = StubServer::start([taken(), ok(&others)]).await;
    is_unknown(book(&stub, &booking(OrderMode::Instant)).await, "");
    let stub = StubServer::start([ok(&others)]).await;
    let paid = ticket(&stub).await;
    assert!(matches!(paid, Answer::Unknown(_) | Answer::Unavailable(_)), "{paid:?}");
    let mut nobody = order("SUCCESS");
    nobody["itemInfos"]["AIR"]["travellerInfos"] = json!([]);
    let stub = StubServer::start([ok(&nobody)]).await;
    let found = done(find(&stub, None).await).unwrap();
    assert!(found.tickets.is_empty(), "it names nobody");
    assert!(found.unclear_travellers.is_empty());
}

#[tokio::test]
async fn a_held_order_is_paid_once_its_fare_is_confirmed() {
    let stub = StubServer::start([ok(&held()), taken(), taken(), ok(&order("SUCCESS"))]).await;
    let paid = done(ticket(&stub).await);
    assert_eq!((paid.status, paid.tickets.len()), (OrderStatus::Confirmed, 4));
    assert_eq!(stub.lines(), [DETAILS, VALIDATE, CONFIRM, DETAILS]);
    let body = json!({"bookingId": "TJS1", "paymentInfos": [{"amount": inr("11501.35").number()}]});
    assert_eq!(stub.requests()[2].body, body);

    let stub = StubServer::start([ok(&order("SUCCESS"))]).await;
    assert_eq!(done(ticket(&stub).await).status, OrderStatus::Confirmed);
    assert_eq!(stub.lines(), [DETAILS], "what is paid is not paid again");
}

#[tokio::test]
async fn nothing_is_paid_for_what_is_not_held_at_that_price() {
    let dearer = with(held(), &[("/order/amount", json!(11501.36))]);
    let moved = json!({
        "alerts": [{"oldFare": 11501.35, "newFare": 11501.36, "type": "FAREALERT"}],
        "status": {"success": true, "httpStatus": 200},
    });
    for (replies, kind) in [
        (vec![ok(&dearer)], RefusalKind::PriceChanged),
        (vec![ok(&held()), reply(200, error(400, "1", "Fare has changed"))], RefusalKind::PriceChanged),
        (vec![ok(&held()), refusal("Hold time limit expired")], RefusalKind::Expired),
        (vec![ok(&held()), ok(&moved)], RefusalKind::PriceChanged),
        (vec![ok(&order("UNCONFIRMED"))], RefusalKind::Other),
        (vec![ok(&order("CANCELLED"))], RefusalKind::Other),
        (vec![ok(&order("FAILED"))], RefusalKind::Other),
        (vec![refusal("Order not found")], RefusalKind::Other),
    ] {
        let stub = StubServer::start(replies).await;
        let Answer::Refused(refusal) = ticket(&stub).await else { panic!("{kind:?}") };
        assert_eq!(refusal.kind, kind);
        assert!(!stub.lines().contains(&CONFIRM.to_owned()));
    }
    for replies in [
        vec![Reply::Hang],
        vec![refusal("Who knows")],
        vec![reply(429, "")],
        vec![ok(&held()), Reply::Hang],
        vec![ok(&held()), reply(500, "")],
    ] {
        let stub = StubServer::start(replies).await;
        is_unavailable(ticket(&stub).await, "nothing was sent");
        assert!(!stub.lines().contains(&CONFIRM.to_owned()));
    }
}

#[tokio::test]
async fn when_to_come_again_is_told_where_nothing_was_sent() {
    let limited = || Reply::WithHeader(429, "retry-after: 7".to_owned(), String::new());
    for replies in [vec![limited()], vec![ok(&held()), limited()]] {
        let stub = StubServer::start(replies).await;
        let Answer::Unavailable(outage) = ticket(&stub).await else { panic!() };
        assert_eq!(outage.retry_after, Some(Duration::from_secs(7)));
    }
}

#[tokio::test]
async fn an_order_that_is_looked_at_for_too_long_is_not_paid_late() {
    for replies in [
        vec![Reply::Silence],
        vec![ok(&held()), Reply::Silence],
        vec![
            Reply::Late(Duration::from_millis(1_100), held().to_string()),
            Reply::Late(Duration::from_millis(1_100), acknowledged()),
            taken(),
        ],
    ] {
        let stub = StubServer::start(replies.clone()).await;
        let config = config(&stub.base_url).with(|config| config.read_deadline = Duration::from_secs(3600));
        let tripjack = TripJack::new(SupplierHttp::new(config, clock()).unwrap());
        let request = booking(OrderMode::Hold);
        is_unavailable(tripjack.ticket("TJS1", &request, inr("11501.35")).await, &replies);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!stub.lines().contains(&CONFIRM.to_owned()), "{replies:?}");
    }
}

#[tokio::test]
async fn a_payment_that_may_have_been_made_is_unknown_and_never_sent_again() {
    // Taken, and then not seen as paid; refused, and then not held any more.
    for (act, then) in [
        (taken(), ok(&order("FAILED"))),
        (taken(), ok(&held())),
        (taken(), Reply::Hang),
        (refusal("No"), ok(&order("SUCCESS"))),
        (refusal("No"), ok(&order("PENDING"))),
    ] {
        let stub = StubServer::start([ok(&held()), taken(), act, then.clone()]).await;
        is_unknown(ticket(&stub).await, &then);
    }
    let stub = StubServer::start([ok(&held()), taken(), refusal("No"), ok(&held())]).await;
    assert_eq!(ticket(&stub).await, refused(RefusalKind::Other, "1", "No"));
}

#[tokio::test]
async fn an_empty_deposit_is_not_believed_where_the_order_stands_all_the_same() {
    let empty = || refusal("Insufficient balance");
    for (there, is_outage) in [
        (refusal("Order not found"), true),
        (ok(&order("FAILED")), true),
        (ok(&order("SUCCESS")), false),
        (ok(&order("PENDING")), false),
    ] {
        let stub = StubServer::start([empty(), there]).await;
        match book(&stub, &booking(OrderMode::Instant)).await {
            Answer::Unavailable(outage) => assert!(is_outage && outage.kind == OutageKind::Deposit),
            answer => assert!(!is_outage && matches!(answer, Answer::Unknown(_)), "{answer:?}"),
        }
    }
    for (then, is_outage) in [(ok(&held()), true), (ok(&order("SUCCESS")), false)] {
        let stub = StubServer::start([ok(&held()), taken(), empty(), then]).await;
        match ticket(&stub).await {
            Answer::Unavailable(outage) => assert!(is_outage && outage.kind == OutageKind::Deposit),
            answer => assert!(!is_outage && matches!(answer, Answer::Unknown(_)), "{answer:?}"),
        }
    }
}

#[tokio::test]
async fn whether_an_order_is_paid_is_read_from_it() {
    for (act, expected) in [
        (ok(&order("SUCCESS")), Some(Some(OrderStatus::Confirmed))),
        (ok(&held()), Some(None)),
        (ok(&order("CANCELLED")), Some(None)),
        (ok(&order("FAILED")), Some(None)),
        (ok(&order("UNCONFIRMED")), Some(None)),
        (ok(&order("PENDING")), None),
        (refusal("Order not found"), None),
        (refusal("Who knows"), None),
        (Reply::Hang, None),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = tripjack(&stub.base_url).find_ticketed("TJS1", &booking(OrderMode::Hold)).await;
        let read = match answer {
            Answer::Done(found) => Some(found.map(|order| order.status)),
            Answer::Unknown(_) => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(read, expected, "{act:?}");
    }
}
