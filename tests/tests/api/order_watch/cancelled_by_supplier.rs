//! Orders that their suppliers cancel by themselves.

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_tests::{LASTS, Seller, amount};

use super::{Stage, stage};

const EVENT: &str = "booking.cancelled_by_supplier";

impl Stage {
    async fn incidents(&self) -> Vec<Value> {
        let query =
            "select details::text from exceptions where kind = 'cancelled_by_supplier' order by raised_at";
        self.world.lines(query).await.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    async fn refunds(&self) -> Vec<String> {
        let query =
            "select concat_ws(' ', status, refund_to_wallet = 0, provider_refund_amount > 0) from refunds";
        self.world.lines(query).await
    }

    /// The refund is in the list, and its status says that it is on its way, with zeros.
    async fn is_on_its_way(&mut self) {
        let (reference, is_stay) = (self.reference.clone(), self.is_stay);
        let agent = self.agent().await;
        let list = match is_stay {
            true => "/hotels/refunds",
            false => "/flights/refunds",
        };
        let listed = agent.get(list).await.json();
        assert_eq!(listed["data"][0]["booking_ref"], *reference, "{listed}");
        assert_eq!(listed["data"][0]["refund_status"], "processing", "{listed}");
        let mut told = vec![listed["data"][0].clone()];
        if !is_stay {
            let path = format!("/flights/bookings/{reference}/refund-status");
            let answer = agent.post(&path, &Value::Null).await.ok();
            assert_eq!(answer["status"], "processing", "{answer}");
            told.push(answer);
        }
        for answer in told {
            for field in ["refund_to_wallet", "provider_refund_amount"] {
                assert_eq!(amount(&answer[field]), Decimal::ZERO, "{field}: {answer}");
            }
        }
    }

    async fn charged(&self) -> Decimal {
        amount(&self.world.supplier_orders().await[0]["amount"])
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_seen_cancelled_twice_is_cancelled_told_and_given_to_the_operator() {
    for seller in Seller::all() {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        let charged = stage.charged().await;
        stage.world.supplier_ends(&stage.order, None, true).await;
        stage.next_look().await;
        assert_eq!(stage.status().await, "confirmed", "{supplier}: once may be a mistake");
        assert_eq!(stage.events(EVENT).await.len(), 0);
        let before = stage.world.now();
        stage.next_look().await;
        assert!((stage.world.now() - before).num_minutes() <= 10, "{supplier}");
        assert_eq!(stage.status().await, "cancelled", "{supplier}");
        assert_eq!(stage.events(EVENT).await, ["cancelled"], "{supplier}");
        // It is on its way, though nobody has said yet how much it is.
        assert_eq!(stage.refunds().await, ["processing t f"], "{supplier}");
        stage.is_on_its_way().await;
        // What comes back is asked right after.
        stage.next_look().await;
        let incidents = stage.incidents().await;
        let [incident] = incidents.as_slice() else {
            panic!("{supplier}: {incidents:?}");
        };
        assert_eq!(incident["order_id"], *stage.order);
        // TripJack does not say what comes back.
        match supplier {
            "tripjack" => {
                assert_eq!(incident["refund"], Value::Null);
                assert_eq!(stage.refunds().await, ["processing t f"]);
            }
            // Where all of it comes back nobody has to rule.
            _ => {
                assert_eq!(amount(&incident["refund"]["amount"]), charged, "{supplier}");
                assert_eq!(stage.refunds().await, ["refunded f t"]);
            }
        }
        let end = "select coalesce(outcome, 'open') || ' ' || (select count(*) from rulings) from exceptions";
        let (state, closed_as) = match supplier {
            "tripjack" => ("processing", "open 0"),
            _ => ("refunded", "ruled 1"),
        };
        assert_eq!(stage.world.line(end).await, closed_as, "{supplier}");
        let told = "select count(*) from notifications where kind = 'booking.cancelled_by_supplier'";
        // The agent, and the admins.
        assert_eq!(stage.world.line(told).await, "2", "{supplier}");
        let idle = "select next_poll_at is null and cancel_seen_at is null from supplier_orders";
        assert_eq!(stage.world.line(idle).await, "true");
        stage.world.watch().await;
        assert_eq!(stage.incidents().await.len(), 1);
        assert_eq!(stage.world.line(end).await, closed_as, "{supplier}: once");
        let reference = stage.reference.clone();
        if !stage.is_stay {
            let path = format!("/flights/bookings/{reference}/refund-status");
            let answer = stage.agent().await.post(&path, &Value::Null).await.ok();
            assert_eq!(answer["status"], state, "{answer}");
        }
        stage.world.books_agree().await;
    }
}

/// A list or a hook makes an order due that somebody polls: both polls see it cancelled, and the one that comes too late
/// must not take away that the supplier is asked what comes back.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_ends_after_the_order_was_cancelled_leaves_its_money_to_be_asked() {
    for seller in Seller::all() {
        let mut stage = stage(seller).await;
        let supplier = stage.supplier;
        stage.world.supplier_ends(&stage.order, None, true).await;
        stage.next_look().await;
        stage.world.pass(600);
        stage.world.next_at(supplier, "lookup", LASTS).await;
        let rung = async {
            let now = stage.world.now().timestamp();
            stage.world.sql(&format!("update supplier_orders set next_poll_at = to_timestamp({now})")).await;
            stage.world.watch().await;
            assert_eq!(stage.status().await, "cancelled", "{supplier}");
        };
        stage.world.meanwhile(stage.world.watch(), rung).await;
        assert_eq!(stage.incidents().await.len(), 0, "{supplier}");
        stage.next_look().await;
        assert_eq!(stage.incidents().await.len(), 1, "{supplier}");
        stage.world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_reads_what_the_supplier_gives_back_or_that_it_does_not_say() {
    for (seller, refund, told, expected) in [
        (Seller::duffel(), Some("120.50"), true, Some("120.50")),
        (Seller::duffel(), None, false, None),
        (Seller::hotelbeds(), Some("120.50"), true, Some("120.50")),
        // The total is as it was before: nobody has said that nothing comes back.
        (Seller::hotelbeds(), Some("0"), true, None),
        (Seller::liteapi(), Some("0"), true, None),
    ] {
        let mut stage = stage(seller).await;
        stage.world.supplier_ends(&stage.order, refund, told).await;
        for _ in 0..3 {
            stage.next_look().await;
        }
        let incidents = stage.incidents().await;
        let back = &incidents[0]["refund"];
        let back = (!back.is_null()).then(|| amount(&back["amount"]).to_string());
        assert_eq!(back.as_deref(), expected, "{incidents:?}");
        assert_eq!(stage.status().await, "cancelled");
        stage.world.books_agree().await;
    }
}

/// What it is worth here only the operator knows: it is not all of it, however much it is.
#[tokio::test(flavor = "multi_thread")]
async fn what_comes_back_in_another_currency_waits_for_a_ruling() {
    let mut stage = stage(Seller::duffel()).await;
    stage.world.supplier_ends_in(&stage.order, "USD").await;
    for _ in 0..3 {
        stage.next_look().await;
    }
    let incidents = stage.incidents().await;
    assert_eq!(incidents[0]["refund"]["currency"], "USD", "{incidents:?}");
    assert_eq!(stage.status().await, "cancelled");
    assert_eq!(stage.refunds().await, ["processing t f"]);
    assert_eq!(stage.world.line("select count(*) from exceptions where closed_at is null").await, "1");
    stage.world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_silent_about_money_is_asked_again_and_the_booking_is_cancelled_all_the_same() {
    let mut stage = stage(Seller::duffel()).await;
    stage.world.supplier_ends(&stage.order, None, true).await;
    stage.next_look().await;
    stage.next_look().await;
    assert_eq!(stage.status().await, "cancelled");
    for fault in ["status:500", "drop_before", "broken_json"] {
        stage.world.next("lookup", fault).await;
        stage.next_look().await;
        assert_eq!(stage.incidents().await.len(), 0, "{fault}");
        stage.world.pass(1);
    }
    stage.next_look().await;
    assert_eq!(stage.incidents().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_fails_in_between_does_not_forget_the_first() {
    let mut stage = stage(Seller::liteapi()).await;
    stage.world.supplier_ends(&stage.order, None, true).await;
    stage.next_look().await;
    stage.world.next_at("liteapi", "lookup", "status:500").await;
    stage.next_look().await;
    assert_eq!(stage.status().await, "confirmed");
    stage.next_look().await;
    assert_eq!(stage.status().await, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_we_cancel_ourselves_is_no_suppliers_doing() {
    let mut stage = stage(Seller::duffel()).await;
    let reference = stage.reference.clone();
    stage.agent().await.cancels(&reference).await;
    stage.world.pass(90 * 86_400);
    stage.world.watch().await;
    assert_eq!(stage.events(EVENT).await.len(), 0);
    assert_eq!(stage.incidents().await.len(), 0);
    assert_eq!(stage.looks().await, 0);
}
