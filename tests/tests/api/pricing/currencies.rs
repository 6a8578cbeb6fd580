//! A supplier that sells in another currency: converted once at a stored rate, or not sold at all.

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_domain::Currency;
use wayfare_pricing::RateTable;
use wayfare_tests::{World, WorldOptions, amount, round_trip, sum};

fn options(rates: RateTable) -> WorldOptions {
    WorldOptions { supplier_currency: "GBP", rates, ..WorldOptions::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn converted_amounts_add_up() {
    let rates = RateTable::default().with(Currency::GBP, Currency::INR, dec!(105.2537)).unwrap();
    let (world, _, agent) = World::with(options(rates)).await.and_agent("5000000").await;
    let trip = round_trip("DEL", "LHR").party(2, 1, 1);
    let found = agent.search(&trip).await;
    for offer in found["offers"].as_array().unwrap() {
        let price = &offer["price"];
        assert_eq!(price["currency"], "INR");
        assert_eq!(sum(&price["breakdown"], "subtotal"), amount(&price["total"]));
        assert!(amount(&price["total"]).scale() <= 2);
    }
    let offer = &found["offers"][0];
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    let summary = &priced["price_summary"];
    let total = amount(&offer["price"]["total"]);
    assert_eq!(amount(&summary["exchange_rate"]), dec!(105.2537));
    assert_eq!(amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]), total);
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    assert_eq!(sum(&booked["legs"], "gross_amount"), total);
    let reference = booked["booking_ref"].as_str().unwrap();
    let pricing = agent.booking(reference).await["pricing"].clone();
    assert_eq!(pricing["supplier_currency"], "GBP");
    assert_eq!(sum(&pricing["pax_breakdown"], "total"), total);
    let exact = amount(&pricing["supplier_total"]) * dec!(105.2537);
    assert!((exact - total).abs() <= dec!(0.01), "{exact} and {total}");
    assert_eq!(world.supplier_orders().await[0]["currency"], "GBP");

    let penalty = agent.penalty(reference).await.ok();
    assert_eq!(penalty["currency"], "INR");
    assert_eq!(amount(&penalty["penalty"]) + amount(&penalty["refund_amount"]), total);
    agent.cancel(reference).await.ok();
    assert_eq!(agent.balance().await, Decimal::from(5_000_000) - amount(&penalty["penalty"]));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_rate_nothing_is_offered_and_the_reason_is_told() {
    let (world, _, agent) = World::with(options(RateTable::default())).await.and_agent("1000").await;
    let body = round_trip("DEL", "LHR").body(world.now());
    assert_has!(agent.post("/flights/search", &body).await.says(200, "0 offers found"), {
        "debug/provider_errors": { "duffel": "no exchange rate from GBP to INR" },
        "search_meta/provider_status/duffel/results": 0,
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_are_shown_in_the_currency_that_was_asked_for_and_paid_in_the_wallets() {
    let rates = RateTable::default().with(Currency::INR, Currency::JPY, dec!(1.79)).unwrap();
    let world = World::with(WorldOptions { rates, ..WorldOptions::default() }).await;
    let agent = world.agent("1000000").await;
    let mut trip = round_trip("DEL", "BOM").party(2, 1, 1);
    trip.currency = Some("JPY");
    let found = agent.search(&trip).await;
    assert_eq!(found["search_meta"]["currency"], "JPY");
    for offer in found["offers"].as_array().unwrap() {
        let price = &offer["price"];
        assert_eq!(price["currency"], "JPY");
        assert_eq!(sum(&price["breakdown"], "subtotal"), amount(&price["total"]));
        assert_eq!(amount(&price["total"]).normalize().scale(), 0);
    }
    let priced = agent.price(found["offers"][0]["offer_id"].as_str().unwrap()).await.ok();
    assert_eq!((&priced["currency"], priced.get("price_change")), (&json!("INR"), None));
    assert_eq!(agent.book(&agent.order(&priced, &trip)).await.ok()["currency"], "INR");
    world.books_agree().await;
}
