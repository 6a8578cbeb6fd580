//! Flight packages: what an agency writes into them stands there to the digit, and nothing else does.

use futures_util::future::join_all;
use serde_json::{Value, json};
use wayfare_api::RateLimits;
use wayfare_tests::{Person, Reply, World, faulty_bodies};

const REQUIRED: &str = "this field is required";
pub const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// A body with only what must be there.
pub fn least(name: &str) -> Value {
    json!({ "name": name, "markup_type": "percent", "markup_value": 5 })
}

/// Makes a package at this path; its id.
pub async fn make(admin: &Person, path: &str, name: &str) -> String {
    admin.post(path, &least(name)).await.succeeds(201)["id"].as_str().unwrap().to_owned()
}

/// What the journal has about packages, oldest first: action, entity, old and new value.
pub async fn events(world: &World) -> Vec<String> {
    let events = "select concat_ws(' ', action, entity_type, old_value, '->', new_value) from events
        where entity_type like '%package' order by id";
    world.lines(events).await
}

/// That it is 200 with this message, and tells nothing besides.
#[track_caller]
pub fn only_says(reply: &Reply, message: &str) {
    assert_eq!((reply.status, reply.json()), (200, json!({ "success": true, "message": message })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_what_was_asked_for_to_the_digit() {
    let (world, _, admin) = World::frozen().await.and_admin("0").await;
    let organization = admin.get("/org/profile").await.ok()["id"].clone();
    let text = r#"{"name": " Monsoon ", "description": "rain\nand more", "markup_type": "flat", "markup_value": 100.00,
        "markup_apply_on": "total", "priority": -7, "is_active": false,
        "service_fee_type": "percent", "service_fee_value": 3, "gst_on_service_fee": 18, "platform_charge": 50,
        "min_commission": 1, "max_commission": 9, "scope": "platform", "price_ranges": [{}], "id": "x"}"#;
    let reply = admin.post_text("/org/packages", text).await;
    let made = reply.succeeds(201);
    assert_eq!(reply.json().get("message"), None);
    assert_answer!("package", made);
    assert_eq!(made["org_id"], organization);

    // What may be missing.
    world.pass(1);
    let plain = admin.post("/org/packages", &least("Plain")).await.succeeds(201);
    assert_answer!("plain_package", plain);
    let list = admin.get("/org/packages").await;
    assert_eq!(list.json().get("meta"), None);
    let list = list.ok();
    assert_eq!(list[0]["id"], plain["id"], "newest first");
    let mut row = made;
    row["is_applied"] = json!(false);
    assert_eq!(list[1], row);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_keep_their_digits() {
    let (_world, _, admin) = World::start().await.and_admin("0").await;
    for (kind, given, kept) in [
        ("percent", "5", "5"),
        ("percent", "2.5", "2.5"),
        ("percent", "0", "0"),
        ("percent", "-0", "0"),
        ("percent", "100", "100"),
        ("percent", "12.3456", "12.3456"),
        ("percent", "12.345600", "12.345600"),
        ("flat", "1e3", "1000"),
        ("flat", "0.10", "0.10"),
        ("flat", "12345678901234.56", "12345678901234.56"),
        ("flat", "0.00", "0"),
        ("flat", "-0.00", "0"),
    ] {
        let body = format!(r#"{{"name": "N", "markup_type": "{kind}", "markup_value": {given}}}"#);
        let made = admin.post_text("/org/packages", &body).await.succeeds(201);
        assert_eq!(made["markup_value"].to_string(), kept, "{given}");
        assert_eq!(admin.get("/org/packages").await.ok()[0]["markup_value"].to_string(), kept, "{given}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_at_fault_is_named_before_anything_is_looked_for() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let with = |field: &str, value: Value| {
        let mut body = least("A");
        body[field] = value;
        body.to_string()
    };
    let flat = |value: &str| format!(r#"{{"name": "A", "markup_type": "flat", "markup_value": {value}}}"#);
    let (long_name, long_text) = ("x".repeat(201), "x".repeat(2001));
    let all_missing = format!("{{name {REQUIRED}}} {{markup_type {REQUIRED}}} {{markup_value {REQUIRED}}}");
    let table = format!(
        r#"
        .                 {{}}          {all_missing}
        .                 {{ "name": "", "markup_type": null, "markup_value": null }}  {all_missing}
        .                 {{ "markup_type": "percent", "markup_value": 101 }}  {{name {REQUIRED}}} {{markup_value {per_cent}}}
        /name             7             {{name must be a string}}
        /name             "{long_name}"  {{name must have at most 200 characters}}
        /description      []            {{description must be a string}}
        /description      "{long_text}"  {{description must have at most 2000 characters}}
        /markup_type      "half"        {{markup_type must be one of flat, percent}}
        /markup_apply_on  "tax"         {{markup_apply_on must be one of commission, fare, total}}
        /markup_value     "5"           {{markup_value must be a number}}
        /markup_value     -1            {{markup_value {per_cent}}}
        /markup_value     1.23456       {{markup_value must have at most 4 decimals}}
        /priority         1.5           {{priority must be a whole number}}
        /priority         2147483648    {{priority must be between -2147483648 and 2147483647}}
        /is_active        "yes"         {{is_active must be true or false}}
        "#,
        per_cent = "must be between 0 and 100",
    );
    let flats = r#"
        /markup_value     -0.01            {markup_value must be 0 or greater}
        /markup_value     0.001            {markup_value must have at most 2 decimals}
        /markup_value     100000000000000  {markup_value must have at most 14 digits before the decimal point}
    "#;
    let mut flat_package = least("A");
    flat_package["markup_type"] = json!("flat");
    let faulty = faulty_bodies(&least("A"), &table);
    for (body, faults) in faulty.iter().chain(&faulty_bodies(&flat_package, flats)) {
        admin.post("/org/packages", body).await.is_invalid(faults);
        admin.put("/org/packages/nobody", body).await.is_invalid(faults);
    }
    assert_eq!(world.line("select count(*) from packages").await, "0");
    // At the limits.
    for (field, value) in [
        ("name", json!("é".repeat(200))),
        ("description", json!("é".repeat(2000))),
        ("priority", json!(i32::MIN)),
        ("markup_value", json!(100)),
    ] {
        admin.post_text("/org/packages", &with(field, value)).await.succeeds(201);
    }
    // A currency has as many decimals as it has.
    world.sql("update organizations set currency = 'KWD'").await;
    admin.post_text("/org/packages", &flat("0.001")).await.succeeds(201);
    world.sql("update organizations set currency = 'JPY'").await;
    let refused = admin.post_text("/org/packages", &flat("0.5")).await;
    refused.is_invalid("{markup_value must have at most 0 decimals}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_replaces_everything_but_whether_it_is_active() {
    let (world, agency, admin) = World::frozen().await.and_admin("0").await;
    let body = json!({ "name": "A", "description": "old", "markup_type": "flat", "markup_value": 10,
        "markup_apply_on": "commission", "priority": 3, "is_active": false });
    let made = admin.post("/org/packages", &body).await.succeeds(201);
    let path = format!("/org/packages/{}", made["id"].as_str().unwrap());
    world.pass(5);
    agency.second_admin("vikram").await;
    let vikram = agency.log_in("vikram").await;
    let changed = vikram.put(&path, &least("B")).await.ok();
    assert_answer!("changed_package", changed);
    assert_eq!(changed["id"], made["id"]);
    assert_ne!(changed["updated_at"], made["updated_at"]);
    // The same again changes nothing.
    world.pass(5);
    assert_eq!(vikram.put(&path, &least("B")).await.ok(), changed);
    let mut active = least("B");
    active["is_active"] = json!(true);
    assert_eq!(vikram.put(&path, &active).await.ok()["is_active"], true);
    assert_eq!(vikram.put(&path, &least("B")).await.ok()["is_active"], true);
    assert_eq!(events(&world).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_anothers_or_of_hotels_or_not_there_is_not_found() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let stranger = world.agency().await.admin("0").await;
    let theirs = make(&stranger, "/org/packages", "Theirs").await;
    let of_hotels = make(&admin, "/org/hotel-packages", "Stays").await;
    let gone = make(&admin, "/org/packages", "Gone").await;
    only_says(&admin.delete(&format!("/org/packages/{gone}")).await, "package deleted");
    let before = world.lines("select p::text from packages p order by 1").await;
    for id in [&theirs, &of_hotels, &gone, NOBODY, "x", "%00"] {
        let path = format!("/org/packages/{id}");
        let body = json!({ "package_id": id });
        let mut replies = vec![admin.put(&path, &least("Mine")).await, admin.delete(&path).await];
        if id.len() == 36 {
            replies.push(admin.post("/org/packages/assign", &body).await);
            replies.push(admin.post(&format!("/org/packages/assign-agent/{}", agent.id), &body).await);
        }
        for reply in replies {
            reply.is_missing();
            assert_eq!(reply.text, r#"{"success":false,"error":"resource not found"}"#);
        }
    }
    assert_eq!(world.lines("select p::text from packages p order by 1").await, before);
    assert_eq!(admin.get("/org/packages").await.ok(), json!([]));
    assert_eq!(stranger.get("/org/packages").await.ok()[0]["id"], theirs.as_str());
    assert_eq!(world.line("select count(*) from package_assignments").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_has_five_hundred_packages_and_no_more() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    make(&admin, "/org/packages", "First").await;
    let more = "insert into packages select org_id, gen_random_uuid(), product, name, description,
            markup_type, markup_value, markup_apply_on, priority, is_active, created_by, created_at, updated_at
        from packages, generate_series(1, 498)";
    world.sql(more).await;
    let last = least("Last");
    let replies = join_all((0..4).map(|_| admin.post("/org/hotel-packages", &last))).await;
    let (made, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 201);
    assert_eq!((made.len(), refused.len()), (1, 3));
    for reply in refused {
        reply.is(409, "an organization has at most 500 packages");
    }
    assert_eq!(admin.get("/org/packages").await.ok().as_array().unwrap().len(), 499);
    make(&world.agency().await.admin("0").await, "/org/packages", "Another agency's").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_told_once() {
    let (_world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let id = make(&admin, "/org/packages", "A").await;
    let other = make(&admin, "/org/packages", "B").await;
    admin.put(&format!("/org/packages/{id}"), &least("C")).await.ok();
    let body = json!({ "package_id": id });
    let to_agent = format!("/org/packages/assign-agent/{}", agent.id);
    for path in ["/org/packages/assign", &to_agent] {
        admin.post(path, &body).await.succeeds(200);
        // Whoever has it already keeps it, and there is nothing to tell.
        admin.post(path, &body).await.succeeds(200);
    }
    admin.post("/org/packages/assign", &json!({ "package_id": other })).await.succeeds(200);
    admin.delete(&to_agent).await.succeeds(200);
    admin.delete("/org/packages/assign").await.succeeds(200);
    admin.delete(&format!("/org/packages/{id}")).await.succeeds(200);

    let entries = admin.get("/org/audit-logs?entity_type=package&per_page=100").await.ok();
    let told = |entry: &Value| {
        let id_of = entry["entity_id"] == id.as_str();
        let part = |name: &str| entry[name].clone();
        (entry["action"].as_str().unwrap().to_owned(), id_of, part("old_value"), part("new_value"))
    };
    let mut found: Vec<_> = entries.as_array().unwrap().iter().map(told).collect();
    found.reverse();
    let content = |name: &str| {
        json!({ "name": name, "description": "", "markup_type": "percent", "markup_value": 5,
            "markup_apply_on": "fare", "priority": 0, "is_active": true })
    };
    let of = |id: &str, agent: Option<&str>| json!({ "package_id": id, "agent_id": agent });
    let (none, agent) = (Value::Null, Some(agent.id.as_str()));
    let expected = [
        ("package.created", true, none.clone(), content("A")),
        ("package.created", false, none.clone(), content("B")),
        ("package.updated", true, content("A"), content("C")),
        ("package.assigned", true, none.clone(), of(&id, None)),
        ("package.assigned", true, none.clone(), of(&id, agent)),
        ("package.assigned", false, of(&id, None), of(&other, None)),
        ("package.unassigned", true, of(&id, agent), none.clone()),
        ("package.unassigned", false, of(&other, None), none.clone()),
        ("package.deleted", true, content("C"), none),
    ]
    .map(|(action, of_id, old, new)| (action.to_owned(), of_id, old, new));
    assert_eq!(found, expected);
    for entry in entries.as_array().unwrap() {
        assert_has!(entry, { "actor_type": "org_user", "actor_id": admin.id });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_makes_one_package_and_is_answered_to_the_letter() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let path = "/org/packages";
    let first = admin.post_with_key(path, "k", &least("A")).await;
    let made = first.succeeds(201);
    assert_eq!(first.header("Idempotency-Replayed"), "");
    let at = format!("{path}/{}", made["id"].as_str().unwrap());
    let now = admin.put(&at, &least("B")).await.ok();
    let again = admin.post_with_key(path, "k", &least("A")).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    let mismatch = "idempotency key was used with a different request";
    admin.post_with_key(path, "k", &least("B")).await.is(422, mismatch);
    admin.post_with_key("/org/hotel-packages", "k", &least("A")).await.is(422, mismatch);
    // An answer that a crash kept from being stored.
    world.sql("update idempotency_keys set status = null, answer = null").await;
    let again = admin.post_with_key(path, "k", &least("A")).await;
    assert_eq!(again.succeeds(201), now);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    // Of one that is deleted there is nothing to tell; it is not made again.
    admin.delete(&at).await.succeeds(200);
    admin.post_with_key(path, "k", &least("A")).await.is_missing();
    assert_eq!(world.line("select count(*) from packages").await, "0");
    // A refusal leaves the key free.
    assert_eq!(admin.post_with_key(path, "l", &json!({})).await.status, 422);
    admin.post_with_key(path, "l", &least("A")).await.succeeds(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_requests_under_one_key_on_two_servers_one_makes_the_package() {
    let (mut world, _, admin) = World::start().await.and_admin("0").await;
    let elsewhere = admin.at(&world.another_server(RateLimits::off()));
    for round in 1..=6 {
        let (key, body) = (format!("k{round}"), least("A"));
        let asked = [&admin, &elsewhere, &admin, &elsewhere]
            .map(|admin| admin.post_with_key("/org/packages", &key, &body));
        for reply in join_all(asked).await {
            if reply.status != 201 {
                reply.is(409, "a request with this idempotency key is still running");
            }
        }
        assert_eq!(world.line("select count(*) from packages").await, round.to_string());
    }
}
