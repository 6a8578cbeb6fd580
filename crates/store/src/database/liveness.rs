//! Whether PostgreSQL answers. One that is stopped, or behind a network that drops everything, says nothing for as long as
//! that lasts, and so would everybody who waits for it.
//!
//! A connection of its own asks again and again. When that is not answered in time, all connections of the pool are given
//! up at once: what was asked on them ends with an error. Whether it was carried out nobody knows, as when PostgreSQL is
//! killed: it may still do it when it goes on. The same is done with a database that takes no writes any more, because
//! another one is the primary now: who connects again looks for that. A statement that was refused for it has the question
//! asked at once.
//!
//! And it is done with a primary that was replaced and does not know it (D-487). Each promotion begins a timeline of a higher
//! number: once a server has seen a primary of it, it uses none of a lower one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

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

use crate::database::postgres::{Driver, Postgres};

const EVERY: Duration = Duration::from_secs(2);
/// A server that has not answered by then is given up. A slow statement on another connection does not count.
const PATIENCE: Duration = Duration::from_secs(8);

/// A primary's timeline, as eight hexadecimal digits.
const TIMELINE: &str =
    "select case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end";

/// Watches the PostgreSQL of a pool, as long as it is there.
#[derive(Clone)]
pub(crate) struct Liveness {
    primaries: Arc<Primaries>,
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
    pub(crate) fn watch(postgres: Postgres, runtime: &Handle) -> Self {
        let primaries = Arc::new(Primaries::default());
        let refused = Arc::new(Notify::new());
        let questions = ask(postgres, primaries.clone(), refused.clone());
        Self { primaries, refused, _questions: Arc::new(Questions(runtime.spawn(questions).abort_handle())) }
    }

    /// Drives a connection until it ends, or its server is given up.
    pub(crate) fn drive(&self, connection: Driver) {
        let mut given_up = self.primaries.given_up.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                () = drive(connection) => {}
                // Whoever is gone gives nothing up.
                Ok(()) = given_up.changed() => {}
            }
        });
    }

    /// Whether a connection may be used: not one to a primary that was replaced. The first one to a newer primary ends with
    /// all others, and is made again.
    ///
    /// # Errors
    /// When it is broken.
    pub(crate) async fn is_newest(&self, client: &Client) -> Result<bool, tokio_postgres::Error> {
        self.primaries.is_newest(client).await
    }

    /// What is to look at the statements of a connection.
    pub(crate) fn refusals(&self) -> Refusals {
        Refusals(self.refused.clone())
    }
}

/// The primaries that connections were made to.
#[derive(Default)]
struct Primaries {
    /// Told when all connections are given up.
    given_up: watch::Sender<()>,
    /// The newest timeline that was seen; 0 before the first.
    newest: AtomicU32,
}

impl Primaries {
    fn give_up(&self) {
        self.given_up.send_replace(());
    }

    async fn is_newest(&self, client: &Client) -> Result<bool, tokio_postgres::Error> {
        let rows = client.simple_query(TIMELINE).await?;
        let shown = rows.iter().find_map(|row| match row {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        // A standby has none, and is not asked for unless the URL wants it.
        let Some(timeline) = shown.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Ok(true);
        };
        let newest = self.newest.fetch_max(timeline, Ordering::SeqCst);
        if newest != 0 && newest < timeline {
            tracing::error!(
                timeline,
                before = newest,
                "another PostgreSQL is the primary now: all connections to the one before it are given up"
            );
            self.give_up();
            return Ok(false);
        }
        Ok(timeline >= newest)
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

async fn ask(postgres: Postgres, primaries: Arc<Primaries>, refused: Arc<Notify>) {
    let mut probe: Option<Probe> = None;
    let mut answers = true;
    loop {
        tokio::select! {
            () = sleep(EVERY) => {}
            () = refused.notified() => {}
        }
        // One of several hosts at random, so that a newer primary is found while the one before it still answers.
        if postgres.has_several_hosts() {
            probe = None;
        }
        let answered = timeout(PATIENCE, Probe::ask(&mut probe, &postgres, &primaries)).await;
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
                primaries.give_up();
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
                primaries.give_up();
            }
        }
    }
}

enum Found {
    Primary,
    ReadOnly,
}

struct Probe {
    client: Client,
    driver: JoinHandle<()>,
}

impl Probe {
    /// None where the connection is refused or broken.
    async fn ask(probe: &mut Option<Self>, postgres: &Postgres, primaries: &Primaries) -> Option<Found> {
        let probe = match probe {
            Some(probe) => probe,
            None => match Self::connect(postgres).await {
                Ok(connected) => probe.insert(connected),
                Err(error) if Postgres::found_no_primary(&error) => return Some(Found::ReadOnly),
                Err(_) => return None,
            },
        };
        if postgres.has_several_hosts() {
            primaries.is_newest(&probe.client).await.ok()?;
        }
        let rows = probe.client.simple_query("show transaction_read_only").await.ok()?;
        let read_only =
            rows.iter().any(|row| matches!(row, SimpleQueryMessage::Row(row) if row.get(0) == Some("on")));
        Some(match read_only && postgres.wants_primary() {
            true => Found::ReadOnly,
            false => Found::Primary,
        })
    }

    async fn connect(postgres: &Postgres) -> Result<Self, ConnectionError> {
        let (client, connection) = postgres.connect_to_any().await?;
        let driver = tokio::spawn(drive(connection));
        Ok(Self { client, driver })
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
