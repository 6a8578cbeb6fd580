//! The adapters of suppliers of flights, over recorded answers, spoiled ones, and real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::too_many_lines,
    reason = "tests, each a story or a table of cases"
)]

mod answers;
mod brief;
mod conformance;
mod duffel_added;
mod duffel_after_sales;
mod duffel_ancillaries;
mod duffel_bodies;
mod duffel_bulkhead;
mod duffel_calls;
mod duffel_changes;
mod duffel_conditions;
mod duffel_faults;
mod duffel_recordings;
mod duffel_search;
mod duffel_services;
mod duffel_services_sandbox;
mod duffel_spoiled_recordings;
mod duffel_ticketing;
mod faults;
mod lookups;
mod odd_recordings;
mod one_part_spoiled;
#[path = "../examples/own_supplier.rs"]
mod own_supplier;
mod papers;
mod plain_config;
mod recorded;
mod recordings_by_shape;
mod recordings_of_orders_by_shape;
mod sandbox_world;
mod sandboxed;
mod shares;
mod stored;
mod sums;
mod tripjack_acts;
mod tripjack_ancillaries;
mod tripjack_bodies;
mod tripjack_calls;
mod tripjack_cancellation;
mod tripjack_changes;
mod tripjack_faults;
mod tripjack_names;
mod tripjack_orders;
mod tripjack_recordings;
mod tripjack_sandbox;
mod tripjack_sandbox_ancillaries;
mod tripjack_sandbox_orders;
mod tripjack_sandbox_reissues;
mod tripjack_search;
mod tripjack_spoiled_recordings;
mod tripjack_stage;
