//! PostgreSQL that is stopped, not dead: it takes what is sent and says nothing. Nobody waits for ever, and nobody takes its
//! silence for a refusal. And PostgreSQL that lives and takes no writes any more, as one that another has taken over from.

use std::{path::Path, time::Duration};

use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use rustix::process::Signal;
use tokio::time::{sleep, timeout};
use wayfare_store::{Batch, Database, batch::writes::Writes};

use crate::own_server::OwnServer;

/// Longer than anything may take then.
const FOR_EVER: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_ends_and_whether_it_was_committed_nobody_knows() {
    if !Path::new("/proc/self/stat").exists() {
        println!("did not run: there is no /proc");
        return;
    }
    let server = OwnServer::start(&[]).await;
    let database = Database::connect_server(&server.url(), 3).unwrap();
    let mut asking = database.connection().await.unwrap();
    asking.batch_execute("create table made (number int)").await.unwrap();
    let mut batch = Batch::on(database.connection_of_kept_plans().await.unwrap());
    batch.begin().await.unwrap();
    let insert = diesel::sql_query("insert into made values (1)");
    insert.execute(batch.connection_mut().unwrap()).await.unwrap();

    server.signal(Signal::STOP);
    let asked = tokio::spawn(async move { asking.batch_execute("insert into made values (2)").await });
    let committed = tokio::spawn(batch.commit(Writes::default()));
    let waited = database.connection();
    let (asked, committed, waited) =
        timeout(FOR_EVER, async { tokio::join!(asked, committed, waited) }).await.unwrap();
    asked.unwrap().unwrap_err();
    let lost = committed.unwrap().unwrap_err();
    assert!(!lost.surely_undone(), "{lost}");
    assert!(waited.is_err(), "there was no third connection, and none could be made");

    server.signal(Signal::CONT);
    let mut again = timeout(FOR_EVER, database.connection()).await.unwrap().unwrap();
    let counted = diesel::sql_query("select count(*) as count from made");
    #[derive(diesel::QueryableByName)]
    struct Counted {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        count: i64,
    }
    // It went on with what it had been sent, or it did not: both were possible.
    let counted: Counted = counted.get_result(&mut again).await.unwrap();
    assert!((0..=2).contains(&counted.count), "{}", counted.count);
    drop(again);
    drop(database);
    server.stop().await;
}

/// What it says when it is asked which connection this is, and whether it could be had at all.
async fn backend(database: &Database) -> Option<i32> {
    #[derive(diesel::QueryableByName)]
    struct Backend {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        pid: i32,
    }
    let mut connection = database.connection().await.ok()?;
    let asked = diesel::sql_query("select pg_backend_pid() as pid");
    let backend: Backend = asked.get_result(&mut connection).await.ok()?;
    Some(backend.pid)
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_to_a_primary_that_takes_no_writes_any_more_are_given_up() {
    let server = OwnServer::start(&[]).await;
    let database = Database::connect_server(&server.url(), 3).unwrap();
    let before = backend(&database).await.unwrap();
    assert_eq!(backend(&database).await, Some(before), "the pool has one connection");

    server.set("default_transaction_read_only = on").await;
    let gone = async {
        while backend(&database).await == Some(before) {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(FOR_EVER, gone).await.unwrap();
    let error = database.connection().await.map(drop).unwrap_err();
    assert!(error.is_unavailable(), "{error}");
    assert!(error.to_string().contains("it is a standby or read-only"), "{error}");

    server.set("default_transaction_read_only = off").await;
    assert!(backend(&database).await.is_some_and(|after| after != before));
    drop(database);
    server.stop().await;
}
