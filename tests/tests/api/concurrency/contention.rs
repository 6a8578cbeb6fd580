//! Many at once: nobody spends what is not there, nothing is bought or given back twice.

use std::time::Duration;

use futures_util::{StreamExt, future::join_all, stream};
use rust_decimal::Decimal;
use wayfare_supply::Limits;
use wayfare_tests::{Reply, World, WorldOptions, amount, one_way, travellers};

/// A world that has time: what is tried is who gets what, not how soon a busy machine's supplier answers.
async fn patient() -> World {
    let limits = Limits::default().with(|limits| {
        limits.calls_at_once = 256;
        limits.failures_to_open = 1_000;
    });
    let (read_deadline, patience) = (Duration::from_secs(120), Duration::from_secs(300));
    World::with(WorldOptions { read_deadline, patience, limits, ..WorldOptions::default() }).await
}

/// Asks again for as long as the server has no room for it, which changes nothing: a call that finds no permit and no
/// connection to the database in time was not begun.
async fn when_there_is_room(ask: impl AsyncFn() -> Reply) -> Reply {
    loop {
        let reply = ask().await;
        if reply.status != 503 {
            return reply;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_bookings_at_once_the_wallet_pays_for_exactly_ten() {
    let (world, agency) = patient().await.and_agency().await;
    let trip = one_way("DEL", "BOM");
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote(&trip).await["price_summary"]["total_payable"]);
    let agent = agency.agent("arjun", &(fare * Decimal::from(10) + Decimal::ONE).to_string()).await;
    // Prices are not what is tried here: so many at once as a supplier takes.
    let quotes: Vec<_> = stream::iter(0..50)
        .map(async |_| {
            let offer = agent.offer(&trip).await;
            when_there_is_room(async || agent.price(&offer).await).await.ok()
        })
        .buffered(8)
        .collect()
        .await;
    for quote in &quotes {
        assert_eq!(amount(&quote["price_summary"]["total_payable"]), fare);
    }
    let orders = (0_u32..).zip(&quotes).map(|(index, quote)| {
        let mut order = agent.order(quote, &trip);
        let letter = |number| char::from_digit(10 + number, 36).unwrap();
        let family: String = [letter(index / 26), letter(index % 26)].iter().collect();
        order["passengers"] = travellers(&family, trip.party, world.now()).into();
        let agent = agent.clone();
        async move { when_there_is_room(async || agent.book(&order).await).await }
    });
    let replies = join_all(orders).await;
    let (paid, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((paid.len(), refused.len()), (10, 40));
    for reply in refused {
        let text = reply.json()["error"].as_str().unwrap().to_owned();
        assert_eq!(reply.status, 402, "{text}");
        let available = text
            .strip_prefix("insufficient wallet balance to proceed — available: ")
            .and_then(|rest| rest.strip_suffix(&format!(", required: {fare} (agent fare)")))
            .unwrap_or_else(|| panic!("{text}"));
        assert!(available.parse::<Decimal>().unwrap() < fare, "{text}");
    }
    assert_eq!(agent.balance().await, Decimal::ONE);
    assert_eq!(world.supplier_orders().await.len(), 10);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_bookings_with_one_key_exactly_one_is_made() {
    let (world, _, agent) = patient().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    let book = async || agent.book(&order).await;
    let replies = join_all((0..20).map(|_| when_there_is_room(book))).await;
    let winner = replies.iter().find(|reply| reply.status == 200).unwrap().ok();
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        reply.is(409, "booking key has already been used");
        assert_eq!(reply.json()["data"]["booking_ref"], winner["booking_ref"]);
    }
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_cancellations_at_once_one_gives_back_once() {
    let (world, _, agent) = patient().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let refund = amount(&agent.penalty(&bought.reference).await.ok()["refund_amount"]);
    let replies = join_all((0..5).map(|_| agent.cancel(&bought.reference))).await;
    let told: Vec<_> = replies.iter().map(|reply| (reply.status, &reply.text)).collect();
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{told:#?}");
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let text = reply.json()["error"].as_str().unwrap().to_owned();
        let known = ["booking is already cancelled", "booking cancellation is pending"];
        assert!(known.contains(&text.as_str()), "{} {text}", reply.status);
    }
    assert_eq!(agent.balance().await, Decimal::from(1_000_000) - bought.fare + refund);
    world.books_agree().await;
}
