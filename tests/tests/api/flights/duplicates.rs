//! The same people on the same flights twice: not within ten minutes, unless they want it so.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use wayfare_tests::{LASTS, Person, Seller, Trip, World, WorldOptions, amount, one_way, travellers};

const TEXT: &str = "the same passengers were booked on the same flights within the last 10 minutes; send allow_duplicate to book again";

/// The body of a booking as clients send it.
async fn order(agent: &Person, trip: &Trip) -> Value {
    let mut order = agent.order(&agent.quote(trip).await, trip);
    order["allow_duplicate"] = json!(false);
    order
}

fn reference(booked: &Value) -> String {
    booked["booking_ref"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_again_is_refused_for_ten_minutes_and_names_the_first() {
    let (world, agency, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").party(2, 0, 0);
    let first = agent.book(&order(&agent, &trip).await).await.ok();
    let mut again = order(&agent, &trip).await;
    // In another order, and in other letters.
    let mut people = again["passengers"].as_array().unwrap().clone();
    people.reverse();
    people[0]["first_name"] = json!(people[0]["first_name"].as_str().unwrap().to_uppercase());
    again["passengers"] = json!(people);
    for who in [&agent, &agency.agent("bina", "1000000").await] {
        let mut theirs = order(who, &trip).await;
        theirs["passengers"] = again["passengers"].clone();
        let refused = who.book(&theirs).await;
        refused.is(409, TEXT);
        assert_eq!(refused.json()["data"]["booking_ref"], reference(&first));
    }
    assert_eq!(world.supplier_orders().await.len(), 1);
    assert!(world.held().await.is_zero());
    // Another agency's travellers are nobody's business.
    let stranger = world.agent("1000000").await;
    stranger.book(&order(&stranger, &trip).await).await.ok();

    again = order(&agent, &trip).await;
    again["allow_duplicate"] = json!(true);
    agent.book(&again).await.ok();
    world.pass(601);
    agent.book(&order(&agent, &trip).await).await.ok();
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn others_or_other_flights_are_not_the_same() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").by("6E");
    agent.book(&order(&agent, &trip).await).await.ok();
    agent.book(&order(&agent, &wayfare_tests::journeys(&[("DEL", "BOM", 31)])).await).await.ok();
    let mut others = order(&agent, &trip).await;
    others["passengers"] = travellers("Varma", trip.party, world.now()).into();
    agent.book(&others).await.ok();
    let mut born_later = order(&agent, &trip).await;
    born_later["passengers"][0]["dob"] = json!("1990-05-05");
    agent.book(&born_later).await.ok();
    agent.book(&order(&agent, &trip.by("AI")).await).await.ok();
    world.is_settled().await;
}

/// Father and son of one name on one flight are two where both birth dates are known.
#[tokio::test(flavor = "multi_thread")]
async fn birth_dates_tell_people_of_one_name_apart_and_names_count_where_one_is_not_known() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agency = world.agency().await;
    let (known, son, unknown) = (Some("1970-05-05"), Some("1999-09-09"), None);
    for (place, (first, second, is_duplicate)) in
        [(known, unknown, true), (unknown, known, true), (unknown, unknown, true), (known, son, false)]
            .into_iter()
            .enumerate()
    {
        let agent = agency.agent(&format!("agent{place}"), "1000000").await;
        let book = async |born_on: Option<&str>| {
            let mut order = order(&agent, &one_way("DEL", "BOM")).await;
            let passenger = order["passengers"][0].as_object_mut().unwrap();
            passenger.insert("last_name".to_owned(), json!(format!("Rao {}", ["A", "B", "C", "D"][place])));
            passenger.insert("dob".to_owned(), json!(born_on));
            agent.book(&order).await
        };
        let first_booked = book(first).await.ok();
        let again = book(second).await;
        if is_duplicate {
            again.is(409, TEXT);
            assert_eq!(again.json()["data"]["booking_ref"], reference(&first_booked));
        } else {
            again.ok();
        }
    }
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_pending_or_stands_counts() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let refused = order(&agent, &trip).await;
    world.next("book", "status:422").await;
    assert_eq!(agent.book(&refused).await.status, 409);
    world.next("book", "drop_before").await;
    let pending = agent.book(&order(&agent, &trip).await).await.succeeds(202);
    agent.book(&order(&agent, &trip).await).await.is(409, TEXT);
    world.recover_in(200).await;
    assert_eq!(agent.booking(&reference(&pending)).await["status"], "failed");
    let booked = agent.book(&order(&agent, &trip).await).await.ok();
    agent.cancel(&reference(&booked)).await.says(200, "booking cancelled");
    agent.book(&order(&agent, &trip).await).await.ok();
    world.is_settled().await;
}

/// The hash that servers of the release before store of these lines, written down anew: people and flights as they are spelled.
fn former_hash(lines: &[String]) -> String {
    let mac = |key: &[u8], parts: &[&[u8]]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes()
    };
    let key = mac(&World::LEDGER_KEY, &[b"keyed hashes"]);
    let hash = mac(&key, &[&8_u64.to_be_bytes(), b"likeness", lines.join("\n").as_bytes()]);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_of_the_release_before_has_booked_is_a_duplicate_too() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").by("6E");
    let wanted = order(&agent, &trip).await;
    let first = reference(&agent.book(&wanted).await.ok());
    let who = &wanted["passengers"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let name = format!("{}/{}", text(&who["last_name"]), text(&who["first_name"])).to_lowercase();
    let detail = agent.booking(&first).await;
    let flight = &detail["itinerary"]["segments"][0];
    let [airline, number, day] = ["airline", "flight_number", "departure"].map(|name| text(&flight[name]));
    let flight = format!("{airline}{number}/{}", &day[..10]);
    let dated = format!("{name}/{}", text(&detail["passengers"][0]["dob"]));
    let (named, dated) = (former_hash(&[name, flight.clone()]), former_hash(&[dated, flight]));
    let write = format!("update bookings set name_likeness = '\\x{named}', likeness = '\\x{dated}'");
    let present = "select name_likeness::text || likeness::text from bookings";
    let stored = world.line(present).await;
    world.sql(&write).await;
    assert_ne!(world.line(present).await, stored, "the forms differ");
    let refused = agent.book(&order(&agent, &trip).await).await;
    refused.is(409, TEXT);
    assert_eq!(refused.json()["data"]["booking_ref"], first.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_at_once_one_is_made() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let (one, two) = (order(&agent, &trip).await, order(&agent, &trip).await);
    world.next("book", LASTS).await;
    let (losers, winner) = world.all_but_one([&one, &two].map(|order| agent.book(order))).await;
    losers[0].is(409, TEXT);
    assert_eq!(losers[0].json()["data"]["booking_ref"], reference(&winner.ok()));
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_suppliers_sell_of_one_flight_is_the_same_flight() {
    let world = World::with(WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen()).await;
    let agent = world.agent("1000000").await;
    let trip = one_way("DEL", "BOM").by("6E");
    let found = agent.search(&trip).await;
    let offers = found["offers"].as_array().unwrap();
    let named = |list: &str, name: &str, id: &Value| -> Value {
        let mut all = found[list].as_array().unwrap().iter();
        all.find(|one| one[name] == *id).unwrap().clone()
    };
    let flights = |offer: &Value| -> Vec<[Value; 3]> {
        let leg = named("legs", "leg_id", &offer["legs"][0]);
        let told = |flight: Value| ["airline", "flight_number", "departure"].map(|name| flight[name].clone());
        let ids = leg["segments"].as_array().unwrap().iter();
        ids.map(|id| told(named("segments", "segment_id", id))).collect()
    };
    let pair = offers.iter().find_map(|one| {
        let same = |other: &&Value| other["supplier"] != one["supplier"] && flights(other) == flights(one);
        Some([one, offers.iter().find(same)?])
    });
    let mut replies = Vec::new();
    for offer in pair.expect("both sell the same flights") {
        let mut order = agent.order(&agent.price(offer["offer_id"].as_str().unwrap()).await.ok(), &trip);
        order["allow_duplicate"] = json!(false);
        replies.push(agent.book(&order).await);
    }
    replies[1].is(409, TEXT);
    assert_eq!(agent.balance().await, wayfare_tests::money() - amount(&replies[0].ok()["total_amount"]));
    world.is_settled().await;
}
