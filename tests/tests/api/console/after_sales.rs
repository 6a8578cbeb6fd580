//! What is done with a booking later, without scripts: other flights, extras, schedule changes, refunds, paper.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, MONEY, Person, Seller, Trip, World, WorldOptions, amount, one_way, round_trip};

use super::browser::{Browser, pairs};

async fn booked(agent: &Person, trip: &Trip) -> String {
    agent.buy_dearest(trip).await.reference
}

/// A booking of this trip by an agent in front of the console: who it is, where they look, and its reference.
async fn stage(trip: &Trip) -> (World, Person, Browser, String) {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let reference = booked(&agent, trip).await;
    (world, agent, browser, reference)
}

#[tokio::test(flavor = "multi_thread")]
async fn other_flights_are_seen_summed_and_booked_once() {
    let (world, agent, browser, reference) = stage(&one_way("DEL", "BOM")).await;
    let path = format!("/console/bookings/{reference}/change");
    browser.get(&format!("/console/bookings/{reference}")).await.has(200, &format!("href=\"{path}\""));
    browser.get(&path).await.has(200, "DEL – BOM");
    // A day that is none is told at its field, and stands there.
    browser.get(&format!("{path}?journey=0&day=soon")).await.shows(422, &["href=\"#day\"", "value=\"soon\""]);
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let found = browser.get(&format!("{path}?journey=0&day={day}")).await;
    found.has(200, "What could be flown");
    let check = format!("{path}/check");
    let checked = browser.post(&check, &pairs(&found.starting_at("Booked anew").hidden(&check))).await;
    checked.has(200, "Amount due").has(200, "Nothing is changed yet");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    let form = checked.hidden(&path);
    let new = browser.post(&path, &pairs(&form)).await.leads_to();
    assert_eq!(browser.post(&path, &pairs(&form)).await.leads_to(), new);
    assert!(!new.contains(&reference), "{new}");
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 2);
    let page = browser.get(&new).await;
    page.shows(200, &["The change is asked for.", "What happened", "Booked; the money is held"]);
    let page = browser.get(&format!("/console/bookings/{reference}")).await;
    page.shows(200, &["Another booking takes its place", "Cancellation: done"]);
    browser.get("/console/refunds").await.has(200, &reference).has(200, "In the wallet");
    browser.get("/console/refunds?status=refunded").await.has(200, &reference);
    let refused = browser.get("/console/refunds?status=failed").await;
    refused.has(200, "No refunds here");
    assert!(!refused.text.contains(&reference));
    // A key that nobody was given changes nothing.
    let wrong = [("fare_key", "nothing"), ("journey", "0"), ("day", "")];
    let other = booked(&agent, &one_way("DEL", "BLR")).await;
    let refused = browser.post(&format!("/console/bookings/{other}/change/check"), &wrong).await;
    assert!([400, 404].contains(&refused.status), "{}", refused.text);
    refused.has(refused.status, "DEL – BLR");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_supplier_changes_flights_the_booking_stays() {
    let (world, agent, browser, reference) = stage(&one_way("DEL", "BOM")).await;
    let path = format!("/console/bookings/{reference}/change");
    let check = format!("{path}/check");
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let found = browser.get(&format!("{path}?journey=0&day={day}")).await;
    let changed = found.starting_at("The supplier changes the booking");
    let form = browser.post(&check, &pairs(&changed.hidden(&check))).await.hidden(&path);
    for _ in 0..2 {
        let seen = browser.post(&path, &pairs(&form)).await.leads_to();
        assert_eq!(seen, format!("/console/bookings/{reference}?done=changed"));
    }
    let booking = agent.booking(&reference).await;
    assert_eq!(booking["status"], "confirmed");
    let flown = booking["itinerary"]["segments"].as_array().unwrap();
    let day = day.to_string();
    assert!(flown.iter().any(|one| one["departure"].as_str().unwrap().starts_with(&day)));
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_still_sold_is_chosen_summed_and_bought_once() {
    let (world, agent, browser, reference) = stage(&round_trip("DEL", "BOM").party(1, 1, 1).by("6E")).await;
    let path = format!("/console/bookings/{reference}/extras");
    let check = format!("{path}/check");
    browser.get(&path).await.has(200, "See what it comes to");
    browser.post(&check, &[("extra", "")]).await.has(422, "Nothing is chosen");
    browser.post(&check, &[("extra", "[\"SEAT\",1,\"none\",\"1A\"]")]).await.has(409, "not sold any more");
    let sold = agent.get(&format!("/flights/bookings/{reference}/ssr")).await.ok();
    let flight = &sold["SsrDetails"]["Segments"][0];
    let bag = &flight["Baggage"][0];
    let chosen = json!(["BAGGAGE", 1, flight["SegmentId"], bag["Code"]]).to_string();
    let before = agent.balance().await;
    let checked = browser.post(&check, &[("extra", &chosen)]).await;
    checked.has(200, "Paid from wallet").has(200, "Nothing is bought yet");
    assert_eq!(agent.balance().await, before);
    let form = checked.hidden(&path);
    assert!(form.iter().any(|(name, value)| name == "extra" && *value == chosen));
    let seen = browser.post(&path, &pairs(&form)).await.leads_to();
    assert_eq!(browser.post(&path, &pairs(&form)).await.leads_to(), seen);
    let paid: Decimal = amount(&bag["Price"]);
    assert_eq!(agent.balance().await, before - paid);
    browser.get(&seen).await.has(200, "Seats, bags and meals");
    world.books_agree().await;
}

async fn put_off() -> (World, Agency, Person, String, Value) {
    let options = WorldOptions::of([Seller::duffel()]);
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let reference = booked(&agent, &one_way("DEL", "BOM").by("ZZ")).await;
    let change = world.puts_off(&agent, &reference, 90).await;
    (world, agency, agent, reference, change)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_an_airline_is_seen_and_decided_by_those_whose_it_is() {
    let (world, agency, agent, reference, change) = put_off().await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let page = format!("/console/bookings/{reference}");
    browser.get("/console/changes").await.has(200, &reference).has(200, "Needs you");
    let action = format!("{page}/changes/{}", change["id"].as_str().unwrap());
    let shown = browser.get(&page).await;
    shown.has(200, "1 h 30 min later");
    let mut form = shown.hidden(&action);
    form.push(("decision".to_owned(), "accept".to_owned()));
    // Another agent of the agency does not see it and decides nothing.
    agency.agent("bina", "0").await;
    let other = Browser::signed(&world, &agency, "bina").await;
    other.get("/console/changes").await.has(200, "No changes here");
    for hidden in [&page, &format!("{page}/print"), &format!("{page}/change")] {
        other.get(hidden).await.has(404, "There is nothing here");
    }
    other.post(&action, &pairs(&form)).await.has(404, "There is nothing here");
    assert_eq!(agent.booking(&reference).await["changes"][0]["state"], "open");
    let done = browser.post(&action, &pairs(&form)).await.leads_to();
    assert_eq!(browser.post(&action, &pairs(&form)).await.leads_to(), done);
    browser.get(&done).await.has(200, "is accepted");
    assert_eq!(agent.booking(&reference).await["changes"][0]["state"], "accepted");
    browser.get("/console/changes?state=accepted").await.has(200, &reference);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_printed_without_its_money() {
    let (_world, _, browser, reference) = stage(&one_way("DEL", "BOM")).await;
    let printed = browser.get(&format!("/console/bookings/{reference}/print")).await;
    printed.has(200, &reference).has(200, "Travellers");
    assert!(!printed.text.contains('₹'), "{}", printed.text);
    browser.get("/console/refunds").await.has(200, "No refunds here");
}

#[tokio::test(flavor = "multi_thread")]
async fn some_travellers_or_a_journey_are_given_back_with_what_it_costs_first() {
    let options = WorldOptions::of([Seller::tripjack()]);
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let reference = booked(&agent, &round_trip("DEL", "DXB").party(3, 0, 0)).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let path = format!("/console/bookings/{reference}/cancel");
    browser.get(&path).await.shows(200, &["Entire booking", "Who does not travel", "What is not flown"]);
    // What was chosen is seen, and nothing is carried out by looking.
    let before = agent.balance().await;
    let asked = browser.get(&format!("{path}?passenger=2")).await;
    asked.has(200, "Remaining booking value").has(200, "name=\"passenger\" value=\"2\" checked");
    assert_eq!(agent.balance().await, before);
    let part = json!({ "passengers": ["2"] });
    let penalty = agent.post(&format!("/flights/bookings/{reference}/penalty"), &part).await.ok();
    let form = asked.hidden(&path);
    for _ in 0..2 {
        let seen = browser.post(&path, &pairs(&form)).await.leads_to();
        assert_eq!(seen, format!("/console/bookings/{reference}?done=part"));
    }
    let back: Decimal = amount(&penalty["refund_amount"]);
    assert_eq!(agent.balance().await, before + back);
    let detail = agent.booking(&reference).await;
    assert_has!(detail, { "status": "confirmed", "passengers/1/status": "cancelled" });
    // Who travels no more can't be chosen again, and is refused where somebody does.
    let page = browser.get(&path).await;
    assert!(!page.text.contains("name=\"passenger\" value=\"2\""), "{}", page.text);
    for wrong in ["passenger=2", "passenger=9", "journey=7", "passenger=%3Cb%3E"] {
        let refused = browser.get(&format!("{path}?{wrong}")).await;
        refused.has(409, "Partial cancellation");
        assert!(!refused.text.contains("Cancel selected items"), "{wrong}");
        assert!(!refused.text.contains("<b>&"), "{wrong}");
    }
    // What is no journey does not come to all of it, nor do boxes of which none is ticked.
    for (name, value) in [("journey", "all"), ("journey", ""), ("passenger", "")] {
        let form = [("key", "another-form"), (name, value)];
        browser.post(&path, &form).await.has(404, "There is no such page");
    }
    let nothing = browser.get(&format!("{path}?only_a_part=yes")).await;
    nothing.has(409, "Nothing is chosen");
    assert!(!nothing.text.contains("come back</button>"), "{}", nothing.text);
    let key = [("key", "another-form"), ("only_a_part", "yes")];
    browser.post(&path, &key).await.has(409, "Nothing is chosen");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    let form = browser.get(&format!("{path}?journey=1")).await.hidden(&path);
    browser.post(&path, &pairs(&form)).await.leads_to();
    browser.get(&format!("/console/bookings/{reference}")).await.has(200, "A part of it is cancelled");
    // What is left is given back whole.
    let rest = browser.get(&path).await;
    assert!(!rest.text.contains("What is not flown"), "{}", rest.text);
    browser.post(&path, &pairs(&rest.hidden(&path))).await.leads_to();
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    agency.agent("bina", "0").await;
    let other = Browser::signed(&world, &agency, "bina").await;
    other.get(&format!("{path}?passenger=1")).await.has(404, "There is nothing here");
    other.post(&path, &pairs(&form)).await.has(404, "There is nothing here");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_only_all_of_it_can_be_given_back_nothing_can_be_chosen() {
    let options = WorldOptions::of([Seller::duffel()]);
    let (world, agency, agent) = World::with(options).await.and_agent(MONEY).await;
    let reference = booked(&agent, &one_way("DEL", "BOM").by("ZZ").party(2, 0, 0)).await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let path = format!("/console/bookings/{reference}/cancel");
    let page = browser.get(&path).await;
    page.has(200, "Entire booking");
    assert!(!page.text.contains("Partial cancellation"), "{}", page.text);
    // Typed all the same, it is refused and cancels nothing: least of all the whole.
    browser.get(&format!("{path}?passenger=1")).await.has(409, "part of this order");
    let key = [("key", "a-key-of-this-form"), ("passenger", "1")];
    browser.post(&path, &key).await.has(409, "part of this order");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    world.books_agree().await;
}
