//! What every operation works with: the database, the clock, the secrets, Redis.

pub(crate) mod erasure_log;
pub(crate) mod people_keys;
pub(crate) mod redis;
mod secrets;
pub mod shared_time;
pub(crate) mod signing_keys;

use std::{sync::Arc, time::Duration};

use tokio::runtime::Handle;
use wayfare_boxed::boxed;
use wayfare_domain::{Clock, KeptDays};
use wayfare_pricing::RateSource;
use wayfare_store::Database;

use crate::Result;
use erasure_log::ErasureLog;
use redis::Redis;
use shared_time::SharedTime;

pub use secrets::Secrets;
pub(crate) use secrets::random_bytes;

pub struct Core {
    pub database: Database,
    pub clock: Clock,
    pub(crate) shared_time: SharedTime,
    pub durations: Durations,
    /// Steps run here: not on the runtime of the request that wanted them, which may end before they do.
    pub(crate) runtime: Handle,
    pub(crate) secrets: Secrets,
    pub(crate) rates: Arc<dyn RateSource>,
    /// The Redis through which servers share searches.
    pub(crate) redis: Option<Arc<Redis>>,
    /// How long it is kept whom bookings are for, where their agency has not said so.
    pub(crate) kept_days: KeptDays,
    pub(crate) erasure_log: Option<Arc<ErasureLog>>,
}

#[boxed]
impl Core {
    /// Whether the database answers and is up to date, and this machine's clock is as good as its.
    ///
    /// # Errors
    /// Why it is not ready.
    pub async fn ready(&self) -> Result<()> {
        self.database.ready().await?;
        self.shared_time.check_own_clock()
    }
}

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
