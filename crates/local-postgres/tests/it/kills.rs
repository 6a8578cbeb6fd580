//! Kills at bad moments; the next start always works and finds what was committed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use wayfare_local_postgres::{Error, LocalPostgres};

use crate::support::{Folder, Helper, kill, soon, sql, write_row};

#[tokio::test]
async fn after_a_kill_of_the_owner_the_next_start_finds_the_data() {
    let folder = Folder::new();
    let mut owner = Helper::spawn(&folder.dir());
    assert!(!owner.adopted());
    let guest = folder.start().await;
    assert!(guest.adopted());
    write_row(&guest.url()).await;
    owner.kill();

    // At once, while the old server may still be on its way out.
    if cfg!(target_os = "linux") {
        folder.starts_anew_with_its_row().await;
        assert!(matches!(guest.exited().await, Error::Ended { .. }));
    } else {
        guest.stop().await.unwrap();
    }
}

#[tokio::test]
async fn after_a_kill_of_the_server_its_owner_is_told_and_the_next_start_recovers() {
    let (folder, server) = Folder::started().await;
    write_row(&server.url()).await;
    let watcher = tokio::spawn(server.exited());
    kill(folder.server_pid());
    let message = watcher.await.unwrap().to_string();
    assert!(message.contains("signal: 9") && message.contains("postgres.log"), "{message}");

    folder.starts_anew_with_its_row().await;
}

/// PostgreSQL's own check for this must not be stepped round: two servers would write the same files.
#[tokio::test]
async fn a_backend_that_outlives_a_killed_server_is_waited_for() {
    let (folder, server) = Folder::started().await;
    write_row(&server.url()).await;
    let url = server.url();
    // Busy, so it does not notice that its server is gone.
    let busy = "DO $$ DECLARE t timestamptz := clock_timestamp(); BEGIN \
                WHILE clock_timestamp() < t + interval '10 s' LOOP END LOOP; END $$";
    let backend = tokio::spawn(async move { sql(&url, busy).await });
    let active = "SELECT pid::text FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'";
    let pid = loop {
        if let [pid] = sql(&server.url(), active).await.unwrap().as_slice() {
            break pid.clone();
        }
    };
    kill(folder.server_pid());
    server.exited().await;

    let server = folder.start().await;
    // It lets go of the shared memory, for which the start waits, a moment before it is gone.
    let has_ended = || match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    };
    let mut looks = 0;
    while !has_ended() {
        looks += 1;
        assert!(looks < 30, "started beside a living backend");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    server.stop().await.unwrap();
    folder.starts_anew_with_its_row().await;
    let _ = backend.await.unwrap();
}

#[tokio::test]
async fn lock_files_that_name_a_zombie_do_not_stop_a_start() {
    let (folder, server) = Folder::started().await;
    let zombie = as_server(&folder, "true").spawn().unwrap();
    let stat = format!("/proc/{}/stat", zombie.id());
    if cfg!(target_os = "linux") {
        soon("a zombie", || fs::read_to_string(&stat).unwrap().contains(") Z ")).await;
    }
    starts_with_lock_files_of(zombie, &folder, server).await;
}

#[tokio::test]
async fn lock_files_that_name_a_stranger_do_not_stop_a_start() {
    let (folder, server) = Folder::started().await;
    let stranger = as_server(&folder, "sleep").arg("60").spawn().unwrap();
    starts_with_lock_files_of(stranger, &folder, server).await;
}

/// A program run by the server's user: PostgreSQL itself sees that another user's process is no server.
fn as_server(folder: &Folder, program: &str) -> Command {
    let owner = fs::metadata(folder.dir().join("data")).unwrap();
    let mut command = Command::new(program);
    command.uid(owner.uid()).gid(owner.gid());
    command
}

#[tokio::test]
async fn lock_files_that_were_cut_short_do_not_stop_a_start() {
    let (folder, server) = Folder::started().await;
    write_row(&server.url()).await;
    kill(folder.server_pid());
    server.exited().await;
    fs::write(folder.dir().join("data/postmaster.pid"), "").unwrap();
    fs::write(folder.dir().join("run/.s.PGSQL.5432.lock"), "").unwrap();
    folder.starts_anew_with_its_row().await;
}

async fn starts_with_lock_files_of(mut other: Child, folder: &Folder, server: LocalPostgres) {
    write_row(&server.url()).await;
    let pid_file = folder.dir().join("data/postmaster.pid");
    let socket_lock = folder.dir().join("run/.s.PGSQL.5432.lock");
    kill(folder.server_pid());
    server.exited().await;
    for path in [&pid_file, &socket_lock] {
        let text = fs::read_to_string(path).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        fs::write(path, format!("{}\n{rest}", other.id())).unwrap();
    }

    folder.starts_anew_with_its_row().await;
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn a_kill_in_the_middle_of_the_first_start_leaves_nothing_to_repair() {
    let folder = Folder::new();
    let mut owner = Helper::spawn(&folder.dir());
    let at_work = || {
        let entries = fs::read_dir(folder.dir()).into_iter().flatten().flatten();
        let mut unfinished = entries.filter(|entry| entry.path().to_string_lossy().contains("data.init-"));
        unfinished.any(|entry| entry.path().join("PG_VERSION").exists())
    };
    soon("initdb at work", at_work).await;
    owner.kill();
    assert!(!folder.dir().join("data").exists());

    let server = folder.start().await;
    assert!(!server.adopted());
    assert_eq!(sql(&server.url(), "SELECT 1").await.unwrap(), ["1"]);
    server.stop().await.unwrap();
    // What the killed one's last program still wrote is gone after the next start at the latest.
    folder.start().await.stop().await.unwrap();
    assert_eq!(folder.names(), ["data", "lock", "postgres.log", "run"]);
}

#[tokio::test]
async fn a_start_that_is_given_up_half_way_goes_on_and_its_server_is_adopted() {
    let folder = Folder::new();
    let start = LocalPostgres::start_or_adopt(folder.settings());
    let given_up = tokio::time::timeout(Duration::from_millis(50), start).await;
    assert!(given_up.is_err());
    let server = folder.start().await;
    assert!(server.adopted());
    assert_eq!(sql(&server.url(), "SELECT 1").await.unwrap(), ["1"]);
    server.stop().await.unwrap();
}
