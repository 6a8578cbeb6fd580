//! Who is reminded of a hold, and when.

use serde_json::{Value, json};
use wayfare_domain::AccountStatus;
use wayfare_operations::{access::operators::By, operator};
use wayfare_tests::Person;

use super::stage::Stage;

/// What this person was told of holds, oldest first: the kind, and the minutes that were left.
async fn told(person: &Person) -> Vec<(String, Value)> {
    let told = person.get("/notifications?per_page=100").await.ok();
    let of_holds = told.as_array().unwrap().iter().rev().filter_map(|one| {
        let kind = one["kind"].as_str()?;
        let of_hold = kind.starts_with("booking.hold_") || kind.starts_with("ticket.auto");
        of_hold.then(|| (kind.to_owned(), one["data"]["minutes_left"].clone()))
    });
    of_holds.collect()
}

fn expiring(minutes: i64) -> (String, Value) {
    ("booking.hold_expiring".to_owned(), minutes.into())
}

const HOUR: i64 = 3600;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_reminded_of_a_hold_and_the_last_time_its_admins_too() {
    let mut stage = Stage::at_duffel().await;
    let agent_is_told = [
        (47 * HOUR, ("booking.hold_price_ending".to_owned(), json!(60))),
        (HOUR, expiring(24 * 60)),
        (18 * HOUR, expiring(6 * 60)),
        (5 * HOUR, expiring(60)),
    ];
    let mut expected = Vec::new();
    for (seconds, told_then) in agent_is_told {
        stage.pass(seconds - 1).await;
        stage.world.tend_holds().await;
        assert_eq!(told(&stage.agent).await, expected);
        stage.pass(1).await;
        for _ in 0..2 {
            stage.world.tend_holds().await;
        }
        expected.push(told_then);
        assert_eq!(told(&stage.agent).await, expected);
        let next = stage.agent.booking(&stage.reference).await["hold"]["next_reminder_at"].clone();
        assert_eq!(next.is_null(), expected.len() == 4, "{next}");
    }
    let admin = stage.agency.log_in("asha").await;
    assert_eq!(told(&admin).await, [expiring(60)]);
    stage.world.deliver().await;
    let published = admin.get("/events").await.ok();
    let published = published["events"].as_array().unwrap();
    let data = &published.iter().rfind(|event| event["type"] == "booking.hold_expiring").unwrap()["data"];
    assert_has!(data, { "booking_ref": (&stage.reference), "minutes_left": 60 });
    assert!(data["pay_by"].is_string() && data["price_guaranteed_until"].is_string(), "{data}");
    assert_eq!(data.get("is_last_reminder"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_hold_has_one_reminder_at_half_its_time() {
    let mut stage = Stage::at_tripjack(3600).await;
    stage.pass(1800).await;
    stage.world.tend_holds().await;
    assert_eq!(told(&stage.agent).await, [expiring(30)]);
    assert_eq!(told(&stage.agency.log_in("asha").await).await, [expiring(30)]);
    assert_eq!(stage.world.line("select count(*) from hold_reminders").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_says_when_it_is_reminded() {
    let stage = Stage::at_duffel().await;
    let admin = stage.agency.log_in("asha").await;
    let set = async |value: &str| {
        admin.put("/org/settings", &json!({ "key": "hold_reminder_hours", "value": value })).await
    };
    for wrong in ["soon", "1,2,3,4,5,6", "6,6", "0", "721", "1.5"] {
        let text = "{value must be none, or up to 5 different whole hours from 1 to 720 such as 24,6,1}";
        set(wrong).await.is_invalid(text);
    }
    for (hours, reminders) in [("48,2", "2 expiring"), ("none", "")] {
        set(hours).await.says(200, "setting updated");
        stage.world.sql("update booking_holds set planned_at = null, due_at = now()").await;
        stage.world.tend_holds().await;
        let rows = "select count(*) || ' ' || kind from hold_reminders where kind = 'expiring' group by kind";
        assert_eq!(stage.world.line(rows).await, reminders);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_paid_or_given_back_is_reminded_of_no_more() {
    for pays in [true, false] {
        let mut stage = Stage::at_duffel().await;
        match pays {
            true => drop(stage.pay().await.says(200, "ticket issued")),
            false => drop(stage.agent.cancels(&stage.reference).await),
        }
        assert_eq!(stage.world.line("select count(*) from hold_reminders").await, "0");
        stage.pass(72 * HOUR).await;
        stage.world.tend_holds().await;
        let paid = ("booking.hold_paid".to_owned(), Value::Null);
        assert_eq!(told(&stage.agent).await, pays.then_some(paid).into_iter().collect::<Vec<_>>());
    }
}

/// A server that was down tells once what it has missed.
#[tokio::test(flavor = "multi_thread")]
async fn reminders_that_were_missed_are_told_as_one() {
    let mut stage = Stage::at_duffel().await;
    stage.pass(67 * HOUR).await;
    stage.world.tend_holds().await;
    // At the same instant.
    let mut told = told(&stage.agent).await;
    told.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(told, [expiring(5 * 60), ("booking.hold_price_ending".to_owned(), json!(0))]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_agency_is_told_nothing() {
    let mut stage = Stage::at_duffel_with(&json!({ "hold": true, "auto_ticket": true })).await;
    let code = stage.agency.code.clone();
    let stand = async |status| {
        operator::set_agency_status(&stage.world.platform, By::command_line(), &code, status).await.unwrap();
    };
    stand(AccountStatus::Suspended).await;
    stage.world.pass(70 * HOUR);
    stage.world.tend_holds().await;
    assert_eq!(stage.world.line("select count(*) from hold_reminders where told_at is not null").await, "0");
    assert_eq!(stage.world.line("select count(*) from effects where kind = 'ticket'").await, "0");
    stand(AccountStatus::Active).await;
    stage.pass(600).await;
    stage.world.tend_holds().await;
    assert!(!told(&stage.agent).await.is_empty());
}
