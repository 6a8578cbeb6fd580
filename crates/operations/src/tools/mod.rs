//! Pieces that know nothing of bookings: single-flight, group reads, detached tasks, leases, calendar, CSV, broadcasts, search memory,
//! audit events, metrics.

pub(crate) mod audit_event;
pub(crate) mod broadcast;
pub(crate) mod calendar;
pub(crate) mod commit_metrics;
pub(crate) mod csv_text;
pub(crate) mod detached;
pub(crate) mod failpoints;
pub(crate) mod gathered_metrics;
pub(crate) mod group_read;
pub(crate) mod lease;
pub(crate) mod retention_metrics;
pub mod search_memory;
pub mod servers;
pub(crate) mod single_flight;
