//! A Redis that several processes share, which may be away at any time: nobody waits for it longer than they want to.

use std::{sync::Arc, time::Duration};

use redis::{
    AsyncConnectionConfig, Client, RedisError,
    aio::{MultiplexedConnection, PubSubStream},
};
use tokio::{sync::watch, time::timeout};
use wayfare_boxed::boxed;

/// How long Redis is left alone once it failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a connection may take to be made, which nobody waits for but the start.
const CONNECT: Duration = Duration::from_secs(1);

/// One Redis, and whether it is asked now.
pub struct Redis {
    client: Client,
    patience: Duration,
    /// What is so while Redis is away, for the log.
    without: &'static str,
    connection: watch::Sender<Option<MultiplexedConnection>>,
}

impl Redis {
    /// The Redis at this URL, asked now and, in a task of this runtime, whenever it was away. `patience` is how long one
    /// question may take; `without` says for the log what is so while it is away.
    ///
    /// # Errors
    /// When the URL can't be one of Redis'. A Redis that does not answer is no error.
    #[boxed]
    pub async fn open(url: &str, patience: Duration, without: &'static str) -> Result<Arc<Self>, RedisError> {
        let redis = Arc::new(Self {
            client: Client::open(url)?,
            patience,
            without,
            connection: watch::Sender::new(None),
        });
        if let Err(error) = redis.connect().await {
            tracing::warn!(%error, "Redis does not answer: {without}");
        }
        tokio::spawn(redis.clone().reconnect());
        Ok(redis)
    }

    /// Whether it answered when it was asked last.
    pub(crate) fn is_up(&self) -> bool {
        self.connection.borrow().is_some()
    }

    /// What Redis answers to this question; none when it can't tell.
    pub async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, RedisError>,
    ) -> Option<T> {
        let mut connection = self.connection.borrow().clone()?;
        match within(self.patience, question(&mut connection)).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.lose(&error);
                None
            }
        }
    }

    /// The same of a question for which less time is left. That Redis is late then says nothing about it, nor does what it
    /// refuses.
    pub(crate) async fn ask_briefly<T>(
        &self,
        patience: Duration,
        question: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, RedisError>,
    ) -> Option<T> {
        let mut connection = self.connection.borrow().clone()?;
        match timeout(patience, question(&mut connection)).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) if error.is_unrecoverable_error() => {
                self.lose(&error);
                None
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, "Redis refuses a question");
                None
            }
            Err(_) => None,
        }
    }

    /// What is published in this channel from now on, until the connection breaks.
    pub(crate) async fn subscribe(&self, channel: &str) -> Result<PubSubStream, RedisError> {
        let subscribed = async {
            let mut connection = self.client.get_async_pubsub().await?;
            connection.subscribe(channel).await?;
            Ok(connection.into_on_message())
        };
        within(CONNECT, subscribed).await
    }

    fn lose(&self, error: &RedisError) {
        // Of many requests that were waiting one tells it.
        if self.connection.send_if_modified(|current| current.take().is_some()) {
            tracing::warn!(%error, "Redis does not answer: {}", self.without);
        }
    }

    /// A connection over which something was written: one that is only there proves nothing.
    async fn connect(&self) -> Result<(), RedisError> {
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT)).set_response_timeout(None);
        let mut connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        let mut probe = redis::cmd("SET");
        probe.arg("wayfare:probe").arg(1).arg("EX").arg(1);
        within(self.patience, probe.exec_async(&mut connection)).await?;
        self.connection.send_replace(Some(connection));
        Ok(())
    }

    async fn reconnect(self: Arc<Self>) {
        let mut connection = self.connection.subscribe();
        while connection.wait_for(Option::is_none).await.is_ok() {
            tokio::time::sleep(PAUSE).await;
            if self.connect().await.is_ok() {
                tracing::info!("Redis answers again");
            }
        }
    }
}

async fn within<T>(
    patience: Duration,
    answer: impl Future<Output = Result<T, RedisError>>,
) -> Result<T, RedisError> {
    let late = |_| std::io::Error::from(std::io::ErrorKind::TimedOut);
    timeout(patience, answer).await.map_err(late)?
}
