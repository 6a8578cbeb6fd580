//! What the operator changes holds for the very next request.

use secrecy::SecretString;
use serde_json::json;
use wayfare_domain::{AccountStatus, Tier};
use wayfare_operations::{
    Error,
    access::operators::By,
    operator::{self, AgencyChange},
};
use wayfare_tests::{Agency, World};

async fn change(world: &World, agency: &Agency, change: AgencyChange) {
    operator::change_agency(&world.platform, By::command_line(), &agency.code, change).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_is_out_and_in_again() {
    let (world, agency) = World::start().await.and_agency().await;
    let (admin, other) = (agency.admin("0").await, world.agency().await.admin("0").await);
    let stand = async |status| {
        operator::set_agency_status(&world.platform, By::command_line(), &agency.code, status).await.unwrap();
    };
    stand(AccountStatus::Suspended).await;
    admin.get("/me").await.is(401, "invalid credentials");
    other.get("/me").await.ok();
    stand(AccountStatus::Suspended).await;
    stand(AccountStatus::Active).await;
    admin.get("/me").await.ok();
    let whitelist = |enabled, network: &str| AgencyChange {
        whitelist_enabled: Some(enabled),
        whitelisted: vec![network.parse().unwrap()],
        ..AgencyChange::default()
    };
    change(&world, &agency, whitelist(true, "203.0.113.0/24")).await;
    admin.get("/me").await.is(403, "access denied");
    change(&world, &agency, whitelist(true, "127.0.0.1")).await;
    change(&world, &agency, AgencyChange { tier: Some(Tier::ApiOnly), ..AgencyChange::default() }).await;
    assert_eq!(admin.get("/org/profile").await.ok()["subscription_type"], "api_only");
    let log = admin.get("/org/audit-logs").await.json();
    let told: Vec<_> = log["data"].as_array().unwrap().iter().take(5).collect();
    let actions: Vec<_> = told.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    // What changes nothing is told nowhere.
    assert_eq!(
        actions,
        [
            "organization.updated",
            "organization.updated",
            "organization.updated",
            "organization.activated",
            "organization.suspended",
        ]
    );
    for entry in &told {
        assert_has!(entry, { "actor_type": "operator", "actor_id": "" });
    }
    assert_has!(told[2], { "new_value": { "ip_whitelist_enabled": true, "whitelist": ["203.0.113.0/24"] } });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_out_and_logs_in_anew() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", "0").await;
    let (platform, code) = (&world.platform, &agency.code);
    let stand = async |username, status| {
        operator::set_user_status(platform, By::command_line(), code, username, status).await
    };
    stand("arjun", AccountStatus::Suspended).await.unwrap();
    agent.get("/me").await.is(401, "invalid credentials");
    admin.get("/me").await.ok();
    stand("arjun", AccountStatus::Active).await.unwrap();
    // What a suspension ended stays ended.
    agent.get("/me").await.is(401, "invalid credentials");
    let agent = agency.log_in("arjun").await;
    agent.get("/me").await.ok();
    assert!(matches!(stand("asha", AccountStatus::Suspended).await, Err(Error::LastAdmin)));
    admin.get("/me").await.ok();

    let new = SecretString::from("battery staple 8");
    operator::reset_password(platform, By::command_line(), code, "arjun", new).await.unwrap();
    agent.get("/me").await.is(401, "invalid credentials");
    let log_in = async |password: &str| {
        let login = json!({ "agent_id": code.as_ref(), "username": "arjun", "password": password });
        agent.with_token(None).post("/auth/login", &login).await
    };
    log_in("correct horse 7").await.is(401, "invalid credentials");
    log_in("battery staple 8").await.ok();
    let events = world.line("select string_agg(events::text, '') from events").await;
    assert!(!events.contains("staple") && events.contains("user.password_reset"), "{events}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_admins_who_go_at_once_one_stays() {
    let (world, agency) = World::start().await.and_agency().await;
    agency.second_admin("bina").await;
    let platform = &world.platform;
    let suspend = |name| {
        operator::set_user_status(platform, By::command_line(), &agency.code, name, AccountStatus::Suspended)
    };
    let (first, second) = tokio::join!(suspend("asha"), suspend("bina"));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert_eq!(world.line("select count(*) from users where status = 'active'").await, "1");
}
