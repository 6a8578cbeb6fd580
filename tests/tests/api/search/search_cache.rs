//! What a supplier said to one serves others who ask the same: at their own prices, and without selling it twice.

use std::time::Duration;

use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, LASTS, Seller, World, WorldOptions, amount, one_way};

use super::asked_and_shared;

fn shared() -> WorldOptions {
    let long = Duration::from_secs(600);
    WorldOptions { search_cache_ttl: long, read_deadline: long, ..WorldOptions::default() }
}

/// For how long an answer serves where that is to end soon.
const TTL: Duration = Duration::from_millis(400);

/// How often a fault that waited for so many searches has struck.
pub(super) async fn searches(world: &World, waited: u64) -> u64 {
    waited - world.strikes_left().await
}

async fn with_markup(agency: &Agency, percent: u32) {
    let admin = agency.admin("0").await;
    let package = json!({ "name": "Own", "markup_type": "percent", "markup_value": percent });
    let made = admin.post("/org/packages", &package).await.succeeds(201);
    admin.post("/org/packages/assign", &json!({ "package_id": made["id"] })).await.succeeds(200);
}

pub(super) fn tokens(found: &Value) -> Vec<String> {
    let offers = found["offers"].as_array().unwrap().iter();
    let mut tokens: Vec<String> =
        offers.map(|offer| offer["supplier_ref"]["offer_token"].as_str().unwrap().to_owned()).collect();
    tokens.sort();
    tokens
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agencies_see_their_own_prices_of_one_answer() {
    let world = World::with(shared()).await;
    let (plain, dear) = (world.agency().await, world.agency().await);
    with_markup(&dear, 10).await;
    let (one, two) = (plain.agent("arjun", "1000000").await, dear.agent("bina", "1000000").await);
    let trip = one_way("DEL", "BOM");
    // Slow, so that a second question would be noticed by its time and its fault.
    world.next_times("search", "slow:1", 50).await;
    let first = one.search(&trip).await;
    let second = two.search(&trip).await;
    assert_eq!(searches(&world, 50).await, 1);
    assert_eq!(tokens(&first), tokens(&second), "one answer of the supplier");
    assert_ne!(first["search_id"], second["search_id"]);
    let of = |found: &Value, token: &str| -> Value {
        let offers = found["offers"].as_array().unwrap();
        offers.iter().find(|offer| offer["supplier_ref"]["offer_token"] == token).unwrap().clone()
    };
    for token in tokens(&first) {
        let (plain, dear) = (of(&first, &token), of(&second, &token));
        let rows = plain["price"]["breakdown"].as_array().unwrap().iter();
        let base: Decimal = rows.map(|row| amount(&row["unit_base"]) * amount(&row["count"])).sum();
        let markup = (base / Decimal::TEN)
            .round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        assert_eq!(plain["price"]["total"], dear["price"]["total"]);
        assert_eq!(amount(&dear["price"]["public_fare"]), amount(&plain["price"]["public_fare"]) + markup);
        assert_ne!(plain["offer_id"], dear["offer_id"]);
        assert!(plain["price"]["agent_price"].get("agent_commission").is_none());
        assert!(dear["price"]["agent_price"].get("agent_commission").is_some());
    }
    // Neither can price by the other's ids.
    one.price(second["offers"][0]["offer_id"].as_str().unwrap()).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_ask_at_once_cost_one_question_each_their_own_search() {
    let (world, _, agent) = World::with(shared()).await.and_agent("1000000").await;
    world.next("search", LASTS).await;
    world.next_times("search", "status:500", 50).await;
    let trip = one_way("DEL", "BOM");
    let (found, ()) = tokio::join!(join_all((0..8).map(|_| agent.search(&trip))), async {
        asked_and_shared(&world, 1, 7).await;
        assert_eq!(world.strikes_left().await, 50, "each but one was asked nothing");
        world.all_is_well().await;
    });
    let ids: std::collections::HashSet<_> = found.iter().map(|one| one["search_id"].to_string()).collect();
    assert_eq!(ids.len(), 8);
    assert!(found.iter().all(|one| tokens(one) == tokens(&found[0])));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_questions_and_later_ones_are_asked_anew() {
    let world = World::with(WorldOptions { search_cache_ttl: TTL, ..WorldOptions::default() }).await;
    let agent = world.agent("1000000").await;
    world.next_times("search", "slow:1", 50).await;
    let trip = one_way("DEL", "BOM");
    agent.search(&trip).await;
    agent.search(&trip.clone().party(2, 0, 0)).await;
    assert_eq!(searches(&world, 50).await, 2);
    // However long the searches took, the first answer's time is over then.
    tokio::time::sleep(TTL).await;
    agent.search(&trip).await;
    assert_eq!(searches(&world, 50).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_nobodys_answer() {
    let (world, _, agent) = World::with(shared()).await.and_agent("1000000").await;
    world.next("search", "status:500").await;
    let trip = one_way("DEL", "BOM");
    assert_eq!(agent.search(&trip).await["offers"], json!([]));
    assert_ne!(agent.search(&trip).await["offers"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_one_answer_two_agents_both_get_their_booking() {
    let world = World::with(shared()).await;
    let (one, two) = (world.agent("1000000").await, world.agent("1000000").await);
    let trip = one_way("DEL", "BOM");
    let (first, second) = (one.offer(&trip).await, two.offer(&trip).await);
    // Duffel makes one order of an answer: who comes second is sold the same flight out of another.
    let quote = one.price(&first).await.ok();
    let other = two.price(&second).await.ok();
    for field in ["total_payable", "public_fare"] {
        assert_eq!(quote["price_summary"][field], other["price_summary"][field]);
    }
    let flight = |quote: &Value| quote["itinerary_snapshot"]["segments"][0]["flight_number"].clone();
    assert_eq!(flight(&quote), flight(&other));
    one.book(&one.order(&quote, &trip)).await.ok();
    two.book(&two.order(&other, &trip)).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 2);
    // And who searches now is told an answer of which nothing is sold.
    let mut order = one.order(&one.quote(&trip).await, &trip);
    order["passengers"] = wayfare_tests::travellers("Other", trip.party, world.now()).into();
    one.book(&order).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_booked_of_an_answer_is_sold_the_next_of_its_offers_out_of_another() {
    let (world, _, agent) = World::with(shared()).await.and_agent("1000000").await;
    let trip = one_way("LHR", "JFK");
    world.next_times("search", "slow:1", 50).await;
    let found = agent.search(&trip).await;
    let offer = |place: usize| found["offers"][place]["offer_id"].as_str().unwrap();
    let first = agent.price(offer(0)).await.ok();
    // Which of them is bought may still be chosen: that costs no question.
    let second = agent.price(offer(1)).await.ok();
    agent.price(offer(0)).await.ok();
    assert_eq!(searches(&world, 50).await, 1);
    assert_ne!(first["booking_keys"], second["booking_keys"]);
    agent.book(&agent.order(&first, &trip)).await.ok();
    // It is verified by a new answer, and can be bought.
    let verified = agent.price(offer(1)).await.ok();
    assert_eq!(searches(&world, 50).await, 2);
    agent.book(&agent.order(&verified, &trip)).await.ok();
    // So is what was bought, once more.
    agent.book(&agent.order(&agent.price(offer(0)).await.ok(), &trip)).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 3);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_of_a_flight_that_was_bought_are_asked_for_anew() {
    for seller in [Seller::duffel(), Seller::tripjack()] {
        let supplier = seller.code;
        let options = WorldOptions { sellers: vec![seller], ..shared() };
        let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
        let trip = one_way("DEL", "BOM");
        agent.book(&agent.order(&agent.quote(&trip).await, &trip)).await.ok();
        world.next_at(supplier, "search", "slow:1").await;
        agent.search(&trip).await;
        assert_eq!(world.faults_left().await, 0, "{supplier} was asked again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_is_gone_is_not_shown_again() {
    let options = WorldOptions { sellers: vec![Seller::tripjack()], ..shared() };
    let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    world.next_at("tripjack", "price", "sold_out").await;
    agent.price(&offer).await.is(409, "offer is no longer available, please search again");
    world.next_at("tripjack", "search", "slow:1").await;
    agent.search(&trip).await;
    assert_eq!(world.faults_left().await, 0, "the supplier was asked again");
}
