//! Many at once: nobody spends what is not there, nothing is bought or given back twice.

use futures_util::{StreamExt, future::join_all, stream};
use rust_decimal::Decimal;
use wayfare_tests::{World, amount, one_way, travellers};

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_bookings_at_once_the_wallet_pays_for_exactly_ten() {
    let world = World::start().await;
    let agency = world.agency().await;
    let trip = one_way("DEL", "BOM");
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote(&trip).await["price_summary"]["total_payable"]);
    let money = fare * Decimal::from(10) + Decimal::ONE;
    let agent = agency.agent("arjun", &money.to_string()).await;
    // Prices are not what is tried here: so many at once as a supplier takes.
    let quotes: Vec<_> = stream::iter(0..50)
        .map(|_| agent.quote(&trip))
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
        async move { agent.book(&order).await }
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
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let quote = agent.quote(&trip).await;
    let order = agent.order(&quote, &trip);
    let replies = join_all((0..20).map(|_| agent.book(&order))).await;
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
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let refund = amount(&agent.penalty(&bought.reference).await.ok()["refund_amount"]);
    let replies = join_all((0..5).map(|_| agent.cancel(&bought.reference))).await;
    let told: Vec<_> = replies.iter().map(|reply| (reply.status, &reply.text)).collect();
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 200).count(),
        1,
        "{told:#?}"
    );
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let text = reply.json()["error"].as_str().unwrap().to_owned();
        let known = ["booking is already cancelled", "booking cancellation is pending"];
        assert!(known.contains(&text.as_str()), "{} {text}", reply.status);
    }
    assert_eq!(
        agent.balance().await,
        Decimal::from(1_000_000) - bought.fare + refund
    );
    world.books_agree().await;
}
