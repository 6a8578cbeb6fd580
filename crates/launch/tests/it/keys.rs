//! Keys that are given, made once, and never made again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

use chrono::TimeDelta;
use clap::Parser;
use wayfare_domain::Clock;
use wayfare_launch::{Common, Key, KeyWatch, Keys, PeopleKeyWatch, people_keys};

use crate::support::{Folder, host, refusal, says, stdout};

const SIX_HOURS: Duration = Duration::from_secs(21_600);
const GIVEN: &str = "a key that is plainly long enough for this";

/// The settings of a program with this data folder.
fn common(folder: &Folder) -> Common {
    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        common: Common,
    }
    let data = folder.data();
    let arguments = ["program", "--data-dir", data.to_str().unwrap()];
    wayfare_launch::parse_from::<Program>(arguments).unwrap().0.common
}

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
    let with_both = || {
        let mut command = with_database();
        command.env("WAYFARE_SIGNING_KEY", GIVEN).env("WAYFARE_LEDGER_KEY", GIVEN);
        command
    };
    let message = refusal(&mut with_both(), 1);
    assert!(message.contains("WAYFARE_PEOPLE_KEY_FILE"), "{message}");
    let folder = Folder::new();
    fs::create_dir_all(folder.data()).unwrap();
    let path = folder.data().join("people.toml");
    let with_all = || {
        let mut command = with_both();
        command.env("WAYFARE_PEOPLE_KEY_FILE", &path);
        command
    };
    for (text, mode, told) in [
        ("", 0o600, "rotate-people"),
        ("[people_keys]\n1 = 'hush'", 0o600, "at least 32 bytes"),
        ("[people_keys]\none = 'a key of people, thirty-two byte'", 0o600, "number"),
        ("[people_keys]\n1 = 'a key of people, thirty-two byte'", 0o640, "640"),
    ] {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let message = refusal(&mut with_all(), 1);
        assert!(message.contains(told) && !message.contains("hush"), "{message}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    stdout(&with_all().output().unwrap());
}

#[test]
fn keys_of_people_are_made_once_added_by_rotation_and_seen_by_who_watches() {
    let folder = Folder::new();
    digest(&mut folder.host());
    let common = common(&folder);
    let first = Keys::open(&common).unwrap();
    assert_eq!(first.people.keys().collect::<Vec<_>>(), [&1]);
    let watch = PeopleKeyWatch::begin(&common).unwrap();
    assert!(watch.changed().is_none());
    let rotate = || people_keys::rotate(&common).unwrap();
    thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(rotate)).collect();
        all.into_iter().for_each(|one| drop(one.join().unwrap()));
    });
    let seen = watch.changed().unwrap();
    assert_eq!(seen.len(), 9);
    assert_eq!(seen[&1].expose(), first.people[&1].expose());
    assert_ne!(seen[&9].expose(), seen[&8].expose());
    // A rotation of signing keys leaves them, and theirs leaves the others.
    let rotated = Keys::rotate(&common, SIX_HOURS).unwrap();
    assert_eq!(rotated.people.len(), 9);
    assert_eq!(rotated.ledger.expose(), first.ledger.expose());
    // The newest is never forgotten.
    assert!(people_keys::forget(&common, 9).is_err());
    assert_eq!(people_keys::forget(&common, 1).unwrap().len(), 8);
    assert!(people_keys::forget(&common, 1).is_err());
    let path = folder.data().join("keys.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn keys_are_made_once_for_us_alone_and_found_again() {
    let folder = Folder::new();
    let first = digest(&mut folder.host());
    assert_eq!(digest(&mut folder.host()), first);
    let path = folder.data().join("keys.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let names: Vec<_> =
        fs::read_dir(folder.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
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
    let digests: Vec<String> =
        all.into_iter().map(|child| stdout(&child.wait_with_output().unwrap())).collect();
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
}

#[test]
fn keys_that_others_may_read_are_refused() {
    let folder = Folder::new();
    digest(&mut folder.host());
    fs::set_permissions(folder.data().join("keys.toml"), fs::Permissions::from_mode(0o644)).unwrap();
    let message = refusal(folder.host().arg("keys"), 1);
    says(&message, &["keys.toml", "644"]);
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
    digest(folder.host().env("WAYFARE_SIGNING_KEY", GIVEN).env("WAYFARE_LEDGER_KEY", GIVEN));
}

#[test]
fn damaged_keys_are_refused_and_not_shown() {
    let folder = Folder::new();
    digest(&mut folder.host());
    let path = folder.data().join("keys.toml");
    for text in ["", "signing_key = 'hush'\nledger_key = 'hush'", "signing_key = 'hush"] {
        fs::write(&path, text).unwrap();
        let message = refusal(folder.host().arg("keys"), 1);
        assert!(message.contains("keys.toml") && !message.contains("hush"), "{message}");
    }
}

#[test]
fn a_rotation_makes_a_new_key_and_keeps_the_ones_before_until_their_time() {
    let folder = Folder::new();
    digest(&mut folder.host());
    let common = common(&folder);
    let before = Keys::open(&common).unwrap();
    let watch = KeyWatch::begin(&common);
    assert!(watch.changed().is_none());

    let lapsed = Keys::rotate(&common, Duration::ZERO).unwrap();
    let once = Keys::rotate(&common, SIX_HOURS).unwrap();
    let twice = Keys::rotate(&common, SIX_HOURS).unwrap();
    let opened = Keys::open(&common).unwrap();
    assert_eq!(opened.ledger.expose(), before.ledger.expose());
    assert_eq!(opened.signing.newest.expose(), twice.signing.newest.expose());
    let accepted: Vec<&[u8]> = opened.signing.accepted.iter().map(|a| a.key.expose()).collect();
    // The very first one had no time left when the second rotation came.
    assert_eq!(accepted, [once.signing.newest.expose(), lapsed.signing.newest.expose()]);
    let six_hours = Clock::system().now() + SIX_HOURS;
    for accepted in &opened.signing.accepted {
        let left = six_hours - accepted.until.unwrap();
        assert!(left >= TimeDelta::zero() && left < TimeDelta::minutes(1), "{left}");
    }
    let path = folder.data().join("keys.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

    let changed = watch.changed().unwrap();
    assert_eq!(changed.newest.expose(), twice.signing.newest.expose());
    assert!(watch.changed().is_none());
    // What can't be used changes nothing.
    fs::write(&path, "signing_key = 'hush'").unwrap();
    assert!(watch.changed().is_none());
}

#[test]
fn rotations_at_once_lose_no_key() {
    let folder = Folder::new();
    digest(&mut folder.host());
    let common = common(&folder);
    let first = Keys::open(&common).unwrap();
    let made: Vec<Keys> = thread::scope(|scope| {
        let rotate = || Keys::rotate(&common, SIX_HOURS).unwrap();
        let all: Vec<_> = (0..8).map(|_| scope.spawn(rotate)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let kept = Keys::open(&common).unwrap().signing;
    let all = || kept.accepted.iter().map(|accepted| &accepted.key).chain([&kept.newest]);
    assert_eq!(all().count(), 9);
    for keys in made.iter().chain([&first]) {
        let key = keys.signing.newest.expose();
        assert!(all().any(|kept| kept.expose() == key));
    }
}

#[test]
fn a_key_that_is_given_is_rotated_where_it_is_given() {
    let folder = Folder::new();
    let mut common = common(&folder);
    let other = "another key that is plainly long enough";
    common.signing_key = Some(Key::from_text(GIVEN).unwrap());
    common.accepted_signing_key = Some(Key::from_text(other).unwrap());
    let refused = Keys::rotate(&common, SIX_HOURS).unwrap_err().to_string();
    assert!(refused.contains("WAYFARE_ACCEPTED_SIGNING_KEY"), "{refused}");
    assert!(!folder.data().join("keys.toml").exists());
    let signing = Keys::open(&common).unwrap().signing;
    assert_eq!(signing.newest.expose(), GIVEN.as_bytes());
    assert_eq!(signing.accepted.len(), 1);
    assert_eq!(signing.accepted[0].key.expose(), other.as_bytes());
    assert_eq!(signing.accepted[0].until, None);
    assert!(KeyWatch::begin(&common).changed().is_none());
}
