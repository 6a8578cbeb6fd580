//! Who works for the platform: admins add them, give them roles and take them away.

use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;

#[tokio::test(flavor = "multi_thread")]
async fn every_operator_may_see_what_they_are_led_to() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    for word in OperatorRole::WORDS {
        let seen = desk.signed(word, word.parse().unwrap()).await.follow("/operator").await;
        assert!(seen.len() > 3, "{word} is led to {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_adds_an_operator_whose_password_is_told_once_and_suspends_them() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let admin = desk.signed("asha", OperatorRole::Admin).await;
    let missing = [("username", "ravi"), ("name", ""), ("role", "desk")];
    let refused = admin.post("/operator/people", &missing).await;
    refused.has(422, "There is a problem").has(422, "name-error").has(422, "value=\"ravi\"");
    let form = [("username", "ravi"), ("name", "Ravi <b>"), ("role", "desk")];
    let added = admin.post("/operator/people", &form).await;
    added.has(200, "is told only now").has(200, "Ravi &#60;b&#62;");
    let password = added.password();
    assert!(!admin.get("/operator/people").await.text.contains(password));
    let taken = admin.post("/operator/people", &form).await;
    taken.has(422, "There is a problem").has(422, "value=\"Ravi &#60;b&#62;\"");
    let ravi = desk.log_in("ravi", password).await;
    ravi.get("/operator/me").await.has(200, "Desk</p>");
    let id = world.line("select id::text from operators where username = 'ravi'").await;
    let path = format!("/operator/people/{id}");
    let role = [("act", "role"), ("new_role", "finance")];
    assert_eq!(admin.post(&path, &role).await.leads_to(), "/operator/people?done=changed");
    ravi.get("/operator/me").await.has(200, "Finance</p>");
    ravi.post(&path, &[("act", "role"), ("new_role", "admin")]).await.has(403, "Your role may not do this");
    admin.post(&path, &[("act", "suspend")]).await.leads_to();
    assert!(ravi.get("/operator/me").await.leads_to().starts_with("/operator/login"));
    admin.get("/operator/people").await.has(200, "Suspended");
    // Somebody has to be left who looks after operators.
    let own = world.line("select id::text from operators where username = 'asha'").await;
    let last = admin.post(&format!("/operator/people/{own}"), &[("act", "suspend")]).await;
    last.has(422, "There is a problem");
    admin.get("/operator/people").await.has(200, "asha");
}
