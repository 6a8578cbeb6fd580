//! Who did what, as operators read it: in one agency with names, and what was done beside agencies.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_domain::OperatorRole::{Admin, Desk, Finance, Viewer};
use wayfare_operations::worker;
use wayfare_tests::{World, amount};

/// The actions of entries in the order in which they come, with who did them.
fn done(entries: &Value) -> Vec<String> {
    let entries = entries.as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or("nobody").to_owned();
    let by = |entry: &Value| match &entry["by"] {
        Value::Object(by) => text(&by["name"]),
        by => text(by),
    };
    entries.map(|entry| format!("{} by {}", text(&entry["action"]), by(entry))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agencys_log_names_whoever_did_it_and_has_nothing_of_another_agency() {
    let (world, door) = World::start().await.and_operators();
    let finance = door.operator("farah", Finance).await;
    let viewer = door.operator("vera", Viewer).await;
    let agency = world.agency().await;
    let admin = agency.admin("1000").await;
    let other = world.agency().await;
    other.admin("1000").await;
    let fee = json!({ "service_fee_type": "flat", "service_fee": 50 });
    finance.put(&format!("/agencies/{}/terms", other.code), &fee).await.ok();
    finance.put(&format!("/agencies/{}/terms", agency.code), &fee).await.ok();
    let setting = json!({ "key": "invoice_prefix", "value": "SUN-" });
    admin.put("/org/settings", &setting).await.ok();
    let body = json!({ "amount": 250, "reason": "NEFT 123" });
    let wallet = format!("/agencies/{}/wallet/topup", agency.code);
    finance.post(&wallet, &body).await.ok();

    let path = format!("/agencies/{}/audit-logs", agency.code);
    let all = viewer.get(&path).await.ok();
    let (all, known) = (done(&all), done(&admin.get("/org/audit-logs").await.ok()));
    // The newest first; what the agency itself reads, no more and no less.
    let (funded, set) =
        ("wallet.topped_up by farah of the platform", "terms.updated by farah of the platform");
    assert_eq!(all[..3], [funded, "setting.updated by asha", set]);
    let actions = |entries: &[String]| -> Vec<String> {
        entries.iter().map(|entry| entry.split(' ').next().unwrap().to_owned()).collect()
    };
    assert_eq!(actions(&all), actions(&known));
    // What the operator did at the command line has no name.
    assert!(all.contains(&"wallet.topped_up by nobody".to_owned()), "{all:?}");

    let terms = viewer.get(&format!("{path}?entity_type=terms")).await.ok();
    assert_eq!(done(&terms), [set]);
    let fee = |value: &str| amount(&terms[0][value]["service_fee"]);
    assert_eq!((fee("old_value"), fee("new_value")), (dec!(0), dec!(50)));
    let own = viewer.get(&format!("{path}?actor_id={}&per_page=1", finance.id)).await;
    assert_eq!(own.json()["meta"]["total"], 2);
    assert_eq!(done(&own.ok()), [funded]);
    let refused = viewer.get(&format!("{path}?from=2027-02-01&to=2027-01-01")).await;
    refused.is_invalid("{from must not be after to}");
    viewer.get("/agencies/WF000000/audit-logs").await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_log_ins_are_removed_when_their_time_is_over_and_what_was_done_stays() {
    let (world, asha) = World::frozen().await.and_operator("asha", Admin).await;
    let log_in = &asha.get("/events?action=operator.logged_in").await.ok()[0];
    assert_eq!(log_in["ip_address"], "127.0.0.1");
    let of_it = |events: &Value| {
        let same = events.as_array().unwrap().iter().find(|event| event["id"] == log_in["id"]);
        same.unwrap()["ip_address"].as_str().unwrap().to_owned()
    };
    world.pass(400 * 86_400);
    worker::remove_old(&world.platform).await.unwrap();
    let asha = asha.logged_in("asha").await;
    assert_eq!(of_it(&asha.get("/events?action=operator.logged_in").await.ok()), "127.0.0.1");
    world.pass(1);
    worker::remove_old(&world.platform).await.unwrap();
    let events = asha.get("/events?action=operator.logged_in").await.ok();
    assert_eq!(of_it(&events), "");
    // The log-in of a second ago keeps its own.
    assert_eq!(events[0]["ip_address"], "127.0.0.1");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_beside_agencies_is_listed_for_admins_with_who_did_it() {
    let (world, door) = World::start().await.and_operators();
    let admin = door.operator("asha", Admin).await;
    let desk = door.operator("dev", Desk).await;
    let finance = door.operator("farah", Finance).await;
    desk.post("/suppliers/duffel/close", &json!({ "reason": "wrong names" })).await.ok();
    let rate = json!({ "rate": 105.25 });
    finance.put("/rates/GBP/INR", &rate).await.ok();
    admin.put(&format!("/operators/{}", desk.id), &json!({ "role": "finance" })).await.ok();

    let all = admin.get("/events").await.ok();
    let (changed, set) = ("operator.changed by asha of the platform", "rate.set by farah of the platform");
    assert_eq!(done(&all)[..3], [changed, set, "supplier.closed by dev of the platform"]);
    assert_eq!(all[0]["operator"]["id"], desk.id.as_str());
    assert_eq!(all[1]["operator"], Value::Null);
    assert_eq!(all[2]["details"]["supplier"], "duffel");
    // Those who were added at the command line have nobody who did it.
    let of_asha = admin.get(&format!("/events?operator_id={}&action=operator.added", admin.id)).await.ok();
    assert_eq!(done(&of_asha), ["operator.added by nobody"]);
    let of_farah = format!("/events?actor_id={}&action=rate.set", finance.id);
    assert_eq!(done(&admin.get(&of_farah).await.ok()), [set]);
    // Pages follow each other without a gap.
    let total = world.line("select count(*) from operator_events").await;
    let mut paged = Vec::new();
    for page in 1.. {
        let some = admin.get(&format!("/events?per_page=2&page={page}")).await;
        assert_eq!(some.json()["meta"]["total"].to_string(), total);
        let some = done(&some.ok());
        if some.is_empty() {
            break;
        }
        paged.extend(some);
    }
    assert_eq!(paged, done(&admin.get("/events?per_page=100").await.ok()));
    let tomorrow = world.now().date_naive().succ_opt().unwrap();
    assert_eq!(done(&admin.get(&format!("/events?from={tomorrow}")).await.ok()), [""; 0]);
    let until_today = format!("/events?from={0}&to={0}", world.now().date_naive());
    assert_eq!(done(&admin.get(&until_today).await.ok()), done(&all));
    admin.get("/events?from=2027-02-01&to=2027-01-01").await.is_invalid("{from must not be after to}");
    admin.get("/events?actor_id=asha").await.is_invalid("{actor_id must be a UUID}");
}
