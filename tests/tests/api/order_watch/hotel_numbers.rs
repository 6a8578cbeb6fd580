//! The numbers under which hotels know their guests.

use serde_json::Value;
use wayfare_tests::Seller;

use super::stage;

const TOLD: &str = "booking.hotel_confirmed";
const MISSING: &str = "booking.hotel_unconfirmed";

#[tokio::test(flavor = "multi_thread")]
async fn a_hotels_own_number_is_found_shown_and_told_once() {
    for seller in [Seller::liteapi(), Seller::hotelbeds()] {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        let reference = stage.reference.clone();
        let before = stage.agent.stay(&reference).await;
        assert_eq!(before["confirmation_source"], "supplier", "{supplier}");
        assert_eq!(before["confirmations"], Value::Array(Vec::new()));
        stage.next_look().await;
        assert_eq!(stage.events(TOLD).await.len(), 0, "{supplier}");
        stage.world.hotel_tells(&stage.order, &["A-17"]).await;
        stage.next_look().await;
        stage.next_look().await;
        assert_eq!(stage.events(TOLD).await, ["confirmed"], "{supplier}");
        let path = format!("/hotels/bookings/{reference}");
        let agent = stage.agent().await;
        let detail = agent.stay(&reference).await;
        assert_has!(detail, {
            "provider_confirmation": "A-17", "confirmation_source": "hotel", "confirmations/0/number": "A-17",
        });
        assert_eq!(detail["provider_booking_id"], before["provider_booking_id"]);
        let voucher = agent.get(&format!("{path}/voucher")).await.ok();
        assert_has!(voucher, { "confirmation_number": "A-17", "confirmation_source": "hotel" });
        let listed = agent.get("/hotels/bookings").await.ok();
        assert_eq!(listed[0]["provider_confirmation"], "A-17", "{listed}");
        stage.world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_days_before_arrival_it_is_told_once_that_the_hotel_has_no_number() {
    let mut stage = stage(Seller::hotelbeds()).await;
    let arrival = "select extract(epoch from travel_at)::bigint::text from supplier_orders";
    let arrival: i64 = stage.world.line(arrival).await.parse().unwrap();
    while stage.events(MISSING).await.is_empty() {
        stage.next_look().await;
        assert!(stage.world.now().timestamp() < arrival, "nobody was told");
    }
    let left = arrival - stage.world.now().timestamp();
    assert!((47 * 3_600..=48 * 3_600).contains(&left), "{left} s before");
    stage.next_look().await;
    stage.next_look().await;
    assert_eq!(stage.events(MISSING).await, ["confirmed"]);
    let told = "select count(*) from notifications where kind = 'booking.hotel_unconfirmed'";
    assert_eq!(stage.world.line(told).await, "1");
}
