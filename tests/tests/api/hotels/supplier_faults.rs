//! Hotel suppliers that move prices, sell out, fall silent or answer late: the agency pays once for what it gets, and
//! nothing otherwise.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{FoundStay, MONEY, Person, Pick, World, WorldOptions, amount, guests, money, stay_at};

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];
async fn free_again(world: &World, agent: &Person) {
    assert!(world.held().await.is_zero());
    assert_eq!(agent.balance().await, money());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moved_is_told_old_and_new_and_is_not_booked_unseen() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent(MONEY).await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let shown = amount(&stay.rooms[0]["pricing"]["total_after_tax"]);
        world.next_at(supplier, "price", "price_changed:10").await;
        let priced = agent.price_stay(&stay).await.ok();
        let change = &priced["price_change"];
        assert_eq!(amount(&change["old_total"]), shown);
        let total = amount(&change["new_total"]);
        assert_eq!(total, amount(&priced["pricing_breakdown"]["grand_total"]));
        assert!(total > shown, "{total} {shown}");

        world.next_at(supplier, "book", "price_changed:10").await;
        agent.book_stay(&stay, &priced).await.is(400, "fare has changed, please price again");
        free_again(&world, &agent).await;
        assert!(world.supplier_orders().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_fell_at_book_is_booked_at_the_quoted_fare() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent(MONEY).await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::Free).await;
        let priced = agent.price_stay(&stay).await.ok();
        let fare = amount(&priced["agent_price"]["agent_fare"]);
        world.next_at(supplier, "book", "price_changed:-5").await;
        let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
        assert_eq!(booked["status"], "CONFIRMED");
        assert_eq!(amount(&booked["pricing"]["total_paid"]), fare);
        assert_eq!(agent.balance().await, money() - fare);
        let orders = world.supplier_orders().await;
        assert_eq!(orders.len(), 1, "{supplier}");
        let total = amount(&priced["pricing_breakdown"]["grand_total"]);
        assert!(amount(&orders[0]["amount"]) < total, "{supplier}: {orders:?}");
        // The operator sees that the supplier charged something else.
        assert_eq!(world.lines("select kind from exceptions where closed_at is null").await, ["other_total"]);
        agent.cancel_stay(booked["booking_ref"].as_str().unwrap()).await.ok();
        assert_eq!(agent.balance().await, money());
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sold_out_is_told_in_the_decided_words() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent(MONEY).await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let priced = agent.price_stay(&stay).await.ok();
        world.next_at(supplier, "book", "sold_out").await;
        let refused = agent.book_stay(&stay, &priced).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        free_again(&world, &agent).await;
        let other = agent.find_stay(&stay_at(supplier), Pick::Free).await;
        world.next_at(supplier, "price", "sold_out").await;
        // LiteAPI says of what is gone what it says of what is over.
        let (status, text) = match supplier {
            "liteapi" => (400, "offer has expired, please search again"),
            _ => (409, "offer is no longer available, please search again"),
        };
        agent.price_stay(&other).await.is(status, text);
        world.next_at(supplier, "price", "drop_before").await;
        agent.price_stay(&other).await.is(503, "supplier is temporarily unavailable, please try again");
    }
}

/// Books while this fault waits: 202, and the money stays held.
async fn left_pending(
    world: &World,
    agent: &Person,
    supplier: &'static str,
    fault: &str,
) -> (String, Decimal, FoundStay) {
    let stay = agent.find_stay(&stay_at(supplier), Pick::Free).await;
    let priced = agent.price_stay(&stay).await.ok();
    let fare = amount(&priced["agent_price"]["agent_fare"]);
    world.next_at(supplier, "book", fault).await;
    let booked = agent.book_stay(&stay, &priced).await.succeeds(202);
    assert_eq!(booked["status"], "PENDING");
    assert_eq!(world.held().await, fare);
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    agent.cancel_stay(&reference).await.is(409, "booking is still pending");
    (reference, fare, stay)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_booking_is_looked_up_when_it_is_read() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
        let (reference, fare, _) = left_pending(&world, &agent, supplier, "drop_after").await;
        assert_eq!(agent.stay(&reference).await["status"], "confirmed", "{supplier}");
        assert_eq!(agent.balance().await, money() - fare);
        assert_eq!(world.supplier_orders().await.len(), 1);
        world.books_agree().await;

        // What never arrived is believed when the supplier's longest processing time is over, not before.
        let (reference, _, _) = left_pending(&world, &agent, supplier, "drop_before").await;
        assert_eq!(agent.stay(&reference).await["status"], "pending");
        agent.get(&format!("/hotels/bookings/{reference}/voucher")).await.is(409, "booking is still pending");
        world.pass(600);
        assert_eq!(agent.stay(&reference).await["status"], "failed", "{supplier}");
        assert!(world.held().await.is_zero());
        assert_eq!(world.supplier_orders().await.len(), 1);
        world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_cancellation_is_found_out_and_paid_back_once() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
        let bought = agent.buy_stay(&stay_at(supplier), Pick::Free).await;
        world.next_at(supplier, "cancel", "drop_after").await;
        agent.cancel_stay(&bought.reference).await.says(202, "booking cancellation is pending");
        agent.cancel_stay(&bought.reference).await.is(409, "booking cancellation is pending");
        let voucher = format!("/hotels/bookings/{}/voucher", bought.reference);
        agent.get(&voucher).await.is(409, "booking cancellation is pending");
        world.recover_in(200).await;
        assert_eq!(agent.stay(&bought.reference).await["status"], "cancelled");
        assert_eq!(agent.balance().await, money());
        world.is_settled().await;

        // One that is refused leaves the booking as it was; LiteAPI refuses with codes of its own only.
        if supplier == "liteapi" {
            continue;
        }
        let bought = agent.buy_stay(&stay_at(supplier), Pick::Free).await;
        world.next_at(supplier, "cancel", "status:400").await;
        let refused = agent.cancel_stay(&bought.reference).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert_eq!(agent.stay(&bought.reference).await["status"], "confirmed");
        agent.cancel_stay(&bought.reference).await.ok();
        assert_eq!(agent.balance().await, money());
        world.is_settled().await;
    }
}

/// LiteAPI says itself that it keeps no cancellation that waits; at Hotelbeds the booking that stands says it, one deadline
/// later.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_never_arrived_lets_the_booking_stand_soon_after_the_processing_time() {
    for (supplier, over, faults) in
        [("liteapi", 130, ["drop_before"].as_slice()), ("hotelbeds", 260, &["drop_before", "broken_json"])]
    {
        for &fault in faults {
            let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent(MONEY).await;
            let bought = agent.buy_stay(&stay_at(supplier), Pick::Free).await;
            world.next_at(supplier, "cancel", fault).await;
            agent.cancel_stay(&bought.reference).await.says(202, "booking cancellation is pending");
            assert_eq!(world.recover_in(over).await, 1);
            agent.cancel_stay(&bought.reference).await.is(409, "booking cancellation is pending");
            assert_eq!(world.recover_in(1).await, 1, "{supplier} {fault}");
            assert_eq!(agent.stay(&bought.reference).await["status"], "confirmed");
            assert_eq!(world.line("select status from refunds").await, "failed");
            assert_eq!(world.lines("select kind from exceptions").await, Vec::<String>::new());
            world.is_settled().await;
            world.pass(600);
            world.recheck().await;
            assert_eq!(world.lines("select kind from exceptions").await, Vec::<String>::new());
            agent.cancel_stay(&bought.reference).await.ok();
            world.is_settled().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_search_did_not_learn_of_a_hotel_is_asked_for_when_it_is_priced() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent(MONEY).await;
        for _ in 0..50 {
            world.next_at(supplier, "services", "status:500").await;
        }
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        // Nobody tells then either: it can be bought all the same.
        agent.price_stay(&stay).await.ok();
        world.all_is_well().await;
        // Hotelbeds is asked apart from requests alone.
        world.read_hotel_content().await;
        let booked = agent.book_stay(&stay, &agent.price_stay(&stay).await.ok()).await.succeeds(201);
        let reference = booked["booking_ref"].as_str().unwrap();
        let voucher = agent.get(&format!("/hotels/bookings/{reference}/voucher")).await.ok();
        let ids = json!({ "hotel_ids": [stay.hotel["hotel_id"]] });
        let told = agent.post("/hotels/details", &ids).await.ok();
        let told = &told[0]["hotels"][0];
        let [before, now] = [&stay.hotel, told].map(|hotel| (&hotel["name"], &hotel["address"]));
        assert_ne!(before, now, "{supplier} told it before");
        assert_eq!(voucher["hotel_name"], told["name"]);
        let address = voucher["hotel_address"].as_str().unwrap();
        let street = told["address"]["line1"].as_str().unwrap();
        assert!(address.starts_with(street), "{supplier}: {address}, {street}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn details_of_a_supplier_that_fails_leave_the_others() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let mut ids = Vec::new();
    for supplier in ["liteapi", "hotelbeds"] {
        ids.push(agent.find_stay(&stay_at(supplier), Pick::Cheapest).await.hotel["hotel_id"].clone());
    }
    let both = json!({ "hotel_ids": ids });
    let told = agent.post("/hotels/details", &both).await.ok();
    assert!(told.as_array().unwrap().iter().all(|item| item.get("error").is_none()));

    world.next_times_at("liteapi", "services", "status:500", 20).await;
    let told = agent.post("/hotels/details", &both).await.ok();
    assert_has!(told[0], { "provider": "hotelbeds", "hotels/0/hotel_id": (&ids[1]) });
    let failed = json!({
        "provider": "liteapi", "hotels": [], "error": "supplier is temporarily unavailable, please try again",
    });
    assert_eq!(told[1], failed);

    // All that were asked.
    let refused = agent.post("/hotels/details", &json!({ "hotel_ids": [ids[0]] })).await;
    refused.is(503, "supplier is temporarily unavailable, please try again");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_who_book_three_rooms_get_three() {
    for supplier in SUPPLIERS {
        let (world, agency) = World::with(WorldOptions::hotels()).await.and_agency().await;
        let scout = agency.agent("scout", "0").await;
        let found = scout.search_stays(&stay_at(supplier)).await;
        let hotels = found["hotels"].as_array().unwrap().iter();
        let last = hotels.filter(|hotel| hotel["provider"] == supplier).find(|hotel| {
            hotel["rooms"].as_array().unwrap().iter().any(|room| room["availability"]["rooms_left"] == 3)
        });
        // LiteAPI does not tell how many are left: the same hotel's twin at Hotelbeds does.
        let (hotel, room_name) = match last {
            Some(hotel) => {
                let rooms = hotel["rooms"].as_array().unwrap();
                let room = rooms.iter().find(|room| room["availability"]["rooms_left"] == 3).unwrap();
                (hotel["name"].clone(), room["name"].clone())
            }
            None => twin_with_three(&scout).await,
        };
        let mut orders = Vec::new();
        for number in 0..10 {
            let agent = agency.agent(&format!("agent{number}"), MONEY).await;
            let found = agent.search_stays(&stay_at(supplier)).await;
            let mut hotels = found["hotels"].as_array().unwrap().iter();
            let it = |one: &&Value| one["provider"] == supplier && one["name"] == hotel;
            let hotel = hotels.find(it).unwrap().clone();
            let rooms = hotel["rooms"].as_array().unwrap();
            let room = rooms.iter().find(|room| same_room(room, &room_name)).unwrap().clone();
            let stay =
                FoundStay { asked: stay_at(supplier).body(agent.today()), found, hotel, rooms: vec![room] };
            let mut order = stay.order(&agent.price_stay(&stay).await.ok());
            order["rooms"][0]["guests"] = guests(&format!("Family{}", char::from(b'a' + number)), 2, 0);
            orders.push((agent, order));
        }
        let booked = orders.iter().map(|(agent, order)| agent.post("/hotels/book", order));
        let booked = futures_util::future::join_all(booked).await;
        let statuses: Vec<u16> = booked.iter().map(|reply| reply.status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 3, "{supplier}: {statuses:?}");
        assert!(statuses.iter().all(|status| [201, 409].contains(status)), "{statuses:?}");
        let sold = world.supplier_orders().await;
        assert_eq!(sold.len(), 3);
        let sold_for: Decimal = sold.iter().map(|order| amount(&order["amount"])).sum();
        let paid: Decimal =
            world.line("select sum(amount) from bookings where status = 'confirmed'").await.parse().unwrap();
        assert!(paid >= sold_for && sold_for > Decimal::ZERO);
        world.is_settled().await;
    }
}

async fn twin_with_three(scout: &Person) -> (Value, Value) {
    let found = scout.search_stays(&stay_at("hotelbeds")).await;
    for hotel in found["hotels"].as_array().unwrap().iter().filter(|hotel| hotel["provider"] == "hotelbeds") {
        for room in hotel["rooms"].as_array().unwrap() {
            if room["availability"]["rooms_left"] == 3 {
                return (hotel["name"].clone(), room["name"].clone());
            }
        }
    }
    unreachable!("no hotel has three rooms left")
}

/// The suppliers write their rooms' names each in their own way.
fn same_room(room: &Value, name: &Value) -> bool {
    let plain = |name: &Value| name.as_str().unwrap().to_lowercase();
    let (here, there) = (plain(&room["name"]), plain(name));
    here.contains(&there) || there.contains(&here)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_books_once() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent(MONEY).await;
    let stay = agent.find_stay(&stay_at("liteapi"), Pick::Cheapest).await;
    let order = stay.order(&agent.price_stay(&stay).await.ok());
    let ask = || {
        let request = agent.request(reqwest::Method::POST, "/hotels/book");
        agent.send(request.header("Idempotency-Key", "k1").json(&order))
    };
    let first = ask().await.succeeds(201);
    let again = ask().await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.succeeds(201)["booking_ref"], first["booking_ref"]);
    assert_eq!(world.supplier_orders().await.len(), 1);
    let reference = first["booking_ref"].as_str().unwrap();
    let cancel = || {
        let request = agent.request(reqwest::Method::POST, &format!("/hotels/bookings/{reference}/cancel"));
        agent.send(request.header("Idempotency-Key", "k2").json(&json!({ "reason": "twice" })))
    };
    let done = cancel().await.ok();
    assert_eq!(cancel().await.ok()["refund"], done["refund"]);
    world.is_settled().await;
}
