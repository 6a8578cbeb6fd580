//! Whom bookings are for: it stands in sealed rows only, its agency's admin is given it, and it is erased.

use serde_json::json;
use wayfare_operations::operator;
use wayfare_tests::{Pick, Seller, World, WorldOptions, one_way, stay_at};

use super::{
    marks::{MARKS, assert_unmarked, mark_in, marked, marked_booking, marked_stay, marked_stay_order, stage},
    unreadable_people::copy,
};

#[tokio::test(flavor = "multi_thread")]
async fn what_people_are_stands_in_no_readable_row() {
    let (world, _, admin, agent) = stage().await;
    let mut flights = Vec::new();
    for Seller { code: supplier, .. } in Seller::of_flights() {
        for hold in [false, true] {
            flights.push(marked_booking(&agent, supplier, hold).await);
        }
        // One of which nobody knows, and one that its supplier refuses with its own words.
        for fault in ["drop_before", "sold_out"] {
            world.next_at(supplier, "book", fault).await;
            let trip = one_way("DEL", "BLR");
            let priced = agent.price(&agent.dearest_of(supplier, &trip).await.unwrap()).await.ok();
            agent.book(&marked(agent.order(&priced, &trip))).await;
        }
    }
    let mut stays = Vec::new();
    for Seller { code: supplier, .. } in Seller::of_stays() {
        stays.push(marked_stay(&agent, &stay_at(supplier)).await);
    }
    assert_unmarked(&world, "booked").await;
    for reference in &flights {
        let detail = agent.booking(reference).await;
        assert_eq!(detail["passengers"][0]["first_name"], format!("{}a", MARKS[0]));
        assert_eq!(detail["contact_details"]["email"], MARKS[3]);
        agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
        let tracked = agent.get(&format!("/flights/bookings/{reference}/track")).await;
        for mark in MARKS {
            assert!(!tracked.text.contains(mark), "{mark}: {}", tracked.text);
        }
        let people = admin.get(&format!("/org/bookings/{reference}/people")).await.ok();
        assert_eq!(people["people"]["contact"]["email"], MARKS[3]);
        assert!(!people["supplier_answers"].as_array().unwrap().is_empty(), "{people}");
    }
    for reference in &stays {
        let detail = agent.stay(reference).await;
        assert_has!(detail, { "guests/0/first_name": MARKS[5], "contact_email": MARKS[3] });
    }
    for reference in &flights {
        agent.cancel(reference).await;
    }
    for reference in &stays {
        agent.cancel_stay(reference).await;
    }
    world.recover_in(3600).await;
    world.watch().await;
    assert_unmarked(&world, "cancelled").await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_booking_opens_for_nobody_and_keeps_its_money() {
    let (world, agency, admin, agent) = stage().await;
    let order = marked(agent.order_for(&one_way("DEL", "BOM")).await);
    let booked = agent.post_with_key("/flights/book", "k", &order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    let erase = format!("/org/bookings/{reference}/people/erase");
    let people = format!("/org/bookings/{reference}/people");
    let too_early = "the people of this booking can't be erased yet: their journey has not ended 7 days ago";
    admin.post(&erase, &json!({})).await.is(409, too_early);
    let before = agent.booking(reference).await;

    world.sql("update idempotency_keys set created_at = created_at + interval '90 days'").await;
    world.pass(90 * 86_400);
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    admin.post(&erase, &json!({})).await.says(200, "people erased");
    admin.post(&erase, &json!({})).await.says(200, "people erased");
    assert_eq!(world.line("select count(*) from events where action = 'people.erased'").await, "1");
    assert_eq!(world.line("select count(*) from people_erasures").await, "3");
    for left in [
        "booking_people where wrapped_key is not null or sealed is not null",
        "booking_names",
        "supplier_answers",
        "idempotency_keys where sealed_answer is not null",
        "bookings where likeness is not null",
    ] {
        assert_eq!(world.line(&format!("select count(*) from {left}")).await, "0", "{left}");
    }
    let after = agent.booking(reference).await;
    let who = &after["passengers"][0];
    assert_eq!(
        (&who["first_name"], &who["title"], &who["dob"], &who["gender"]),
        (&json!(""), &json!(null), &json!(null), &json!(null))
    );
    assert_eq!(after["contact_details"], json!({ "email": "", "phone": "", "country_code": "" }));
    assert!(after["people_erased_at"].is_string());
    for same in ["pnr", "pricing", "itinerary", "tickets", "status"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    assert_eq!(agent.get("/flights/bookings").await.ok()[0]["passengers"][0]["last_name"], "");
    assert_eq!(admin.get(&people).await.ok()["people"], json!(null));
    // A request that is made again under its key is told how it stands.
    let again = agent.post_with_key("/flights/book", "k", &order).await;
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(mark_in(again.text.as_bytes()), None, "{}", again.text);
    let told = again.ok();
    assert_has!(told, { "booking_ref": reference, "status": booked["status"] });
    agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
    world.books_agree().await;

    // A backup that is restored has it again, until what was erased is erased again.
    let erasures = operator::people::erasures(&world.platform).await.unwrap();
    assert_eq!(erasures.len(), 3);
    assert_eq!(operator::people::replay(&world.platform, &erasures).await.unwrap(), 0);
    world.sql("update booking_people set erased_at = null, wrapped_key = 'x', sealed = 'x'").await;
    assert_eq!(operator::people::replay(&world.platform, &erasures).await.unwrap(), 3);
    assert!(agent.booking(reference).await["people_erased_at"].is_string());
}

/// Whatever was asked under a key, who asks again is told how it stands, and not what was said of people before.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_under_a_key_is_answered_without_people_once_they_are_erased() {
    let (world, agency, _, agent) = stage().await;
    let trip = one_way("DEL", "BOM");
    let mut asked = Vec::new();
    for Seller { code: supplier, .. } in Seller::of_flights() {
        let offer = agent.dearest_of(supplier, &trip).await.unwrap();
        let mut order = marked(agent.order(&agent.price(&offer).await.ok(), &trip));
        order["hold"] = json!(true);
        let path = "/flights/book".to_owned();
        let booked = agent.post_with_key(&path, &format!("book {supplier}"), &order).await.ok();
        let reference = booked["booking_ref"].as_str().unwrap().to_owned();
        asked.push((reference.clone(), format!("book {supplier}"), path, order));
        for (what, body) in
            [("issue-ticket", json!({ "amount": booked["total_amount"] })), ("cancel", json!({}))]
        {
            let path = format!("/flights/bookings/{reference}/{what}");
            let key = format!("{what} {supplier}");
            agent.post_with_key(&path, &key, &body).await.ok();
            asked.push((reference.clone(), key, path, body));
        }
    }
    for Seller { code: supplier, .. } in Seller::of_stays() {
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let order = marked_stay_order(&stay, &agent.price_stay(&stay).await.ok());
        let (path, key) = ("/hotels/book".to_owned(), format!("stay {supplier}"));
        let booked = agent.post_with_key(&path, &key, &order).await.succeeds(201);
        let reference = booked["booking_ref"].as_str().unwrap().to_owned();
        asked.push((reference, key, path, order));
    }

    world.sql("update idempotency_keys set created_at = created_at + interval '90 days'").await;
    world.pass(90 * 86_400);
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    for (reference, ..) in &asked {
        let erase = format!("/org/bookings/{reference}/people/erase");
        admin.post(&erase, &json!({})).await.says(200, "people erased");
    }
    for (reference, key, path, body) in &asked {
        let again = agent.post_with_key(path, key, body).await;
        assert_eq!(again.header("Idempotency-Replayed"), "true", "{key}: {}", again.text);
        assert_eq!(mark_in(again.text.as_bytes()), None, "{key}: {}", again.text);
        assert!([200, 201].contains(&again.status), "{key}: {}", again.text);
        let told = &again.json()["data"];
        // Only tickets are told without their booking.
        if !key.starts_with("issue-ticket") {
            assert_eq!(told["booking_ref"], **reference, "{key}: {told}");
        }
        if key.starts_with("book ") {
            assert_eq!(told["status"], "CANCELLED", "{key}: {told}");
        }
    }
    let booked = world.lines("select booking_ref from bookings").await;
    assert_eq!(booked.len(), Seller::all().len(), "nothing is booked again");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_erased_that_is_not_settled_and_the_rest_when_its_time_is_over() {
    let (world, agency, admin, agent) = stage().await;
    let settings = json!({ "key": "people_kept_days", "value": "45" });
    admin.put("/org/settings", &settings).await.ok();
    let old = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.next_at("duffel", "cancel", "drop_after").await;
    let open = agent.buy(one_way("DEL", "BOM")).await.reference;
    let days = "select distinct (erase_after - sealed_at::date)::text from booking_people";
    assert_eq!(world.lines(days).await.len(), 1);
    world.raises_other_total("01900000-0000-7000-8000-000000000001", &open).await;
    world.pass(120 * 86_400);
    wayfare_operations::worker::remove_old(&world.platform).await.unwrap();
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    assert!(agent.booking(&old).await["people_erased_at"].is_string());
    assert_eq!(agent.booking(&open).await["people_erased_at"], json!(null));
    let why = "the people of this booking can't be erased yet: an incident of the booking is open";
    admin.post(&format!("/org/bookings/{open}/people/erase"), &json!({})).await.is(409, why);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sealed_row_opens_in_its_own_place_alone() {
    let (world, _, _, agent) = stage().await;
    let (one, other) =
        (agent.buy(one_way("DEL", "BOM")).await.reference, agent.buy(one_way("DEL", "BLR")).await.reference);
    copy(&world, (&one, "people"), (&other, "people")).await;
    assert_eq!(agent.get(&format!("/flights/bookings/{one}")).await.status, 500);
    // Of another kind of the same booking: its key is another, and so is its place.
    copy(&world, (&other, "people"), (&other, "answers")).await;
    assert_eq!(agent.get(&format!("/flights/bookings/{other}")).await.status, 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn bookings_of_before_are_read_cancelled_and_sealed() {
    let (world, _, _, agent) = stage().await;
    let mut flights = Vec::new();
    for Seller { code: supplier, .. } in Seller::of_flights() {
        for hold in [false, true] {
            flights.push(marked_booking(&agent, supplier, hold).await);
        }
    }
    let stay = marked_stay(&agent, &stay_at("liteapi")).await;
    world.next_at("duffel", "book", "drop_before").await;
    let pending = agent.try_buy(&one_way("DEL", "BLR")).await.succeeds(202);
    let pending = pending["booking_ref"].as_str().unwrap();
    let mut sealed = Vec::new();
    for reference in &flights {
        let mut detail = agent.booking(reference).await;
        // A server of before knows no papers: they are forgotten (D-214).
        let passenger = detail["passengers"][0].as_object_mut().unwrap();
        assert!(passenger.remove("document").is_some());
        sealed.push(detail);
    }
    let sealed_stay = agent.stay(&stay).await;

    let platform = &world.platform;
    // The stay and what is pending, too.
    let all = u64::try_from(flights.len() + 2).unwrap();
    assert_eq!(operator::people::unseal_all(platform).await.unwrap(), all);
    assert_eq!(operator::people::unsealed(platform).await.unwrap().unsigned_abs(), all);
    for table in ["booking_people", "booking_names", "supplier_answers"] {
        assert_eq!(world.line(&format!("select count(*) from {table}")).await, "0", "{table}");
    }
    let of_before = world.line("select product_content->'contact'->>'email' from bookings limit 1").await;
    assert!(of_before.contains('@'), "{of_before}");
    for (reference, detail) in flights.iter().zip(&sealed) {
        assert_eq!(agent.booking(reference).await, *detail);
    }
    assert_eq!(agent.stay(&stay).await, sealed_stay);
    // They are sold and cancelled as if nothing had happened.
    agent.cancel(&flights[0]).await.says(200, "booking cancelled");
    agent.buy(one_way("DEL", "BOM")).await;

    assert_eq!(operator::people::seal_all(platform).await.unwrap(), all);
    assert_eq!(operator::people::unsealed(platform).await.unwrap(), 0);
    assert_eq!(operator::people::seal_all(platform).await.unwrap(), 0);
    assert_unmarked(&world, "sealed").await;
    for (reference, detail) in flights.iter().zip(&sealed).skip(1) {
        assert_eq!(agent.booking(reference).await, *detail);
    }
    assert_eq!(agent.stay(&stay).await, sealed_stay);
    world.recover_in(400).await;
    assert_eq!(agent.booking(pending).await["status"], "failed");
    for reference in flights.iter().skip(1) {
        agent.cancel(reference).await.says(200, "booking cancelled");
    }
    agent.cancel_stay(&stay).await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_people_are_changed_while_bookings_are_read_and_sold() {
    let options = WorldOptions::default().frozen();
    let (mut world, _, _, agent) = World::with(options.clone()).await.and_people("1000000", "1000000").await;
    let first = agent.buy(one_way("DEL", "BOM")).await.reference;
    let newer = WorldOptions { people_keys: 2, ..options };
    let there = agent.at(&world.another_process(&newer));
    let second = there.buy(one_way("DEL", "BOM")).await.reference;
    let platform = newer.platform(world.database.database.clone(), world.sandbox_url());
    let by_key = "select string_agg(distinct kek_id, ' ' order by kek_id) from booking_people";
    assert_eq!(world.line(by_key).await, "1 2");
    operator::people::check_keys(&platform).await.unwrap();
    // Who has not the newer key can't read what it wraps, and says so at its start.
    assert!(operator::people::check_keys(&world.platform).await.is_err());
    assert_eq!(operator::people::rewrap_all(&platform).await.unwrap(), 2);
    assert_eq!(operator::people::rewrap_all(&platform).await.unwrap(), 0);
    assert_eq!(world.line(by_key).await, "2");
    for reference in [&first, &second] {
        assert_eq!(there.booking(reference).await["passengers"][0]["last_name"], "Sharma");
    }
}
