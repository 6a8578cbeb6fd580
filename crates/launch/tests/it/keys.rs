//! Keys that are given, made once, and never made again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{Folder, host, refusal, stdout};

const GIVEN: &str = "a key that is plainly long enough for this";

fn digest(command: &mut Command) -> String {
    stdout(&command.arg("keys").output().unwrap())
}

#[test]
fn with_an_operators_database_there_is_no_start_without_both_keys() {
    let with_database = || {
        let mut command = host();
        command.env("DATABASE_URL", "postgres://host/db").arg("keys");
        command
    };
    let message = refusal(&mut with_database(), 1);
    assert!(message.contains("WAYFARE_SIGNING_KEY"), "{message}");
    let message = refusal(with_database().env("WAYFARE_SIGNING_KEY", GIVEN), 1);
    assert!(message.contains("WAYFARE_LEDGER_KEY"), "{message}");
    let both = with_database()
        .env("WAYFARE_SIGNING_KEY", GIVEN)
        .env("WAYFARE_LEDGER_KEY", GIVEN)
        .output();
    stdout(&both.unwrap());
}

#[test]
fn keys_are_made_once_for_us_alone_and_found_again() {
    let folder = Folder::new();
    let first = digest(&mut folder.host());
    assert_eq!(digest(&mut folder.host()), first);
    let path = folder.data().join("keys.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let names: Vec<_> = fs::read_dir(folder.data())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["keys.toml"]);
    // A key that is given goes before the one that was made.
    assert_ne!(digest(folder.host().env("WAYFARE_SIGNING_KEY", GIVEN)), first);
    assert_ne!(digest(&mut Folder::new().host()), first);
}

#[test]
fn programs_that_start_together_end_with_the_same_keys() {
    let folder = Folder::new();
    let start = |_| {
        let mut command = folder.host();
        command.arg("keys").stdout(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let all: Vec<_> = (0..16).map(start).collect();
    let digests: Vec<String> = all
        .into_iter()
        .map(|child| stdout(&child.wait_with_output().unwrap()))
        .collect();
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
}

#[test]
fn keys_that_others_may_read_are_refused() {
    let folder = Folder::new();
    digest(&mut folder.host());
    fs::set_permissions(folder.data().join("keys.toml"), fs::Permissions::from_mode(0o644)).unwrap();
    let message = refusal(folder.host().arg("keys"), 1);
    assert!(
        message.contains("keys.toml") && message.contains("644"),
        "{message}"
    );
}

#[test]
fn lost_keys_of_data_that_exist_are_not_made_anew() {
    let folder = Folder::new();
    fs::create_dir_all(folder.data().join("postgres/data")).unwrap();
    let message = refusal(folder.host().arg("keys"), 1);
    assert!(message.contains("does not"), "{message}");
    let message = refusal(folder.host().arg("keys").env("WAYFARE_SIGNING_KEY", GIVEN), 1);
    assert!(message.contains("keys.toml"), "{message}");
    assert!(!folder.data().join("keys.toml").exists());
    digest(
        folder
            .host()
            .env("WAYFARE_SIGNING_KEY", GIVEN)
            .env("WAYFARE_LEDGER_KEY", GIVEN),
    );
}

#[test]
fn damaged_keys_are_refused_and_not_shown() {
    let folder = Folder::new();
    digest(&mut folder.host());
    let path = folder.data().join("keys.toml");
    for text in [
        "",
        "signing_key = 'hush'\nledger_key = 'hush'",
        "signing_key = 'hush",
    ] {
        fs::write(&path, text).unwrap();
        let message = refusal(folder.host().arg("keys"), 1);
        assert!(
            message.contains("keys.toml") && !message.contains("hush"),
            "{message}"
        );
    }
}
