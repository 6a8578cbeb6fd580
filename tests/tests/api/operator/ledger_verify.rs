//! What `ledger verify` finds beside the chains: money that is held, paid or given back for nothing.

use wayfare_operations::operator;
use wayfare_tests::{World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn money_that_is_not_for_what_it_should_be_shows() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let bought = agent.buy(trip.clone()).await.reference;
    agent.cancel(&agent.buy(trip).await.reference).await.ok();
    let problems = async || operator::verify_ledger(&world.platform, |_| {}).await.unwrap().problems;
    assert_eq!(problems().await, Vec::<String>::new());

    let hold = world.line("select id from holds limit 1").await;
    for (spoil, mend, expected) in [
        (
            format!("update bookings set status = 'pending' where booking_ref = '{bought}'"),
            format!("update bookings set status = 'confirmed' where booking_ref = '{bought}'"),
            vec![
                format!("booking {bought} is under way and nothing is held for it"),
                format!("booking {bought} was not paid exactly once, or was paid and never stood"),
            ],
        ),
        (
            format!("update bookings set status = 'failed' where booking_ref = '{bought}'"),
            format!("update bookings set status = 'confirmed' where booking_ref = '{bought}'"),
            vec![format!("booking {bought} was not paid exactly once, or was paid and never stood")],
        ),
        (
            format!("update bookings set amount = amount + 1 where booking_ref = '{bought}'"),
            format!("update bookings set amount = amount - 1 where booking_ref = '{bought}'"),
            vec![format!("booking {bought} was not paid exactly once, or was paid and never stood")],
        ),
    ] {
        world.sql(&spoil).await;
        assert_eq!(problems().await, expected, "{spoil}");
        world.sql(&mend).await;
    }
    let refund = world.line("select id from refunds").await;
    world.sql("update refunds set refund_to_wallet = refund_to_wallet + 1").await;
    assert_eq!(
        problems().await,
        [format!("refund {refund} was not given back exactly once, or was and should not have been")]
    );
    world.sql("update refunds set refund_to_wallet = refund_to_wallet - 1").await;
    let statement = format!(
        "update holds set closed_at = null, outcome = null where id = '{hold}';
         update wallets set held = held + (select amount from holds where id = '{hold}') where owner_type = 'user'"
    );
    world.sql(&statement).await;
    assert_eq!(problems().await, [format!("hold {hold} is held for nothing that is under way")]);
}
