//! What is another's and what is not there look the same.

use wayfare_tests::{World, one_way};

const NOT_FOUND: &str = r#"{"success":false,"error":"resource not found"}"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_anothers_and_what_is_not_there_look_the_same() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let stranger = world.agency().await.admin("1000000").await;
    let theirs = agent.buy(one_way("DEL", "BOM")).await.reference;
    let nowhere = ["FA-00000000", "fa-00000000", "FA-", "x", "%00", "%ff", "..%2f..", "'%20or%201=1--"];
    for reference in nowhere.iter().copied().chain([theirs.as_str()]) {
        let path = format!("/flights/bookings/{reference}");
        stranger.get(&path).await.reads(404, NOT_FOUND);
        stranger.penalty(reference).await.reads(404, NOT_FOUND);
        stranger.cancel(reference).await.reads(404, NOT_FOUND);
    }
    // References are read in any case, and are nobody else's for it.
    let lower = format!("/flights/bookings/{}", theirs.to_lowercase());
    assert_eq!(agent.get(&lower).await.ok()["booking_ref"], theirs.as_str());
    stranger.get(&lower).await.is_missing();
    assert_eq!(agent.booking(&theirs).await["status"], "confirmed");
}
