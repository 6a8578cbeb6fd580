//! Servers of the release before work on the tables of this one until each has been restarted: what they prepare must be
//! prepared, run and give the same columns here. `tests/compat/statements.sql` is the record of it.

#![allow(clippy::panic, reason = "a test can only fail where a statement is none")]

mod record;
mod run;

use std::{env, fs, path::Path};

use tokio_postgres::{Client, NoTls, types::Type};
use wayfare_tests::TestDatabase;

use record::Recorded;

/// What `just record-statements` saw; the file is made of it.
const SEEN: &str = "WAYFARE_RECORDED_STATEMENTS";

/// A connection as a server has it: with its rights.
async fn connected(test: &TestDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&test.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn recorded() -> Vec<Recorded> {
    record::read(&fs::read_to_string(record::path()).unwrap())
}

#[tokio::test]
async fn the_release_before_works_on_these_tables() {
    let test = TestDatabase::fresh().await;
    let client = connected(&test).await;
    if let Some(seen) = env::var_os(SEEN) {
        make(&client, Path::new(&seen)).await;
    }
    let recorded = recorded();
    assert!(recorded.len() > 200, "a record of {} statements is none", recorded.len());
    let problems = run::problems(&client, &recorded).await;
    assert!(
        problems.is_empty(),
        "servers of the release before fail on these tables:\n\n{}",
        problems.join("\n\n")
    );
}

/// Nobody edits it: what was put in or left out by hand would not be what a release prepares.
#[test]
fn the_record_is_as_it_was_written() {
    let text = fs::read_to_string(record::path()).unwrap();
    let mut recorded = recorded();
    assert_eq!(record::written(&format!("{}\n", record::head(&text)), &recorded), text);
    let before = recorded.clone();
    recorded.sort();
    recorded.dedup();
    assert!(recorded == before, "it is not sorted");
    let says = format!("{} statements", recorded.len());
    assert!(record::head(&text).contains(&says), "it has not {says}");
}

/// Writes the record of what was seen, with what it gives on the tables that it was seen on.
async fn make(client: &Client, seen: &Path) {
    let mut statements = Vec::new();
    for one in record::distinct(record::seen(seen)) {
        let types: Vec<Type> = one.types.iter().copied().map(run::type_numbered).collect();
        let prepared = client.prepare_typed(&one.text, &types).await;
        let prepared = prepared.unwrap_or_else(|error| panic!("{error}: {}", one.text));
        let (takes, gives) = run::described(client, &prepared).await;
        statements.push(Recorded { text: one.text, takes, gives });
    }
    statements.sort();
    statements.dedup();
    let commit = env::var("WAYFARE_COMMIT").unwrap();
    let head = format!(
        "-- What servers of version {} ({commit}) prepare: {} statements, each with the types of its parameters and of its\n\
         -- columns. Written by `just record-statements` and never edited; `migrations/README.md` says when it is recorded anew\n\
         -- and what it can't show.\n",
        env!("CARGO_PKG_VERSION"),
        statements.len()
    );
    fs::write(record::path(), record::written(&head, &statements)).unwrap();
}

/// What would stop servers of before, and what is said of it: with the statement that it stops.
const CHANGES: [(&str, [&str; 2]); 8] = [
    (
        "alter table notifications drop column message",
        ["can't be prepared: column \"message\"", "notifications"],
    ),
    (
        "alter table notifications rename to notices",
        ["relation \"notifications\" does not exist", "notifications"],
    ),
    (
        "alter table bookings alter column passenger_count type text",
        ["passenger_count text", "passenger_count"],
    ),
    (
        "drop function written_whole(bigint, bigint)",
        ["function written_whole", "select written_whole(0"],
    ),
    (
        "drop function written_whole(bigint, bigint);
         create function written_whole(bigint, bigint) returns text language sql as $$ select '' $$",
        ["gives `written_whole text`", "select written_whole(0"],
    ),
    (
        "create or replace function written_whole(written bigint, expected bigint) returns bigint language plpgsql
         as $$ begin return (select count(*) from what_is_gone); end $$",
        ["can't be run: relation \"what_is_gone\" does not exist", "select written_whole(0"],
    ),
    (
        "alter table fare_transactions add column added_later text not null",
        ["inserts into fare_transactions without [\"added_later\"]", "insert into fare_transactions"],
    ),
    (
        "revoke insert on transfers from wayfare_app",
        ["can't be run: permission denied for table transfers", "insert into transfers"],
    ),
];

#[tokio::test]
async fn a_change_that_stops_them_is_named_with_what_it_stops() {
    use diesel_async::SimpleAsyncConnection as _;
    let recorded = recorded();
    for (change, [what, statement]) in CHANGES {
        let test = TestDatabase::fresh().await;
        test.owner().await.batch_execute(change).await.unwrap();
        let problems = run::problems(&connected(&test).await, &recorded).await;
        let is_named = |problem: &String| problem.contains(what) && problem.contains(statement);
        assert!(problems.iter().any(is_named), "{change}: {problems:#?}");
        assert!(problems.len() < recorded.len(), "{change}: all are said to fail");
    }
}
