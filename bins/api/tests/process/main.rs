//! The program `wayfare` as its users start, stop and kill it: whole processes, each test in a folder of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod api;
// Its tests wait longest and begin first, in the order of names.
mod commands_of_docs;
mod deploy;
mod erasures;
mod full_disk;
mod logs;
mod metrics;
mod operator_api;
mod outages;
mod own_postgres;
mod pair;
mod place;
mod restore;
mod settings;
mod shared;
mod signals;
mod start;
mod streams;
mod systemd;
mod two_servers;
mod upgrades;

// Not by the crate it is of, whose failpoints would then be in the benchmark of this one.
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../tests/src/redis.rs"]
mod redis;
