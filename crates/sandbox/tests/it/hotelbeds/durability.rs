//! Bookings and keys that outlast a kill.

use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn bookings_and_keys_outlast_the_process() {
    let folder = Folder::new("hotelbeds");
    let stage = Stage::with(folder.settings()).await;
    let found = stage
        .rate(&query(), |rate| is_bookable(rate) && rate["allotment"] == 3)
        .await;
    let to_check = stage.rate(&query(), |rate| !is_bookable(rate)).await.rate;
    let first = stage.book_rate(&found.rate, "HTL-A-1").await.fine()["booking"].take();
    let second = stage.book_rate(&found.rate, "HTL-B-1").await.fine()["booking"].take();
    stage
        .end_booking(&second["reference"], "CANCELLATION")
        .await
        .fine();
    let ended = stage.booking(&second["reference"]).await.fine()["booking"].take();
    stage.sandbox.stop().await;

    let stage = Stage::with(folder.settings()).await;
    assert_eq!(stage.booking(&first["reference"]).await.fine()["booking"], first);
    assert_eq!(stage.booking(&second["reference"]).await.fine()["booking"], ended);
    assert_eq!(stage.bookings_under("HTL-A-1").await.len(), 1);
    // A rate key needs no memory, and sold rooms are not forgotten.
    let checked = stage.check(&[&found.rate]).await.fine();
    assert_eq!(checked["hotel"]["rooms"][0]["rates"][0]["allotment"], 2);
    stage.check(&[&to_check]).await.fine();
    for number in 0..2 {
        stage
            .book_rate(&found.rate, &format!("HTL-{number}"))
            .await
            .fine();
    }
    stage
        .book_rate(&found.rate, "HTL-MORE-1")
        .await
        .denied(500, "PRODUCT_ERROR");
    let statuses = each(&stage.orders().await, "status");
    assert_eq!(
        json!(statuses),
        json!(["confirmed", "cancelled", "confirmed", "confirmed"])
    );
}
