//! Lists of bookings without scripts: tabs with their counts, what is typed, and where references lead.

use wayfare_tests::{MONEY, Pick, World, WorldOptions, one_way, stay_at};

use super::browser::{Browser, Page};

/// That this tab says how many bookings it has, and whether one sees it.
#[track_caller]
fn tab(page: &Page, address: &str, name: &str, count: u32, is_current: bool) {
    let current = if is_current { " aria-current=\"page\"" } else { "" };
    page.has(200, &format!("<a href=\"{address}\"{current}>{name}<small>{count}</small></a>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_have_what_they_say_and_count_it() {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let list = "/console/bookings";
    browser.get(list).await.has(200, "No bookings here");
    let upcoming = agent.buy(one_way("DEL", "BOM")).await.reference;
    let cancelled = agent.buy(one_way("DEL", "BOM")).await.reference;
    agent.cancels(&cancelled).await;
    let held = agent.try_buy(&one_way("JFK", "EWR")).await.ok();
    let held = held["booking_ref"].as_str().unwrap();
    let tomorrow = "update supplier_orders set pay_by = now() + interval '3 hours' where hold_state = 'held'";
    world.sql(tomorrow).await;
    let page = browser.get(list).await;
    tab(&page, list, "All", 3, true);
    for (group, name, count, shown) in [
        ("needs_attention", "Needs attention", 1, held),
        ("upcoming", "Upcoming", 1, upcoming.as_str()),
        ("on_hold", "On hold", 1, held),
        ("past", "Past", 0, "No bookings here"),
        ("ended", "Cancelled", 1, cancelled.as_str()),
    ] {
        let address = format!("{list}?group={group}");
        tab(&page, &address, name, count, false);
        let opened = browser.get(&address).await;
        tab(&opened, &address, name, count, true);
        opened.has(200, shown);
        for other in [upcoming.as_str(), cancelled.as_str(), held] {
            assert_eq!(opened.text.contains(other), other == shown, "{group} {other}");
        }
    }
    // Another agent of the agency has none of them, and no tab is a word of somebody else's.
    agency.agent("bina", "0").await;
    let other = Browser::signed(&world, &agency, "bina").await;
    let hostile = other.get("/console/bookings?group=%3Cb%3E&page=0").await;
    tab(&hostile, list, "All", 0, true);
    hostile.has(200, "No bookings here");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_finds_bookings_and_is_kept_where_it_is_wrong() {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let detail = agent.booking(&reference).await;
    let locator = detail["pnr_details"][0]["pnr"].as_str().unwrap();
    agency.agent("bina", "0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let other = Browser::signed(&world, &agency, "bina").await;
    let today = world.now().with_timezone(&wayfare_domain::Zone::KOLKATA).date_naive();
    for query in [
        format!("q={locator}"),
        "q=sharma%2Fasha".to_owned(),
        format!("q=&from={today}&to={today}"),
        // A search is of all bookings, whichever tab it was typed at.
        format!("q={locator}&group=past"),
    ] {
        let address = format!("/console/bookings?{query}");
        let found = browser.get(&address).await;
        found.has(200, &reference).has(200, "Show all");
        assert!(!found.text.contains("aria-current=\"page\">All"), "{query}");
        let hidden = other.get(&address).await;
        assert_eq!(hidden.status, 200);
        assert!(!hidden.text.contains(&reference), "{query}");
    }
    browser.get("/console/bookings?q=Sharma%2FNobody").await.has(200, "No booking Sharma/Nobody");
    browser.get("/console/bookings?q=%3Cscript%3E").await.has(200, "No booking &#60;script&#62;");
    // A reference of a stay is looked for among stays, and the other way round.
    let stays = browser.get("/console/bookings?q=htl-00000000").await;
    assert_eq!(stays.leads_to(), "/console/hotels/bookings?q=HTL-00000000");
    let flights = browser.get(&format!("/console/hotels/bookings?q={reference}")).await;
    assert_eq!(flights.leads_to(), format!("/console/bookings?q={reference}"));
    // What is wrong stands beside its field, with what was typed.
    let page = browser.get("/console/bookings?from=soon&q=x").await;
    page.shows(422, &["href=\"#from\"", "value=\"soon\"", "value=\"x\"", "Mend what is wrong"]);
    let page = browser.get("/console/bookings?from=2027-02-01&to=2027-01-01").await;
    page.shows(422, &["href=\"#from\"", "value=\"2027-02-01\""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn stays_stand_on_today_and_in_the_agencys_books_with_their_links() {
    let (world, agency, admin) = World::with(WorldOptions::hotels()).await.and_admin("2000000").await;
    let reference = admin.buy_stay(&stay_at("liteapi"), Pick::Free).await.reference;
    let browser = Browser::signed(&world, &agency, "asha").await;
    let link = format!("href=\"/console/hotels/bookings/{reference}\"");
    browser.get("/console").await.has(200, &link).has(200, "Nothing waits.");
    for page in ["/console/agency/transactions", "/console/agency/fares"] {
        browser.get(page).await.has(200, &link);
    }
    let list = "/console/hotels/bookings";
    let shown = browser.get(list).await;
    tab(&shown, list, "All", 1, true);
    tab(&shown, &format!("{list}?group=upcoming"), "Upcoming", 1, false);
    assert!(!shown.text.contains("On hold"), "stays are not held");
    // A stay whose supplier does not answer needs somebody.
    world.sql("update bookings set status = 'pending'").await;
    world.sql("update effects set state = 'open', closed_at = null, due_at = now() + interval '1 day'").await;
    browser.get("/console").await.has(200, "Do not book it again.").has(200, &link);
    browser.get(&format!("{list}?group=needs_attention")).await.has(200, &reference);
}
