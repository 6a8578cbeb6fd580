//! The agency's profile and settings.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Person, World, WorldOptions, faulty_bodies, one_way};

async fn set(admin: &Person, key: &str, value: &str) -> wayfare_tests::Reply {
    admin.put("/org/settings", &json!({ "key": key, "value": value })).await
}

async fn value_of(admin: &Person, key: &str) -> Option<String> {
    let all = admin.get("/org/settings").await.ok();
    let found = all.as_array().unwrap().iter().find(|setting| setting["key"] == key);
    found.map(|setting| setting["value"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_tells_the_agency_and_its_wallet() {
    let (_world, _, admin) = World::start().await.and_admin("250.50").await;
    let profile = admin.get("/org/profile").await.ok();
    assert_answer!("profile", profile);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_given_changes_and_the_rest_stays() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let before = admin.get("/org/profile").await.ok();
    let change = json!({
        "name": " Sunset Travels ", "phone": "+91 22 5550 100", "country": "ae", "agent_id": "WF000000",
        "subscription_type": "api_only", "email": null,
    });
    let reply = admin.put("/org/profile", &change).await;
    assert_eq!(reply.text, r#"{"success":true,"message":"profile updated"}"#);
    let after = admin.get("/org/profile").await.ok();
    let mut expected = before.clone();
    expected["name"] = json!("Sunset Travels");
    expected["phone"] = json!("+91 22 5550 100");
    expected["country"] = json!("AE");
    assert_eq!(after, expected);
    let said = admin.put("/org/profile", &json!({ "address": "1 High Street", "phone": "" })).await;
    said.says(200, "profile updated");
    // Nothing differs: nothing is written.
    admin.put("/org/profile", &json!({ "phone": "" })).await.ok();
    admin.put("/org/profile", &json!({})).await.ok();
    let events = world
        .lines("select concat_ws(' ', old_value, new_value) from events where action = 'organization.updated' order by id")
        .await;
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(
        events[1],
        r#"{"phone": "+91 22 5550 100", "address": ""} {"phone": "", "address": "1 High Street"}"#
    );
    let actor = "select actor_type || ' ' || actor_id || ' ' || entity_id || ' ' || ip_address from events
        where action = 'organization.updated' limit 1";
    let id = before["id"].as_str().unwrap();
    assert_eq!(world.line(actor).await, format!("org_user {} {id} 127.0.0.1", admin.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_at_fault_is_named_and_nothing_changes() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    let before = admin.get("/org/profile").await.ok();
    for (change, faults) in [
        (
            json!({ "name": " ", "email": "a@b", "country": "India", "phone": 7 }),
            "{name must not be empty} {email must be an e-mail address} {phone must be a string} \
             {country must have at most 2 characters}",
        ),
        (json!({ "name": "x", "country": "XX" }), "{country must be a 2-letter country code}"),
        (json!({ "name": "x\u{0}" }), "{name must not contain NUL}"),
        (json!({ "name": "x".repeat(201) }), "{name must have at most 200 characters}"),
        (json!({ "name": "Sun\u{202e}rise" }), "{name must not contain characters that are not seen}"),
        (json!([]), "{body must be an object}"),
    ] {
        admin.put("/org/profile", &change).await.is_invalid(faults);
    }
    assert_eq!(admin.get("/org/profile").await.ok(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_is_made_and_then_changed() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let stranger = world.agency().await.admin("0").await;
    assert_eq!(admin.get("/org/settings").await.text, r#"{"success":true,"data":[]}"#);
    let reply = set(&admin, "crm.url", " https://crm.example/ ").await;
    assert_eq!(reply.text, r#"{"success":true,"message":"setting updated"}"#);
    set(&admin, "a", "1").await.says(200, "setting updated");
    let first = admin.get("/org/settings").await.ok();
    assert_eq!(first.as_array().unwrap().len(), 2);
    let (a, crm) = (&first[0], &first[1]);
    assert_eq!((&a["key"], &crm["key"]), (&json!("a"), &json!("crm.url")));
    assert_eq!(crm["value"], " https://crm.example/ ");
    set(&admin, "crm.url", "x").await.says(200, "setting updated");
    let second = admin.get("/org/settings").await.ok();
    assert_eq!(second.as_array().unwrap().len(), 2);
    assert_has!(second[1], { "id": crm["id"], "value": "x", "created_at": crm["created_at"] });
    assert_ne!(second[1]["updated_at"], crm["updated_at"]);
    assert_eq!(stranger.get("/org/settings").await.ok(), json!([]));
    let events = world
        .lines("select concat_ws(' ', entity_id, old_value, new_value) from events where action = 'setting.updated' order by id")
        .await;
    assert_eq!(
        events,
        [
            r#"crm.url {"value": " https://crm.example/ "}"#,
            r#"a {"value": "1"}"#,
            r#"crm.url {"value": " https://crm.example/ "} {"value": "x"}"#,
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn known_keys_are_checked_and_unknown_ones_must_look_like_keys() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    let key = "must be 1 to 64 lower case letters, digits, dots and underscores, a letter first";
    let table = format!(
        r#"
        /key    "Crm"         {{key {key}}}
        /key    "crm url"     {{key {key}}}
        /key    "_crm"        {{key {key}}}
        /key    "{long_key}"  {{key must have at most 64 characters}}
        /value  "{long}"      {{value must have at most 4000 characters}}
        /value  "a\u0000b"    {{value must not contain NUL}}
        /value  ""            {{value this field is required}}
        .  {{ "key": "low_balance_alert", "value": "soon" }}         {{value {amount}}}
        .  {{ "key": "low_balance_alert", "value": "-1" }}           {{value {amount}}}
        .  {{ "key": "low_balance_alert", "value": "1e3" }}          {{value {amount}}}
        .  {{ "key": "low_balance_alert", "value": "10.005" }}       {{value must have at most 2 decimals}}
        .  {{ "key": "ticket_password_enabled", "value": "yes" }}    {{value must be true or false}}
        .  {{ "key": "ticket_password_enabled", "value": "true" }}   {{value must be false while no ticket_password is set}}
        .  {{ "key": "ticket_password", "value": "123" }}            {{value must be between 4 and 128 characters}}
        .  {{ "value": true }}  {{key this field is required}} {{value must be a string}}
        "#,
        long_key = "k".repeat(65),
        long = "é".repeat(4001),
        amount = "must be an amount of at least 0",
    );
    for (body, faults) in faulty_bodies(&json!({ "key": "crm", "value": "x" }), &table) {
        admin.put("/org/settings", &body).await.is_invalid(&faults);
    }
    assert_eq!(admin.get("/org/settings").await.ok(), json!([]));
    let longest = "é".repeat(4000);
    for (key, value) in
        [("low_balance_alert", "10.50"), ("ticket_password_enabled", "false"), ("crm", &longest)]
    {
        set(&admin, key, value).await.says(200, "setting updated");
        assert_eq!(value_of(&admin, key).await.as_deref(), Some(value));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ticket_password_is_kept_as_a_hash_and_never_told() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    for secret in ["open sesame", "sesame, open"] {
        set(&admin, "ticket_password", secret).await.says(200, "setting updated");
    }
    set(&admin, "ticket_password_enabled", "true").await.says(200, "setting updated");
    assert_eq!(value_of(&admin, "ticket_password").await.unwrap(), "********");
    let kept = world.line("select value from settings where key = 'ticket_password'").await;
    assert!(kept.starts_with("$argon2id$"), "{kept}");
    let events = world.line("select string_agg(events::text, '') from events").await;
    assert!(!events.contains("sesame") && !events.contains("$argon2id$"), "{events}");
    let entries = admin.get("/org/audit-logs?action=setting.updated").await.json();
    let told: Vec<&Value> = entries["data"].as_array().unwrap().iter().map(|e| &e["new_value"]).collect();
    let hidden = json!({ "value": "********" });
    assert_eq!(told, [&json!({ "value": "true" }), &hidden, &hidden]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_needs_the_ticket_password_where_the_agency_asks_for_it() {
    let (world, agency) = World::with(WorldOptions::limited()).await.and_agency().await;
    let (admin, agent) = (agency.admin("0").await, agency.agent("arjun", "1000000").await);
    set(&admin, "ticket_password", "open sesame").await.ok();
    let trip = one_way("DEL", "BOM");
    // Set, and not asked for.
    agent.buy(trip.clone()).await;
    set(&admin, "ticket_password_enabled", "true").await.ok();
    let mut order = agent.order(&agent.quote(&trip).await, &trip);
    let booked = async |order: &Value| agent.book(order).await;
    booked(&order).await.is(422, "code=422, message=[{issue_ticket_password this field is required}]");
    order["issue_ticket_password"] = json!(7);
    booked(&order).await.is_invalid("{issue_ticket_password must be a string}");
    for wrong in ["", "Open sesame", "open sesame "] {
        order["issue_ticket_password"] = json!(wrong);
        booked(&order).await.is(403, "access denied");
    }
    assert_eq!(world.line("select count(*) from bookings").await, "1");
    order["issue_ticket_password"] = json!("open sesame");
    assert_eq!(booked(&order).await.ok()["status"], "CONFIRMED");
    // Nobody guesses for long.
    order["issue_ticket_password"] = json!("1234");
    let mut guessed = Vec::new();
    // Guesses come back with time, and a busy machine takes its time.
    while guessed.len() < 60 && !guessed.contains(&429) {
        guessed.push(booked(&order).await.status);
    }
    assert!(guessed.contains(&403) && guessed.contains(&429), "{guessed:?}");
    assert!(!guessed.iter().any(|status| ![403, 429].contains(status)), "{guessed:?}");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_the_agency_may_not_use_is_skipped() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    let found = async || agent.search(&one_way("DEL", "BOM")).await;
    for (suppliers, status) in [
        ("null", "success"),
        ("'{duffel,hotelbeds}'", "success"),
        ("'{hotelbeds}'", "skipped"),
        ("'{}'", "skipped"),
    ] {
        world.sql(&format!("update organizations set suppliers = {suppliers}")).await;
        let found = found().await;
        let offers = found["offers"].as_array().unwrap().len();
        assert_has!(found["search_meta"]["provider_status"]["duffel"], { "status": status });
        assert_eq!(offers > 0, status == "success", "{offers}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_bought_from_a_supplier_that_was_taken_away() {
    const GONE: &str = "offer is no longer available, please search again";
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let stands = agent.buy(trip.clone()).await;
    // What is offered there can only be held.
    let held = agent.buy(one_way("JFK", "EWR")).await;
    let offer = agent.offer(&trip).await;
    let order = agent.order(&agent.quote(&trip).await, &trip);
    let mut by_offer = order.clone();
    by_offer["offer_ids"] = json!([offer]);
    by_offer.as_object_mut().unwrap().remove("booking_keys");
    let used = json!({ "booking_ref": stands.reference });
    let rebook = agent.order(&stands.priced, &trip);

    world.sql("update organizations set suppliers = '{hotelbeds}'").await;
    // Whatever is sent to the supplier now comes back as another error.
    world.next("price", "status:500").await;
    world.next("book", "status:500").await;
    agent.price(&offer).await.is(409, GONE);
    agent.book(&order).await.is(409, GONE);
    agent.book(&by_offer).await.is(409, GONE);
    // Of a quote that has its booking, that is what matters.
    let again = agent.book(&rebook).await;
    again.is(409, "booking key has already been used");
    assert_eq!(again.json()["data"], used);
    assert_eq!(world.supplier_orders().await.len(), 2);
    assert_eq!(world.held().await, Decimal::ZERO);
    assert_eq!(world.line("select count(*) from bookings").await, "2");
    assert_eq!(world.faults_left().await, 2, "the supplier was asked");

    // What stands is served on.
    let path = format!("/flights/bookings/{}/issue-ticket", held.reference);
    agent.post(&path, &json!({ "amount": held.booked["total_amount"] })).await.ok();
    assert_eq!(agent.booking(&stands.reference).await["status"], "confirmed");
    assert_eq!(agent.cancel(&stands.reference).await.ok()["status"], "cancelled");

    world.all_is_well().await;
    world.sql("update organizations set suppliers = null").await;
    assert_eq!(agent.book(&order).await.ok()["status"], "CONFIRMED");
    world.books_agree().await;
}
