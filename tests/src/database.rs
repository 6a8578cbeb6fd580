//! A database of its own for each test, copied from a template that is migrated once per process.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use tokio::sync::OnceCell;
use wayfare_local_postgres::test_server::TestServer;
use wayfare_store::{Connection, Database};

use crate::statement_recorder;

const TEMPLATE: &str = "template_wayfare";

/// The server takes 300 connections: this many for each test leave room for many at once.
const POOL: usize = 8;

/// A migrated database that no other test sees. It goes when this value is dropped, at the latest with the
/// process.
pub struct TestDatabase {
    /// Where it is, for programs that connect by themselves, as the service's role.
    pub url: String,
    /// The same as the owner of its tables, a superuser.
    pub owner_url: String,
    pub database: Database,
    name: String,
}

impl TestDatabase {
    /// A database with all tables and no rows. The first one takes as long as a server's start, the
    /// others some milliseconds.
    pub async fn fresh() -> Self {
        static PREPARED: OnceCell<()> = OnceCell::const_new();
        PREPARED.get_or_init(prepare_template).await;
        Self::create(&format!("template {TEMPLATE} strategy file_copy")).await
    }

    /// A database without any tables.
    pub async fn empty() -> Self {
        Self::create("").await
    }

    /// A connection of its pool.
    pub async fn connection(&self) -> Connection {
        or_fail("no connection", self.database.connection().await)
    }

    /// A connection of the tables' owner, a superuser: for what the service may not do.
    pub async fn owner(&self) -> AsyncPgConnection {
        or_fail("no connection", AsyncPgConnection::establish(&self.owner_url).await)
    }

    async fn create(like: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        administer(&[&format!("create database {name} {like}")]).await;
        let (url, owner_url, database) = roles(&name, POOL);
        Self { url, owner_url, database, name }
    }
}

impl Drop for TestDatabase {
    /// Best effort, in the background: the runtime of the test may be ending, and the server's folder goes
    /// anyway.
    fn drop(&mut self) {
        let statement = format!("drop database if exists {} with (force)", self.name);
        let work = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime {
                let _ = runtime.block_on(try_administer(&[&statement]));
            }
        };
        let _ = thread::Builder::new().name("drop-database".to_owned()).spawn(work);
    }
}

async fn prepare_template() {
    // A first attempt that failed half-way may have left it.
    administer(&[
        &format!("drop database if exists {TEMPLATE} with (force)"),
        &format!("create database {TEMPLATE}"),
    ])
    .await;
    let (_, _, database) = roles(TEMPLATE, 1);
    or_fail("the migrations fail", database.migrate().await);
    // A template that somebody is connected to can't be copied.
    administer(&[&format!("alter database {TEMPLATE} is_template true allow_connections false")]).await;
}

/// The URLs of the service's role and of the owner, and a pool of the one over the tables of the other.
fn roles(name: &str, size: usize) -> (String, String, Database) {
    let server = TestServer::shared();
    let (url, owner_url) = (statement_recorder::through(&server.service_url(name)), server.url(name));
    let database = or_fail("no pool", Database::connect(&url, size));
    let database = or_fail("no owner", database.owned_by(Some(&owner_url)));
    (url, owner_url, database)
}

async fn administer(statements: &[&str]) {
    or_fail("the test server refuses", try_administer(statements).await);
}

/// Each statement by itself: databases can't be made or dropped in a transaction, which several in one
/// batch would be.
async fn try_administer(statements: &[&str]) -> Result<(), String> {
    let url = TestServer::shared().url("postgres");
    let mut connection = AsyncPgConnection::establish(&url).await.map_err(|error| error.to_string())?;
    for statement in statements {
        connection.batch_execute(statement).await.map_err(|error| format!("{statement}: {error}"))?;
    }
    Ok(())
}

#[expect(clippy::panic, reason = "a test can only fail when it has no database")]
fn or_fail<T, E: std::fmt::Display>(what: &str, outcome: Result<T, E>) -> T {
    outcome.unwrap_or_else(|error| panic!("{what}: {error}"))
}

#[cfg(test)]
mod tests {
    use diesel_async::SimpleAsyncConnection;

    use super::*;

    #[test]
    fn many_runtimes_get_databases_of_their_own_at_once() {
        let one = || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                let test = TestDatabase::fresh().await;
                let mut connection = test.owner().await;
                // The second of two in one database would fail.
                connection.batch_execute("create table mine ()").await.unwrap();
                test.database.ready().await.unwrap();
            });
        };
        let threads: Vec<_> = (0..16).map(|_| thread::spawn(one)).collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }
}
