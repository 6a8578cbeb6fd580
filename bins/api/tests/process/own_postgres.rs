//! PostgreSQL's servers that a test starts, copies and kills.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

use rustix::process::{Pid, Signal, kill_process};
use tokio_postgres::NoTls;

/// PostgreSQL's first process in this folder, and all that it has started.
pub fn processes(folder: &Path) -> Vec<Pid> {
    let number = fs::read_to_string(folder.join("data/postmaster.pid"));
    let postmaster = number.ok().and_then(|text| text.lines().next()?.parse::<i32>().ok());
    let parent = |pid: i32| -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|pid| postmaster.is_some_and(|first| *pid == first || parent(*pid) == Some(first)))
        .filter_map(Pid::from_raw)
        .collect()
}

/// Sends a signal to the server in this folder, and to all that it has started.
pub fn end(folder: &Path, signal: Signal) {
    for pid in processes(folder) {
        let _ = kill_process(pid, signal);
    }
}

/// A copy of the server in the first folder, in the second one, by `pg_basebackup` with these options. As it is, it does not
/// know that it is a copy.
pub fn copy(from: &Path, to: &Path, options: &[&str]) {
    let owner = fs::metadata(from.join("data")).unwrap();
    let postmaster = processes(from)[0].as_raw_nonzero();
    let program = fs::read_link(format!("/proc/{postmaster}/exe")).unwrap();
    fs::create_dir(to).unwrap();
    // As one that we have made before.
    fs::write(to.join("lock"), "").unwrap();
    let data = to.join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::chown(&data, Some(owner.uid()), Some(owner.gid())).unwrap();
    let mut copying = Command::new(program.with_file_name("pg_basebackup"));
    copying.arg("-h").arg(from.join("run")).arg("-D").arg(&data);
    copying.args(["-U", wayfare_local_postgres::USER, "-X", "stream", "-c", "fast"]);
    copying.args(options);
    let copied = copying.uid(owner.uid()).gid(owner.gid()).current_dir("/").output().unwrap();
    assert!(copied.status.success(), "{copied:?}");
}

/// The first column of the last of these statements.
pub async fn ask(url: &str, statements: &[&str]) -> Vec<String> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let mut answer = Vec::new();
    for statement in statements {
        let rows = client.simple_query(statement).await.unwrap();
        answer = rows.iter().filter_map(first_column).collect();
    }
    answer
}

fn first_column(message: &tokio_postgres::SimpleQueryMessage) -> Option<String> {
    match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }
}
