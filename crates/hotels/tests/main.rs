//! The adapters of suppliers of stays, over recorded answers, spoiled ones, and real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::too_many_lines,
    reason = "tests, each a story or a table of cases"
)]

#[path = "../../flights/tests/answers.rs"]
mod answers;
mod brief;
mod conformance;
mod hotelbeds_bodies;
mod hotelbeds_booking;
mod hotelbeds_cancellation;
mod hotelbeds_recordings;
mod hotelbeds_search;
mod hotelbeds_spoiled_recordings;
mod hotelbeds_sweep;
mod liteapi_calls;
mod liteapi_cancellation;
mod liteapi_recordings;
mod liteapi_search;
mod liteapi_spoiled_recordings;
mod liteapi_stage;
mod moved_prices;
mod odd_recordings;
mod one_part_spoiled;
#[path = "../examples/own_hotel_supplier.rs"]
mod own_supplier;
#[path = "../../flights/tests/plain_config.rs"]
mod plain_config;
mod recorded;
mod recordings_by_shape;
mod recordings_of_bookings_by_shape;
#[path = "../../flights/tests/sandbox_world.rs"]
mod sandbox_world;
mod stored;
#[path = "../../flights/tests/sums.rs"]
mod sums;
