//! What every operation works with: the database, the clock, the secrets, Redis.

pub(crate) mod erasure_log;
pub(crate) mod people_keys;
pub(crate) mod redis;
mod secrets;
pub mod shared_time;
pub(crate) mod signing_keys;

use std::time::Duration;

pub use secrets::Secrets;
pub(crate) use secrets::random_bytes;

/// How long promises last and callers wait.
#[derive(Clone, Copy, Debug)]
pub struct Durations {
    pub offer_validity: Duration,
    pub quote_validity: Duration,
    /// How long a supplier's answer serves identical searches; zero: not at all.
    pub search_cache_ttl: Duration,
    /// How long a caller waits for a supplier's step before the answer is `PENDING`.
    pub patience: Duration,
    /// How long a step may stay unknown before it becomes an incident.
    pub incident_after: Duration,
}
