//! Flight searches: the stream, what is shared between them and between servers, memory, and suppliers that fail.

mod coded_streams;
mod event_stream;
mod places;
mod redis_sessions;
mod search_cache;
mod search_memory;
mod shared_queries;
mod supplier_faults;
mod told_to_all;

use wayfare_tests::{World, eventually};

/// Waits until so many searches have asked a supplier, and so many wait for what others asked.
pub(crate) async fn asked_and_shared(world: &World, asked: u32, shared: u32) {
    eventually("searches", async || {
        world.count_looks().await;
        let sums = "select sum(asked) || ' ' || sum(shared) from look_to_book having count(*) > 0";
        (world.lines(sums).await == [format!("{asked} {shared}")]).then_some(())
    })
    .await;
}
