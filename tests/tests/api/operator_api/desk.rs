//! Incidents and bookings at the operator's API: one operator at a time, and the journal says who it was.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_domain::OperatorRole::{Admin, Desk, Viewer};
use wayfare_tests::{World, amount, one_way};

/// A booking whose outcome nobody knows; its incident is open.
async fn with_incident(world: &World) -> String {
    let agent = world.agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    world.next("book", "drop_before").await;
    let booked = agent.book(&agent.order(&priced, &trip)).await.succeeds(202);
    world.next_times("lookup", "status:500", 99).await;
    for _ in 0..8 {
        world.recover_in(301).await;
    }
    world.pass(11);
    booked["booking_ref"].as_str().unwrap().to_owned()
}

fn only(list: &Value) -> &Value {
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    &list[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn one_operator_at_a_time_works_on_an_incident_and_the_journal_says_who_decided_it() {
    let (world, door) = World::frozen().await.and_operators();
    let reference = with_incident(&world).await;
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let admin = door.operator("anil", Admin).await;
    let listed = asha.get("/incidents").await.ok();
    let incident = only(&listed);
    assert_has!(incident, {
        "kind": "outcome_unknown", "booking_ref": reference, "claimed_by": null, "closed_by": null,
        "agency": "Sunrise Travels", "step/kind": "book",
    });
    let path = format!("/incidents/{}", incident["id"].as_str().unwrap());
    let act = |what: &str| format!("{path}/{what}");
    assert_has!(asha.post(&act("claim"), &json!({})).await.ok(), { "claimed_by/username": "asha" });
    let busy = "asha of the platform works on this exception";
    dev.post(&act("claim"), &json!({})).await.is(409, busy);
    dev.post(&act("release"), &json!({})).await.is(409, busy);
    let refused = json!({ "outcome": "refused", "note": "their desk knows nothing of it" });
    dev.post(&act("resolve"), &refused).await.is(409, busy);
    // Whoever does not say so again is not waited for.
    world.pass(901);
    dev.post(&act("claim"), &json!({})).await.ok();
    admin.post(&act("release"), &json!({})).await.ok();
    asha.post(&act("claim"), &json!({})).await.ok();
    let reply = asha.post(&act("resolve"), &json!({ "outcome": "noted", "note": "x" })).await;
    reply.is_invalid("{outcome must be done or refused: what the supplier says became of it}");
    let resolved = asha.post(&act("resolve"), &refused).await.ok();
    assert_has!(resolved, {
        "outcome": "refused", "closed_by": "operator", "resolved_by": "asha of the platform",
        "booking_status": "failed",
    });
    assert!(amount(&resolved["money_held"]).is_zero());
    assert_eq!(dev.post(&act("resolve"), &refused).await.status, 409);
    let done = super::done_by(&world, &asha, "").await;
    for action in ["exception.resolved", "exception.closed", "booking.failed"] {
        assert!(done.contains(action), "{done}");
    }
    let shown = dev.get(&path).await.ok();
    let happened = shown["happened"].as_array().unwrap();
    assert!(happened.len() > 3, "{shown}");
    assert!(asha.get("/incidents").await.ok().as_array().unwrap().is_empty());
    assert_eq!(asha.get("/incidents?all=true&kind=outcome_unknown").await.ok()[0]["id"], incident["id"]);
    assert!(asha.get("/incidents?all=true&kind=other_total").await.ok().as_array().unwrap().is_empty());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_found_by_whatever_is_known_of_it_and_corrected_in_ones_name() {
    let (world, door) = World::frozen().await.and_operators();
    let (desk, viewer) = (door.operator("dev", Desk).await, door.operator("vera", Viewer).await);
    let agent = world.agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let booking = agent.booking(&bought.reference).await;
    let pnr = booking["pnr"].as_str().unwrap().to_owned();
    let order = world.supplier_orders().await[0]["id"].as_str().unwrap().to_owned();
    for q in [bought.reference.as_str(), pnr.as_str(), order.as_str(), "traveller@sunrise.example", "Sharma"]
    {
        let found = viewer.get(&format!("/bookings?q={q}")).await.ok();
        assert_eq!(only(&found)["booking_ref"], bought.reference.as_str(), "{q}");
    }
    let trip = one_way("DEL", "BOM");
    let mut of_one_name = agent.order(&agent.quote(&trip).await, &trip);
    of_one_name["passengers"][0]["first_name"] = json!("Mira");
    of_one_name["passengers"][0]["last_name"] = json!("");
    let of_one_name = agent.book(&of_one_name).await.ok();
    for q in ["MIRA", "/MIRA", "MIRA/", "MIRA/MIRA", "mira/fnu"] {
        let found = viewer.get(&format!("/bookings?q={q}")).await.ok();
        assert_eq!(only(&found)["booking_ref"], of_one_name["booking_ref"], "{q}");
    }
    assert!(viewer.get("/bookings?q=nothing-like-it").await.ok().as_array().unwrap().is_empty());
    viewer.get("/bookings?status=confirmed").await.is_invalid("{search needs more than a status}");
    let path = format!("/bookings/{}", bought.reference);
    let correction = json!({ "order": 1, "field": "pnr", "number": "NEW123", "note": "the airline's desk" });
    viewer.post(&format!("{path}/correct"), &correction).await.is(403, "this needs the role desk");
    assert!(desk.post(&format!("{path}/correct"), &correction).await.ok().to_string().contains("NEW123"));
    assert_eq!(agent.booking(&bought.reference).await["pnr"], "NEW123");
    let shown = viewer.get(&path).await.ok();
    assert_eq!(shown["booking"]["booking_ref"], bought.reference);
    assert!(shown["happened"].to_string().contains("booking.corrected"));
    let people = desk.post(&format!("{path}/people"), &json!({})).await.ok();
    assert!(people.to_string().contains("Sharma"));
    assert_eq!(super::done_by(&world, &desk, "").await, "booking.corrected people.read");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desk_has_an_orders_supplier_asked_now_and_waits_for_it() {
    let (world, desk) = World::frozen().await.and_operator("dev", Desk).await;
    let bought = world.agent("1000000").await.buy(one_way("DEL", "BOM")).await;
    let path = format!("/bookings/{}/look", bought.reference);
    let body = json!({});
    let looked = async {
        // As a server's worker does.
        loop {
            world.watch().await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let looked = tokio::select! {
        looked = desk.post(&path, &body) => looked.ok(),
        never = looked => never,
    };
    assert_eq!(looked, json!({ "orders": 1, "looked": 1 }));
    // Where no server takes it up, that is what is answered.
    assert_eq!(desk.post(&path, &body).await.ok(), json!({ "orders": 1, "looked": 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_moves_money_once_in_the_name_of_who_made_it() {
    let (world, desk) = World::frozen().await.and_operator("dev", Desk).await;
    let agent = world.agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let before = agent.balance().await;
    let path = format!("/bookings/{}/rulings", bought.reference);
    let ruling =
        json!({ "order": 1, "kind": "refund", "amount": 100, "from_loss": true, "note": "goodwill" });
    let made = desk.post_with_key(&path, "r1", &ruling).await.ok();
    let again = desk.post_with_key(&path, "r1", &ruling).await;
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(again.ok()["id"], made["id"]);
    assert_eq!(agent.balance().await - before, amount(&json!(100)));
    let query = format!("select count(*)::text from events where actor_id = '{}'", desk.id);
    assert_ne!(world.line(&query).await, "0");
    world.books_agree().await;
}
