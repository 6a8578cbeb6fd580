//! A supplier that writes NUL into its texts, which PostgreSQL keeps in none.

use std::sync::Arc;

use wayfare_tests::{Alterations, AlteringRelay, Pick, Seller, World, WorldOptions, one_way, stay_at};

/// Begins each sentence of a supplier's answers with NUL.
struct BeginWithNul;

impl Alterations for BeginWithNul {
    fn answer(&self, body: String) -> String {
        spoilt(&body)
    }
}

/// With a NUL before each value that begins with a letter and has several words.
fn spoilt(json: &str) -> String {
    let mut values = json.split("\":\"");
    let mut spoilt = values.next().unwrap().to_owned();
    for rest in values {
        let value = rest.split('"').next().unwrap();
        let is_prose = value.starts_with(char::is_alphabetic) && value.contains(' ');
        spoilt += if is_prose { r#"":"\u0000"# } else { r#"":""# };
        spoilt += rest;
    }
    spoilt
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_whose_texts_have_nul_is_confirmed_and_paid() {
    let relay = AlteringRelay::start(Arc::new(BeginWithNul));
    let sellers: Vec<_> = Seller::all().into_iter().map(|seller| seller.at(&relay.url)).collect();
    let world = World::with(WorldOptions::of(sellers)).await;
    relay.stand_before(world.sandbox_url());
    let agent = world.agent("1000000").await;
    for Seller { code: supplier, .. } in Seller::of_stays() {
        let stay = agent.stay(&agent.buy_stay(&stay_at(supplier), Pick::Cheapest).await.reference).await;
        assert_eq!([&stay["status"], &stay["payment_status"]], ["confirmed", "paid"], "{supplier}");
    }
    for Seller { code: supplier, .. } in Seller::of_flights() {
        let trip = one_way("DEL", "BOM");
        let found = agent.search(&trip).await;
        let offers = found["offers"].as_array().unwrap();
        let offer = offers.iter().find(|offer| offer["supplier"] == supplier).unwrap();
        let quote = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
        agent.book(&agent.order(&quote, &trip)).await.ok();
    }
    let confirmed = world.lines("select booking_ref from bookings where status = 'confirmed'").await;
    assert_eq!(confirmed.len(), Seller::all().len());
    assert_eq!(world.supplier_orders().await.len(), Seller::all().len());
    world.is_settled().await;
}
