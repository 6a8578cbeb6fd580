//! Root hands the server to another user; these tests show something only when root runs them.

use std::env;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::geteuid;
use wayfare_local_postgres::Error;

use crate::support::{Folder, settings, write_row};

/// The user of that name that every system has.
const NOBODY: u32 = if cfg!(target_os = "macos") { u32::MAX - 1 } else { 65534 };

fn is_root() -> bool {
    geteuid().is_root()
}

fn owner(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.dir().join(name)).unwrap().uid()
}

/// As after a restore from an archive.
fn give(folder: &Folder, ids: &str) {
    let mut chown = Command::new("chown");
    chown.args(["-R", ids]).arg(folder.dir().join("data"));
    assert!(chown.status().unwrap().success());
}

#[tokio::test]
async fn root_keeps_its_folder_and_gives_away_only_the_cluster_and_the_socket() {
    if !is_root() {
        return;
    }
    let (folder, server) = Folder::started().await;
    let [data, run] = ["data", "run"].map(|name| owner(&folder, name));
    assert!(data != 0 && data == run);
    assert_eq!([".", "lock", "postgres.log"].map(|name| owner(&folder, name)), [0, 0, 0]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_cluster_stays_its_owners_and_one_of_root_is_given_away() {
    if !is_root() {
        return;
    }
    let (folder, server) = Folder::started().await;
    write_row(&server.url()).await;
    server.stop().await.unwrap();
    give(&folder, &format!("{NOBODY}:{NOBODY}"));
    folder.starts_anew_with_its_row().await;
    assert_eq!(owner(&folder, "data"), NOBODY);
    give(&folder, "0:0");
    folder.starts_anew_with_its_row().await;
    assert_ne!(owner(&folder, "data"), 0);
}

#[tokio::test]
async fn a_parent_folder_that_is_closed_to_the_server_is_named() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let error = folder.refusal(settings(closed.join("pg"))).await;
    assert!(matches!(&error, Error::NotWalkable { folder, .. } if *folder == closed), "{error}");
}

#[tokio::test]
async fn a_folder_of_another_user_is_refused() {
    if !is_root() {
        return;
    }
    let folder = Folder::new();
    fs::create_dir(folder.dir()).unwrap();
    std::os::unix::fs::chown(folder.dir(), Some(NOBODY), None).unwrap();
    let error = folder.refusal(folder.settings()).await;
    assert!(matches!(error, Error::NotOwner { owner: NOBODY, user: 0, .. }), "{error}");
}

/// The rest of these tests again, as a user who may do nothing special.
#[test]
fn a_plain_user_can_do_all_of_this_too() {
    if !is_root() {
        return;
    }
    // Where the build folder is may be closed to that user.
    let folder = Folder::new();
    let program = folder.path().join("tests");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let mut tests = Command::new(&program);
    tests.uid(NOBODY).gid(NOBODY);
    tests.current_dir("/").env("TMPDIR", folder.path());
    // One of each kind; names of several tests are given one after the other.
    let status = tests
        .arg("--exact")
        .args([
            "life::a_first_start_makes_everything_and_a_second_one_finds_the_data",
            "kills::after_a_kill_of_the_owner_the_next_start_finds_the_data",
            "kills::after_a_kill_of_the_server_its_owner_is_told_and_the_next_start_recovers",
            "adoption::a_running_server_is_adopted_and_an_adopted_one_can_be_stopped",
            "throw_away::a_test_process_has_one_fast_server_and_sweeps_what_dead_ones_left",
        ])
        .status();
    assert!(status.unwrap().success());
}
