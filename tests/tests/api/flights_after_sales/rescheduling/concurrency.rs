//! Rescheduling the same booking twice: by the same request made again, and by two at once.

use serde_json::{Value, json};
use wayfare_tests::{LASTS, Reply};

use super::{Stage, new_booking, priced, stage};

async fn keyed(stage: &Stage, fare_key: &Value) -> Reply {
    let path = format!("/flights/bookings/{}/reschedule", stage.reference);
    stage.agent.post_with_key(&path, "later", &json!({ "fare_keys": [fare_key] })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_made_again_is_answered_and_books_nothing() {
    let (stage, fare_key, cost, refund) = priced().await;
    let first = keyed(&stage, &fare_key).await;
    let new = new_booking(&first.says(200, "booking rescheduled"));
    let again = keyed(&stage, &fare_key).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(again.header("idempotency-replayed"), "true");
    keyed(&stage, &json!("fk_other")).await.is(422, "idempotency key was used with a different request");
    stage.is_done(&new, cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_pending_tells_how_it_stands_now() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("book", "drop_after").await;
    let new = new_booking(&keyed(&stage, &fare_key).await.says(202, "booking reschedule is pending"));
    assert_eq!(new_booking(&keyed(&stage, &fare_key).await.says(202, "booking reschedule is pending")), new);
    stage.world.recover_in(2).await;
    let done = keyed(&stage, &fare_key).await.says(200, "booking rescheduled");
    assert_eq!((new_booking(&done), &done["cancellation"]["status"]), (new.clone(), &json!("cancelled")));
    stage.is_done(&new, cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_refused_frees_its_key() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("book", "status:422").await;
    let refused = keyed(&stage, &fare_key).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    stage.is_untouched().await;
    let done = keyed(&stage, &fare_key).await.says(200, "booking rescheduled");
    stage.is_done(&new_booking(&done), cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_at_once_one_goes_on() {
    let stage = stage().await;
    let found = stage.available().await;
    let refund = stage.refund().await;
    stage.world.next("book", LASTS).await;
    let both = [0, 1].map(|place| stage.reschedule(&found[place]["fare_key"]));
    let (losers, winner) = stage.world.all_but_one(both).await;
    losers[0].is(409, "booking reschedule is pending");
    let new = new_booking(&winner.says(200, "booking rescheduled"));
    assert_eq!(stage.world.line("select count(*) from bookings").await, "2");
    let cost = wayfare_tests::amount(&stage.agent.booking(&new).await["pricing"]["total_payable"]);
    stage.is_done(&new, cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_one_runs_nothing_else_is_done_with_the_original() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("book", LASTS).await;
    let others =
        async { [stage.agent.cancel(&stage.reference).await, stage.agent.penalty(&stage.reference).await] };
    let (rescheduled, others) = stage.world.meanwhile(stage.reschedule(&fare_key), others).await;
    for reply in others {
        reply.is(409, "booking reschedule is pending");
    }
    stage.is_done(&new_booking(&rescheduled.says(200, "booking rescheduled")), cost, refund).await;
}
