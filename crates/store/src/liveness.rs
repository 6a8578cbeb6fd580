//! Whether PostgreSQL answers. One that is stopped, or behind a network that drops everything, says nothing for as long as
//! that lasts, and so would everybody who waits for it.
//!
//! A connection of its own asks again and again. When that is not answered in time, all connections of the pool are given
//! up at once: what was asked on them ends with an error. Whether it was carried out nobody knows, as when PostgreSQL is
//! killed: it may still do it when it goes on.

use std::{sync::Arc, time::Duration};

use futures_util::future::poll_fn;
use tokio::{
    runtime::Handle,
    sync::watch,
    task::{AbortHandle, JoinHandle},
    time::{sleep, timeout},
};
use tokio_postgres::{Client, Connection, Error, NoTls, Socket, tls::NoTlsStream};

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(2);
/// A server that has not answered by then is given up. A slow statement on another connection does not count.
const PATIENCE: Duration = Duration::from_secs(8);

/// Watches the PostgreSQL of a pool, as long as it is there.
#[derive(Clone)]
pub(crate) struct Liveness {
    given_up: watch::Receiver<()>,
    _questions: Arc<Questions>,
}

/// Ends with the last pool that it watches over.
struct Questions(AbortHandle);

impl Drop for Questions {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Liveness {
    /// Begins to ask the server of this URL.
    pub(crate) fn watch(url: String, runtime: &Handle) -> Self {
        let (tell, given_up) = watch::channel(());
        let questions = runtime.spawn(ask(url, tell)).abort_handle();
        Self {
            given_up,
            _questions: Arc::new(Questions(questions)),
        }
    }

    /// Drives a connection until it ends, or its server is given up.
    pub(crate) fn drive(&self, connection: Connection<Socket, NoTlsStream>) {
        let mut given_up = self.given_up.clone();
        given_up.mark_unchanged();
        tokio::spawn(async move {
            tokio::select! {
                () = drive(connection) => {}
                // Whoever is gone gives nothing up.
                Ok(()) = given_up.changed() => {}
            }
        });
    }
}

/// Notices and notifications are nobody's.
async fn drive(mut connection: Connection<Socket, NoTlsStream>) {
    while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
}

async fn ask(url: String, tell: watch::Sender<()>) {
    let mut probe: Option<Probe> = None;
    let mut answers = true;
    loop {
        sleep(EVERY).await;
        let answered = timeout(PATIENCE, Probe::ask(&mut probe, &url)).await;
        match answered {
            Ok(Ok(())) => {
                if !answers {
                    tracing::warn!("PostgreSQL answers again");
                }
                answers = true;
            }
            // A refusal is an answer, which those who wait get as well.
            Ok(Err(_)) => probe = None,
            Err(_) => {
                probe = None;
                if answers {
                    let seconds = PATIENCE.as_secs();
                    tracing::error!(
                        "PostgreSQL has not answered for {seconds} s: what was asked of it is given up"
                    );
                }
                answers = false;
                tell.send_replace(());
            }
        }
    }
}

/// The connection that asks.
struct Probe {
    client: Client,
    driver: JoinHandle<()>,
}

impl Probe {
    async fn ask(probe: &mut Option<Self>, url: &str) -> Result<(), Error> {
        let probe = match probe {
            Some(probe) => probe,
            None => probe.insert(Self::connect(url).await?),
        };
        probe.client.simple_query("select 1").await.map(drop)
    }

    async fn connect(url: &str) -> Result<Self, Error> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        let driver = tokio::spawn(drive(connection));
        Ok(Self { client, driver })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
