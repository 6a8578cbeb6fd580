//! Where a fare has changed, the refusal says from what to what.

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_tests::{MONEY, Pick, Reply, Seller, World, WorldOptions, amount, one_way, stay_at};

const CHANGED: &str = "fare has changed, please price again";
const HELD_CHANGED: &str = "fare has changed, please cancel and book again";

/// What the refusal says of the fare: old and new total, old and new agent fare.
fn change(reply: &Reply, message: &str) -> [Option<Decimal>; 4] {
    let answer = reply.is(400, message).json();
    let change = &answer["data"]["price_change"];
    assert_eq!(change["currency"], "INR", "{}", reply.text);
    assert_eq!(answer["data"]["reason"]["code"], "price_changed", "{}", reply.text);
    ["old_total", "new_total", "old_agent_fare", "new_agent_fare"]
        .map(|name| (!change[name].is_null()).then(|| amount(&change[name])))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fare_that_the_client_states_otherwise_is_told_beside_the_right_one() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let payable = amount(&priced["price_summary"]["total_payable"]);
    let mut order = agent.order(&priced, &trip);
    order["agent_price"] = json!({ "agent_fare": 1.5 });
    let refused = agent.book(&order).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert_eq!((old_fare, new_fare), (Some(dec!(1.5)), Some(payable)));
    assert!(old_total.is_some() && old_total == new_total);
    order["agent_price"] = json!({ "agent_fare": 1.005 });
    agent.book(&order).await.is_invalid("{agent_price.agent_fare must have at most 2 decimals}");
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_rose_at_book_is_told_as_it_is_now() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let payable = amount(&priced["price_summary"]["total_payable"]);
    world.next("book", "price_changed:10").await;
    let refused = agent.book(&agent.order(&priced, &trip)).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert_eq!(old_fare, Some(payable));
    assert!(new_fare > old_fare && new_total > old_total, "{}", refused.text);
    assert!(world.held().await.is_zero());

    // Nobody says what it costs now.
    let priced = agent.quote(&trip).await;
    world.next("book", "price_changed:10").await;
    world.next_times("price", "status:503", 3).await;
    let refused = agent.book(&agent.order(&priced, &trip)).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert!(old_total.is_some() && old_fare.is_some());
    assert_eq!((new_total, new_fare), (None, None));
    assert!(world.held().await.is_zero());
    world.all_is_well().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_is_priced_while_it_is_booked_is_told_with_both_prices() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    world.next("price", "price_changed:10").await;
    let mut order = agent.order(&json!({}), &trip);
    order.as_object_mut().unwrap().remove("booking_keys");
    order["offer_ids"] = json!([offer]);
    let refused = agent.book(&order).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert!(new_total > old_total && new_fare > old_fare, "{}", refused.text);
    assert!(old_total.is_some() && old_fare.is_some());
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_at_another_amount_is_told_what_the_booking_cost() {
    let (_world, _, agent) = World::start().await.and_agent(MONEY).await;
    let booked = agent.try_buy(&one_way("JFK", "EWR")).await.ok();
    let path = format!("/flights/bookings/{}/issue-ticket", booked["booking_ref"].as_str().unwrap());
    let refused = agent.post(&path, &json!({ "amount": 2.5 })).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert_eq!(old_total, Some(dec!(2.5)));
    assert_eq!(new_total, Some(amount(&booked["total_amount"])));
    assert!(old_fare.is_some() && old_fare == new_fare);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_became_dearer_is_told_with_what_it_cost_and_what_it_costs() {
    let options = WorldOptions::of([Seller::tripjack()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
    let mut order = agent.order_for(&one_way("DEL", "BOM").by("ZZ")).await;
    order["hold"] = json!(true);
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    let (before, held) = (agent.balance().await, world.supplier_orders().await);
    let cost = amount(&held[0]["amount"]);

    world.next_at("tripjack", "price", "price_changed:10").await;
    let path = format!("/flights/bookings/{reference}/issue-ticket");
    let refused = agent.post(&path, &json!({ "amount": booked["total_amount"] })).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, HELD_CHANGED);
    assert_eq!(old_total, Some(cost));
    let now = amount(&world.supplier_orders().await[0]["amount"]);
    assert_eq!(new_total, Some(now));
    assert!(now > cost, "{}", refused.text);
    // Nobody has priced it.
    assert_eq!((old_fare, new_fare), (Some(amount(&booked["total_amount"])), None));
    // It is held as before, and nothing was paid for it once more.
    let detail = agent.booking(reference).await;
    assert_has!(detail, { "status": "confirmed", "can_issue_ticket": true });
    assert_eq!(agent.balance().await, before);
    assert_eq!(world.supplier_orders().await[0]["status"], "held");
}

/// Duffel says that the price has moved, and to what only who asks for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_past_its_guarantee_is_told_with_its_new_price_where_that_is_answered() {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let found = agent.search(&trip).await;
    let instant = |hold: &serde_json::Value, name: &str| {
        let text = hold[name].as_str()?;
        Some(text.parse::<chrono::DateTime<chrono::Utc>>().unwrap())
    };
    let mut offers = found["offers"].as_array().unwrap().iter();
    let (offer, until) = offers
        .find_map(|offer| {
            let until = instant(&offer["hold"], "price_guaranteed_until")?;
            (until < instant(&offer["hold"], "pay_by")?).then_some((&offer["offer_id"], until))
        })
        .unwrap();
    let mut order = agent.order(&agent.price(offer.as_str().unwrap()).await.ok(), &trip);
    order["hold"] = json!(true);
    let booked = agent.book(&order).await.ok();
    world.pass((until - world.now()).num_seconds() + 1);
    let agent = agency.log_in("arjun").await;
    let path = format!("/flights/bookings/{}/issue-ticket", booked["booking_ref"].as_str().unwrap());
    let body = json!({ "amount": booked["total_amount"] });
    world.next_at("duffel", "price", "status:500").await;
    for is_answered in [false, true] {
        let refused = agent.post(&path, &body).await;
        let [old_total, new_total, ..] = change(&refused, HELD_CHANGED);
        assert!(old_total.is_some(), "{}", refused.text);
        let now = amount(&world.supplier_orders().await[0]["amount"]);
        assert_eq!(new_total, is_answered.then_some(now), "{}", refused.text);
        assert_eq!(Some(now) > old_total, is_answered, "{}", refused.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reschedule_to_a_fare_that_rose_is_told_what_was_shown() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let date = agent.today() + chrono::Duration::days(40);
    let path = format!("/flights/bookings/{}/reschedule-avail", bought.reference);
    let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": date });
    let found = agent.post(&path, &body).await.ok();
    let key = found[0]["fare_key"].as_str().unwrap();
    world.next("price", "price_changed:10").await;
    let path = format!("/flights/bookings/{}/reschedule-penalty", bought.reference);
    let refused = agent.post(&path, &json!({ "fare_key": key })).await;
    let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
    assert!(new_total > old_total && new_fare > old_fare, "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_at_another_fare_or_currency_is_told_so() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("1000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let priced = agent.price_stay(&stay).await.ok();
        let fare = amount(&priced["agent_price"]["agent_fare"]);
        let mut order = stay.order(&priced);
        order["fare"] = json!({ "agent_fare": 1, "currency": "INR" });
        let refused = agent.post("/hotels/book", &order).await;
        let [.., old_fare, new_fare] = change(&refused, CHANGED);
        assert_eq!((old_fare, new_fare), (Some(dec!(1)), Some(fare)));
        order["fare"] = json!({ "agent_fare": 1, "currency": "USD" });
        agent.post("/hotels/book", &order).await.is_invalid("{fare.currency must be INR}");
        order["fare"] = json!({ "agent_fare": 1.005, "currency": "INR" });
        agent.post("/hotels/book", &order).await.is_invalid("{fare.agent_fare must have at most 2 decimals}");
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_that_became_dearer_at_book_is_told_as_it_is_now() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("1000000").await;
    for supplier in ["liteapi", "hotelbeds"] {
        let stay = agent.find_stay(&stay_at(supplier), Pick::Cheapest).await;
        let priced = agent.price_stay(&stay).await.ok();
        world.next_at(supplier, "book", "price_changed:10").await;
        let refused = agent.book_stay(&stay, &priced).await;
        let [old_total, new_total, old_fare, new_fare] = change(&refused, CHANGED);
        assert!(new_total > old_total && new_fare > old_fare, "{}", refused.text);
        assert!(old_total.is_some() && old_fare.is_some());
        assert!(world.held().await.is_zero());
    }
}
