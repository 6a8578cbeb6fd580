//! How the programs of PostgreSQL are run: as which user, in which environment, tied to which life.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::io::Errno;
use rustix::process::{Signal, geteuid};

use crate::error::{self, Error};
use crate::process::end_with_thread;
use crate::user::RunUser;

/// A program of PostgreSQL. It sees nothing of our environment: variables such as `PGDATA` would change
/// what it does, and messages are to be in English, whatever the user's language is.
pub(crate) fn command(program: &Path, user: Option<&RunUser>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
    // The current folder may be closed to the other user.
    command.current_dir("/").stdin(Stdio::null());
    if let Some(user) = user {
        // This drops root's supplementary groups as well.
        command.uid(user.uid).gid(user.gid);
    }
    command
}

/// Runs a program that ends by itself and returns what it printed. It gets SIGTERM when we are killed;
/// `initdb` then removes what it has made.
pub(crate) async fn run(mut command: Command) -> Result<Output, Error> {
    // The signal comes when the *thread* that started the program ends; this one waits for it.
    let run = move || {
        end_with_thread(&mut command, Signal::TERM);
        let output = command.output();
        output.map_err(|error| start_error(Path::new(command.get_program()), error))
    };
    let joined = tokio::task::spawn_blocking(run).await;
    joined.unwrap_or_else(|error| Err(Error::StartFailed(error.to_string())))
}

/// What it means that a program could not be started.
pub(crate) fn start_error(program: &Path, error: io::Error) -> Error {
    // EPERM is what setuid and setgid say; a file we may not run gives EACCES.
    let refused = geteuid().is_root() && error.raw_os_error() == Some(Errno::PERM.raw_os_error());
    match refused {
        true => Error::NoPrivilege("switch to another user"),
        false => error::io("run", program)(error),
    }
}
