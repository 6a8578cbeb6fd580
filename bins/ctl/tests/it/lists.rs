//! What the operator looks at over all agencies, beside a running server.

use serde_json::json;
use wayfare_tests::{World, one_way};

use crate::installation::{Installation, refused, succeeded, text};

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_and_what_failed_is_listed_over_all_agencies() {
    let world = World::start().await;
    let (sunny, other) = (world.agency().await, world.agency().await);
    let (admin, agent) = (sunny.admin("1000").await, sunny.agent("arjun", "1000000").await);
    other.admin("5").await;
    world.next("book", "drop_after").await;
    let pending = agent.try_buy(&one_way("DEL", "BOM")).await.succeeds(202);
    let reference = text(&pending["booking_ref"]);
    let webhook =
        admin.post("/org/webhooks", &json!({ "url": "https://hooks.example.com/in" })).await.succeeds(201);
    let report = json!({ "type": "sales", "period_start": "2026-01-01", "period_end": "2026-01-31" });
    admin.post("/org/reports", &report).await.succeeds(201);
    world
        .sql(
            "update reports set status = 'failed', due_at = null, problem = 'the disk is full';
             update wallets set credit_limit = 500, balance = -120.5 where owner_type = 'org' and balance = 5;
             update webhooks set is_active = false, disabled_reason = 'the receiver answered 410'",
        )
        .await;

    let here = Installation::new();
    let ctl = |arguments: &[&str]| here.beside(&world, arguments);
    let say = |arguments: &[&str]| succeeded(&ctl(arguments).output().unwrap());
    let json = |arguments: &[&str]| here.json_beside(&world, arguments);
    let status = json(&["status"]);
    for (field, count) in [
        ("pending_bookings", 1),
        ("open_incidents", 0),
        ("pending_refunds", 0),
        ("failed_reports", 1),
        ("webhooks_disabled", 1),
        ("webhooks_resting", 0),
        ("wallets_in_debt", 1),
    ] {
        assert_eq!(status[field], count, "{field}: {status}");
    }
    assert_eq!(
        (&status["suppliers"][0]["supplier"], &status["suppliers"][0]["open"]),
        (&json!("duffel"), &json!(1))
    );
    assert_eq!(status["unused_suppliers"], json!(["tripjack", "liteapi", "hotelbeds"]));
    assert_eq!(status["debts"][0]["balance"].to_string(), "-120.5");
    let screen = say(&["status"]);
    for part in [
        "pending_bookings   1, the oldest since 2",
        "wallets_in_debt    1",
        "\nsupplier  open",
        "\nagent_id  ",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }

    let (code, theirs) = (sunny.code.as_ref(), other.code.as_ref());
    for (arguments, name, field, value) in [
        (&["bookings", "pending"][..], "bookings", "booking_ref", reference.as_str()),
        (&["bookings", "pending", "--supplier", "duffel"], "bookings", "agent_id", code),
        (&["debts"], "debts", "agent_id", theirs),
        (&["debts", "--currency", "inr"], "debts", "currency", "INR"),
        (&["reports", "list", "--status", "failed"], "reports", "problem", "the disk is full"),
        (&["webhooks", "list", "--agency", code], "webhooks", "id", webhook["id"].as_str().unwrap()),
        (&["sessions", "--user", "arjun"], "sessions", "username", "arjun"),
        (&["audit-log", "--action", "webhook.created"], "events", "actor", "asha"),
    ] {
        let listed = json(arguments);
        let rows = listed[name].as_array().unwrap();
        assert_eq!((rows.len(), &rows[0][field]), (1, &json!(value)), "{arguments:?}: {listed}");
        let table = say(arguments);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 2, "{table}");
        assert!(lines[0].contains(field) && lines[1].contains(value), "{table}");
    }
    for (arguments, name) in [
        (&["refunds", "pending"][..], "refunds"),
        (&["webhooks", "deliveries", "--state", "failed"], "deliveries"),
        (&["bookings", "pending", "--agency", theirs], "bookings"),
        (&["reports", "list", "--status", "ready"], "reports"),
    ] {
        assert_eq!(json(arguments), json!({ name: [] }), "{arguments:?}");
    }
    assert_eq!(json(&["audit-log", "--limit", "2"])["events"].as_array().unwrap().len(), 2);
    assert_eq!(
        refused(&mut ctl(&["debts", "--agency", "WFNOBODY"]), 1),
        "wayfarectl: there is no agency \"WFNOBODY\"\n"
    );
}
