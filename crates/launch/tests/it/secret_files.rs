//! Secrets in files of their own.

use std::process::Command;

use crate::support::{Folder, Running, refusal, says, stdout};

const URL: &str = "postgres://me:hush@host/db";
const KEY: &str = "hush hush hush hush hush hush hush hush";

fn settings(command: &mut Command) -> String {
    stdout(&command.arg("settings").output().unwrap())
}

#[test]
fn each_secret_can_be_in_a_file_of_its_own() {
    let folder = Folder::new();
    let url = folder.write("url", &format!("{URL}\n"));
    let key = folder.write("key", &format!("{KEY}\r\n"));
    let redis = folder.write("redis", "redis://:hush@host");
    let mut host = folder.host();
    for variable in ["DATABASE_URL_FILE", "MIGRATION_DATABASE_URL_FILE"] {
        host.env(variable, &url);
    }
    for variable in ["SIGNING", "ACCEPTED_SIGNING", "LEDGER"] {
        host.env(format!("WAYFARE_{variable}_KEY_FILE"), &key);
    }
    let shown = settings(host.env("REDIS_URL_FILE", &redis));
    for field in ["database_url", "migration_database_url", "redis_url"] {
        says(&shown, &[&format!("{field}: Some(\n            SecretBox")]);
    }
    for field in ["signing_key", "accepted_signing_key", "ledger_key"] {
        says(&shown, &[&format!("{field}: Some(\n            Key([REDACTED])")]);
    }
    assert!(!shown.contains("hush"), "{shown}");
}

#[test]
fn the_file_is_named_by_a_flag_a_variable_or_a_key() {
    let folder = Folder::new();
    let url = folder.write("url", URL);
    let path = url.to_str().unwrap();
    let file = folder.write("wayfare.toml", &format!("database_url_file = '{path}'\n"));
    let is_given = |shown: String| says(&shown, &["database_url: Some("]);
    is_given(settings(folder.host().args(["--database-url-file", path])));
    is_given(settings(folder.host().env("DATABASE_URL_FILE", path)));
    is_given(settings(folder.host().env("WAYFARE_CONFIG", &file)));
    let mut after = folder.host();
    after.args(["settings", "--database-url-file", path]);
    is_given(stdout(&after.output().unwrap()));
    let help = stdout(&folder.host().arg("--help").output().unwrap());
    says(&help, &["--ledger-key-file <FILE>", "WAYFARE_LEDGER_KEY_FILE"]);
}

#[test]
fn what_can_not_be_a_secret_is_refused_by_its_name_and_not_shown() {
    let folder = Folder::new();
    for (text, reason) in [
        ("", "is empty"),
        ("\n", "is empty"),
        ("hush\nhush\n", "has more than one line"),
        ("hush\n", "at least 32 bytes, and this one has 4"),
    ] {
        let key = folder.write("key", text);
        let message = refusal(folder.host().env("WAYFARE_LEDGER_KEY_FILE", &key), 2);
        says(&message, &[reason, key.to_str().unwrap(), "ledger-key"]);
        assert!(!message.contains("hush"), "{message}");
    }
    let missing = refusal(folder.host().env("DATABASE_URL_FILE", "/nowhere/url"), 2);
    says(
        &missing,
        &[
            "--database-url-file (DATABASE_URL_FILE, key `database_url_file` of the settings file)",
            "the file /nowhere/url can't be read: No such file",
        ],
    );
    let no_url = folder.write("url", "mysql://me:hush@host/db");
    let message = refusal(folder.host().env("REDIS_URL_FILE", &no_url), 2);
    says(&message, &["REDIS_URL", "it must begin with redis://", no_url.to_str().unwrap()]);
    assert!(!message.contains("hush"), "{message}");
}

#[test]
fn a_secret_beside_its_file_is_refused_unless_it_plainly_beats_it() {
    let folder = Folder::new();
    let url = folder.write("url", URL);
    let inside = folder.write("inside.toml", "database_url = 'postgres://other@host/db'\n");
    let named = folder.write("named.toml", &format!("database_url_file = '{}'\n", url.display()));
    let both = "and --database-url are both given: which one counts?";
    let host = |variables: &[(&str, &str)]| {
        let mut host = folder.host();
        host.envs(variables.iter().copied());
        host
    };
    let (url, inside) = (url.to_str().unwrap(), inside.to_str().unwrap());
    let message = refusal(&mut host(&[("DATABASE_URL", URL), ("DATABASE_URL_FILE", url)]), 2);
    says(&message, &[both, "DATABASE_URL_FILE"]);
    let mut within_the_file = folder.host();
    let both_keys =
        folder.write("both.toml", &format!("database_url = '{URL}'\ndatabase_url_file = '{url}'\n"));
    says(&refusal(within_the_file.env("WAYFARE_CONFIG", both_keys), 2), &[both]);
    // A flag beats a variable, a variable the settings file.
    let is_used = |command: &mut Command, expected: &str| {
        let running = Running::start(command.arg("database"));
        assert_eq!(running.line, expected);
        running.kill();
    };
    let (other, named) = ("postgres://other@host/db", named.to_str().unwrap());
    is_used(&mut host(&[("WAYFARE_CONFIG", inside), ("DATABASE_URL_FILE", url)]), URL);
    is_used(&mut host(&[("WAYFARE_CONFIG", named), ("DATABASE_URL", other)]), other);
    is_used(host(&[("DATABASE_URL", other)]).args(["--database-url-file", url]), URL);
    let mut by_flag = host(&[("DATABASE_URL_FILE", url)]);
    is_used(by_flag.args(["--database-url", other]), other);
}
