//! Pieces that know nothing of bookings: single-flight, group reads, detached tasks, leases, calendar, CSV, Redis, broadcasts, search
//! memory, audit events, metrics, and the suppliers' accounts and health.

pub(crate) mod audit_event;
pub(crate) mod broadcast;
pub(crate) mod calendar;
pub(crate) mod commit_metrics;
pub(crate) mod csv_text;
pub(crate) mod detached;
pub(crate) mod failpoints;
pub(crate) mod group_read;
pub(crate) mod lease;
pub mod look_to_book;
pub(crate) mod redis;
pub(crate) mod retention_metrics;
pub mod search_memory;
pub mod servers;
pub mod shared_time;
pub(crate) mod single_flight;
pub mod supplier_accounts;
pub mod supplier_health;
pub(crate) mod supplier_read_losses;
pub(crate) mod supplier_report;
