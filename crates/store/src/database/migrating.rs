//! Migrations beside servers that work: what they lock is waited for only briefly, since whoever comes after a migration that
//! waits for a table waits, too.

use std::{collections::BTreeSet, thread, time::Duration};

use diesel::{
    connection::SimpleConnection,
    migration::{Migration, MigrationSource},
    pg::Pg,
    sql_query,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl as _, async_connection_wrapper::AsyncConnectionWrapper};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::{
    Result, StoreError,
    statements::{Columns, values},
};

/// Every migration, in order, inside the program.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// How long a migration waits for a lock before it lets those pass who came after it.
const LOCK_TIMEOUT: &str = "set lock_timeout = '3s'";
/// How long they have, before it is tried again,
const PAUSE: Duration = Duration::from_secs(2);
/// so many times.
const TRIES: u32 = 30;
/// How PostgreSQL says that a lock was not had in time (55P03).
const NOT_LOCKED: &str = "lock timeout";

/// Carries out what is pending, each in a transaction of its own. The caller holds the lock of those who migrate, for which
/// it may have waited for long.
///
/// # Errors
/// Which migration failed, and why.
pub(crate) fn run_pending(
    connection: &mut AsyncConnectionWrapper<AsyncPgConnection>,
) -> Result<Vec<String>, String> {
    connection.batch_execute(LOCK_TIMEOUT).map_err(|error| error.to_string())?;
    let mut done = Vec::new();
    let mut tries = 0;
    loop {
        let pending = connection.has_pending_migration(MIGRATIONS);
        if !pending.map_err(|error| error.to_string())? {
            return Ok(done);
        }
        match connection.run_next_migration(MIGRATIONS) {
            Ok(version) => {
                done.push(version.to_string());
                tries = 0;
            }
            Err(error) => {
                let error = error.to_string();
                tries += 1;
                if !error.contains(NOT_LOCKED) || tries == TRIES {
                    return Err(error);
                }
                tracing::warn!(
                    error,
                    tries,
                    "a migration waits for a lock; others may pass, then it is tried again"
                );
                thread::sleep(PAUSE);
            }
        }
    }
}

/// What is pending, by name and in order. Nothing is made, not even the table of what was done.
pub(crate) async fn pending(connection: &mut AsyncPgConnection) -> Result<Vec<String>> {
    let exists = sql_query("select to_regclass('__diesel_schema_migrations') is not null as exists");
    let Columns(exists) = exists.get_result(connection).await?;
    let done: Vec<Columns<String>> = match exists {
        true => sql_query("select version from __diesel_schema_migrations").load(connection).await?,
        false => Vec::new(),
    };
    let unreadable =
        |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Migration(error.to_string());
    let all: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(unreadable)?;
    let done: BTreeSet<String> = values(done).into_iter().collect();
    let mut pending: Vec<(String, String)> = all
        .iter()
        .map(|migration| (migration.name().version().to_string(), migration.name().to_string()))
        .filter(|(version, _)| !done.contains(version))
        .collect();
    pending.sort();
    Ok(pending.into_iter().map(|(_, name)| name).collect())
}
