//! Reads `postmaster.pid`: which process it names, and whether that is really our server.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::process::{Pid, getpid, test_kill_process};

use crate::error::{Error, io as io_error};
use crate::layout::Layout;
use crate::process::private_file;

/// What a server says of itself in its lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PidFile {
    pub pid: Pid,
    /// Whether it has reached the state in which it accepts connections.
    pub ready: bool,
}

impl PidFile {
    pub fn read(path: &Path) -> Option<PidFile> {
        // A line holds the folder, whose name may be any bytes.
        PidFile::parse(&String::from_utf8_lossy(&fs::read(path).ok()?))
    }

    fn parse(text: &str) -> Option<PidFile> {
        // A single-user server writes its process id as a negative number.
        let number: i32 = text.lines().next()?.trim().parse().ok()?;
        let pid = Pid::from_raw(number.checked_abs()?)?;
        let ready = text.lines().nth(7).is_some_and(|line| line.trim() == "ready");
        Some(PidFile { pid, ready })
    }
}

/// The process that runs the cluster of `layout`, if there is one.
///
/// The file alone does not say so: after a kill it names a process that is gone, a zombie that nobody
/// reaps, or, after a restart of a container, any program that got the same number.
pub(crate) fn live_server(layout: &Layout) -> Option<Pid> {
    let pid = PidFile::read(&layout.pid_file())?.pid;
    is_server(pid, &layout.data).then_some(pid)
}

/// Whether a process is, or at least may be, the server of this cluster.
pub(crate) fn is_server(pid: Pid, data: &Path) -> bool {
    arguments(pid).is_some_and(|arguments| may_serve(&arguments, data.as_os_str().as_bytes()))
}

fn may_serve(arguments: &[Vec<u8>], data: &[u8]) -> bool {
    let program = arguments.first().map(Vec::as_slice).unwrap_or_default();
    // The children of a server carry a title such as `postgres: checkpointer`; none is the server.
    let name = program.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    if name != b"postgres" && name != b"postmaster" {
        return false;
    }
    // One that was started by hand need not name its folder; then it may be ours, and we keep off.
    let folder = arguments.iter().skip_while(|argument| *argument != b"-D").nth(1);
    folder.is_none_or(|folder| folder == data || !folder.starts_with(b"/"))
}

/// The command line of a process; a zombie's is empty, and without the process there is none.
#[cfg(target_os = "linux")]
fn arguments(pid: Pid) -> Option<Vec<Vec<u8>>> {
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).ok()?;
    Some(line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
}

/// The same through `ps`, which cannot tell blanks inside an argument from those between two.
#[cfg(not(target_os = "linux"))]
fn arguments(pid: Pid) -> Option<Vec<Vec<u8>>> {
    let number = pid.as_raw_nonzero().to_string();
    let output =
        std::process::Command::new("ps").args(["-o", "stat=,command=", "-p", &number]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_whitespace();
    let alive = !words.next()?.starts_with('Z');
    alive.then(|| words.map(|word| word.as_bytes().to_vec()).collect())
}

/// Makes the lock files of a dead server harmless.
///
/// PostgreSQL does that by itself when no process has the number in them; it is a zombie or a stranger
/// with that number that would stop it. Deleting `postmaster.pid` would take away its check that no
/// backend of the dead server still has the shared memory. So we write our own number into it, which
/// PostgreSQL ignores because we are the parent of the new server, and it goes on to that check.
pub(crate) fn cure(layout: &Layout) -> Result<(), Error> {
    remove(&layout.socket())?;
    remove(&layout.socket_lock())?;
    let path = layout.pid_file();
    match PidFile::read(&path) {
        Some(file) if test_kill_process(file.pid) != Err(rustix::io::Errno::SRCH) => take_over(&path),
        Some(_) => Ok(()),
        // Cut short by a full disk or a loss of power: it says nothing, and PostgreSQL would give up.
        None => remove(&path),
    }
}

fn take_over(path: &Path) -> Result<(), Error> {
    let old = fs::read(path).map_err(io_error("read", path))?;
    let rest = old.iter().skip_while(|byte| **byte != b'\n');
    let mut new = getpid().as_raw_nonzero().to_string().into_bytes();
    new.extend(rest);
    let mut options = private_file();
    let mut file = options.truncate(true).open(path).map_err(io_error("open", path))?;
    file.write_all(&new).map_err(io_error("write", path))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io_error("remove", path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_says_which_process_and_whether_it_is_ready() {
        let ready = "4711\n/d/data\n1790000000\n5432\n/d/run\n\n  1234567  5\nready   \n";
        let starting = ready.replace("ready   ", "starting");
        for (text, pid, ready) in [(ready, 4711, true), (&starting, 4711, false), ("-12\n/d\n", 12, false)] {
            let pid = Pid::from_raw(pid).unwrap();
            assert_eq!(PidFile::parse(text), Some(PidFile { pid, ready }));
        }
        for text in ["", "\n", "0\n", "abc\n", "-2147483648\n", "99999999999\n"] {
            assert_eq!(PidFile::parse(text), None, "{text:?}");
        }
    }

    fn serves(arguments: &[&str]) -> bool {
        let arguments: Vec<Vec<u8>> = arguments.iter().map(|text| text.as_bytes().to_vec()).collect();
        may_serve(&arguments, b"/d/data")
    }

    #[test]
    fn only_a_server_that_may_have_our_folder_counts() {
        assert!(serves(&["/usr/lib/15/bin/postgres", "-D", "/d/data", "-c", "port=5432"]));
        // It may have been started in the folder by hand.
        assert!(serves(&["postgres"]));
        assert!(!serves(&["/usr/bin/postgres", "-D", "/other/data"]));
        assert!(!serves(&["postgres: wayfare wayfare [local] idle"]));
        assert!(!serves(&["/usr/bin/sleep", "1000"]));
        assert!(!serves(&[]));
    }

    #[test]
    fn a_running_process_that_is_no_server_does_not_count() {
        assert!(!is_server(getpid(), Path::new("/d/data")));
    }
}
