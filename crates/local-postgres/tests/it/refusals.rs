//! What is refused, with a message that helps, and without touching anything.

use std::fs;
use std::path::PathBuf;

use wayfare_local_postgres::{Error, FetchError, LocalPostgres, Settings};

use crate::support::Folder;

/// A folder of ours whose cluster is of another version.
fn with_cluster_of(folder: &Folder, version: &str) -> PathBuf {
    let data = folder.dir().join("data");
    fs::create_dir_all(&data).unwrap();
    fs::write(folder.dir().join("lock"), "").unwrap();
    fs::write(data.join("PG_VERSION"), version).unwrap();
    data
}

#[tokio::test]
async fn data_of_a_version_that_is_not_there_or_unreadable_is_refused() {
    for (version, why) in [("9\n", "install PostgreSQL 9"), ("fifteen", "PG_VERSION")] {
        let folder = Folder::new();
        with_cluster_of(&folder, version);
        let error = folder.refusal(folder.settings()).await;
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[tokio::test]
async fn files_in_the_place_of_the_cluster_are_left_alone() {
    let folder = Folder::new();
    let data = with_cluster_of(&folder, "15\n");
    fs::rename(data.join("PG_VERSION"), data.join("thesis.txt")).unwrap();
    let error = folder.refusal(folder.settings()).await;
    assert!(matches!(&error, Error::ForeignFolder(path) if *path == data), "{error}");
    assert!(data.join("thesis.txt").exists());
}

/// Root writes its log in a folder others may be able to write to.
#[tokio::test]
async fn nothing_is_written_through_a_link_in_the_place_of_the_log() {
    let folder = Folder::new();
    folder.start().await.stop().await.unwrap();
    let log = folder.dir().join("postgres.log");
    let other = folder.path().join("other");
    fs::write(&other, "precious").unwrap();
    fs::remove_file(&log).unwrap();
    std::os::unix::fs::symlink(&other, &log).unwrap();
    let error = folder.refusal(folder.settings()).await;
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
}

#[tokio::test]
async fn a_named_folder_of_binaries_is_taken_or_refused_but_never_replaced() {
    let folder = Folder::new();
    let bin = folder.settings().search.first().unwrap().clone();
    let settings = Settings { bin: Some(bin), search: Vec::new(), ..folder.settings() };
    let server = LocalPostgres::start_or_adopt(settings).await.unwrap();
    server.stop().await.unwrap();

    let empty = Settings { bin: Some(folder.path().to_path_buf()), ..folder.settings() };
    let error = folder.refusal(empty).await;
    assert!(matches!(error, Error::UnusableBinaries { .. }), "{error}");
    assert!(error.to_string().contains("postgres is missing"), "{error}");
}

#[tokio::test]
async fn a_version_that_is_too_old_is_passed_over_or_refused_when_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let old = folder.path().join("old");
    fs::create_dir(&old).unwrap();
    for program in ["postgres", "initdb"] {
        let path = old.join(program);
        fs::write(&path, "#!/bin/sh\necho 'postgres (PostgreSQL) 14.2'\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let named = Settings { bin: Some(old.clone()), ..folder.settings() };
    let error = folder.refusal(named).await;
    assert!(error.to_string().contains("version 14"), "{error}");

    let only_old = Settings { search: vec![old.clone()], ..folder.settings() };
    let error = folder.refusal(only_old).await;
    assert!(matches!(error, Error::NoBinaries(FetchError::SwitchedOff)), "{error}");

    let mut search = vec![old];
    search.extend(folder.settings().search);
    let both = Settings { search, ..folder.settings() };
    let server = LocalPostgres::start_or_adopt(both).await.unwrap();
    server.stop().await.unwrap();
}
