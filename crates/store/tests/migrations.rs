//! The migrations: up, down and up again, and several processes at once.

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use diesel::{QueryableByName, sql_types::Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use tokio::time::{sleep, timeout};
use wayfare_store::Database;
use wayfare_tests::TestDatabase;

/// Everything that the migrations make, one line for each: columns, constraints, indexes, triggers, functions.
const SCHEMA: &str = "
    select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', 'function', pg_get_functiondef(oid))
    from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'options', relname, array_to_string(reloptions, ','))
    from pg_class where relnamespace = 'public'::regnamespace and reloptions is not null";

/// What is left in the schema besides diesel's own table.
const LEFT_OVER: &str = "
    select relname::text as line from pg_class
    where relnamespace = 'public'::regnamespace and relname !~ '^__diesel_schema_migrations'
    union all
    select proname::text from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select typname::text from pg_type
    where typnamespace = 'public'::regnamespace and typname !~ '^_{1,3}diesel_schema_migrations'";

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

async fn lines(test: &TestDatabase, query: &str) -> BTreeSet<String> {
    let mut connection = test.connection().await;
    let lines: Vec<Line> = diesel::sql_query(query).load(&mut connection).await.unwrap();
    lines.into_iter().map(|line| line.line).collect()
}

#[tokio::test]
async fn up_down_and_up_again_leaves_the_same_schema() {
    let test = TestDatabase::empty().await;
    assert!(!test.database.migrate().await.unwrap().is_empty());
    let first = lines(&test, SCHEMA).await;
    for made in [
        "wallet_is_never_overspent",
        "one_effect_under_way_per_order",
        "one_open_exception_per_effect_and_kind",
        "entries_are_final",
    ] {
        assert!(first.iter().any(|line| line.contains(made)), "no {made} in {first:#?}");
    }

    test.database.revert().await.unwrap();
    assert_eq!(lines(&test, LEFT_OVER).await, BTreeSet::new());

    test.database.migrate().await.unwrap();
    assert_eq!(lines(&test, SCHEMA).await, first);
}

#[tokio::test]
async fn migrating_what_is_migrated_does_nothing() {
    let test = TestDatabase::fresh().await;
    assert_eq!(test.database.migrate().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_database_is_ready_only_once_it_is_migrated() {
    let test = TestDatabase::empty().await;
    assert!(test.database.ready().await.is_err());
    test.database.migrate().await.unwrap();
    test.database.ready().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_processes_that_migrate_at_once_one_does_it_and_all_succeed() {
    let test = TestDatabase::empty().await;
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let database = Database::connect(&test.url, 1).unwrap().owned_by(Some(&test.owner_url)).unwrap();
            tokio::spawn(async move { database.migrate().await.unwrap() })
        })
        .collect();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.unwrap().len());
    }
    done.sort_unstable();
    assert!(done.iter().rev().skip(1).all(|count| *count == 0), "{done:?}");
    assert!(done.last().is_some_and(|count| *count > 0), "{done:?}");
    test.database.ready().await.unwrap();
}

/// Made by a migration that takes bookings' table for itself.
const TAKES_BOOKINGS: &str = "0039";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_waits_for_a_table_lets_others_pass_and_is_tried_again() {
    let test = TestDatabase::fresh().await;
    let down = include_str!("../../../migrations/0039_retention/down.sql");
    let mut owner = test.owner().await;
    owner.batch_execute(down).await.unwrap();
    let undone = format!("delete from __diesel_schema_migrations where version = '{TAKES_BOOKINGS}'");
    owner.batch_execute(&undone).await.unwrap();
    let pending = test.database.pending_migrations().await.unwrap();
    assert_eq!(pending, ["0039_retention"]);

    // Somebody reads bookings for long.
    let mut reads = test.connection().await;
    reads.batch_execute("begin; select count(*) from bookings").await.unwrap();
    let migrates = test.database.clone();
    let migrates = tokio::spawn(async move { migrates.migrate().await });
    let mut waits = "".to_owned();
    while waits != "1" {
        sleep(Duration::from_millis(50)).await;
        let waiting = lines(
            &test,
            "select count(*)::text as line from pg_locks where not granted and relation = 'bookings'::regclass",
        );
        waits = waiting.await.into_iter().collect();
    }
    // Who comes after it passes before that reader has ended.
    let passes = lines(&test, "select count(*)::text as line from bookings");
    let passed = timeout(Duration::from_secs(4), passes).await.unwrap();
    assert_eq!(passed, BTreeSet::from(["0".to_owned()]));
    assert!(!migrates.is_finished(), "it goes on trying");

    reads.batch_execute("commit").await.unwrap();
    let done = migrates.await.unwrap().unwrap();
    assert_eq!(done, [TAKES_BOOKINGS]);
    assert_eq!(test.database.pending_migrations().await.unwrap(), Vec::<String>::new());
}

#[test]
fn every_migration_says_how_it_is_done_and_how_it_is_undone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let migration = entry.unwrap().path();
        if !migration.is_dir() {
            continue;
        }
        for file in ["up.sql", "down.sql"] {
            let path = migration.join(file);
            let text = fs::read_to_string(&path).unwrap_or_default();
            assert!(!text.trim().is_empty(), "{} is missing or empty", path.display());
        }
        count += 1;
    }
    assert!(count > 0);
}
