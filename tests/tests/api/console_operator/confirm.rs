//! What wants the password given lately: any form asks for it, and is carried out with the answer.

use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;
use crate::console::browser::pairs;

#[tokio::test(flavor = "multi_thread")]
async fn any_form_of_power_asks_for_the_password_that_was_given_long_ago() {
    let (world, agency, _) = World::start().await.and_admin("0").await;
    let desk = Desk::of(&world);
    let password = desk.add("asha", OperatorRole::Admin).await;
    let admin = desk.log_in("asha", &password).await;
    let path = format!("/operator/agencies/{}", agency.code);
    let forget = async || {
        world.sql("update operator_sessions set confirmed_at = confirmed_at - interval '11 minutes'").await;
    };
    let terms = [
        ("service_fee_type", "flat"),
        ("service_fee", "12.50"),
        ("gst_percent", "18"),
        ("platform_charge", "0"),
        ("min_commission", "0"),
        ("max_commission", "0"),
    ];
    let new = [("username", "ravi"), ("name", "Ravi <b>"), ("role", "desk")];
    let reason = [("reason", "their tickets have \"wrong\" names\nand dates")];
    let forms: [(String, &[(&str, &str)]); 6] = [
        (format!("{path}/suspend"), &[]),
        (format!("{path}/activate"), &[]),
        (format!("{path}/freeze"), &[]),
        (format!("{path}/terms"), &terms),
        ("/operator/suppliers/duffel/close".to_owned(), &reason),
        ("/operator/people".to_owned(), &new),
    ];
    for (address, form) in forms {
        forget().await;
        let asked = admin.post(&address, form).await;
        asked.shows(422, &["Nothing is done yet", "Type your password", "confirm_password-error"]);
        // All that was typed is sent again, to the letter.
        let again = asked.hidden(&address);
        assert_eq!(pairs(&again), form);
        let with = |password| {
            let mut form = again.clone();
            form.push(("confirm_password".to_owned(), password));
            form
        };
        let wrong = admin.post(&address, &pairs(&with("wrong".to_owned()))).await;
        wrong.has(422, "Current password is incorrect");
        assert_eq!(pairs(&wrong.hidden(&address)), form);
        let done = admin.post(&address, &pairs(&with(password.clone()))).await;
        match address.as_str() {
            "/operator/people" => drop(done.has(200, "is told only now")),
            _ => drop(done.leads_to()),
        }
    }
    admin.get("/operator/suppliers/duffel").await.has(200, "their tickets have &#34;wrong&#34; names");
    admin.get(&format!("{path}/terms")).await.has(200, "12.50");
    // A password that was typed for somebody else stands on no page.
    forget().await;
    let user = [
        ("username", "tara"),
        ("user_name", "Tara Negi"),
        ("user_email", "tara@sunrise.example"),
        ("password", "correct horse battery"),
        ("role", "agent"),
    ];
    let address = format!("{path}/users/new");
    let asked = admin.post(&address, &user).await;
    asked.has(422, "Type your password");
    assert!(!asked.text.contains("battery"));
    let mut form = asked.hidden(&address);
    form.push(("confirm_password".to_owned(), password));
    admin.post(&address, &pairs(&form)).await.has(422, "password-error").has(422, "value=\"tara\"");
    admin.post(&address, &user).await.leads_to();
    // Another site's form gives nothing.
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_given_a_password_is_told_to_set_their_own() {
    let (world, agency, _) = World::start().await.and_admin("0").await;
    let desk = Desk::of(&world);
    let admin = desk.signed("asha", OperatorRole::Admin).await;
    let new = [("username", "ravi"), ("name", "Ravi"), ("role", "admin")];
    let added = admin.post("/operator/people", &new).await;
    let given = added.password();
    let ravi = desk.log_in("ravi", given).await;
    let suspend = format!("/operator/agencies/{}/suspend", agency.code);
    ravi.post(&suspend, &[]).await.has(403, "Set your own password first");
    let change =
        [("current_password", given), ("new_password", "my own horse 4"), ("again", "my own horse 4")];
    ravi.post("/operator/me/password", &change).await.leads_to();
    desk.log_in("ravi", "my own horse 4").await.post(&suspend, &[]).await.leads_to();
}
