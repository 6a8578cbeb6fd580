//! What tests share: a database of their own each, and a whole world of supplier, platform and API server.
//!
//! The checks that look at the workspace as a whole, and the suite that speaks the API, are this package's
//! integration tests.
//!
//! ```no_run
//! # async fn example() {
//! use wayfare_tests::{World, one_way};
//!
//! let world = World::start().await;
//! let agent = world.agent("100000").await;
//! let booking = agent.buy(one_way("DEL", "BOM")).await;
//! agent.get(&format!("/flights/bookings/{}", booking.reference)).await.ok();
//! world.books_agree().await;
//! # }
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test can only fail where what every test needs is not there"
)]

mod actors;
mod altering_relay;
mod books;
#[cfg(feature = "browser")]
pub mod browser;
mod captured_log;
mod catalogue;
pub mod contract;
mod database;
mod events;
mod examples;
mod fault_table;
mod http_client;
mod late_redis;
mod operators;
mod receiver;
mod redis;
mod redis_content;
mod reply;
mod sandbox_control;
mod sealed_books;
mod seeded_bugs;
mod seller;
mod snapshot;
mod statement_recorder;
mod stay;
mod trip;
mod waiting;
mod world;
mod world_options;

pub use self::operators::{OperatorDoor, OperatorPerson};
pub use actors::{Agency, Bought, PASSWORD, Person};
pub use altering_relay::{Alterations, AlteringRelay};
pub use books::Books;
pub use captured_log::{capture_log, captured_log};
pub use database::TestDatabase;
pub use events::{Event, Events};
pub use fault_table::faulty_bodies;
pub use late_redis::LateRedis;
pub use receiver::{Manner, Received, Receiver};
pub use redis::TestRedis;
pub use reply::{MONEY, Reply, amount, assert_has, money, sum};
pub use sandbox_control::{LASTS, Supplier};
pub use seeded_bugs::{
    PortBug, forget_keys, forget_parts, forget_refund_fares, forget_reminders, store_answers_open,
};
pub use seller::{Seller, sells_stays, supplier_kinds};
pub use snapshot::{redacted, sample};
pub use stay::{FoundStay, Pick, StaySearch, guests, stay_at};
pub use trip::{Trip, journeys, one_way, round_trip, travellers};
pub use waiting::{LONG, eventually};
pub use world::{World, listen, server_options, thresholds};
pub use world_options::{Rotated, WorldOptions};

/// As the program has it: by `perf` the system's allocator takes a fifteenth of what the API's tests compute.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
