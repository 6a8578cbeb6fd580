//! The control surface.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::*;

#[tokio::test]
async fn health_names_the_process() {
    let stage = Stage::open().await;
    let health = stage.control(Method::GET, "/health", None).await;
    assert_eq!(health.body, json!({ "status": "ok", "pid": std::process::id() }));
}

#[tokio::test]
async fn orders_are_shown_with_exact_amounts() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let answer = stage.control(Method::GET, "/orders", None).await;
    let listed = json!([{
        "supplier": "duffel",
        "id": order["id"],
        "reference": "FA-7K2M9Q4X",
        "order_reference": "FA-7K2M9Q4X-1",
        "status": "confirmed",
        "amount": serde_json::from_str::<Value>(text(&order["total_amount"])).unwrap(),
        "refunded": 0,
        "currency": "INR",
        "created_at": "2027-01-10T12:00:00Z",
        "cancelled_at": null,
    }]);
    assert_eq!(answer.body, listed);
    assert!(answer.text.contains(&format!("\"amount\":{}", text(&order["total_amount"]))), "{}", answer.text);
}

#[tokio::test]
async fn faults_are_listed_counted_down_and_cleared() {
    let stage = Stage::open().await;
    let three = json!({ "supplier": "duffel", "call": "search", "fault": "status:500", "times": 3 });
    assert_eq!(stage.control(Method::POST, "/faults", Some(three.clone())).await.body, three);
    stage.next("book", "price_changed:2.5").await;
    stage.post("/offer_requests", one_way("DEL", "BOM")).await.refused(500, "internal_server_error");
    let waiting = stage.control(Method::GET, "/faults", None).await.body;
    let two = json!({ "supplier": "duffel", "call": "search", "fault": "status:500", "times": 2 });
    let one = json!({ "supplier": "duffel", "call": "book", "fault": "price_changed:2.5", "times": 1 });
    assert_eq!(waiting, json!([two, one]));
    assert_eq!(stage.control(Method::DELETE, "/faults", None).await.status, 204);
    assert_eq!(stage.control(Method::GET, "/faults", None).await.body, json!([]));
    done(&stage, "/offer_requests", one_way("DEL", "BOM")).await;
}

#[tokio::test]
async fn a_fault_that_makes_no_sense_is_refused_with_the_reason() {
    let stage = Stage::open().await;
    let fault = |supplier: &str, call: &str, fault: &str, times: u32| json!({ "supplier": supplier, "call": call, "fault": fault, "times": times });
    #[rustfmt::skip]
    let cases = [
        (json!("no object"), "body must be JSON"),
        (json!({ "supplier": "duffel", "call": "book" }), "missing field `fault`"),
        (fault("sabre", "book", "sold_out", 1), "unknown supplier 'sabre'"),
        (fault("duffel", "fly", "sold_out", 1), "unknown call 'fly'"),
        (fault("duffel", "book", "explode", 1), "unknown fault 'explode'"),
        (fault("duffel", "book", "slow:soon", 1), "must be a whole one from 0"),
        (fault("duffel", "search", "sold_out", 1), "cannot happen to call 'search'"),
        (fault("duffel", "book", "refund_later:5", 1), "cannot happen to call 'book'"),
        (fault("duffel", "book", "pending:5", 1), "cannot happen to call 'book' of duffel"),
        (fault("duffel", "cancel", "rejected:5", 1), "cannot happen to call 'cancel' of duffel"),
        (fault("duffel", "book", "sold_out", 0), "times must be at least 1"),
        (fault("liteapi", "ticket", "slow:1", 1), "fault 'slow:1' cannot happen to call 'ticket' of liteapi"),
        (fault("liteapi", "cancel_quote", "slow:1", 1), "fault 'slow:1' cannot happen to call 'cancel_quote' of liteapi"),
        (fault("hotelbeds", "add_service", "slow:1", 1), "fault 'slow:1' cannot happen to call 'add_service' of hotelbeds"),
        (fault("hotelbeds", "change", "slow:1", 1), "fault 'slow:1' cannot happen to call 'change' of hotelbeds"),
        (fault("liteapi", "cancel", "refund_later:5", 1), "fault 'refund_later:5' cannot happen to call 'cancel' of liteapi"),
        (fault("hotelbeds", "cancel", "rejected:5", 1), "fault 'rejected:5' cannot happen to call 'cancel' of hotelbeds"),
        (fault("hotelbeds", "book", "pending:5", 1), "fault 'pending:5' cannot happen to call 'book' of hotelbeds"),
        (fault("hotelbeds", "book", "aborted:5", 1), "fault 'aborted:5' cannot happen to call 'book' of hotelbeds"),
        (fault("liteapi", "book", "lapses:5", 1), "fault 'lapses:5' cannot happen to call 'book' of liteapi"),
    ];
    for (body, reason) in cases {
        let answer = stage.control(Method::POST, "/faults", Some(body)).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
        assert!(text(&answer.body["error"]).contains(reason), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_control_surface_is_not_a_suppliers() {
    let stage = Stage::open().await;
    stage.get("/../_sandbox/orders").await;
    for path in ["/duffel/_sandbox/health", "/_sandbox/nothing", "/"] {
        let answer = sent(stage.client.get(format!("{}{path}", stage.sandbox.base_url()))).await.unwrap();
        assert_ne!(answer.status, 200, "{path}");
    }
}
