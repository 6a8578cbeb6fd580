//! Who has which package: one for the agency, one for each agent, and the agent's goes first.

use futures_util::future::join_all;
use serde_json::{Value, json};
use wayfare_api::RateLimits;
use wayfare_domain::ProductKind;
use wayfare_pricing::{Level, Package};
use wayfare_store::pricing::package_assignments;
use wayfare_tests::{Person, Reply, World};

use super::flight_packages::{NOBODY, least, make, only_says};

const PATH: &str = "/org/packages";

async fn assign(admin: &Person, package: &str) -> Reply {
    admin.post("/org/packages/assign", &json!({ "package_id": package })).await
}

async fn assign_to(admin: &Person, agent: &Person, package: &str) -> Reply {
    admin.post(&format!("/org/packages/assign-agent/{}", agent.id), &json!({ "package_id": package })).await
}

/// The package that counts for this person's prices.
async fn counts(world: &World, person: &Person, product: ProductKind) -> Option<Package> {
    let organization = format!("select org_id from users where id = '{}'", person.id);
    let organization = world.line(&organization).await.parse().unwrap();
    let user = Some(person.id.parse().unwrap());
    let connection = world.database.database.connection().await.unwrap();
    package_assignments::applied(&connection, organization, user, product).await.unwrap()
}

/// Its id and at which level it is assigned.
async fn counted(world: &World, person: &Person) -> Option<(String, Level)> {
    let package = counts(world, person, ProductKind::Flight).await?;
    Some((package.id.to_string(), package.level))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agency_has_one_package_at_a_time() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let (first, second) = (make(&admin, PATH, "A").await, make(&admin, PATH, "B").await);
    admin.get("/org/packages/assigned").await.is_missing();
    admin.delete("/org/packages/assign").await.is_missing();
    for id in [&first, &second] {
        only_says(&assign(&admin, id).await, "package assigned");
        assert_has!(admin.get("/org/packages/assigned").await.ok(), { "id": id, "assignments": null });
        for row in admin.get(PATH).await.ok().as_array().unwrap() {
            assert_eq!(row["is_applied"], row["id"] == id.as_str());
        }
    }
    only_says(&admin.delete("/org/packages/assign").await, "package unassigned");
    admin.get("/org/packages/assigned").await.is_missing();
    assert_eq!(admin.get(PATH).await.ok()[0]["is_applied"], false);
    // A package that is deleted is nobody's.
    assign(&admin, &first).await.says(200, "package assigned");
    admin.delete(&format!("{PATH}/{first}")).await.says(200, "package deleted");
    admin.get("/org/packages/assigned").await.is_missing();
    assert_eq!(world.line("select count(*) from package_assignments").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_has_one_package_at_a_time() {
    let (_world, agency, admin) = World::start().await.and_admin("0").await;
    let (arjun, bina) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let (first, second) = (make(&admin, PATH, "A").await, make(&admin, PATH, "B").await);
    let listed = async || admin.get("/org/packages/agent-assignments").await.ok();
    assert_eq!(listed().await, json!([]));
    assign_to(&admin, &arjun, &first).await.says(200, "package assigned to agent");
    assign_to(&admin, &bina, &first).await.says(200, "package assigned to agent");
    only_says(&assign_to(&admin, &arjun, &second).await, "package assigned to agent");
    assert_eq!(admin.get("/org/packages/agent-assignments").await.json().get("meta"), None);
    let all = listed().await;
    let short = |row: &Value| {
        assert_eq!(row["package"]["id"], row["package_id"]);
        assert_eq!(row["package"]["org_id"], row["org_id"]);
        assert_eq!(row["assigned_by"], admin.id.as_str());
        (row["agent_id"].as_str().unwrap().to_owned(), row["package_id"].as_str().unwrap().to_owned())
    };
    let found: Vec<_> = all.as_array().unwrap().iter().map(short).collect();
    // The newest assignment first.
    assert_eq!(found, [(arjun.id.clone(), second.clone()), (bina.id.clone(), first.clone())]);

    let path = format!("/org/packages/assign-agent/{}", arjun.id);
    only_says(&admin.delete(&path).await, "agent assignment removed");
    admin.delete(&path).await.is_missing();
    assert_eq!(listed().await.as_array().unwrap().len(), 1);
    // Who is gone has nothing.
    admin.delete_user(&bina).await;
    assert_eq!(listed().await, json!([]));
    // Who is suspended may be given one.
    admin.suspend_user(&arjun).await;
    assign_to(&admin, &arjun, &first).await.says(200, "package assigned to agent");
    admin.delete(&format!("{PATH}/{first}")).await.says(200, "package deleted");
    assert_eq!(listed().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_given_a_package_but_an_agent_of_the_agency() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    agency.second_admin("vikram").await;
    let vikram = agency.log_in("vikram").await;
    let foreign = world.agency().await.agent("bina", "0").await;
    let gone = agency.agent("chetan", "0").await;
    admin.delete_user(&gone).await;
    let package = make(&admin, PATH, "A").await;
    let of_hotels = make(&admin, "/org/hotel-packages", "A").await;
    for id in [&admin.id, &vikram.id, &foreign.id, &gone.id, NOBODY, "x"] {
        for (path, package) in [("/org/packages", &package), ("/org/hotel-packages", &of_hotels)] {
            let path = format!("{path}/assign-agent/{id}");
            admin.post(&path, &json!({ "package_id": package })).await.is_missing();
            admin.delete(&path).await.is_missing();
        }
    }
    // What is asked is read before anybody is looked for.
    for (body, fault) in [
        (json!({}), "this field is required"),
        (json!({ "package_id": 7 }), "must be a string"),
        (json!({ "package_id": "A" }), "must be a UUID"),
    ] {
        for path in ["/org/packages/assign", "/org/packages/assign-agent/x", "/org/hotel-packages/assign"] {
            admin.post(path, &body).await.is(422, &format!("code=422, message=[{{package_id {fault}}}]"));
        }
    }
    assert_eq!(world.line("select count(*) from package_assignments").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agents_package_counts_before_the_agencys_unless_it_is_inactive() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let (arjun, bina) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let (of_agency, own) = (make(&admin, PATH, "Everybody").await, make(&admin, PATH, "Arjun").await);
    let active = async |package: &str, name: &str, active: bool| {
        let mut body = least(name);
        body["is_active"] = json!(active);
        admin.put(&format!("{PATH}/{package}"), &body).await.ok();
    };
    let agencys = Some((of_agency.clone(), Level::Agency));
    let agents = Some((own.clone(), Level::Agent));
    assert_eq!(counted(&world, &arjun).await, None);
    assign_to(&admin, &arjun, &own).await.succeeds(200);
    assert_eq!(counted(&world, &arjun).await, agents);
    assert_eq!(counted(&world, &bina).await, None);
    assign(&admin, &of_agency).await.succeeds(200);
    assert_eq!(counted(&world, &arjun).await, agents);
    assert_eq!(counted(&world, &bina).await, agencys);
    assert_eq!(counted(&world, &admin).await, agencys);
    // An inactive one is as none: the agency's counts.
    active(&own, "Arjun", false).await;
    assert_eq!(counted(&world, &arjun).await, agencys);
    active(&of_agency, "Everybody", false).await;
    assert_eq!(counted(&world, &arjun).await, None);
    assert_eq!(counted(&world, &bina).await, None);
    active(&own, "Arjun", true).await;
    assert_eq!(counted(&world, &arjun).await, agents);
    // It is assigned all the same.
    assert_eq!(admin.get("/org/packages/assigned").await.ok()["id"], of_agency.as_str());
    assert_eq!(admin.get(PATH).await.ok()[1]["is_applied"], true);
    // One package may be both.
    active(&of_agency, "Everybody", true).await;
    assign_to(&admin, &arjun, &of_agency).await.succeeds(200);
    assert_eq!(counted(&world, &arjun).await, Some((of_agency.clone(), Level::Agent)));
    // Other agencies and other products have nothing of it.
    assert_eq!(counted(&world, &world.agency().await.agent("arjun", "0").await).await, None);
    assert_eq!(counts(&world, &arjun, ProductKind::Hotel).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_counts_has_its_bands_to_the_digit() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let text = r#"{"name": "Stays", "markup_type": "percent", "markup_value": 7.50, "price_ranges": [
        {"min_amount": 5000.10, "max_amount": null, "markup_type": "flat", "markup_value": 250.00},
        {"min_amount": 0, "max_amount": 5000.10, "markup_type": "percent", "markup_value": 12}]}"#;
    let made = admin.post_text("/org/hotel-packages", text).await.succeeds(201);
    admin.post("/org/hotel-packages/assign", &json!({ "package_id": made["id"] })).await.succeeds(200);
    let package = counts(&world, &agent, ProductKind::Hotel).await.unwrap();
    assert_eq!((package.name.as_str(), package.level), ("Stays", Level::Agency));
    assert_eq!(format!("{:?}", package.markup), "Markup { kind: Percent, value: 7.50, apply_on: Total }");
    let ranges = package.price_ranges.iter().map(|range| {
        let max = range.max_amount.map(|max| max.to_string());
        format!("{} {max:?} {:?} {} {}", range.min_amount, range.kind, range.value, range.sort_order)
    });
    let both = ["5000.10 None Flat 250.00 0", r#"0 Some("5000.10") Percent 12 1"#];
    assert_eq!(ranges.collect::<Vec<_>>(), both);
    assert_eq!(counts(&world, &agent, ProductKind::Flight).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_assignments_at_once_one_is_left() {
    let (mut world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let elsewhere = admin.at(&world.another_server(RateLimits::off()));
    let mut packages = Vec::new();
    for number in 0..6 {
        packages.push(make(&admin, PATH, &format!("P{number}")).await);
    }
    let asked = (0..36).map(|number: usize| {
        let admin = if number.is_multiple_of(2) { &admin } else { &elsewhere };
        let (package, agent) = (&packages[number % 6], &agent);
        async move {
            match number % 3 {
                0 => assign(admin, package).await,
                1 => assign_to(admin, agent, package).await,
                _ => admin.delete("/org/packages/assign").await,
            }
        }
    });
    for reply in join_all(asked).await {
        assert!([200, 404].contains(&reply.status), "{}: {}", reply.asked, reply.text);
    }
    assign(&admin, &packages[0]).await.succeeds(200);
    let left =
        "select string_agg((agent_id is null)::text, ' ' order by agent_id is null) from package_assignments";
    assert_eq!(world.line(left).await, "false true");
    // Each change was told with what it found: the tale of the agency's package has no gap.
    let tale = "select concat_ws(' ', coalesce(old_value->>'package_id', '-'), coalesce(new_value->>'package_id', '-'))
        from events where action in ('package.assigned', 'package.unassigned')
            and coalesce(new_value, old_value)->>'agent_id' is null order by id";
    let tale = world.lines(tale).await;
    let mut present = "-".to_owned();
    for change in &tale {
        let (old, new) = change.split_once(' ').unwrap();
        assert_eq!(old, present, "{tale:?}");
        new.clone_into(&mut present);
    }
    assert_eq!(present, packages[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_is_deleted_meanwhile_is_left_with_a_package() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let package = make(&admin, PATH, "A").await;
    for round in 0..6 {
        let agent = agency.agent(&format!("agent{round}"), "0").await;
        let delete = async {
            tokio::time::sleep(std::time::Duration::from_millis(round)).await;
            admin.delete_user(&agent).await;
        };
        let gives = join_all((0..6).map(|_| assign_to(&admin, &agent, &package)));
        let ((), replies) = tokio::join!(delete, gives);
        for reply in replies {
            assert!([200, 404].contains(&reply.status), "{}", reply.text);
        }
    }
    assert_eq!(world.line("select count(*) from package_assignments").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_assignment_changes_nothing() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let (first, second) = (make(&admin, PATH, "A").await, make(&admin, PATH, "B").await);
    let to_agent = format!("/org/packages/assign-agent/{}", agent.id);
    for (path, message) in
        [("/org/packages/assign", "package assigned"), (to_agent.as_str(), "package assigned to agent")]
    {
        let under = async |key: &str, package: &str| {
            admin.post_with_key(path, key, &json!({ "package_id": package })).await
        };
        let key = format!("k {path}");
        let before = under(&key, &first).await;
        before.says(200, message);
        assert_eq!(before.header("Idempotency-Replayed"), "");
        under(&format!("l {path}"), &second).await.says(200, message);
        for forget in ["select 1", "update idempotency_keys set status = null, answer = null"] {
            world.sql(forget).await;
            let again = under(&key, &first).await;
            assert_eq!((again.status, &again.text), (200, &before.text));
            assert_eq!(again.header("Idempotency-Replayed"), "true");
        }
        under(&key, &second).await.is(422, "idempotency key was used with a different request");
        // Who has it already is told so under a key too.
        under(&format!("m {path}"), &second).await.says(200, message);
        under(&format!("n {path}"), NOBODY).await.is_missing();
        under(&format!("n {path}"), &second).await.says(200, message);
    }
    assert_eq!(counted(&world, &agent).await, Some((second.clone(), Level::Agent)));
    assert_eq!(counted(&world, &admin).await, Some((second, Level::Agency)));
}
