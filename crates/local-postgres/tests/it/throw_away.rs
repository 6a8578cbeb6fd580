//! The shared server of a test process.

use std::fs;
use std::path::Path;
use std::process::Command;

use wayfare_local_postgres::test_server::TestServer;

use crate::support::sql;

/// All in one test: what others left is removed when the server is started, which is once per process.
#[tokio::test]
async fn a_test_process_has_one_fast_server_and_sweeps_what_dead_ones_left() {
    let mut dead = Command::new("true").spawn().unwrap();
    let place = Path::new("/dev/shm");
    let place = if place.is_dir() { place.to_path_buf() } else { std::env::temp_dir() };
    let left = place.join(format!("wayfare-test-{}", dead.id()));
    dead.wait().unwrap();
    fs::create_dir_all(left.join("data")).unwrap();

    let servers: Vec<_> = (0..3).map(|_| tokio::task::spawn_blocking(TestServer::shared)).collect();
    for server in servers {
        assert!(std::ptr::eq(server.await.unwrap(), TestServer::shared()));
    }
    let server = TestServer::shared();
    assert!(!left.exists(), "{} should have been removed", left.display());
    let show = "SHOW fsync; SHOW autovacuum; SHOW max_connections";
    let shown = sql(&server.url("postgres"), show).await.unwrap();
    assert_eq!(shown, ["off", "off", "300"]);

    let make = "CREATE DATABASE one TEMPLATE template0 STRATEGY file_copy";
    sql(&server.url("postgres"), make).await.unwrap();
    let shown = sql(&server.url("one"), "SELECT current_database()").await;
    assert_eq!(shown.unwrap(), ["one"]);
}
