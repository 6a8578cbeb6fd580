//! Whether PostgreSQL answers. One that is stopped, or behind a network that drops everything, says nothing for as long as
//! that lasts, and so would everybody who waits for it.
//!
//! A connection of its own asks again and again. When that is not answered in time, all connections of the pool are given
//! up at once: what was asked on them ends with an error. Whether it was carried out nobody knows, as when PostgreSQL is
//! killed: it may still do it when it goes on. The same is done with a database that takes no writes any more, because
//! another one is the primary now: who connects again looks for that. A statement that was refused for it has the question
//! asked at once.

use std::{sync::Arc, time::Duration};

use diesel::{
    ConnectionError,
    connection::{Instrumentation, InstrumentationEvent},
    result::{DatabaseErrorKind, Error as DieselError},
};
use futures_util::future::poll_fn;
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    task::{AbortHandle, JoinHandle},
    time::{sleep, timeout},
};
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::postgres::{Driver, Postgres};

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(2);
/// A server that has not answered by then is given up. A slow statement on another connection does not count.
const PATIENCE: Duration = Duration::from_secs(8);

/// Watches the PostgreSQL of a pool, as long as it is there.
#[derive(Clone)]
pub(crate) struct Liveness {
    given_up: watch::Receiver<()>,
    refused: Arc<Notify>,
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
    /// Begins to ask this database.
    pub(crate) fn watch(postgres: Postgres, runtime: &Handle) -> Self {
        let (tell, given_up) = watch::channel(());
        let refused = Arc::new(Notify::new());
        let questions = runtime.spawn(ask(postgres, tell, refused.clone())).abort_handle();
        Self {
            given_up,
            refused,
            _questions: Arc::new(Questions(questions)),
        }
    }

    /// Drives a connection until it ends, or its server is given up.
    pub(crate) fn drive(&self, connection: Driver) {
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

impl Liveness {
    /// What is to look at the statements of a connection.
    pub(crate) fn refusals(&self) -> Refusals {
        Refusals(self.refused.clone())
    }
}

/// Sees statements that were refused because the database takes no writes.
pub(crate) struct Refusals(Arc<Notify>);

impl Instrumentation for Refusals {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if let InstrumentationEvent::FinishQuery {
            error: Some(DieselError::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _)),
            ..
        } = event
        {
            self.0.notify_one();
        }
    }
}

/// Notices and notifications are nobody's.
async fn drive(mut connection: Driver) {
    while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
}

async fn ask(postgres: Postgres, tell: watch::Sender<()>, refused: Arc<Notify>) {
    let mut probe: Option<Probe> = None;
    let mut answers = true;
    loop {
        tokio::select! {
            () = sleep(EVERY) => {}
            () = refused.notified() => {}
        }
        let answered = timeout(PATIENCE, Probe::ask(&mut probe, &postgres)).await;
        match answered {
            Ok(Some(Found::Primary)) => {
                if !answers {
                    tracing::warn!("PostgreSQL answers and takes writes again");
                }
                answers = true;
            }
            Ok(Some(Found::ReadOnly)) => {
                probe = None;
                if answers {
                    tracing::error!(
                        "PostgreSQL takes no writes any more: all connections to it are given up"
                    );
                }
                answers = false;
                tell.send_replace(());
            }
            // A refusal is an answer, which those who wait get as well.
            Ok(None) => probe = None,
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

/// What answered.
enum Found {
    Primary,
    ReadOnly,
}

/// The connection that asks.
struct Probe {
    client: Client,
    driver: JoinHandle<()>,
}

impl Probe {
    /// None where the connection is refused or broken.
    async fn ask(probe: &mut Option<Self>, postgres: &Postgres) -> Option<Found> {
        let probe = match probe {
            Some(probe) => probe,
            None => match Self::connect(postgres).await {
                Ok(connected) => probe.insert(connected),
                Err(error) if Postgres::found_no_primary(&error) => return Some(Found::ReadOnly),
                Err(_) => return None,
            },
        };
        let rows = probe
            .client
            .simple_query("show transaction_read_only")
            .await
            .ok()?;
        let read_only = rows
            .iter()
            .any(|row| matches!(row, SimpleQueryMessage::Row(row) if row.get(0) == Some("on")));
        Some(match read_only && postgres.wants_primary() {
            true => Found::ReadOnly,
            false => Found::Primary,
        })
    }

    async fn connect(postgres: &Postgres) -> Result<Self, ConnectionError> {
        let (client, connection) = postgres.connect().await?;
        let driver = tokio::spawn(drive(connection));
        Ok(Self { client, driver })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
