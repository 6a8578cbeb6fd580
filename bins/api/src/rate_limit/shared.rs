//! Buckets that all processes take from, in Redis, which may be away at any time.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use redis::{AsyncConnectionConfig, Client, RedisError, Script, aio::MultiplexedConnection};
use tokio::{sync::watch, time::timeout};

use super::Taken;

/// Before each name, so that Redis can serve others too.
const PREFIX: &str = "wayfare:limit:";
/// How long Redis is left alone once it failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a connection may take to be made, which nobody waits for but the start.
const CONNECT: Duration = Duration::from_secs(1);

/// The buckets in one Redis, and whether it is asked now.
pub(super) struct SharedBuckets {
    client: Client,
    take: Script,
    patience: Duration,
    /// None while Redis is left alone.
    connection: watch::Sender<Option<MultiplexedConnection>>,
}

impl SharedBuckets {
    /// The buckets in the Redis at this URL, asked now and, in a task of this runtime, whenever it was away.
    ///
    /// # Errors
    /// When the URL can't be one of Redis'. A Redis that does not answer is no error.
    pub(super) async fn open(url: &str, patience: Duration) -> Result<Arc<Self>, RedisError> {
        let buckets = Arc::new(Self {
            client: Client::open(url)?,
            take: Script::new(include_str!("take.lua")),
            patience,
            connection: watch::Sender::new(None),
        });
        if let Err(error) = buckets.connect().await {
            tracing::warn!(%error, "Redis does not answer: this process counts requests for itself");
        }
        tokio::spawn(buckets.clone().reconnect());
        Ok(buckets)
    }

    /// Takes one from the bucket of this name and size, if there is one; nothing when Redis can't tell.
    pub(super) async fn take(&self, name: &str, size: NonZeroU32) -> Option<Taken> {
        let connection = self.connection.borrow().clone()?;
        match self.ask(connection, name, size).await {
            Ok(taken) => Some(taken),
            Err(error) => {
                // Of many requests that were waiting one tells it.
                if self
                    .connection
                    .send_if_modified(|current| current.take().is_some())
                {
                    tracing::warn!(%error, "Redis does not answer: this process counts requests for itself");
                }
                None
            }
        }
    }

    async fn ask(
        &self,
        mut connection: MultiplexedConnection,
        name: &str,
        size: NonZeroU32,
    ) -> Result<Taken, RedisError> {
        let mut take = self.take.prepare_invoke();
        take.key(format!("{PREFIX}{name}")).arg(size.get());
        let answered = timeout(self.patience, take.invoke_async(&mut connection));
        let late = |_| std::io::Error::from(std::io::ErrorKind::TimedOut);
        let (remaining, wait): (u32, u64) = answered.await.map_err(late)??;
        Ok(Taken {
            size: size.get(),
            remaining,
            wait: (wait > 0).then(|| Duration::from_micros(wait)),
        })
    }

    /// A connection over which a bucket was taken from: one that is only there proves nothing.
    async fn connect(&self) -> Result<(), RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(None);
        let connection = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await?;
        self.ask(connection.clone(), "probe", NonZeroU32::MAX).await?;
        self.connection.send_replace(Some(connection));
        Ok(())
    }

    async fn reconnect(self: Arc<Self>) {
        let mut connection = self.connection.subscribe();
        while connection.wait_for(Option::is_none).await.is_ok() {
            tokio::time::sleep(PAUSE).await;
            if self.connect().await.is_ok() {
                tracing::info!("Redis answers again: requests are counted there");
            }
        }
    }
}
