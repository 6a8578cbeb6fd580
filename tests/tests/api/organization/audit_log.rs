//! The audit log.

use serde_json::{Value, json};
use wayfare_tests::{Person, World, eventually, one_way};

async fn entries(admin: &Person, query: &str) -> Vec<Value> {
    admin.get(&format!("/org/audit-logs?{query}")).await.json()["data"].as_array().unwrap().clone()
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_an_entry_newest_first() {
    let (world, _, admin) = World::start().await.and_admin("1000000").await;
    let stranger = world.agency().await.admin("0").await;
    admin.put("/org/profile", &json!({ "name": "Sunset" })).await.ok();
    let bought = admin.buy(one_way("DEL", "BOM")).await.reference;
    let all = entries(&admin, "").await;
    assert_eq!(
        actions(&all),
        [
            "booking.confirmed",
            "booking.requested",
            "organization.updated",
            "wallet.topped_up",
            "user.created",
            "organization.created",
        ]
    );
    let (booked, changed, made) = (&all[1], &all[2], &all[5]);
    assert_has!(booked, { "entity_type": "booking", "entity_id": bought });
    let organization = &made["entity_id"];
    assert_has!(changed, {
        "actor_type": "org_user", "actor_id": admin.id, "actor_org_id": organization,
        "old_value": { "name": "Sunrise Travels" }, "new_value": { "name": "Sunset" },
        "ip_address": "127.0.0.1",
    });
    assert!(changed["created_at"].as_str().unwrap().ends_with('Z'));
    assert_has!(made, { "actor_type": "operator", "actor_id": "", "actor_org_id": "", "old_value": null });
    assert_eq!(actions(&entries(&stranger, "").await), ["user.created", "organization.created"]);
    assert!(entries(&stranger, &format!("actor_id={}", admin.id)).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_filtered_and_paged() {
    let (_world, _, admin) = World::start().await.and_admin("10").await;
    for name in ["A", "B", "C"] {
        admin.put("/org/profile", &json!({ "name": name })).await.ok();
    }
    for (query, count) in [
        ("".to_owned(), 6),
        (format!("actor_id={}", admin.id), 3),
        ("entity_type=organization".to_owned(), 4),
        ("action=wallet.topped_up".to_owned(), 1),
        (format!("action=organization.updated&actor_id={}&entity_type=organization", admin.id), 3),
        ("entity_type=user&action=organization.updated".to_owned(), 0),
        ("action=nothing.known".to_owned(), 0),
        ("actor_id=00000000-0000-7000-8000-000000000000".to_owned(), 0),
    ] {
        let body = admin.get(&format!("/org/audit-logs?{query}")).await.json();
        assert_eq!(body["meta"]["total"], count, "{query}");
        assert_eq!(body["data"].as_array().unwrap().len(), count, "{query}");
    }
    let whole = entries(&admin, "").await;
    let mut paged = entries(&admin, "per_page=4").await;
    paged.extend(entries(&admin, "per_page=4&page=2").await);
    assert_eq!(paged, whole);
    let day = "must be a date (YYYY-MM-DD)";
    let faults = format!(
        "{{per_page must be between 1 and 100}} {{actor_id must be a UUID}} {{from {day}}} {{to {day}}}"
    );
    let refused = admin.get("/org/audit-logs?actor_id=x&from=1.1.2026&to=2026-02-30&per_page=0").await;
    refused.is_invalid(&faults);
    let refused = admin.get("/org/audit-logs?from=2026-01-02&to=2026-01-01").await;
    refused.is_invalid("{from must not be after to}");
}

#[tokio::test(flavor = "multi_thread")]
async fn days_are_those_of_the_agency() {
    // 2027-01-15T08:00:00Z, 13:30 in Kolkata.
    let (world, agency) = World::frozen().await.and_agency().await;
    // 23:59:59, and a second later the next day.
    world.pass(37_799);
    let admin = agency.admin("10").await;
    world.pass(1);
    admin.put("/org/profile", &json!({ "name": "Sunset" })).await;
    let admin = agency.log_in("asha").await;
    for (query, expected) in [
        ("from=2027-01-15&to=2027-01-15", vec!["organization.created", "user.created", "wallet.topped_up"]),
        ("from=2027-01-16", vec!["organization.updated"]),
        ("to=2027-01-14", vec![]),
        ("to=2027-01-16&action=organization.updated", vec!["organization.updated"]),
    ] {
        let found = entries(&admin, query).await;
        let mut actions = actions(&found);
        // Within one instant of frozen time there is no order.
        actions.sort_unstable();
        assert_eq!(actions, expected, "{query}");
    }
    // The same instants fall on other days elsewhere.
    world.sql("update organizations set timezone = 'UTC'").await;
    assert_eq!(entries(&admin, "from=2027-01-15&to=2027-01-15").await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_log_in_is_an_entry_but_a_flood_of_them_is_one() {
    let (_world, agency, admin, agent) = World::start().await.and_people("0", "0").await;
    let nobody = agent.with_token(None);
    let try_as = async |username: &str| {
        let login =
            json!({ "agent_id": agency.code.as_ref(), "username": username, "password": "wrong horse 7" });
        nobody.post("/auth/login", &login).await.is(401, "invalid credentials");
    };
    try_as("arjun").await;
    let refused = async || entries(&admin, "action=auth.login_refused").await;
    let there_are = async |count: usize| {
        eventually("refused log-ins", async || (refused().await.len() >= count).then_some(())).await;
    };
    there_are(1).await;
    for _ in 0..5 {
        try_as("ARJUN").await;
    }
    // Of all the names that nobody has there is one.
    try_as("nobody").await;
    there_are(2).await;
    try_as("somebody").await;
    try_as("asha").await;
    there_are(3).await;
    let found = refused().await;
    assert_eq!(found.len(), 3, "{found:?}");
    let (asha, nobodies, arjun) = (&found[0], &found[1], &found[2]);
    assert_eq!(nobodies["entity_id"], "");
    assert_eq!((&asha["entity_id"], &arjun["entity_id"]), (&json!(admin.id), &json!(agent.id)));
    assert_has!(arjun, {
        "actor_type": "system", "actor_id": "", "entity_type": "user", "ip_address": "127.0.0.1",
        "new_value": { "reason": "password" },
    });
}
