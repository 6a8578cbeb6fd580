//! Hotel packages: like those for flights, with bands of the total.

use serde_json::{Value, json};
use wayfare_tests::World;

use super::flight_packages::{NOBODY, events, least, make, only_says};

const PATH: &str = "/org/hotel-packages";

/// A package in the list while nobody has it.
fn listed(package: &Value) -> Value {
    let mut row = package.clone();
    row["is_applied"] = json!(false);
    row
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hotel_package_has_its_bands_in_the_order_in_which_they_came() {
    let (_world, _, admin) = World::frozen().await.and_admin("0").await;
    let text = r#"{"name": "Stays", "markup_type": "percent", "markup_value": 7.5, "service_fee_type": "percent",
        "service_fee_value": 3, "gst_on_service_fee": 18, "platform_charge": 5, "min_commission": 1,
        "max_commission": 2, "service_type": "flight", "price_ranges": [
            {"min_amount": 5000.00, "max_amount": null, "markup_type": "flat", "markup_value": 250, "id": "x",
                "sort_order": 9},
            {"min_amount": 0, "max_amount": 1000, "markup_type": "percent", "markup_value": 12.25},
            {"min_amount": 1000, "max_amount": 2500.50, "markup_type": "percent", "markup_value": 0}]}"#;
    let made = admin.post_text(PATH, text).await.succeeds(201);
    assert_answer!("hotel_package", made);
    let list = admin.get(PATH).await;
    assert_eq!(list.json().get("meta"), None);
    assert_eq!(list.ok(), json!([listed(&made)]));
    // They are none of the flights'.
    assert_eq!(admin.get("/org/packages").await.ok(), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_replaces_the_bands_too() {
    let (world, _, admin) = World::frozen().await.and_admin("0").await;
    let mut body = least("Stays");
    body["priority"] = json!(4);
    body["markup_apply_on"] = json!("fare");
    let band = |min: i64, max: Value| json!({ "min_amount": min, "max_amount": max, "markup_type": "flat", "markup_value": 5 });
    body["price_ranges"] = json!([band(0, json!(10)), band(10, json!(null))]);
    let made = admin.post(PATH, &body).await.succeeds(201);
    let at = format!("{PATH}/{}", made["id"].as_str().unwrap());
    assert_eq!(admin.put(&at, &body).await.ok(), made);
    world.pass(1);
    body["price_ranges"] = json!([band(7, json!(9))]);
    let changed = admin.put(&at, &body).await.ok();
    assert_eq!(changed["price_ranges"].as_array().unwrap().len(), 1);
    assert_eq!(changed["created_at"], made["created_at"]);
    assert_ne!(changed["updated_at"], made["updated_at"]);
    assert_eq!(admin.get(PATH).await.ok(), json!([listed(&changed)]));
    for none in [json!(null), json!([])] {
        body["price_ranges"] = none;
        assert_eq!(admin.put(&at, &body).await.ok()["price_ranges"], json!([]));
    }
    assert_has!(admin.put(&at, &least("Stays")).await.ok(), { "markup_apply_on": "total", "priority": 0 });
    let told = events(&world).await;
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("hotel_package.created hotel_package -> {"), "{}", told[0]);
    // Within one instant of frozen time there is no order.
    let moved = |line: &&String| line.contains(r#""min_amount": 7"#) && line.contains(r#""min_amount": 10"#);
    assert_eq!(told.iter().filter(moved).count(), 1, "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_of_a_band_is_named() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let table = [
        ("7", "{price_ranges must be an array}"),
        ("[7]", "{price_ranges[0] must be an object}"),
        (
            "[{}]",
            "{price_ranges[0].min_amount this field is required} {price_ranges[0].markup_type this field is required} \
             {price_ranges[0].markup_value this field is required}",
        ),
        (
            r#"[{"min_amount": 0, "max_amount": 10, "markup_type": "flat", "markup_value": 1},
                {"min_amount": "0", "max_amount": "10", "markup_type": "half", "markup_value": true}]"#,
            "{price_ranges[1].min_amount must be a number} {price_ranges[1].max_amount must be a number} \
             {price_ranges[1].markup_type must be one of flat, percent} \
             {price_ranges[1].markup_value must be a number}",
        ),
        (
            r#"[{"min_amount": -1, "max_amount": null, "markup_type": "percent", "markup_value": 101}]"#,
            "{price_ranges[0].min_amount must be 0 or greater} \
             {price_ranges[0].markup_value must be between 0 and 100}",
        ),
        (
            r#"[{"min_amount": 10, "max_amount": 10, "markup_type": "flat", "markup_value": -1}]"#,
            "{price_ranges[0].min_amount must be less than max_amount} \
             {price_ranges[0].markup_value must be 0 or greater}",
        ),
        (
            r#"[{"min_amount": 10, "max_amount": 20, "markup_type": "flat", "markup_value": 1},
                {"min_amount": 19.99, "max_amount": 30, "markup_type": "flat", "markup_value": 1},
                {"min_amount": 40, "max_amount": 39, "markup_type": "flat", "markup_value": 1}]"#,
            "{price_ranges[1].min_amount overlaps price_ranges[0]} \
             {price_ranges[2].min_amount must be less than max_amount}",
        ),
        (
            r#"[{"min_amount": 0, "max_amount": null, "markup_type": "flat", "markup_value": 1},
                {"min_amount": 5, "max_amount": 6, "markup_type": "flat", "markup_value": 1}]"#,
            "{price_ranges[1].min_amount overlaps price_ranges[0]}",
        ),
        (
            r#"[{"min_amount": 0.001, "max_amount": 100000000000000, "markup_type": "flat", "markup_value": 0.005}]"#,
            "{price_ranges[0].min_amount must have at most 2 decimals} \
             {price_ranges[0].max_amount must have at most 14 digits before the decimal point} \
             {price_ranges[0].markup_value must have at most 2 decimals}",
        ),
    ];
    for (ranges, faults) in table {
        let body =
            format!(r#"{{"name": "A", "markup_type": "flat", "markup_value": 1, "price_ranges": {ranges}}}"#);
        admin.post_text(PATH, &body).await.is(422, &format!("code=422, message=[{faults}]"));
    }
    // With the faults of the package itself.
    let body = r#"{"markup_type": "percent", "markup_value": -1, "price_ranges": [{}]}"#;
    admin.post_text(PATH, body).await.is_invalid("{name this field is required} {price_ranges[0].min_amount this field is required} \
         {price_ranges[0].markup_type this field is required} {price_ranges[0].markup_value this field is required} \
         {markup_value must be between 0 and 100}");
    let bands = |count: u32| {
        let band = |number: u32| json!({ "min_amount": number, "max_amount": number + 1, "markup_type": "flat", "markup_value": 1 });
        let mut body = least("A");
        body["price_ranges"] = (0..count).map(band).collect();
        body
    };
    let text = "code=422, message=[{price_ranges must have between 0 and 100 items}]";
    admin.post(PATH, &bands(101)).await.is(422, text);
    assert_eq!(world.line("select count(*) from packages").await, "0");
    let made = admin.post(PATH, &bands(100)).await.succeeds(201);
    assert_eq!(made["price_ranges"].as_array().unwrap().len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn hotel_packages_are_assigned_beside_those_for_flights() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let (first, second) = (make(&admin, PATH, "A").await, make(&admin, PATH, "B").await);
    let flights = make(&admin, "/org/packages", "F").await;
    let to_agent = format!("{PATH}/assign-agent/{}", agent.id);
    let assigned = format!("{PATH}/assign");
    admin.post("/org/packages/assign", &json!({ "package_id": flights })).await.says(200, "package assigned");
    let flights_to_agent = format!("/org/packages/assign-agent/{}", agent.id);
    let given = admin.post(&flights_to_agent, &json!({ "package_id": flights })).await;
    given.says(200, "package assigned to agent");
    for (path, message) in
        [(&assigned, "hotel package assigned"), (&to_agent, "hotel package assigned to agent")]
    {
        for package in [&first, &second] {
            only_says(&admin.post(path, &json!({ "package_id": package })).await, message);
        }
        for other in [flights.as_str(), NOBODY] {
            admin.post(path, &json!({ "package_id": other })).await.is_missing();
        }
    }
    let rows = "select concat_ws(' ', product, package_id, agent_id) from package_assignments order by id";
    let both = |product: &str, id: &str| [format!("{product} {id}"), format!("{product} {id} {}", agent.id)];
    assert_eq!(world.lines(rows).await, [both("flight", &flights), both("hotel", &second)].concat());
    for (path, message) in [(&assigned, "hotel package unassigned"), (&to_agent, "agent assignment removed")]
    {
        only_says(&admin.delete(path).await, message);
        admin.delete(path).await.is_missing();
    }
    assert_eq!(world.lines(rows).await.len(), 2);
    admin.post(&assigned, &json!({ "package_id": second })).await.succeeds(200);
    only_says(&admin.delete(&format!("{PATH}/{second}")).await, "hotel package deleted");
    assert_eq!(world.lines(rows).await.len(), 2);
    // One of flights is not there for hotels.
    let at = format!("{PATH}/{flights}");
    admin.delete(&at).await.is_missing();
    admin.put(&at, &least("X")).await.is_missing();
    let told = events(&world).await;
    let done = told.iter().filter_map(|line| line.split_whitespace().next()?.strip_prefix("hotel_package."));
    let all = "created created assigned assigned assigned assigned unassigned unassigned assigned deleted";
    assert_eq!(done.collect::<Vec<_>>().join(" "), all);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_assigned_is_shown_as_for_flights() {
    let (_world, agency, admin) = World::start().await.and_admin("0").await;
    let agent = agency.agent("arjun", "0").await;
    let package = |name: &str| json!({ "name": name, "markup_type": "percent", "markup_value": 5 });
    let mut ids = Vec::new();
    for name in ["A", "B"] {
        ids.push(admin.post("/org/hotel-packages", &package(name)).await.succeeds(201)["id"].clone());
    }
    let applied = async || -> Vec<Value> {
        let all = admin.get("/org/hotel-packages").await.ok();
        let applied = all.as_array().unwrap().iter().filter(|row| row["is_applied"] == true);
        applied.map(|row| row["id"].clone()).collect()
    };
    assert_eq!(applied().await, Vec::<Value>::new());
    admin.get("/org/hotel-packages/assigned").await.is_missing();
    // A flight package of the same agency is another matter.
    let of_flights = admin.post("/org/packages", &package("C")).await.succeeds(201);
    admin.post("/org/packages/assign", &json!({ "package_id": of_flights["id"] })).await.succeeds(200);
    admin.get("/org/hotel-packages/assigned").await.is_missing();

    admin.post("/org/hotel-packages/assign", &json!({ "package_id": ids[0] })).await.succeeds(200);
    assert_eq!(applied().await, [ids[0].clone()]);
    let assigned = admin.get("/org/hotel-packages/assigned").await.ok();
    assert_has!(assigned, { "id": ids[0], "service_type": "hotel", "assignments": null });

    let listed = async || admin.get("/org/hotel-packages/agent-assignments").await;
    assert_eq!(listed().await.ok(), json!([]));
    let body = json!({ "package_id": ids[1] });
    admin.post(&format!("/org/hotel-packages/assign-agent/{}", agent.id), &body).await.succeeds(200);
    let found = listed().await;
    assert_eq!(found.json().get("meta"), None);
    let found = found.ok();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_has!(found[0], {
        "agent_id": agent.id, "package_id": ids[1], "package/id": ids[1], "package/service_type": "hotel",
        "assigned_by": admin.id,
    });
    assert_eq!(applied().await, [ids[0].clone()], "the agency's alone");
}
