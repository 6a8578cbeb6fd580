//! Where a setting comes from, and how a wrong one is refused.

use std::process::Command;

use crate::support::{Folder, host, refusal, says, stdout};

fn settings(command: &mut Command) -> String {
    stdout(&command.arg("settings").output().unwrap())
}

#[test]
fn a_flag_beats_a_variable_that_beats_the_file_that_beats_the_default() {
    let folder = Folder::new();
    let file = folder.write("wayfare.toml", "bind = '127.0.0.1:1'\npatience_s = 11\n");
    let with_file = || {
        let mut command = folder.host();
        command.env("WAYFARE_CONFIG", &file);
        command
    };
    let shown = settings(&mut folder.host());
    says(&shown, &["bind: 127.0.0.1:8080", "patience_s: 60"]);
    let shown = settings(&mut with_file());
    says(&shown, &["bind: 127.0.0.1:1,", "patience_s: 11"]);
    let shown = settings(with_file().env("WAYFARE_BIND", "127.0.0.1:2"));
    says(&shown, &["bind: 127.0.0.1:2,", "patience_s: 11"]);
    let shown = settings(with_file().env("WAYFARE_BIND", "127.0.0.1:2").args(["--bind", "127.0.0.1:3"]));
    says(&shown, &["bind: 127.0.0.1:3,", "patience_s: 11"]);
}

#[test]
fn a_renamed_setting_is_read_under_its_old_name_with_a_hint() {
    let folder = Folder::new();
    let seconds = |command: &mut Command, expected: &str, has_hint: bool| {
        let output = command.env("WAYFARE_LOG", "warn").arg("settings").output().unwrap();
        let hint = "WAYFARE_ANSWER_VALIDITY_S is called WAYFARE_SEARCH_CACHE_TTL_S now";
        let logged = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(logged.contains(hint), has_hint, "{logged}");
        let shown = stdout(&output);
        assert!(shown.contains(&format!("search_cache_ttl_s: {expected}")), "{shown}");
    };
    let old = |value: &str| {
        let mut command = folder.host();
        command.env("WAYFARE_ANSWER_VALIDITY_S", value);
        command
    };
    seconds(&mut folder.host(), "60", false);
    seconds(&mut old("7"), "7", true);
    seconds(old("7").env("WAYFARE_SEARCH_CACHE_TTL_S", "8"), "8", false);
    seconds(old("7").args(["--answer-validity-s", "9"]), "9", true);
    for key in [concat!("answer", "_validity_s"), "search_cache_ttl_s"] {
        let file = folder.write("old.toml", &format!("{key} = 11\n"));
        seconds(folder.host().env("WAYFARE_CONFIG", &file), "11", false);
    }
    let message = refusal(&mut old("soon"), 2);
    assert!(message.contains("for the variable WAYFARE_ANSWER_VALIDITY_S"), "{message}");
}

#[test]
fn the_file_can_be_named_by_a_flag_before_or_after_the_subcommand() {
    let folder = Folder::new();
    let file = folder.write("wayfare.toml", "log_format = 'json'\nworkers = 3\n");
    for arguments in [
        vec!["--config", "FILE", "settings"],
        vec!["settings", "--config", "FILE"],
        vec!["settings", "--config=FILE"],
    ] {
        let arguments = arguments.iter().map(|argument| argument.replace("FILE", file.to_str().unwrap()));
        let shown =
            stdout(&folder.host().env("WAYFARE_CONFIG", "/nowhere").args(arguments).output().unwrap());
        assert!(shown.contains("log_format: Json"), "{shown}");
        assert!(shown.contains(file.to_str().unwrap()), "{shown}");
    }
}

#[test]
fn common_options_are_taken_after_a_subcommand_too() {
    let shown =
        stdout(&host().args(["settings", "--data-dir", "/tmp/there", "--log", "debug"]).output().unwrap());
    says(&shown, &["data_dir: \"/tmp/there\"", "log: \"debug\""]);
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    let folder = Folder::new();
    let file = folder.write("wayfare.toml", "data_dri = '/x'");
    let message = refusal(folder.host().arg("--config").arg(&file), 2);
    says(&message, &["unknown key `data_dri`", "wayfare.toml"]);
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let message = refusal(host().env("WAYFARE_CONFIG", "/nowhere/wayfare.toml"), 2);
    says(&message, &["/nowhere/wayfare.toml", "WAYFARE_CONFIG"]);
}

#[test]
fn a_wrong_value_is_refused_with_the_place_it_was_set_in() {
    let folder = Folder::new();
    let message = refusal(host().env("WAYFARE_BIND", "here"), 2);
    says(&message, &["'here' for the variable WAYFARE_BIND: invalid socket address"]);
    let file = folder.write("wayfare.toml", "patience_s = 0");
    let message = refusal(host().env("WAYFARE_CONFIG", &file), 2);
    assert!(message.contains("'0' for key `patience_s` of "), "{message}");
    let message = refusal(host().env("WAYFARE_CONFIG", &file).args(["--patience-s", "never"]), 2);
    says(&message, &["'never' for '--patience-s <SECONDS>'"]);
    let message = refusal(host().env("WAYFARE_SANDBOX", "maybe"), 2);
    says(&message, &["WAYFARE_SANDBOX [possible values: auto, on, off]"]);
    let message = refusal(host().env("WAYFARE_LOG", "wayfare=loud"), 2);
    assert!(message.contains("WAYFARE_LOG"), "{message}");
}

#[test]
fn a_secret_is_never_shown() {
    let folder = Folder::new();
    let message = refusal(host().env("WAYFARE_SIGNING_KEY", "hush"), 2);
    says(&message, &["WAYFARE_SIGNING_KEY", "at least 32 bytes"]);
    assert!(!message.contains("hush"), "{message}");
    for variable in ["DATABASE_URL", "MIGRATION_DATABASE_URL"] {
        let message = refusal(host().env(variable, "mysql://me:hush@host/db"), 2);
        assert!(message.contains(&format!("({variable},")) && !message.contains("hush"), "{message}");
    }
    for url in ["rediss+me://:hush@host", "redis://:hush@host/db", "redis://:hush@"] {
        let message = refusal(host().env("REDIS_URL", url), 2);
        assert!(message.contains("REDIS_URL") && !message.contains("hush"), "{message}");
    }
    let file = folder.write(
        "wayfare.toml",
        "redis_url = 'rediss://:hush@host:6380/1'\ndatabase_url = 'postgres://me:hush@host/db'\nsigning_key = 'hush hush hush hush hush hush hush hush'",
    );
    for arguments in [["settings"], ["--help"], ["-h"]] {
        let shown = stdout(
            &host()
                .env("WAYFARE_CONFIG", &file)
                .env("WAYFARE_LEDGER_KEY", "hush, ".repeat(10))
                .args(arguments)
                .output()
                .unwrap(),
        );
        assert!(!shown.contains("hush"), "{shown}");
    }
}

#[test]
fn what_only_this_machine_may_have_is_refused_on_an_open_address() {
    let open = || {
        let mut command = host();
        command.env("WAYFARE_BIND", "0.0.0.0:8080");
        command
    };
    let message = refusal(open().env("WAYFARE_RATE_LIMITS", "off"), 2);
    says(&message, &["WAYFARE_RATE_LIMITS", "loopback"]);
    let message = refusal(open().env("WAYFARE_DEMO", "on"), 2);
    says(&message, &["WAYFARE_DEMO", "loopback"]);
    let shown = settings(host().env("WAYFARE_BIND", "[::1]:8080").env("WAYFARE_RATE_LIMITS", "off"));
    assert!(shown.contains("rate_limits: Off"), "{shown}");
}

#[test]
fn sandbox_and_demo_run_by_themselves_only_where_nothing_is_real() {
    let folder = Folder::new();
    let supplier =
        "[[suppliers]]\ncode = 'duffel'\nkind = 'duffel'\nbase_url = 'https://x'\ntoken_env = 'TOKEN'";
    let file = folder.write("wayfare.toml", supplier);
    let both = |command: &mut Command| {
        let shown = settings(command);
        ["with_sandbox: true", "with_demo: true"].map(|line| shown.contains(line))
    };
    assert_eq!(both(&mut host()), [true, true]);
    assert_eq!(both(host().env("WAYFARE_BIND", "0.0.0.0:80")), [true, false]);
    assert_eq!(both(host().env("DATABASE_URL", "postgres://host/db")), [false, false]);
    assert_eq!(both(host().env("WAYFARE_CONFIG", &file).env("TOKEN", "x")), [false, true]);
    let message = refusal(host().env("WAYFARE_CONFIG", &file), 2);
    assert!(message.contains("TOKEN, which is not set"), "{message}");
    assert_eq!(both(host().args(["--sandbox", "off", "--demo", "off"])), [false, false]);
}

#[cfg(not(feature = "otlp"))]
#[test]
fn spans_are_not_silently_kept_from_their_collector() {
    let message = refusal(host().env("WAYFARE_OTLP_ENDPOINT", "http://collector:4318"), 2);
    says(&message, &["WAYFARE_OTLP_ENDPOINT", "the feature `otlp`"]);
    let message = refusal(host().env("WAYFARE_OTLP_ENDPOINT", "collector:4318"), 2);
    says(&message, &["the variable WAYFARE_OTLP_ENDPOINT", "http://"]);
}

#[test]
fn a_role_for_migrations_alone_is_refused() {
    let url = "postgres://owner:hush@host/db";
    let message = refusal(host().env("MIGRATION_DATABASE_URL", url), 2);
    says(&message, &["MIGRATION_DATABASE_URL", " (DATABASE_URL), which is not given"]);
    assert!(!message.contains("hush"), "{message}");
    assert!(
        host()
            .env("MIGRATION_DATABASE_URL", url)
            .env("DATABASE_URL", "postgres://me@host/db")
            .arg("settings")
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn help_lists_every_option_with_its_variable_and_default() {
    let help = stdout(&host().arg("--help").output().unwrap());
    for (flag, variable, default) in [
        ("--data-dir", "WAYFARE_DATA_DIR", "wayfare]"),
        ("--config", "WAYFARE_CONFIG", ""),
        ("--database-url", "DATABASE_URL", ""),
        ("--migration-database-url", "MIGRATION_DATABASE_URL", ""),
        ("--signing-key", "WAYFARE_SIGNING_KEY", ""),
        ("--ledger-key", "WAYFARE_LEDGER_KEY", ""),
        ("--people-key-file", "WAYFARE_PEOPLE_KEY_FILE", ""),
        ("--postgres-bin", "WAYFARE_POSTGRES_BIN", ""),
        ("--postgres-download-url", "WAYFARE_POSTGRES_DOWNLOAD_URL", ""),
        ("--log", "WAYFARE_LOG", "[default: info,"),
        ("--log-format", "WAYFARE_LOG_FORMAT", "[default: text]"),
        ("--bind", "WAYFARE_BIND", "[default: 127.0.0.1:8080]"),
        ("--metrics-bind", "WAYFARE_METRICS_BIND", ""),
        ("--offer-validity-s", "WAYFARE_OFFER_VALIDITY_S", "[default: 1200]"),
        ("--quote-validity-s", "WAYFARE_QUOTE_VALIDITY_S", "[default: 900]"),
        ("--patience-s", "WAYFARE_PATIENCE_S", "[default: 60]"),
        ("--rate-limits", "WAYFARE_RATE_LIMITS", "[default: on]"),
        ("--redis-url", "REDIS_URL", ""),
        ("--reports-url", "WAYFARE_REPORTS_URL", ""),
        ("--sandbox", "WAYFARE_SANDBOX", "[default: auto]"),
        ("--sandbox-bind", "WAYFARE_SANDBOX_BIND", "[default: 127.0.0.1:0]"),
        ("--demo", "WAYFARE_DEMO", "[default: auto]"),
        ("--workers", "WAYFARE_WORKERS", ""),
        ("--database-pool", "WAYFARE_DATABASE_POOL", "[default: 16]"),
        ("--shutdown-s", "WAYFARE_SHUTDOWN_S", "[default: 30]"),
    ] {
        let after = help.split_once(&format!("{flag} <")).unwrap_or_else(|| panic!("no {flag} in {help}")).1;
        let entry = after.split("\n      --").next().unwrap();
        assert!(entry.contains(&format!("[env: {variable}")) && entry.contains(default), "{flag}: {entry}");
    }
    assert!(!help.contains("SandboxProcess"), "{help}");
}

#[test]
fn reports_leave_connections_to_others() {
    let message = refusal(host().env("WAYFARE_DATABASE_POOL", "3"), 2);
    assert!(message.contains("3 is not in 4..=1000"), "{message}");
}

#[test]
fn proxies_are_a_list_of_networks_from_the_file_too() {
    let folder = Folder::new();
    let file = folder.write("wayfare.toml", "trusted_proxies = '10.1.2.3/8, 2001:db8::1'\n");
    let trusts = |command: &mut Command, networks: &str| {
        let shown: String = settings(command).split_whitespace().collect();
        says(&shown, &[&format!("trusted_proxies:[{networks}]")]);
    };
    trusts(folder.host().env("WAYFARE_CONFIG", &file), "Network(10.0.0.0/8,),Network(2001:db8::1/128,),");
    trusts(folder.host().env("WAYFARE_TRUSTED_PROXIES", "127.0.0.1"), "Network(127.0.0.1/32,),");
    trusts(&mut folder.host(), "");
    for wrong in ["10.0.0.0/33", "127.0.0.1,proxy.example", ""] {
        let message = refusal(host().env("WAYFARE_TRUSTED_PROXIES", wrong), 2);
        says(&message, &["for the variable WAYFARE_TRUSTED_PROXIES: must be an IP address or a CIDR range"]);
    }
}

#[test]
fn webhooks_go_where_the_operator_allows_it() {
    let folder = Folder::new();
    let shown: String =
        settings(folder.host().env("WAYFARE_WEBHOOK_NETWORKS", "10.0.0.0/8")).split_whitespace().collect();
    says(&shown, &["webhook_networks:[Network(10.0.0.0/8,),]"]);
    let message = refusal(host().env("WAYFARE_WEBHOOK_NETWORKS", "everywhere"), 2);
    assert!(message.contains("WAYFARE_WEBHOOK_NETWORKS"), "{message}");
}
