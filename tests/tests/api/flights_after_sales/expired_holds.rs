//! Holds that nobody pays for in time: the supplier lets them go, and what was paid comes back without anyone asking.

use rust_decimal::dec;
use serde_json::json;
use wayfare_tests::{amount, money};

use super::stage::Stage;

impl Stage {
    pub async fn stands(&self) {
        assert_eq!(self.agent.booking(&self.reference).await["status"], "confirmed");
        assert_eq!(self.agent.balance().await, money() - self.fare);
    }

    pub async fn is_given_back_in_full(&self) {
        assert_has!(self.agent.booking(&self.reference).await, {
            "status": "cancelled", "pnr_details/0/status": "cancelled", "can_issue_ticket": false,
        });
        assert_eq!(self.agent.balance().await, money());
        let refunds = self.agent.get("/flights/refunds").await.json();
        let row = &refunds["data"][0];
        assert_has!(refunds, { "meta/total": 1, "data/0/refund_status": "refunded" });
        assert!(amount(&row["cancellation_charge"]).is_zero(), "{refunds}");
        assert_eq!(amount(&row["refund_to_wallet"]), self.fare);
        assert_eq!(self.world.supplier_orders().await[0]["status"], "cancelled");
        self.agent.cancel(&self.reference).await.is(400, "booking is already cancelled");
        self.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_lapses_is_given_back_in_full_at_both_suppliers() {
    for mut stage in [Stage::at_duffel().await, Stage::at_tripjack(600).await] {
        stage.pass(stage.seconds - 60).await;
        stage.world.watch().await;
        stage.stands().await;
        stage.pass(66).await;
        stage.world.watch().await;
        stage.is_given_back_in_full().await;
        let events = "select action from events where entity_type = 'booking' order by action";
        let actions = stage.world.lines(events).await.join(" ").replace("booking.", "");
        assert_eq!(actions, "cancelled confirmed lapsed requested refund.completed");
        // Nobody looks any more.
        stage.pass(86_400).await;
        stage.world.watch().await;
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_was_paid_in_time_stands() {
    for mut stage in [Stage::at_duffel().await, Stage::at_tripjack(600).await] {
        stage.pay().await.says(200, "ticket issued");
        stage.pass(stage.seconds + 6).await;
        stage.world.watch().await;
        stage.stands().await;
        assert_eq!(stage.world.supplier_orders().await[0]["status"], "confirmed");
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_does_not_tell_is_asked_again() {
    for mut stage in [Stage::at_duffel().await, Stage::at_tripjack(600).await] {
        let supplier = stage.world.supplier_orders().await[0]["supplier"].clone();
        let supplier = supplier.as_str().unwrap().to_owned();
        stage.pass(stage.seconds + 6).await;
        for fault in ["status:500", "drop_before", "broken_json"] {
            stage.world.next_at(&supplier, "lookup", fault).await;
            stage.world.watch().await;
            assert_eq!(stage.world.faults_left().await, 0, "{fault} at {supplier}");
            stage.stands().await;
            stage.pass(61).await;
        }
        stage.world.watch().await;
        stage.is_given_back_in_full().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_retrieves_it_first_finds_it_out() {
    for mut stage in [Stage::at_duffel().await, Stage::at_tripjack(600).await] {
        stage.pass(stage.seconds + 1).await;
        let path = format!("/flights/bookings/{}/retrieve", stage.reference);
        let retrieved = stage.agent.get(&path).await.ok();
        assert_has!(retrieved, { "local/status": "cancelled", "provider/status": "cancelled" });
        stage.is_given_back_in_full().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lapsed_hold_that_somebody_cancels_or_pays_ends_the_same() {
    for mut stage in [Stage::at_duffel().await, Stage::at_tripjack(600).await] {
        stage.pass(stage.seconds + 1).await;
        let paid = stage.pay().await;
        assert_eq!(paid.status, 409, "{}", paid.text);
        let cancelled = stage.agent.cancel(&stage.reference).await;
        assert!([200, 409].contains(&cancelled.status), "{}", cancelled.text);
        stage.pass(10).await;
        stage.world.watch().await;
        stage.is_given_back_in_full().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_back_goes_to_the_wallet_that_paid() {
    let mut stage = Stage::at_tripjack(600).await;
    let admin = stage.agency.admin("500").await;
    stage.pass(606).await;
    stage.world.watch().await;
    stage.is_given_back_in_full().await;
    assert_eq!(admin.balance().await, dec!(500));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_lapses_while_a_payment_of_it_is_silent_is_given_back_when_that_is_known() {
    let mut stage = Stage::at_duffel().await;
    stage.pass(stage.seconds - 60).await;
    stage.world.next("ticket", "drop_before").await;
    assert_eq!(stage.pay().await.status, 202);
    stage.pass(70).await;
    // The payment may still turn up: nothing is given back, and the hold is not forgotten.
    stage.world.watch().await;
    stage.stands().await;
    stage.pass(200).await;
    assert_eq!(stage.world.recover().await, 1);
    stage.stands().await;
    stage.world.watch().await;
    stage.is_given_back_in_full().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_see_at_once_that_a_hold_has_lapsed_one_gives_it_back() {
    let mut stage = Stage::at_duffel().await;
    stage.pass(stage.seconds + 10).await;
    let path = format!("/flights/bookings/{}/retrieve", stage.reference);
    let (_, one, two, three) = tokio::join!(
        stage.world.watch(),
        stage.agent.get(&path),
        stage.agent.get(&path),
        stage.agent.get(&path),
    );
    for reply in [one, two, three] {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    stage.world.watch().await;
    stage.is_given_back_in_full().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_another_booking_is_to_replace_is_shown_meanwhile_and_given_back_later() {
    let mut stage = Stage::at_tripjack(60).await;
    let path = format!("/flights/bookings/{}", stage.reference);
    let day = (stage.world.now() + chrono::Duration::days(44)).date_naive();
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let found = stage.agent.post(&format!("{path}/reschedule-avail"), &journey).await.ok();
    stage.world.next_at("tripjack", "book", "drop_before").await;
    let body = json!({ "fare_keys": [found[0]["fare_key"]] });
    stage.agent.post(&format!("{path}/reschedule"), &body).await.says(202, "booking reschedule is pending");
    stage.pass(61).await;
    // Its supplier has let it go; what comes of that waits for the other booking.
    stage.agent.get(&format!("{path}/retrieve")).await.ok();
    stage.stands().await;
    for _ in 0..3 {
        stage.pass(100).await;
        stage.world.recover().await;
    }
    stage.agent.get(&format!("{path}/retrieve")).await.ok();
    stage.is_given_back_in_full().await;
}
