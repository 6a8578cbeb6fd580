//! The ordinary life of a server: first start, later starts, stop.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use wayfare_local_postgres::{Error, LocalPostgres};

use crate::support::{Folder, settings, sql, write_row};

#[tokio::test]
async fn a_first_start_makes_everything_and_a_second_one_finds_the_data() {
    let (folder, server) = Folder::started().await;
    assert!(!server.adopted());
    write_row(&server.url()).await;
    server.stop().await.unwrap();
    assert_eq!(folder.names(), ["data", "lock", "postgres.log", "run"]);
    assert!(!folder.dir().join("data/postmaster.pid").exists());
    folder.starts_anew_with_its_row().await;
}

#[tokio::test]
async fn the_services_role_may_log_in_and_nothing_else_and_comes_back_to_an_older_cluster() {
    let (folder, server) = Folder::started().await;
    sql(&server.url(), "DROP ROLE wayfare_app").await.unwrap();
    assert!(sql(&server.service_url(), "SELECT 1").await.is_err());
    server.stop().await.unwrap();

    let server = folder.start().await;
    let rights = "SELECT concat_ws(' ', current_user, rolsuper, rolcreatedb, rolcreaterole, rolreplication, \
                  rolbypassrls) FROM pg_roles WHERE rolname = current_user";
    let shown = sql(&server.service_url(), rights).await.unwrap();
    assert_eq!(shown, ["wayfare_app f f f f f"]);
    assert!(sql(&server.service_url(), "CREATE TABLE mine ()").await.is_err());
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_server_is_durable_private_and_the_same_everywhere() {
    let (folder, server) = Folder::started().await;
    let show = "SHOW listen_addresses; SHOW fsync; SHOW synchronous_commit; SHOW full_page_writes; \
                SHOW server_encoding; SHOW timezone; SHOW unix_socket_permissions; SELECT current_user; \
                SELECT datcollate FROM pg_database WHERE datname = current_database()";
    let shown = sql(&server.url(), show).await.unwrap();
    assert_eq!(shown, ["", "on", "on", "on", "UTF8", "UTC", "0700", "wayfare", "C"]);
    for (name, mode) in [("data", 0o700), ("run", 0o700), ("postgres.log", 0o600)] {
        let meta = fs::metadata(folder.dir().join(name)).unwrap();
        assert_eq!(meta.permissions().mode() & 0o777, mode, "{name}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_stop_cuts_open_connections_and_keeps_what_was_committed() {
    let (folder, server) = Folder::started().await;
    write_row(&server.url()).await;
    let url = server.url();
    let sleeper = tokio::spawn(async move { sql(&url, "SELECT pg_sleep(60)").await });
    let sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while sql(&server.url(), sleeping).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let stop = tokio::time::timeout(Duration::from_secs(45), server.stop());
    stop.await.unwrap().unwrap();
    assert!(sleeper.await.unwrap().is_err());
    folder.starts_anew_with_its_row().await;
}

#[tokio::test]
async fn a_database_that_was_dropped_is_made_again_and_others_stay() {
    let (folder, server) = Folder::started().await;
    for statement in ["DROP DATABASE wayfare", "CREATE DATABASE \"my other/one\""] {
        sql(&server.url_of("postgres"), statement).await.unwrap();
    }
    server.stop().await.unwrap();

    let server = folder.start().await;
    for database in ["wayfare", "my other/one"] {
        let shown = sql(&server.url_of(database), "SELECT current_database()").await;
        assert_eq!(shown.unwrap(), [database]);
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_folder_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let mut names: Vec<&[u8]> = vec!["Büro, 2 \"neu\" 100%".as_bytes()];
    if cfg!(target_os = "linux") {
        // No text.
        names.push(b"\xff\xfe");
    }
    for name in names {
        let settings = settings(folder.path().join(std::ffi::OsStr::from_bytes(name)));
        let server = LocalPostgres::start_or_adopt(settings.clone()).await.unwrap();
        assert_eq!(sql(&server.url(), "SELECT 1").await.unwrap(), ["1"]);
        assert!(LocalPostgres::start_or_adopt(settings).await.unwrap().adopted());
        server.stop().await.unwrap();
    }
}

#[test]
fn a_server_outlives_the_thread_and_the_runtime_that_started_it() {
    let folder = Folder::new();
    let settings = folder.settings();
    let in_short_lived_thread = move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let task = runtime.spawn(LocalPostgres::start_or_adopt(settings));
        runtime.block_on(task).unwrap().unwrap()
    };
    let server = std::thread::spawn(in_short_lived_thread).join().unwrap();
    // A signal that came with the end of the thread would have stopped it well within this.
    std::thread::sleep(Duration::from_millis(500));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(sql(&server.url(), "SELECT 1")).unwrap(), ["1"]);
    runtime.block_on(server.stop()).unwrap();
}

#[tokio::test]
async fn a_failed_start_shows_what_the_server_said() {
    let folder = Folder::new();
    folder.start().await.stop().await.unwrap();
    let config = folder.dir().join("data/postgresql.conf");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text}\nnonsense_setting = 1\n")).unwrap();
    let error = folder.refusal(folder.settings()).await;
    assert!(matches!(error, Error::StartFailed(_)), "{error}");
    assert!(error.to_string().contains("nonsense_setting"), "{error}");
}
