//! Talks to a server over its socket: is somebody there, and do our database and its role exist?

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls};

use crate::error::{Error, chain};
use crate::layout::Layout;

/// How long a healthy server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a connection to the socket shows.
pub(crate) enum Answer {
    Ready,
    /// Something is there, but takes no connections: it is starting, stopping or stuck.
    NotReady(String),
    /// Nobody listens.
    Nobody,
}

/// Tries to open a session, as PostgreSQL's own tools do to see whether a server runs.
pub(crate) async fn probe(socket: &Path) -> Answer {
    match open(socket, "postgres").await {
        Ok(_) => Answer::Ready,
        Err(Failure::Nobody) => Answer::Nobody,
        Err(Failure::Refused(error)) => match error.code() {
            Some(&SqlState::CANNOT_CONNECT_NOW) | None => Answer::NotReady(chain(&error)),
            // It answers, for example that all its connections are in use.
            Some(_) => Answer::Ready,
        },
        Err(Failure::Other(reason)) => Answer::NotReady(reason),
    }
}

/// Makes sure that the database exists, and the role, which may log in and nothing else. Only the holder of the
/// folder's lock may do this.
pub(crate) async fn ensure(layout: &Layout, name: &str, role: &str) -> Result<(), Error> {
    let client = match open(&layout.socket(), name).await {
        Err(Failure::Refused(error)) if error.code() == Some(&SqlState::INVALID_CATALOG_NAME) => {
            create(layout, name).await?
        }
        outcome => outcome.map_err(Failure::into_error)?,
    };
    // Asked first, because a refusal would stand in the log at each start.
    let make_role = format!(
        "DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN CREATE ROLE {role} LOGIN; END IF;
        END $$"
    );
    let made = client.batch_execute(&make_role).await;
    made.map_err(|error| Error::Database(chain(&error)))
}

/// Makes the database and connects to it.
async fn create(layout: &Layout, name: &str) -> Result<Client, Error> {
    let socket = layout.socket();
    let client = open(&socket, "postgres").await.map_err(Failure::into_error)?;
    let made = client.batch_execute(&format!("CREATE DATABASE \"{name}\"")).await;
    // Nobody else makes one meanwhile: we have the folder's lock.
    made.map_err(|error| Error::Database(chain(&error)))?;
    open(&socket, name).await.map_err(Failure::into_error)
}

enum Failure {
    Nobody,
    Refused(tokio_postgres::Error),
    Other(String),
}

impl Failure {
    fn into_error(self) -> Error {
        Error::Database(match self {
            Failure::Nobody => "nobody listens on its socket".to_owned(),
            Failure::Refused(error) => chain(&error),
            Failure::Other(reason) => reason,
        })
    }
}

async fn open(socket: &Path, database: &str) -> Result<Client, Failure> {
    let outcome = timeout(PATIENCE, connect(socket, database)).await;
    outcome.unwrap_or_else(|_| {
        let words = format!("no answer within {} s", PATIENCE.as_secs());
        Err(Failure::Other(words))
    })
}

async fn connect(socket: &Path, database: &str) -> Result<Client, Failure> {
    let stream = UnixStream::connect(socket).await;
    let stream = stream.map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => Failure::Nobody,
        _ => Failure::Other(error.to_string()),
    })?;
    let mut config = Config::new();
    config.user(crate::USER).dbname(database);
    config.application_name("wayfare-local-postgres");
    let connected = config.connect_raw(stream, NoTls).await;
    let (client, connection) = connected.map_err(Failure::Refused)?;
    // It ends when the client is dropped.
    tokio::spawn(connection);
    Ok(client)
}
