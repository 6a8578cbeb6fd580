//! Buckets that all processes take from, in Redis, which may be away at any time.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use redis::{RedisError, Script};
use wayfare_operations::Redis;

use super::Taken;

/// Before each name, so that Redis can serve others too.
const PREFIX: &str = "wayfare:limit:";

/// The buckets in one Redis.
pub(super) struct SharedBuckets {
    redis: Arc<Redis>,
    take: Script,
}

impl SharedBuckets {
    /// The buckets in the Redis at this URL.
    ///
    /// # Errors
    /// When the URL can't be one of Redis'. A Redis that does not answer is no error.
    pub(super) async fn open(url: &str, patience: Duration) -> Result<Arc<Self>, RedisError> {
        let without = "this process counts requests for itself";
        Ok(Arc::new(Self {
            redis: Redis::open(url, patience, without).await?,
            take: Script::new(include_str!("take.lua")),
        }))
    }

    /// Takes one from the bucket of this name and size, if there is one; nothing when Redis can't tell.
    pub(super) async fn take(&self, name: &str, size: NonZeroU32) -> Option<Taken> {
        let mut take = self.take.prepare_invoke();
        take.key(format!("{PREFIX}{name}")).arg(size.get());
        let taken = self.redis.ask(async |connection| take.invoke_async::<(u32, u64)>(connection).await);
        let (remaining, wait) = taken.await?;
        Some(Taken { size: size.get(), remaining, wait: (wait > 0).then(|| Duration::from_micros(wait)) })
    }
}
