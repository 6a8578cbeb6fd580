//! TripJack's orders given back over real sockets: quoted, let go or amended, and looked up.

use crate::answers::order_to_cancel;
use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, PartOfJourney};
use wayfare_flights::OrderMode;
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::CancellationState::{Confirmed, Pending, Rejected};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, JourneyToCancel, PartToCancel, TravellerToCancel,
};

async fn quote(stub: &StubServer, ours: OrderStatus) -> Answer<CancellationQuote> {
    tripjack(&stub.base_url).quote_cancellation(order_to_cancel("TJS1", ours)).await
}

/// A hold that was let go or lapsed.
fn gone(state: &str) -> Value {
    with(held(), &[("/order/status", json!(state))])
}

fn success(mut body: Value) -> Reply {
    body["status"] = json!({"success": true, "httpStatus": 200});
    ok(&body)
}

/// An order of two adults and a child.
fn of_three() -> Value {
    let mut order = order("SUCCESS");
    order["order"]["amount"] = json!(9000);
    let travellers = order["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap();
    travellers.remove(0);
    order
}

#[tokio::test]
async fn a_cancellation_is_quoted_whatever_the_shape_of_its_charges() {
    let by_type = |adult: (u32, u32), child: (u32, u32)| {
        let fare = |(refund, total): (u32, u32)| json!({"refundAmount": refund, "totalFare": total, "amendmentCharges": 1});
        json!({"trips": [{"src": "DEL", "dest": "BOM", "amendmentInfo": {"ADULT": fare(adult), "CHILD": fare(child)}}]})
    };
    for (charges, expected) in [
        (json!({"refundAmount": 5000.5, "amendmentCharges": 4000}), Some("5000.50")),
        (json!({"refundableAmount": 5000, "totalFare": 9000}), Some("5000.00")),
        // For one passenger of the type, and for all of them: their fares tell which.
        (by_type((1000, 3500), (500, 2000)), Some("2500.00")),
        (by_type((1000, 6000), (500, 3000)), Some("1500.00")),
        (by_type((1000, 1), (500, 1)), None),
        (json!({"trips": [{"amendmentInfo": {"ADULT": {"refundAmount": 1000, "totalFare": 9000}}}]}), None),
        (
            json!({"trips": [{"amendmentInfo": {"ADULT": {"totalFare": 3500}, "CHILD": {"totalFare": 2000}}}]}),
            None,
        ),
        (json!({"trips": []}), None),
        (json!({}), None),
    ] {
        let stub = StubServer::start([ok(&of_three()), success(charges.clone())]).await;
        let quoted = done(quote(&stub, OrderStatus::Confirmed).await);
        assert_eq!(quoted.refund.map(|refund| refund.to_string()).as_deref(), expected, "{charges}");
        assert_eq!((quoted.id.as_str(), quoted.state), ("amendment", Pending));
        let [_, asked] = stub.requests().try_into().unwrap();
        assert_eq!((asked.line.as_str(), &asked.body["type"]), (CHARGES, &json!("CANCELLATION")));
        assert_eq!(asked.body["bookingId"], "TJS1");
    }
    for act in [ok(&order("CANCELLED")), ok(&order("PENDING")), refusal("Order not found")] {
        let stub = StubServer::start([act]).await;
        assert!(matches!(quote(&stub, OrderStatus::Confirmed).await, Answer::Refused(_)));
        assert_eq!(stub.lines(), [DETAILS]);
    }
    let stub = StubServer::start([Reply::Hang]).await;
    assert!(matches!(quote(&stub, OrderStatus::Confirmed).await, Answer::Unavailable(_)));
}

/// One that is ticketed can be given back whole without it; a hold is let go by locators that it does not say.
#[tokio::test]
async fn an_order_that_can_not_be_read_leaves_unclear_what_comes_back() {
    let stateless = with(order("SUCCESS"), &[("/order/status", json!({}))]);
    let of_another = with(order("SUCCESS"), &[("/order/bookingId", json!("TJS2"))]);
    for (body, came) in [
        (stateless.to_string(), "amount"),
        (of_another.to_string(), "SUCCESS"),
        (r#"{"order": null, "status": {"success": true}}"#.to_owned(), "success"),
        (r#"{"order": ["b@c.example"], "status": {"success": true}}"#.to_owned(), "success"),
        (r#"{"order": {"bookingId"#.to_owned(), "bookingId"),
    ] {
        for (ours, id) in [(OrderStatus::Confirmed, "amendment"), (OrderStatus::Held, "")] {
            let stub = StubServer::start([reply(200, body.clone())]).await;
            let quoted = done(quote(&stub, ours).await);
            assert_eq!((quoted.id.as_str(), quoted.refund), (id, None), "{body}");
            let unclear = quoted.unclear.unwrap_or_else(|| panic!("{body}"));
            assert!(unclear.came.to_string().contains(came), "{body}: {unclear:?}");
            let came = unclear.came.to_string();
            assert!(!came.contains("travellerInfos") && !came.contains('@'), "{unclear:?}");
            assert_eq!(stub.lines(), [DETAILS]);
        }
    }
    // What says itself that it failed is no order that can't be read.
    let failed = r#"{"status": {"success": false, "httpStatus": 500}, "errors": [{"message": "try later"}]}"#;
    let stub = StubServer::start([reply(200, failed)]).await;
    assert!(matches!(quote(&stub, OrderStatus::Confirmed).await, Answer::Unavailable(_)));
}

#[tokio::test]
async fn only_what_we_hold_and_nobody_has_a_ticket_of_is_let_go_in_full() {
    for (hold, state) in [(held(), Pending), (gone("UNCONFIRMED"), Confirmed), (gone("CANCELLED"), Confirmed)]
    {
        let stub = StubServer::start([ok(&hold)]).await;
        let quoted = done(quote(&stub, OrderStatus::Held).await);
        assert_eq!(
            (quoted.id.as_str(), quoted.refund, quoted.state),
            ("release", Some(inr("11501.35")), state)
        );
    }
    for (theirs, ours) in [
        (order("UNCONFIRMED"), OrderStatus::Confirmed),
        (gone("UNCONFIRMED"), OrderStatus::Confirmed),
        (held(), OrderStatus::Confirmed),
        (order("SUCCESS"), OrderStatus::Held),
        (order("UNCONFIRMED"), OrderStatus::Held),
        (order("CANCELLED"), OrderStatus::Held),
    ] {
        let stub = StubServer::start([ok(&theirs)]).await;
        is_unknown(quote(&stub, ours).await, ours);
        assert_eq!(stub.lines(), [DETAILS]);
    }
    // What was quoted as a hold has tickets when it is to be let go.
    for theirs in [order("UNCONFIRMED"), order("CANCELLED")] {
        let stub = StubServer::start([ok(&theirs), ok(&theirs)]).await;
        is_unknown(cancel(&stub, "release").await, "");
        let tripjack = tripjack(&stub.base_url);
        is_unknown(tripjack.find_cancellation("TJS1", "release", None).await, "");
        assert_eq!(stub.lines(), [DETAILS, DETAILS], "nothing is sent");
    }
}

#[tokio::test]
async fn what_the_agency_says_goes_with_the_amendment() {
    for (remarks, sent) in [
        (Some("the airline moved the flight"), "the airline moved the flight"),
        (None, "Cancelled by the agency"),
    ] {
        let stub = StubServer::start([refusal("no")]).await;
        is_refused(tripjack(&stub.base_url).cancel("TJS1", "amendment", remarks, None).await, "");
        let body = json!({"bookingId": "TJS1", "type": "CANCELLATION", "remarks": sent});
        assert_eq!(stub.requests()[0].body, body);
    }
}

async fn cancel(stub: &StubServer, id: &str) -> Answer<CancellationQuote> {
    tripjack(&stub.base_url).cancel("TJS1", id, None, None).await
}

#[tokio::test]
async fn a_hold_is_let_go_by_its_pnrs() {
    for (then, state) in [
        (ok(&gone("UNCONFIRMED")), Confirmed),
        (ok(&gone("CANCELLED")), Confirmed),
        (ok(&held()), Pending),
        (Reply::Hang, Pending),
    ] {
        let stub = StubServer::start([ok(&held()), taken(), then]).await;
        let gone = done(cancel(&stub, "release").await);
        assert_eq!((gone.id.as_str(), gone.state), ("release", state));
        assert_eq!(stub.lines(), [DETAILS, UNHOLD, DETAILS]);
        assert_eq!(stub.requests()[1].body, json!({"bookingId": "TJS1", "pnrs": ["AIRPNR"]}));
    }
    let stub = StubServer::start([ok(&gone("UNCONFIRMED"))]).await;
    let gone = done(cancel(&stub, "release").await);
    assert_eq!(gone.state, Confirmed, "it is gone already");
    for replies in
        [vec![ok(&order("SUCCESS"))], vec![ok(&held()), refusal("Cancellation not available for PNR")]]
    {
        let stub = StubServer::start(replies).await;
        assert!(matches!(cancel(&stub, "release").await, Answer::Refused(_)));
    }
    let stub = StubServer::start([Reply::Hang]).await;
    assert!(matches!(cancel(&stub, "release").await, Answer::Unavailable(_)), "nothing was sent");
}

fn submitted() -> Reply {
    success(json!({"bookingId": "TJS1", "amendmentId": "AM1"}))
}

fn amended(status: &str) -> Reply {
    success(
        json!({"bookingId": "TJS1", "amendmentId": "AM1", "amendmentStatus": status, "refundableAmount": 5000.5}),
    )
}

#[tokio::test]
async fn a_ticketed_order_is_amended_and_then_known_by_the_amendments_id() {
    for (then, state) in [
        (amended("SUCCESS"), Confirmed),
        (amended("REJECTED"), Rejected),
        (amended("REQUESTED"), Pending),
        (amended("PENDING"), Pending),
        (refusal("Who knows"), Pending),
        (Reply::Hang, Pending),
    ] {
        let stub = StubServer::start([submitted(), then]).await;
        let given_back = done(cancel(&stub, "amendment").await);
        assert_eq!((given_back.id.as_str(), given_back.state), ("AM1", state));
        let [asked, looked] = stub.requests().try_into().unwrap();
        assert_eq!((asked.line.as_str(), &asked.body["bookingId"]), (SUBMIT, &json!("TJS1")));
        assert_eq!((looked.line.as_str(), looked.body), (AMENDMENT, json!({"amendmentId": "AM1"})));
    }
    let stub = StubServer::start([refusal("Amendment is not allowed")]).await;
    assert!(matches!(cancel(&stub, "amendment").await, Answer::Refused(_)));
    let stub = StubServer::start([]).await;
    assert!(matches!(cancel(&stub, "AM1").await, Answer::Refused(_)), "that is under way already");
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn what_comes_back_in_the_end_is_told_whatever_was_quoted() {
    let settled = |name: &str, amount: Value| {
        success(
            json!({"bookingId": "TJS1", "amendmentId": "AM1", "amendmentStatus": "SUCCESS", name: amount}),
        )
    };
    for (act, refund) in [
        (amended("SUCCESS"), Some(inr("5000.50"))),
        (settled("refundableAmount", json!(4100)), Some(inr("4100.00"))),
        (settled("refundAmount", json!(4100.25)), Some(inr("4100.25"))),
        (settled("refundAmount", json!(0)), Some(inr("0.00"))),
        (settled("note", json!("later")), None),
        // How much it is must not hide that it was carried out.
        (settled("refundAmount", json!(-1)), None),
        (settled("refundAmount", json!("soon")), None),
        (settled("refundableAmount", json!(4100.255)), Some(inr("4100.26"))),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = tripjack(&stub.base_url).find_cancellation("TJS1", "AM1", None).await;
        let Answer::Done(quote) = answer else {
            panic!("{act:?}: {answer:?}");
        };
        assert_eq!((quote.state, quote.refund), (Confirmed, refund), "{act:?}");
    }
}

#[tokio::test]
async fn a_cancellation_is_found_by_its_id_or_by_the_order() {
    let with_states = |states: [&str; 4]| {
        let mut order = order("SUCCESS");
        let travellers = order["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap();
        for (traveller, state) in travellers.iter_mut().zip(states) {
            traveller["statusMap"] = json!({"DEL-BOM": state});
        }
        ok(&order)
    };
    for (id, act, expected) in [
        ("release", ok(&gone("UNCONFIRMED")), Some(Confirmed)),
        ("release", ok(&gone("CANCELLED")), Some(Confirmed)),
        ("release", ok(&held()), Some(Pending)),
        ("amendment", ok(&order("CANCELLED")), Some(Confirmed)),
        ("amendment", ok(&order("SUCCESS")), Some(Pending)),
        ("amendment", ok(&order("UNCONFIRMED")), Some(Pending)),
        ("amendment", with_states(["CANCELLED"; 4]), Some(Confirmed)),
        ("amendment", with_states(["CANCELLED", "CANCELLED", "", "CANCELLED"]), Some(Pending)),
        ("amendment", refusal("Order not found"), None),
        ("AM1", amended("SUCCESS"), Some(Confirmed)),
        ("AM1", amended("REQUESTED"), Some(Pending)),
        ("AM1", amended("REJECTED"), Some(Rejected)),
        ("AM1", amended("SOMEHOW"), None),
        ("AM1", refusal("Not found"), None),
        ("AM1", Reply::Hang, None),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = tripjack(&stub.base_url).find_cancellation("TJS1", id, None).await;
        let read = match answer {
            Answer::Done(quote) => Some(quote.state),
            Answer::Unknown(_) => None,
            other => panic!("{id} {act:?}: {other:?}"),
        };
        assert_eq!(read, expected, "{id} {act:?}");
        assert_eq!(stub.lines(), [if id == "AM1" { AMENDMENT } else { DETAILS }]);
    }
}

/// A part of an order names its travellers as the order does: TripJack knows them by these names alone.
#[tokio::test]
async fn a_part_is_given_back_by_the_names_that_the_order_has() {
    let mut named = order("SUCCESS");
    let travellers = named["itemInfos"]["AIR"]["travellerInfos"].as_array_mut().unwrap();
    (travellers[1]["fN"], travellers[1]["lN"]) = (json!("ANNA MRS"), json!("RAO"));
    (travellers[3]["fN"], travellers[3]["lN"]) = (json!("RAO"), json!("CATO"));
    let mut alike = named.clone();
    alike["itemInfos"]["AIR"]["travellerInfos"][2]["fN"] = json!("ANNA");
    let party = booking(OrderMode::Instant).travellers;
    let who = |place: usize| TravellerToCancel { index: party[place].index, kind: party[place].kind };
    let part = PartToCancel {
        journeys: vec![JourneyToCancel {
            journey: PartOfJourney {
                journey: 0,
                origin: "DEL".to_owned(),
                destination: "BOM".to_owned(),
                day: "2026-04-01".parse().unwrap(),
                routes: vec!["DEL-BOM".to_owned()],
                travellers: vec![1, 3],
            },
            travellers: vec![who(0), who(2)],
        }],
        party: party.clone(),
    };
    let stub = StubServer::start([ok(&named), submitted(), amended("SUCCESS")]).await;
    let cancelled = tripjack(&stub.base_url).cancel("TJS1", "amendment", None, Some(&part)).await;
    assert_eq!(done(cancelled).state, Confirmed);
    assert_eq!(
        stub.requests()[1].body["trips"][0]["travellers"],
        json!([{"fn": "ANNA MRS", "ln": "RAO"}, {"fn": "RAO", "ln": "CATO"}])
    );
    // Whoever it may be of two is nobody: nothing is sent.
    let stub = StubServer::start([ok(&alike)]).await;
    is_refused(tripjack(&stub.base_url).cancel("TJS1", "amendment", None, Some(&part)).await, "");
    assert_eq!(stub.lines(), [DETAILS]);
}
