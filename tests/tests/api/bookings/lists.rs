//! Lists of bookings: found by exactly what somebody types, by days and by groups, within what they may see, and counted.

use std::slice::from_ref;

use serde_json::{Value, json};
use wayfare_tests::{MONEY, Person, Pick, World, WorldOptions, one_way, stay_at};

use super::airline_changes;

/// The references that a list of this person's has with this query, the newest first.
async fn found(who: &Person, kind: &str, query: &[(&str, &str)]) -> Vec<String> {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let listed = who.get(&format!("/{kind}/bookings?{query}")).await.json();
    let items = listed["data"].as_array().unwrap_or_else(|| panic!("{listed}"));
    let references = items.iter().map(|item| item["booking_ref"].as_str().unwrap());
    let references: Vec<String> = references.map(str::to_owned).collect();
    assert_eq!(listed["meta"]["total"], references.len());
    references
}

async fn counts(who: &Person, kind: &str) -> Value {
    who.get(&format!("/{kind}/bookings/counts")).await.ok()
}

/// That the counts are those of the lists, each by itself.
async fn counts_agree(who: &Person, kind: &str) -> Value {
    let counts = counts(who, kind).await;
    for (name, filter) in [("by_status", "status"), ("by_group", "group")] {
        for (word, count) in counts[name].as_object().unwrap() {
            assert_eq!(*count, found(who, kind, &[(filter, word.as_str())]).await.len(), "{kind} {word}");
        }
    }
    counts["by_group"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_is_found_by_its_names_within_what_one_may_see() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", MONEY).await;
    let other = agency.agent("bina", "0").await;
    let stranger = world.agency().await.admin("0").await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    agent.buy(one_way("DEL", "BLR")).await;
    let other_locator = "update supplier_orders set content = jsonb_set(content, '{pnr}', '\"OTHER1\"')
        where booking_id <> (select id from bookings order by id limit 1)";
    world.sql(other_locator).await;
    let detail = agent.booking(&reference).await;
    let locator = detail["pnr_details"][0]["pnr"].as_str().unwrap();
    for (text, is_known) in [
        (reference.clone(), true),
        (reference.to_lowercase(), true),
        (format!("  {reference} "), true),
        (locator.to_owned(), true),
        (locator.to_lowercase(), true),
        (detail["provider_ref"].as_str().unwrap().to_owned(), true),
        ("FA-00000000".to_owned(), false),
        (locator[1..].to_owned(), false),
        (format!("{locator}%"), false),
        ("%".to_owned(), false),
        (" ".to_owned(), false),
        ("/".to_owned(), false),
    ] {
        let expected = if is_known { vec![reference.clone()] } else { Vec::new() };
        let query = [("q", text.as_str())];
        for sees in [&agent, &admin] {
            assert_eq!(found(sees, "flights", &query).await, expected, "{text}");
        }
        for hidden in [&other, &stranger] {
            assert_eq!(found(hidden, "flights", &query).await, Vec::<String>::new(), "{text}");
        }
        // A flight is no stay.
        assert_eq!(found(&agent, "hotels", &query).await, Vec::<String>::new(), "{text}");
    }
    // Filters narrow each other.
    let both = [("q", reference.as_str()), ("status", "cancelled")];
    assert_eq!(found(&agent, "flights", &both).await, Vec::<String>::new());
    let both = [("q", reference.as_str()), ("group", "upcoming")];
    assert_eq!(found(&agent, "flights", &both).await, [reference]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_traveller_is_found_by_the_whole_name_within_what_one_may_see() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", MONEY).await;
    let other = agency.agent("bina", MONEY).await;
    let stranger = world.agency().await.agent("arjun", MONEY).await;
    let trip = one_way("DEL", "BOM");
    let book = async |who: &Person, family: &str| {
        let mut order = who.order(&who.quote(&trip).await, &trip);
        order["passengers"][0]["last_name"] = json!(family);
        who.book(&order).await.ok()["booking_ref"].as_str().unwrap().to_owned()
    };
    let first = book(&agent, "D'Souza").await;
    let second = book(&other, "D'Souza").await;
    let third = book(&stranger, "D'Souza").await;
    for name in ["D'SOUZA/ASHA", "dsouza/asha", "D Souza / Asha", "Asha/D'Souza"] {
        let query = [("q", name)];
        assert_eq!(found(&agent, "flights", &query).await, from_ref(&first), "{name}");
        assert_eq!(found(&other, "flights", &query).await, from_ref(&second), "{name}");
        assert_eq!(found(&admin, "flights", &query).await, [second.clone(), first.clone()], "{name}");
        assert_eq!(found(&stranger, "flights", &query).await, from_ref(&third), "{name}");
    }
    for name in ["D'Souza", "D'Souza/", "D'Souza/Ash", "Souza/Asha", "%/%"] {
        assert_eq!(found(&admin, "flights", &[("q", name)]).await, Vec::<String>::new(), "{name}");
    }
    // Who is erased is found no more.
    world.sql("delete from booking_names").await;
    assert_eq!(found(&admin, "flights", &[("q", "D'Souza/Asha")]).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn days_are_the_agencys_and_whole() {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let first = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.pass(24 * 3600);
    // Nobody's token lasts a day: others of the agency go on.
    let second = agency.agent("bina", MONEY).await.buy(one_way("DEL", "BLR")).await.reference;
    let admin = agency.admin("0").await;
    let today = world.now().with_timezone(&wayfare_domain::Zone::KOLKATA).date_naive();
    let day = |back: i64| (today - chrono::Duration::days(back)).to_string();
    for (from, to, expected) in [
        (day(1), day(0), vec![second.clone(), first.clone()]),
        (day(1), day(1), vec![first.clone()]),
        (day(0), day(0), vec![second.clone()]),
        (day(0), String::new(), vec![second.clone()]),
        (String::new(), day(1), vec![first.clone()]),
        (String::new(), day(2), Vec::new()),
        (day(-1), String::new(), Vec::new()),
    ] {
        let query = [("from", from.as_str()), ("to", to.as_str())];
        assert_eq!(found(&admin, "flights", &query).await, expected, "{query:?}");
    }
    let wrong = admin.get(&format!("/flights/bookings?from={}&to={}", day(0), day(1))).await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("from"), "{}", wrong.text);
    let wrong = admin.get("/flights/bookings?group=everything").await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_group_has_what_it_says_and_is_counted() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", MONEY).await;
    let other = agency.agent("bina", "0").await;
    let nothing = json!({ "needs_attention": 0, "upcoming": 0, "on_hold": 0, "past": 0, "ended": 0 });
    assert_eq!(counts_agree(&agent, "flights").await, nothing);
    let upcoming = agent.buy(one_way("DEL", "BOM")).await.reference;
    let past = agent.buy(one_way("DEL", "BLR")).await.reference;
    let cancelled = agent.buy(one_way("DEL", "BOM")).await.reference;
    agent.cancels(&cancelled).await;
    let held = agent.buy(one_way("JFK", "EWR")).await.reference;
    let its = format!("booking_id = (select id from bookings where booking_ref = '{past}')");
    let over = format!("update supplier_orders set travel_ends = now() - interval '1 day' where {its}");
    world.sql(&over).await;
    let in_days = async |days: i64| {
        let day = format!("now() + interval '{days} days'");
        world.sql(&format!("update supplier_orders set pay_by = {day} where hold_state = 'held'")).await;
    };
    in_days(3).await;
    let group = async |who: &Person, word: &str| found(who, "flights", &[("group", word)]).await;
    assert_eq!(group(&agent, "upcoming").await, from_ref(&upcoming));
    assert_eq!(group(&agent, "past").await, from_ref(&past));
    assert_eq!(group(&agent, "ended").await, from_ref(&cancelled));
    assert_eq!(group(&agent, "on_hold").await, from_ref(&held));
    assert_eq!(group(&agent, "needs_attention").await, Vec::<String>::new());
    let quiet = counts_agree(&agent, "flights").await;
    assert_eq!(quiet, json!({ "needs_attention": 0, "upcoming": 1, "on_hold": 1, "past": 1, "ended": 1 }));
    assert_eq!(counts_agree(&admin, "flights").await, quiet);
    // What must be paid within a day waits for somebody, unless the service does it by itself.
    in_days(0).await;
    assert_eq!(group(&agent, "needs_attention").await, from_ref(&held));
    world.sql("update booking_holds set auto_ticket_since = now()").await;
    assert_eq!(group(&agent, "needs_attention").await, Vec::<String>::new());
    in_days(3).await;
    // What the airline has changed does, and what a supplier does not answer, and what it has refused.
    airline_changes(&world, &upcoming).await;
    assert_eq!(group(&agent, "needs_attention").await, from_ref(&upcoming));
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", "drop_after").await;
    let pending = agent.book(&order).await.succeeds(202);
    let pending = pending["booking_ref"].as_str().unwrap();
    world.next_times("cancel", "status:422", 9).await;
    let refused = agent.cancel(&past).await;
    assert!(!(200..300).contains(&refused.status), "{}", refused.text);
    assert_eq!(group(&agent, "needs_attention").await, [pending, past.as_str(), upcoming.as_str()]);
    assert_eq!(counts_agree(&agent, "flights").await["needs_attention"], 3);
    // Long ago it was refused: somebody has seen it.
    world.sql("update refunds set requested_at = now() - interval '15 days'").await;
    assert_eq!(group(&agent, "needs_attention").await, [pending, upcoming.as_str()]);
    // None of it is another agent's, or another agency's.
    for hidden in [&other, &world.agency().await.admin("0").await] {
        assert_eq!(counts_agree(hidden, "flights").await, nothing);
    }
    assert_eq!(counts_agree(&agent, "hotels").await, nothing);
}

#[tokio::test(flavor = "multi_thread")]
async fn stays_are_found_and_counted_as_flights_are() {
    let (_world, agency, agent) = World::with(WorldOptions::hotels()).await.and_agent("2000000").await;
    let other = agency.agent("bina", "0").await;
    let reference = agent.buy_stay(&stay_at("liteapi"), Pick::Free).await.reference;
    agent.cancel_stay(&agent.buy_stay(&stay_at("hotelbeds"), Pick::Free).await.reference).await.ok();
    let detail = agent.stay(&reference).await;
    let guest = &detail["guests"][0];
    let name = format!("{}/{}", guest["last_name"].as_str().unwrap(), guest["first_name"].as_str().unwrap());
    for text in [reference.as_str(), detail["provider_booking_id"].as_str().unwrap()] {
        let query = [("q", text)];
        assert_eq!(found(&agent, "hotels", &query).await, from_ref(&reference), "{text}");
        assert_eq!(found(&other, "hotels", &query).await, Vec::<String>::new(), "{text}");
    }
    let named = [("q", name.as_str()), ("group", "upcoming")];
    assert_eq!(found(&agent, "hotels", &named).await, from_ref(&reference));
    assert_eq!(found(&other, "hotels", &named).await, Vec::<String>::new());
    let groups = counts_agree(&agent, "hotels").await;
    assert_eq!(groups, json!({ "needs_attention": 0, "upcoming": 1, "on_hold": 0, "past": 0, "ended": 1 }));
}
