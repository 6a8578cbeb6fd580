//! What a terminal is shown while a command waits, and that nobody else is shown any of it.

use std::{
    fs::{File, OpenOptions},
    io::Read,
    os::fd::OwnedFd,
    process::{Command, Stdio},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::installation::{Installation, succeeded};

/// What the command writes to standard output, and what it draws with standard error on a terminal.
fn on_a_terminal(command: &mut Command) -> (String, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let screen = OpenOptions::new().read(true).write(true).open(name).unwrap();
    command.stderr(Stdio::from(OwnedFd::from(screen)));
    command.env("TERM", "xterm");
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    // Nobody holds the other end any more when the command has ended.
    command.stderr(Stdio::null());
    let mut drawn = Vec::new();
    let mut chunk = [0; 4096];
    let mut terminal = File::from(terminal);
    // Linux tells the end as an error.
    while let Ok(read @ 1..) = terminal.read(&mut chunk) {
        drawn.extend(chunk.iter().take(read));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(drawn))
}

#[tokio::test]
async fn a_terminal_sees_the_proof_of_the_books_reach_its_end() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    for _ in 0..3 {
        here.json(&["agency", "topup", &agent_id, "10"]);
    }
    let (said, drawn) = on_a_terminal(&mut here.ctl(&["ledger", "verify"]));
    assert_eq!(said, "wallets   1\nentries   3\nproblems  none\n");
    assert!(drawn.contains("starting PostgreSQL"), "{drawn:?}");
    assert!(drawn.contains("100%  3/3 entries"), "{drawn:?}");
    // Programs are shown nothing, wherever standard error goes.
    let (said, drawn) = on_a_terminal(&mut here.ctl(&["ledger", "verify", "--json"]));
    assert_eq!(said, "{\"wallets\":1,\"entries\":3,\"problems\":[]}\n");
    assert_eq!(drawn, "");
}

#[test]
fn where_standard_error_is_no_terminal_nothing_is_drawn() {
    let here = Installation::new();
    // With all that can be waited for: a server to start, tables to make, books to prove, a server to stop.
    for arguments in [&["migrate"][..], &["ledger", "verify"]] {
        // That is: to standard error it writes nothing.
        succeeded(&here.ctl(arguments).output().unwrap());
    }
    let (_, drawn) = on_a_terminal(&mut here.ctl(&["migrate"]));
    for waited_for in ["starting PostgreSQL", "bringing the tables up to date", "closing the database"] {
        assert!(drawn.contains(waited_for), "{waited_for}: {drawn:?}");
    }
}
