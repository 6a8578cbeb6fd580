//! All orders of a booking given back: one penalty, one cancellation, a refund for each.

use serde_json::json;
use wayfare_tests::{amount, sum};

use super::{
    MONEY, at_the_suppliers, booked, bought, money, quoted_to_hold, refund_state, second_suffers, world,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_penalty_is_the_sum_and_a_cancellation_gives_both_back() {
    let (world, agent, fare, reference) = bought().await;
    let penalty = agent.penalty(&reference).await.ok();
    let (kept, back) = (amount(&penalty["penalty"]), amount(&penalty["refund_amount"]));
    assert_eq!(kept + back, fare);
    let cancelled = agent.cancels(&reference).await;
    let done = ["cancellation_charge", "refund_to_wallet"].map(|field| amount(&cancelled[field]));
    assert_eq!(done, [kept, back]);
    assert_eq!(agent.balance().await, money() - kept);
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "cancelled"]);
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");

    let refunds = agent.get("/flights/refunds").await.json();
    assert_eq!(refunds["meta"]["total"], 2);
    let rows = &refunds["data"];
    for row in rows.as_array().unwrap() {
        assert_eq!(["booking_status", "refund_status"].map(|name| &row[name]), ["cancelled", "refunded"]);
        assert_eq!(row["booking_ref"], reference.as_str());
        assert_eq!(amount(&row["provider_refund_amount"]), amount(&row["refund_to_wallet"]));
        assert!(row["refunded_at"].is_string() && row["cancelled_at"].is_string());
    }
    assert_eq!((sum(rows, "cancellation_charge"), sum(rows, "refund_to_wallet")), (kept, back));
    // Those of the cancellations as they were carried out.
    let ids = [&rows[1], &rows[0]].map(|row| row["provider_refund_id"].as_str().unwrap());
    assert!(ids.iter().all(|id| id.starts_with("TJA")) && ids[0] != ids[1], "{ids:?}");
    let state = refund_state(&agent, &reference).await.ok();
    for id in ids {
        assert!(state["refund_id"].as_str().unwrap().contains(id), "{state}");
    }
    assert_has!(state, { "status": "refunded", "provider": "first" });
    assert_eq!((amount(&state["cancellation_charge"]), amount(&state["refund_to_wallet"])), (kept, back));
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn held_halves_come_back_in_full() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted_to_hold(&agent).await;
    let reference = booked(&agent, &order).await;
    assert_eq!(at_the_suppliers(&world).await, ["held", "held"]);
    assert_eq!(amount(&agent.penalty(&reference).await.ok()["refund_amount"]), fare);
    agent.cancels(&reference).await;
    assert_eq!(agent.balance().await, money());
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "cancelled"]);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_supplier_refuses_stands_and_what_the_other_gave_back_is_in_the_wallet() {
    let (world, agent, fare, reference) = bought().await;
    let whole = amount(&agent.penalty(&reference).await.ok()["penalty"]);
    second_suffers(&world, "cancel", "status:400").await;
    agent.cancel(&reference).await.is(409, "Bad request");
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "confirmed"]);
    let detail = agent.booking(&reference).await;
    assert_eq!(detail["status"], "confirmed");
    let statuses: Vec<_> = detail["pnr_details"].as_array().unwrap().iter().collect();
    assert_has!(statuses, { "0/status": "cancelled", "1/status": "confirmed" });
    world.is_settled().await;

    // The penalty is that of what is left.
    let left = amount(&agent.penalty(&reference).await.ok()["penalty"]);
    assert!(left < whole, "{left} of {whole}");
    agent.cancels(&reference).await;
    assert_eq!(agent.balance().await, money() - whole);
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    let statuses = "select status from refunds order by number, status";
    assert_eq!(world.lines(statuses).await, ["refunded", "failed", "refunded"], "{fare}");
    let state = refund_state(&agent, &reference).await.ok();
    assert_eq!((&state["status"], amount(&state["cancellation_charge"])), (&json!("refunded"), whole));
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_supplier_that_is_silent_is_waited_for() {
    let (world, agent, _, reference) = bought().await;
    let kept = amount(&agent.penalty(&reference).await.ok()["penalty"]);
    second_suffers(&world, "cancel", "drop_after").await;
    agent.cancel(&reference).await.says(202, "booking cancellation is pending");
    agent.cancel(&reference).await.is(409, "booking cancellation is pending");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    world.books_agree().await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    assert_eq!(agent.balance().await, money() - kept);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_supplier_that_is_silent_holds_the_second_up_and_no_more() {
    let (world, agent, _, reference) = bought().await;
    let kept = amount(&agent.penalty(&reference).await.ok()["penalty"]);
    world.next_at("tripjack", "cancel", "drop_after").await;
    agent.cancel(&reference).await.says(202, "booking cancellation is pending");
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "confirmed"]);
    let state = refund_state(&agent, &reference).await.ok();
    // Whoever asks how it stands looks it up, and what was planned after it goes on.
    assert_eq!(state["status"], "refunded");
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "cancelled"]);
    assert_eq!(agent.balance().await, money() - kept);
    assert_eq!(world.recover().await, 0);
    world.is_settled().await;
}
