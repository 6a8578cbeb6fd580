//! What keeps the service running: its servers, the time that they share, leases, retention, and what waits.

pub mod leases;
pub mod metrics;
pub mod retention;
pub mod servers;
pub mod shared_time;
