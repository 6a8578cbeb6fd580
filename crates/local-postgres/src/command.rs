//! How the programs of PostgreSQL are run: as which user, in which environment, tied to which life.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

use crate::error::Error;
use crate::user::RunUser;

/// A program of PostgreSQL. It sees nothing of our environment: variables such as `PGDATA` would change
/// what it does, and messages are to be in English, whatever the user's language is.
pub(crate) fn command(program: &Path, user: Option<&RunUser>) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C");
    // The current folder may be closed to the other user.
    command.current_dir("/").stdin(Stdio::null());
    if let Some(user) = user {
        // This drops root's supplementary groups as well.
        command.uid(user.uid).gid(user.gid);
    }
    command
}

/// Runs a program that ends by itself and returns what it printed. It is told to end when we are killed;
/// `initdb` then removes what it has made.
pub(crate) async fn run(mut command: Command) -> io::Result<Output> {
    // The signal comes when the *thread* that started the program ends; this one waits for it.
    let run = move || {
        end_with_thread(&mut command, Signal::TERM);
        command.output()
    };
    tokio::task::spawn_blocking(run).await.map_err(io::Error::other)?
}

/// Has the system send `signal` to the program when the thread that starts it ends, which every thread
/// does at the latest when its process is killed.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_thread(command: &mut Command, signal: Signal) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(signal))?;
        // We may have died between the fork and the line above; then nobody would send the signal.
        if getppid() != Some(parent) {
            return Err(io::Error::from_raw_os_error(
                rustix::io::Errno::SRCH.raw_os_error(),
            ));
        }
        Ok(())
    };
    // SAFETY: between fork and exec this makes two system calls and nothing else: no allocation, no lock.
    // It runs after the change of user, which would undo it.
    unsafe { command.pre_exec(tie) };
}

/// Other systems know no such signal; a server that is left over gets adopted by the next start.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_thread(_command: &mut Command, _signal: Signal) {}

/// What it means that a program could not be started.
pub(crate) fn start_error(program: &Path, user: Option<&RunUser>, error: io::Error) -> Error {
    match (user, error.raw_os_error()) {
        // EPERM is what setuid and setgid say; a file we may not run gives EACCES.
        (Some(_), Some(code)) if code == rustix::io::Errno::PERM.raw_os_error() => {
            Error::NoPrivilege("switch to another user")
        }
        _ => crate::error::io("run", program)(error),
    }
}
