//! Agencies at the operator's screens: seen by all, money moved by finance with the password, people looked after by admins.

use reqwest::Method;
use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;
use crate::console::browser::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn money_is_typed_twice_confirmed_by_the_password_and_moved_once() {
    let (world, agency, admin) = World::start().await.and_admin("1000").await;
    let code = agency.code.to_string();
    let desk = Desk::of(&world);
    let password = desk.add("farah", OperatorRole::Finance).await;
    let browser = desk.log_in("farah", &password).await;
    let path = format!("/operator/agencies/{code}");
    browser.get("/operator/agencies").await.has(200, &path);
    browser.get("/operator/agencies?q=no+such").await.has(200, "Nothing matches");
    browser.get(&path).await.has(200, "₹1,000.00").has(200, "asha");
    let money = format!("{path}/money");
    let key = browser.get(&money).await.hidden(&money)[0].1.clone();
    let form = |amount: &'static str, again: &'static str| {
        vec![
            ("key", key.as_str()),
            ("act", "topup"),
            ("amount", amount),
            ("amount_again", again),
            ("reason", "NEFT <77>"),
            ("username", ""),
        ]
    };
    let refused = browser.post(&money, &form("2500.50", "2500.05")).await;
    refused.has(422, "Is not the same amount").has(422, "value=\"NEFT &#60;77&#62;\"");
    browser.post(&money, &form("2,500", "2,500")).await.has(422, "amount-error");
    assert_eq!(admin.balance().await.to_string(), "1000.00");
    // Ten minutes after the log-in the password is asked for.
    world.sql("update operator_sessions set confirmed_at = confirmed_at - interval '11 minutes'").await;
    let form = form("2500.50", "2500.50");
    browser.post(&money, &form).await.has(422, "password-error").has(422, "Type your password");
    let with = |password| {
        let mut form = form.clone();
        form.push(("password", password));
        form
    };
    browser.post(&money, &with("wrong")).await.has(422, "password-error");
    assert_eq!(admin.balance().await.to_string(), "1000.00");
    for _ in 0..2 {
        assert_eq!(browser.post(&money, &with(&password)).await.leads_to(), format!("{path}?done=topup"));
    }
    assert_eq!(admin.balance().await.to_string(), "3500.50");
    browser.get(&path).await.has(200, "₹3,500.50");
    browser.get(&format!("{path}/statement")).await.has(200, "NEFT &#60;77&#62;").has(200, "+₹2,500.50");
    let by = "select o.username from events e join operators o on o.id = e.actor_id
              where e.new_value::text like '%2500.5%' limit 1";
    assert_eq!(world.line(by).await, "farah");
    let from_elsewhere =
        browser.ask(Method::POST, &money, &[("sec-fetch-site", "cross-site")], &with(&password)).await;
    from_elsewhere.has(403, "This form came from another site");
    // Another role moves nothing.
    let clerk = desk.signed("dev", OperatorRole::Desk).await;
    clerk.post(&money, &with(&password)).await.has(422, "password-error");
    clerk.post(&money, &form).await.has(403, "Your role may not do this");
    assert!(!clerk.get(&path).await.text.contains("Move money"));
    assert_eq!(admin.balance().await.to_string(), "3500.50");
    // A wallet that is frozen pays for nothing until it is let.
    browser.post(&format!("{path}/freeze"), &[]).await.leads_to();
    browser.get(&path).await.has(200, "The wallet is frozen");
    browser.get("/operator").await.has(200, "Agencies that can");
    browser.post(&format!("{path}/unfreeze"), &[]).await.leads_to();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_add_agencies_and_their_users_and_suspend_them() {
    let (world, agency, _) = World::start().await.and_admin("0").await;
    let desk = Desk::of(&world);
    let admin = desk.signed("asha", OperatorRole::Admin).await;
    let form = [
        ("name", "Himalaya <Travels>"),
        ("email", "desk@himalaya.example"),
        ("country", "in"),
        ("currency", "inr"),
        ("timezone", "Asia/Nowhere"),
        ("subscription_type", "full"),
        ("username", "tara"),
        ("user_name", "Tara Negi"),
        ("user_email", "no address"),
        ("password", "correct horse battery"),
    ];
    let refused = admin.post("/operator/agencies/new", &form).await;
    refused.shows(422, &["timezone-error", "user_email-error", "value=\"Himalaya &#60;Travels&#62;\""]);
    assert!(!refused.text.contains("battery"));
    let right = form.map(|(name, value)| match name {
        "timezone" => (name, "Asia/Kolkata"),
        "user_email" => (name, "tara@himalaya.example"),
        _ => (name, value),
    });
    let path = admin.post("/operator/agencies/new", &right).await.leads_to();
    let path = path.strip_suffix("?done=created").unwrap().to_owned();
    admin.get(&path).await.has(200, "Himalaya &#60;Travels&#62;").has(200, "tara");
    let code = path.rsplit('/').next().unwrap().to_owned();
    let log_in = |password: String| {
        let code = code.clone();
        let browser = Browser::of(&world);
        async move {
            let form = [("agency", code.as_str()), ("username", "tara"), ("password", &password), ("to", "")];
            browser.post("/console/login", &form).await.status
        }
    };
    assert_eq!(log_in("correct horse battery".to_owned()).await, 303);
    // Another password is told once, and the old one is over.
    let users = format!("{path}/users");
    let told = admin.post(&users, &[("username", "tara"), ("act", "reset-password")]).await;
    told.has(200, "is shown only now");
    let password = told.password().to_owned();
    assert_eq!(log_in("correct horse battery".to_owned()).await, 401);
    assert_eq!(log_in(password.clone()).await, 303);
    admin.post(&users, &[("username", "tara"), ("act", "suspend")]).await.has(409, "There is a problem");
    // What is typed wrongly is said beside its field; what is right is saved.
    let edit = format!("{path}/edit");
    admin.get(&edit).await.has(200, "value=\"all\"");
    let change = |suppliers, whitelist| {
        [
            ("name", "Himalaya Holidays"),
            ("timezone", "Asia/Kolkata"),
            ("subscription_type", "full"),
            ("suppliers", suppliers),
            ("whitelist", whitelist),
        ]
    };
    let page = admin.post(&edit, &change("nobody", "203.0.113.0/99")).await;
    page.shows(422, &["whitelist-error", "203.0.113.0/99</textarea>"]);
    admin.post(&edit, &change("nobody", "")).await.has(422, "suppliers-error");
    admin.post(&edit, &change("none", "203.0.113.0/24")).await.leads_to();
    admin.get(&path).await.has(200, "Himalaya Holidays").has(200, "No supplier");
    admin.get(&edit).await.has(200, "203.0.113.0/24</textarea>");
    let suspend = format!("{path}/suspend");
    admin.post(&suspend, &[]).await.leads_to();
    admin.get(&path).await.has(200, "Suspended");
    assert_eq!(log_in(password.clone()).await, 401);
    admin.get("/operator").await.has(200, "Suspended");
    admin.post(&format!("{path}/activate"), &[]).await.leads_to();
    assert_eq!(log_in(password).await, 303);
    let new = format!("{users}/new");
    let form = [
        ("username", "dev"),
        ("user_name", "Dev"),
        ("user_email", "dev@himalaya.example"),
        ("password", "short"),
        ("role", "agent"),
    ];
    admin.get(&new).await.has(200, "Add a user");
    admin.post(&new, &form).await.has(422, "password-error");
    let right = form.map(|(name, value)| match name {
        "password" => (name, "correct horse battery"),
        _ => (name, value),
    });
    admin.post(&new, &right).await.leads_to();
    admin.get(&path).await.has(200, "<b class=\"name\">dev</b>");
    // Whoever is no admin changes nothing of agencies.
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    for path in [suspend.as_str(), &new, &edit, "/operator/agencies/new"] {
        finance.post(path, &right).await.has(403, "Your role may not do this");
    }
    let other = format!("/operator/agencies/{}", agency.code);
    assert!(!finance.get(&other).await.text.contains("Suspend the agency"));
}
