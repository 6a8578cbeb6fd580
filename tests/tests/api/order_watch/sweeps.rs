//! Suppliers' lists, each of which finds many orders with one call.

use wayfare_tests::{LASTS, Seller};

use super::stage;

const DUE: &str = "select (next_poll_at = to_timestamp(1800000000))::text from supplier_orders";

#[tokio::test(flavor = "multi_thread")]
async fn a_list_makes_what_was_cancelled_there_due_and_changes_nothing() {
    for seller in [Seller::liteapi(), Seller::hotelbeds()] {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        stage.world.sweep().await;
        assert_eq!(stage.world.line(DUE).await, "false", "{supplier}");
        stage.world.supplier_ends(&stage.order, None, true).await;
        // The list is not read again before its time.
        stage.world.sweep().await;
        assert_eq!(stage.world.line(DUE).await, "false", "{supplier}");
        stage.world.pass(12 * 3_600);
        stage.world.sweep().await;
        assert!(stage.is_due().await, "{supplier}");
        assert_eq!(stage.status().await, "confirmed", "{supplier}");
        stage.next_look().await;
        stage.next_look().await;
        assert_eq!(stage.status().await, "cancelled", "{supplier}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_hotels_have_told_are_found_by_a_list_once_and_a_list_that_is_missing_costs_nothing() {
    let mut stage = stage(Seller::hotelbeds()).await;
    stage.world.sweep().await;
    stage.world.hotel_tells(&stage.order, &["A-17"]).await;
    stage.world.pass(6 * 3_600);
    stage.world.sweep().await;
    stage.world.watch().await;
    assert_eq!(stage.events("booking.hotel_confirmed").await, ["confirmed"]);
    // It is still in the list, and no news.
    let looks = stage.looks().await;
    stage.world.pass(6 * 3_600);
    stage.world.sweep().await;
    stage.world.watch().await;
    assert_eq!(stage.looks().await, looks);
    // The second call of a sweep fails, and then the first one.
    stage.world.supplier_ends(&stage.order, None, true).await;
    stage.world.pass(6 * 3_600);
    stage.world.next_at("hotelbeds", "lookup", "slow:1").await;
    stage.world.next_at("hotelbeds", "lookup", "status:404").await;
    stage.world.sweep().await;
    assert!(stage.is_due().await, "the other list was read");
    stage.next_look().await;
    stage.next_look().await;
    assert_eq!(stage.status().await, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_airline_changes_is_found_within_five_minutes_and_once() {
    let mut stage = stage(Seller::duffel()).await;
    stage.world.sweep().await;
    stage.world.airline_puts_off(&stage.order, 90).await;
    stage.world.pass(300);
    stage.world.sweep().await;
    stage.next_look().await;
    assert_eq!(stage.events("booking.airline_changed").await, ["confirmed"]);
    // The change is still in the list.
    let looks = stage.looks().await;
    for _ in 0..3 {
        stage.world.pass(300);
        stage.world.sweep().await;
        stage.world.watch().await;
    }
    assert_eq!(stage.looks().await, looks);
    stage.world.airline_puts_off(&stage.order, 30).await;
    stage.world.pass(300);
    stage.world.sweep().await;
    stage.world.watch().await;
    assert_eq!(stage.looks().await, looks + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_can_not_be_read_is_read_again_and_a_ring_during_a_look_is_not_lost() {
    let stage = stage(Seller::duffel()).await;
    stage.world.next("lookup", "status:500").await;
    stage.world.sweep().await;
    stage.world.airline_puts_off(&stage.order, 90).await;
    stage.world.pass(300);
    // A poll that has begun before the list is read has an older answer.
    stage.world.sql("update supplier_orders set next_poll_at = to_timestamp(1800000300)").await;
    stage.world.next("lookup", LASTS).await;
    let meanwhile = async {
        stage.world.has_struck().await;
        stage.world.sweep().await;
        stage.world.all_is_well().await;
    };
    tokio::join!(stage.world.watch(), meanwhile);
    stage.world.watch().await;
    assert_eq!(stage.events("booking.airline_changed").await.len(), 1);
    assert_eq!(stage.looks().await, 2);
}
