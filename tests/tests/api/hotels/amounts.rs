//! What stays cost: bands and fees, several rooms, other currencies, what is paid at the hotel, what comes back.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::Currency;
use wayfare_tests::{FoundStay, Pick, StaySearch, World, WorldOptions, amount, guests, stay_at};

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];

#[tokio::test(flavor = "multi_thread")]
async fn the_band_of_what_all_rooms_come_to_prices_each_room() {
    for supplier in SUPPLIERS {
        let (world, _, admin) = World::with(WorldOptions::hotels()).await.and_admin("10000000").await;
        let search = stay_at(supplier).rooms(&[(2, &[]), (2, &[])]);
        let plain = admin.find_stay(&search, Pick::Cheapest).await;
        let room = amount(&plain.rooms[0]["pricing"]["total_after_tax"]);
        // One room is under the border and two are above it.
        let border = room + dec!(1);
        let bands: Value = serde_json::from_str(&format!(
            r#"[{{"min_amount": 0, "max_amount": {border}, "markup_type": "flat", "markup_value": 11}},
                {{"min_amount": {border}, "max_amount": null, "markup_type": "flat", "markup_value": 250.25}}]"#
        ))
        .unwrap();
        let package = json!({
            "name": "Stays", "markup_type": "percent", "markup_value": 50, "price_ranges": bands,
        });
        let made = admin.post("/org/hotel-packages", &package).await.succeeds(201);
        admin.post("/org/hotel-packages/assign", &json!({ "package_id": made["id"] })).await.ok();

        let stay = admin.find_stay(&search, Pick::Cheapest).await;
        let shown = &stay.rooms[0]["pricing"];
        assert_eq!(amount(&shown["total_after_tax"]), room, "T stays the supplier's");
        assert_eq!(shown["quantity"], 2);
        assert_eq!(amount(&shown["agent_price"]["public_fare"]), room + dec!(250.25));
        let priced = admin.price_stay(&stay).await.ok();
        assert_eq!(amount(&priced["pricing_breakdown"]["grand_total"]), room * dec!(2));
        let agent = &priced["agent_price"];
        assert_eq!(amount(&agent["public_fare"]), (room + dec!(250.25)) * dec!(2));
        let fare = amount(&agent["agent_fare"]);
        assert_eq!(fare + amount(&agent["agent_commission"]), amount(&agent["public_fare"]));
        let booked = admin.book_stay(&stay, &priced).await.succeeds(201);
        assert_eq!(amount(&booked["pricing"]["total_paid"]), fare);
        assert_eq!(booked["reservation"]["rooms"].as_array().unwrap().len(), 2);
        assert_eq!(admin.stay(booked["booking_ref"].as_str().unwrap()).await["room_count"], 2);
        assert_eq!(world.supplier_orders().await.len(), 1, "all rooms are one order");
        world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_of_several_kinds_are_one_booking_and_children_have_their_ages() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("10000000").await;
        let stay = agent.find_stay(&stay_at(supplier).rooms(&[(2, &[]), (1, &[7, 3])]), Pick::Cheapest).await;
        assert_eq!(stay.rooms.len(), 2);
        let shown: Decimal = stay.rooms.iter().map(|room| amount(&room["pricing"]["total_after_tax"])).sum();
        let priced = agent.price_stay(&stay).await.ok();
        assert_eq!(amount(&priced["pricing_breakdown"]["grand_total"]), shown);
        let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
        let reference = booked["booking_ref"].as_str().unwrap();
        assert_eq!(agent.stay(reference).await["guests"].as_array().unwrap().len(), 5);
        let people = world.books().people(reference).await;
        let rooms = people["people"]["rooms"].as_array().unwrap().iter();
        let guests = rooms.flat_map(|room| room.as_array().unwrap());
        let ages: Vec<&Value> = guests.filter(|one| one["kind"] == "child").map(|one| &one["age"]).collect();
        assert_eq!(ages, [7, 3]);
        assert_eq!(world.supplier_orders().await.len(), 1);
        agent.cancel_stay(reference).await;
        world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sleeps_in_a_room_that_was_searched_for_them() {
    for (supplier, query, expected) in [
        (
            "liteapi",
            "select string_agg(concat(room->'adults', room->'children', ' ', room->>'lastName'), ', ' \
             order by room->'occupancy_number') from jsonb_array_elements($answer->'bookedRooms') room",
            "20 Alpha, 11 Gamma, 20 Beta",
        ),
        (
            "hotelbeds",
            "select string_agg(distinct concat(room->'rates'->0->'adults', room->'rates'->0->'children', ' ', \
             initcap(pax->>'surname')), ', ') from \
             jsonb_array_elements($answer->'hotel'->'rooms') room, jsonb_array_elements(room->'paxes') pax",
            "11 Gamma, 20 Alpha, 20 Beta",
        ),
    ] {
        let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("10000000").await;
        let search = stay_at(supplier).rooms(&[(2, &[]), (1, &[7]), (2, &[])]);
        let stay = agent.find_stay(&search, Pick::Cheapest).await;
        let mut order = stay.order(&agent.price_stay(&stay).await.ok());
        // Not in the order of the search: both doubles first.
        let doubles = stay.rooms.iter().find(|room| room["pricing"]["quantity"] == 2).unwrap();
        let rooms = order["rooms"].as_array_mut().unwrap();
        rooms.sort_by_key(|room| room["rate_id"] != doubles["pricing"]["rate_id"]);
        rooms[0]["guests"] = guests("Alpha", 2, 0);
        rooms[1]["guests"] = guests("Beta", 2, 0);
        rooms[2]["guests"] = guests("Gamma", 1, 1);
        let booked = agent.post("/hotels/book", &order).await.succeeds(201);
        // What the supplier said is sealed beside its order.
        let people = world.books().people(booked["booking_ref"].as_str().unwrap()).await;
        let answer = people["supplier_answers"][0]["answer"].to_string().replace('\'', "''");
        let query = query.replace("$answer", &format!("'{answer}'::jsonb"));
        assert_eq!(world.line(&query).await, expected, "{supplier}");
    }
}

/// Two nights from tomorrow at this supplier, at a rate whose free cancellation is over and of which something comes back.
async fn half_over(agent: &wayfare_tests::Person, supplier: &'static str) -> FoundStay {
    let search = StaySearch { in_days: 1, ..stay_at(supplier) };
    let found = agent.search_stays(&search).await;
    let hotels = found["hotels"].as_array().unwrap().iter();
    let mut of_supplier = hotels.filter(|hotel| hotel["provider"] == supplier);
    let is_half_over = |room: &&Value| {
        let pricing = &room["pricing"];
        pricing["refundable"] == true && pricing["free_cancellation_until"].is_null()
    };
    let picked = of_supplier.find_map(|hotel| {
        Some((hotel.clone(), hotel["rooms"].as_array().unwrap().iter().find(is_half_over)?.clone()))
    });
    let (hotel, room) = picked.unwrap();
    FoundStay { asked: search.body(agent.today()), found, hotel, rooms: vec![room] }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_booked_after_its_first_deadline_gives_back_what_the_supplier_gives_back() {
    for supplier in SUPPLIERS {
        let world = World::with(WorldOptions::hotels().frozen()).await;
        let agent = world.agent("10000000").await;
        let stay = half_over(&agent, supplier).await;
        let priced = agent.price_stay(&stay).await.ok();
        let policy = &priced["cancellation_policy"];
        assert_eq!(policy["refundable"], true, "{supplier}");
        assert!(policy["free_until"].is_null(), "{policy}");
        let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
        let fee = cancelled(&agent, booked["booking_ref"].as_str().unwrap()).await;
        assert_eq!(fee, amount(&policy["deadlines"][0]["fee"]), "{supplier}");
        assert!(fee < amount(&booked["pricing"]["total_paid"]), "{supplier}: {fee}");
        assert_eq!(world.lines("select kind from exceptions").await, [""; 0], "{supplier}");
        world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn amounts_that_are_no_price_are_an_answer_that_can_t_be_used() {
    for supplier in SUPPLIERS {
        let rates = wayfare_pricing::RateTable::default();
        // What is shown has just as many digits as an amount may have.
        let rates = rates.with(Currency::USD, Currency::INR, dec!(1000000000000)).unwrap();
        let options = WorldOptions { rates, supplier_currency: "USD", ..WorldOptions::hotels() };
        let (world, _, agent) = World::with(options).await.and_agent("100").await;
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        world.next_at(supplier, "price", "price_changed:500").await;
        agent.price_stay(&stay).await.is(503, "supplier is temporarily unavailable, please try again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_paid_at_the_hotel_is_in_no_total() {
    for supplier in SUPPLIERS {
        let (_world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("10000000").await;
        let mut search = stay_at(supplier);
        search.location = json!({ "type": "city", "name": "Salzburg" });
        let stay = agent.find_stay(&search, Pick::WithFee).await;
        let pricing = &stay.rooms[0]["pricing"];
        assert_eq!(pricing["pay_at_hotel_fees_currency"], "EUR", "{pricing}");
        let fee = amount(&pricing["pay_at_hotel_fees"]);
        assert_eq!(wayfare_tests::sum(&pricing["pay_at_hotel_fee_lines"], "amount"), fee);
        let priced = agent.price_stay(&stay).await.ok();
        assert_eq!(amount(&priced["pay_at_hotel_fees"]), fee);
        assert_eq!(priced["pay_at_hotel_fees_currency"], "EUR");
        assert_eq!(amount(&priced["pricing_breakdown"]["grand_total"]), amount(&pricing["total_after_tax"]));
        let booked = agent.book_stay(&stay, &priced).await.succeeds(201);
        assert_has!(booked["pricing"], { "total_paid": priced["agent_price"]["agent_fare"] });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_can_t_pay_is_told_so_exactly_and_the_supplier_is_not_asked() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("100.50").await;
    let stay = agent.find_stay(&stay_at("hotelbeds"), Pick::Cheapest).await;
    let priced = agent.price_stay(&stay).await.ok();
    let needed = format!("required: {:.2} (agent fare)", amount(&priced["agent_price"]["agent_fare"]));
    let text = format!("insufficient wallet balance to proceed — available: 100.50, {needed}");
    agent.book_stay(&stay, &priced).await.is(402, &text);
    assert!(world.supplier_orders().await.is_empty());
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_back_is_what_the_policy_leaves_and_penalty_and_cancel_agree() {
    for supplier in SUPPLIERS {
        let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
        let agent = agency.agent("arjun", "10000000").await;
        // Not refundable: nothing comes back.
        let bought = agent.buy_stay(&stay_at(supplier), Pick::Final).await;
        assert_eq!(cancelled(&agent, &bought.reference).await, bought.fare, "{supplier}");

        // After the first deadline a part is kept, and deadlines are told in three ways.
        let bought = agent.buy_stay(&stay_at(supplier), Pick::Free).await;
        let policy = &agent.stay(&bought.reference).await["cancellation_policy"];
        assert_eq!(policy["time_zone"], "Asia/Kolkata");
        let first = &policy["deadlines"][0];
        let from: chrono::DateTime<chrono::Utc> = first["from"].as_str().unwrap().parse().unwrap();
        let local: chrono::DateTime<chrono::FixedOffset> = first["local"].as_str().unwrap().parse().unwrap();
        assert_eq!(local, from);
        assert!(first["local"].as_str().unwrap().ends_with("+05:30"));
        assert_ne!(first["text"], "");
        assert_eq!(policy["free_until"], first["from"]);
        world.pass((from - world.now()).num_seconds() + 1);
        let fee = cancelled(&agency.log_in("arjun").await, &bought.reference).await;
        assert!(fee > Decimal::ZERO && fee <= bought.fare, "{supplier}: {fee} of {}", bought.fare);
        world.is_settled().await;
    }
}

/// Asks for the penalty, cancels, and checks that both agree with the wallet; what was kept.
async fn cancelled(agent: &wayfare_tests::Person, reference: &str) -> Decimal {
    let before = agent.balance().await;
    let penalty = agent.post(&format!("/hotels/bookings/{reference}/penalty"), &json!({})).await.ok();
    assert_eq!(agent.balance().await, before);
    let cancelled = agent.cancel_stay(reference).await.ok();
    let (fee, refund) = (&penalty["cancellation_fee"], &penalty["refund_amount"]);
    assert_has!(cancelled, { "cancellation_fee": fee, "refund/amount": refund });
    assert_eq!(agent.balance().await - before, amount(refund));
    amount(&fee["amount"])
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_are_shown_in_another_currency_and_charged_in_the_wallet_s() {
    let rates = wayfare_pricing::RateTable::default();
    let rates = rates.with(Currency::INR, Currency::USD, dec!(0.012)).unwrap();
    let world = World::with(WorldOptions { rates, ..WorldOptions::hotels() }).await;
    let agent = world.agent("1000000").await;
    let mut search = stay_at("hotelbeds");
    let in_rupees = agent.find_stay(&search, Pick::Cheapest).await;
    search.currency = Some("USD");
    let in_dollars = agent.find_stay(&search, Pick::Cheapest).await;
    assert_eq!(in_dollars.found["currency"], "USD");
    let (rupees, dollars) = (&in_rupees.rooms[0]["pricing"], &in_dollars.rooms[0]["pricing"]);
    let converted = amount(&rupees["total_after_tax"]) * dec!(0.012);
    assert!((converted - amount(&dollars["total_after_tax"])).abs() <= dec!(0.02), "{rupees} {dollars}");
    let priced = agent.price_stay(&in_dollars).await.ok();
    assert_has!(priced, { "currency": "INR", "pricing_breakdown/grand_total": rupees["total_after_tax"] });
    assert!(priced.get("price_change").is_none());
}
