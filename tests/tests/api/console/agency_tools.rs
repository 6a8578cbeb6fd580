//! The agency's pages of what it sets up: packages, reports, webhooks, the audit log, its profile.

use serde_json::json;
use wayfare_tests::Receiver;

use super::{
    agency::{office, send},
    browser::Browser,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_made_once_given_and_taken_away() {
    let (world, _, admin, agent, browser) = office("1000").await;
    let list = "/console/agency/packages";
    browser.get(list).await.has(200, "No packages yet");
    let new = browser.get(&format!("{list}/new")).await;
    let typed = [
        ("name", "Corporate <b>"),
        ("description", ""),
        ("markup_type", "percent"),
        ("markup_value", "250"),
        ("markup_apply_on", "total"),
        ("priority", "1"),
        ("is_active", "yes"),
    ];
    let refused = send(&browser, &new, list, &typed).await;
    refused.shows(422, &["href=\"#markup_value\"", "value=\"Corporate &#60;b&#62;\"", "value=\"250\""]);
    let mut good = typed;
    good[3].1 = "2.5";
    let added = send(&browser, &refused, list, &good).await.leads_to();
    assert_eq!(added, send(&browser, &refused, list, &good).await.leads_to());
    let packages = admin.get("/org/packages").await.ok();
    assert_eq!(packages.as_array().unwrap().len(), 1);
    let id = packages[0]["id"].as_str().unwrap();
    let path = format!("{list}/{id}");
    let page = browser.get(&added).await;
    page.has(200, "The package is added").has(200, "value=\"2.5\"").has(200, "arjun Sunrise");

    // To the agency, and to the agent, each twice.
    let assign = format!("{path}/assign");
    for _ in 0..2 {
        send(&browser, &page, &assign, &[]).await.leads_to();
        browser.post(&assign, &[("key", "give-arjun"), ("agent", agent.id.as_str())]).await.leads_to();
    }
    assert_eq!(admin.get("/org/packages/assigned").await.ok()["id"], id);
    let assigned = admin.get("/org/packages/agent-assignments").await.ok();
    assert_eq!(assigned[0]["agent_id"], agent.id.as_str());
    browser.get(list).await.has(200, "The agency, 1 agent");
    assert_eq!(browser.get(&path).await.text.matches("This one").count(), 2);
    let unassign = format!("{path}/unassign");
    for _ in 0..2 {
        browser.post(&unassign, &[]).await.leads_to();
        browser.post(&unassign, &[("agent", &agent.id)]).await.leads_to();
    }
    admin.get("/org/packages/assigned").await.is(404, "resource not found");

    let mut wrong = good;
    wrong[0].1 = "";
    browser.post(&path, &wrong).await.has(422, "id=\"name-error\"");
    // Without the tick it does not count.
    browser.post(&path, &good[..6]).await.leads_to();
    browser.get(list).await.has(200, "Does not count");
    let delete = format!("{path}/delete");
    for _ in 0..2 {
        browser.post(&delete, &[]).await.leads_to();
    }
    assert_eq!(browser.get(&path).await.status, 404);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hotel_package_has_bands_and_what_is_wrong_stands_at_its_band() {
    let (_world, _, admin, _, browser) = office("1000").await;
    let list = "/console/agency/hotel-packages";
    let new = browser.get(&format!("{list}/new")).await;
    let base = [
        ("name", "Stays"),
        ("markup_type", "percent"),
        ("markup_value", "3"),
        ("markup_apply_on", "total"),
        ("is_active", "yes"),
        // A line is left empty.
        ("price_ranges[1].min_amount", "0"),
        ("price_ranges[1].max_amount", "10,000"),
        ("price_ranges[1].markup_type", "flat"),
        ("price_ranges[1].markup_value", "150"),
        ("price_ranges[2].min_amount", "9000"),
        ("price_ranges[2].markup_type", "percent"),
        ("price_ranges[2].markup_value", "1"),
    ];
    send(&browser, &new, list, &base).await.has(422, "href=\"#price_ranges[2]").has(422, "value=\"10,000\"");
    let mut unreadable = base;
    unreadable[9].1 = "dear";
    send(&browser, &new, list, &unreadable).await.has(422, "id=\"price_ranges[2].min_amount-error\"");
    let mut apart = base;
    apart[9].1 = "10000";
    let added = send(&browser, &new, list, &apart).await.leads_to();
    let made = admin.get("/org/hotel-packages").await.ok();
    assert_eq!(made[0]["price_ranges"].as_array().unwrap().len(), 2, "the empty line is none");
    assert_eq!(made[0]["price_ranges"][0]["max_amount"], json!(10000));
    browser.get(&added).await.has(200, "name=\"price_ranges[3].min_amount\"");
    browser.get(list).await.has(200, "2 bands");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_asked_for_once_and_watched_until_it_can_be_downloaded() {
    let (world, agency, admin, _, browser) = office("1000").await;
    let path = "/console/agency/reports";
    let page = browser.get(path).await;
    page.has(200, "No reports yet");
    assert!(!page.text.contains("hx-trigger"), "nothing is being made");
    // Days of UTC around now: the agency's day may have begun already.
    let day = |days: i64| (world.now() + chrono::Duration::days(days)).date_naive().to_string();
    let (first, last) = (day(-1), day(1));
    let typed = |from| {
        [("type", "wallet"), ("period_start", from), ("period_end", last.as_str()), ("supplier", "<kept>")]
    };
    for (from, wrong) in
        [("", "Which day?"), ("soon", "Is not a day"), ("2099-02-01", "Must not be after period_end")]
    {
        send(&browser, &page, path, &typed(from))
            .await
            .shows(422, &[wrong, "id=\"period_start-error\"", "value=\"&#60;kept&#62;\""]);
    }
    let asked = send(&browser, &page, path, &typed(&first)).await.leads_to();
    send(&browser, &page, path, &typed(&first)).await.leads_to();
    let reports = admin.get("/org/reports").await.ok();
    assert_eq!(reports.as_array().unwrap().len(), 1, "the form came twice");
    let id = reports[0]["id"].as_str().unwrap();
    let file = format!("{path}/{id}/download");
    browser.get(&asked).await.has(200, "hx-trigger=\"every 2s\"").has(200, "Look again").has(200, "Waiting");
    assert_eq!(browser.get(&file).await.status, 400);
    // While it is made it is told how far it is.
    world
        .sql("update reports set status = 'processing', progress = 37, row_count = 1200, attempts = 1")
        .await;
    browser.get(path).await.has(200, "<progress max=\"100\" value=\"37\"").has(200, "1200 rows");
    world.sql("update reports set status = 'queued', progress = null, row_count = null, attempts = 0").await;
    world.make_reports().await;
    let part = browser.ask(reqwest::Method::GET, path, &[("hx-request", "true")], &[]).await;
    part.has(200, "Ready").has(200, &file).has(200, "1 row<");
    assert!(!part.text.contains("<html") && !part.text.contains("hx-trigger"));
    let made = browser.get(&file).await;
    assert_eq!(made.status, 200);
    assert_eq!(made.text, admin.get(&format!("/org/reports/{id}/download?bom=true&times=agency")).await.text);
    assert_eq!(Browser::signed(&world, &agency, "arjun").await.get(&file).await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_shows_its_secret_once_and_how_its_deliveries_went() {
    let (world, _, admin, _, browser) = office("1000").await;
    let receiver = Receiver::start().await;
    let list = "/console/agency/webhooks";
    browser.get(list).await.has(200, "No webhooks yet");
    let new = browser.get(&format!("{list}/new")).await;
    let refused = send(
        &browser,
        &new,
        list,
        &[("url", "ftp://here"), ("description", "The <CRM>"), ("event_types", "user.created")],
    )
    .await;
    refused
        .has(422, "id=\"url-error\"")
        .has(422, "value=\"The &#60;CRM&#62;\"")
        .has(422, "value=\"user.created\" checked");
    let typed = [("url", receiver.url.as_str()), ("description", "The <CRM>"), ("is_active", "yes")];
    let made = send(&browser, &new, list, &typed).await;
    made.has(200, "It is shown this once").has(200, "whsec_");
    let again = send(&browser, &new, list, &typed).await;
    let secret = |text: &str| {
        text.split("<code class=\"break\">").nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    assert_eq!(secret(&made.text), secret(&again.text), "the form came twice");
    let all = admin.get("/org/webhooks").await.ok();
    assert_eq!(all.as_array().unwrap().len(), 1);
    let path = format!("{list}/{}", all[0]["id"].as_str().unwrap());
    let page = browser.get(&path).await;
    assert!(!page.text.contains("whsec_"), "never again");
    page.has(200, "No deliveries here");

    send(&browser, &page, &format!("{path}/test"), &[]).await.leads_to();
    send(&browser, &page, &format!("{path}/test"), &[]).await.leads_to();
    world.deliver().await;
    assert_eq!(receiver.waits_for(1).await.len(), 1);
    world.deliver().await;
    let page = browser.get(&path).await;
    page.has(200, "webhook.test").has(200, "Delivered").has(200, "200 in ");
    browser.get(&format!("{path}?status=failed")).await.has(200, "No deliveries here");
    let again = page.text.split(&format!("action=\"{path}/deliveries/")).nth(1).unwrap();
    let again = format!("{path}/deliveries/{}", again.split('"').next().unwrap());
    send(&browser, &page, &again, &[]).await.leads_to();
    world.deliver().await;
    assert_eq!(receiver.waits_for(2).await.len(), 2);

    let rotated = send(&browser, &page, &format!("{path}/rotate"), &[]).await;
    rotated.has(200, "signs too until");
    assert_ne!(secret(&rotated.text), secret(&made.text));
    // Saved without the tick it is off, and takes no test.
    let saved = browser.post(&path, &[("url", receiver.url.as_str()), ("event_types", "user.created")]).await;
    let page = browser.get(&saved.leads_to()).await;
    page.has(200, "Off").has(200, "value=\"user.created\" checked");
    send(&browser, &page, &format!("{path}/test"), &[]).await.has(409, "Webhook is not active");
    browser.get(list).await.has(200, "1 of ");
    for _ in 0..2 {
        let gone = browser.post(&format!("{path}/delete"), &[]).await.leads_to();
        browser.get(&gone).await.has(200, "The webhook is deleted");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_shows_before_and_after_side_by_side() {
    let (_world, _, admin, agent, browser) = office("1000").await;
    let path = "/console/agency/audit";
    let change = json!({ "name": "Arjun <i>Rao</i>" });
    admin.put(&format!("/org/users/{}", agent.id), &change).await.succeeds(200);
    let page = browser.get(&format!("{path}?action=user.updated")).await;
    page.has(200, "asha Sunrise")
        .has(200, "127.0.0.1")
        .has(
            200,
            "<tr class=\"changed\"><th scope=\"row\">Name</th><td>arjun Sunrise</td><td>Arjun &#60;i&#62;Rao&#60;/i&#62;</td>",
        )
        .has(200, "History of this");
    // What else happened to the same, and to nothing else.
    let history = browser.get(&page.link("/console/agency/audit?entity_type=user")).await;
    history.has(200, "user.created").has(200, "user.updated");
    assert_eq!(history.text.matches("History of this").count(), 2);
    browser.get(&format!("{path}?actor_id={}&entity_type=user", agent.id)).await.has(200, "Nothing matches");
    let page = browser.get(&format!("{path}?from=x&action=kept")).await;
    page.shows(422, &["id=\"from-error\"", "value=\"kept\""]);
    browser.get(&format!("{path}?from=2027-02-01&to=2027-01-01")).await.has(422, "There is a problem");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_and_each_setting_are_saved_or_told_at_their_field() {
    let (world, _, admin, _, browser) = office("1000").await;
    let path = "/console/agency/profile";
    browser
        .get(path)
        .await
        .has(200, "Asia/Kolkata")
        .has(200, "<dd class=\"mono\">127.0.0.1</dd>")
        .has(200, "make sure that 127.0.0.1 is on it");
    let typed = [
        ("name", "Sunrise & <b>Sons</b>"),
        ("email", "nobody"),
        ("phone", "22"),
        ("address", "1 Marine Drive"),
        ("country", "IN"),
    ];
    let shown = browser.post(path, &typed).await;
    shown.shows(422, &["id=\"email-error\"", "value=\"Sunrise &#38; &#60;b&#62;Sons&#60;/b&#62;\""]);
    let mut good = typed;
    good[1].1 = "desk@sunrise.example";
    let saved = browser.post(path, &good).await.leads_to();
    browser.get(&saved).await.has(200, "The profile is saved");
    assert_eq!(admin.get("/org/profile").await.ok()["address"], "1 Marine Drive");

    let settings = "/console/agency/settings";
    let set = |key: &'static str, value: &'static str| {
        let field = format!("setting.{key}");
        let browser = &browser;
        async move { browser.post(settings, &[("setting", key), (&field, value)]).await }
    };
    set("hold_reminder_hours", "often")
        .await
        .shows(422, &["id=\"setting.hold_reminder_hours-error\"", "value=\"often\""]);
    set("ticket_password_enabled", "true").await.has(422, "href=\"#setting.ticket_password_enabled\"");
    let secret = set("ticket_password", "abc").await;
    secret.has(422, "id=\"setting.ticket_password-error\"");
    assert!(!secret.text.contains("value=\"abc\""));
    for (key, value) in [
        ("hold_reminder_hours", "48,2"),
        ("hold_reminder_hours", "48,2"),
        ("ticket_password", "open sesame"),
        ("ticket_password_enabled", "true"),
        ("book_mode", "hold"),
    ] {
        set(key, value).await.leads_to();
    }
    let page = browser.get(path).await;
    page.shows(200, &["value=\"48,2\"", "placeholder=\"Is set\"", "<option value=\"hold\" selected>"]);
    assert!(!page.text.contains("open sesame") && !page.text.contains("********"));
    // Somebody comes from the one address that is listed.
    world
        .sql("update organizations set ip_whitelist_enabled = true, whitelist = array['127.0.0.1/32']")
        .await;
    browser.get(path).await.has(200, "Whoever comes from elsewhere is refused");
    world.books_agree().await;
}

/// While somebody types the part alone is asked for; the button without scripts brings the whole form.
#[tokio::test(flavor = "multi_thread")]
async fn the_editor_shows_what_an_example_would_cost_and_stores_nothing() {
    let (_world, _, admin, _, browser) = office("1000").await;
    let list = "/console/agency/packages";
    let page = browser.get(&format!("{list}/new")).await;
    page.shows(200, &["hx-trigger=\"input delay:250ms\"", "There is no price yet"]);
    let preview = format!("{list}/preview");
    let typed = [
        ("name", "Corporate <b>"),
        ("markup_type", "percent"),
        ("markup_value", "10"),
        ("markup_apply_on", "fare"),
        ("is_active", "yes"),
        ("example_base", "4500"),
        ("example_taxes", "900"),
        ("example_commission", "225"),
    ];
    let part = [("hx-request", "true"), ("sec-fetch-site", "same-origin")];
    let shown = browser.ask(reqwest::Method::POST, &preview, &part, &typed).await;
    // 10 % of 4,500 on top of 5,400.
    shown.has(200, "₹450.00").has(200, "₹5,850.00").has(200, "this package").has(200, "M, markup");
    assert!(!shown.text.contains("<html"));
    let whole = browser.post(&preview, &typed).await;
    whole.has(200, "<html").has(200, "₹5,850.00").has(200, "value=\"Corporate &#60;b&#62;\"");
    let mut wrong = typed;
    wrong[5].1 = "-1";
    browser.ask(reqwest::Method::POST, &preview, &part, &wrong).await.has(200, "Must be 0 or greater");
    wrong[5].1 = "dear";
    browser.ask(reqwest::Method::POST, &preview, &part, &wrong).await.has(200, "Is not an amount");
    assert_eq!(admin.get("/org/packages").await.ok(), json!([]));
    // Of a package that there is, with its bands.
    let stay = json!({ "name": "Stays", "markup_type": "percent", "markup_value": 3, "price_ranges": [
        { "min_amount": 5000, "markup_type": "flat", "markup_value": 77 } ] });
    let made = admin.post("/org/hotel-packages", &stay).await.succeeds(201);
    let id = made["id"].as_str().unwrap();
    browser.get(&format!("/console/agency/hotel-packages/{id}")).await.shows(200, &["₹77.00", "₹5,477.00"]);
}
