//! Processes that are started or found at work, watched and ended, and the lock and the log in their folders. The
//! sandbox of the crate `wayfare-launch` is kept by it too.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

use crate::error::one_line;

/// How often a process that is not our child is looked at, while it runs and while it stops.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);
const STOP_INTERVAL: Duration = Duration::from_millis(10);

/// A process that was started here, or by somebody else and adopted. Dropping it leaves the process as it is.
#[derive(Debug, Clone)]
pub struct ManagedProcess {
    pid: Pid,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    Started(watch::Receiver<Option<String>>),
    Adopted { dir: PathBuf, is_alive: fn(Pid, &Path) -> bool },
}

impl ManagedProcess {
    /// Starts the program, which gets the signal when this process ends, if one is given.
    ///
    /// That signal is tied to the thread that starts the program. A thread of an async runtime or of a test would end
    /// too early; this one waits for the program, which also means that no zombie stays.
    pub async fn start(mut command: Command, end_with_us: Option<Signal>) -> io::Result<ManagedProcess> {
        // An interrupt from the keyboard goes to us, who then stop the program in order.
        command.process_group(0);
        if let Some(signal) = end_with_us {
            end_with_thread(&mut command, signal);
        }
        let (send_pid, pid) = oneshot::channel();
        let (send_end, ended) = watch::channel(None);
        let keep = move || match command.spawn() {
            Ok(mut child) => {
                let _ = send_pid.send(Ok(Pid::from_child(&child)));
                let how = child.wait().map(|status| status.to_string());
                send_end.send_replace(Some(how.unwrap_or_else(|error| error.to_string())));
            }
            Err(error) => {
                let _ = send_pid.send(Err(error));
            }
        };
        thread::Builder::new().name("process-keeper".to_owned()).spawn(keep)?;
        let pid = pid.await.map_err(io::Error::other)??;
        let origin = Origin::Started(ended);
        Ok(ManagedProcess { pid, origin })
    }

    /// A process that somebody else started for the folder. `is_alive` says whether the number is still this process.
    pub fn adopt(pid: Pid, dir: &Path, is_alive: fn(Pid, &Path) -> bool) -> ManagedProcess {
        let dir = dir.to_path_buf();
        let origin = Origin::Adopted { dir, is_alive };
        ManagedProcess { pid, origin }
    }

    /// Its number, which may be another's once it has ended.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether somebody else started it.
    pub fn adopted(&self) -> bool {
        matches!(self.origin, Origin::Adopted { .. })
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<String> {
        match &self.origin {
            Origin::Started(ended) => ended.borrow().clone(),
            Origin::Adopted { dir, is_alive } if is_alive(self.pid, dir) => None,
            Origin::Adopted { .. } => Some("it was started by another process".to_owned()),
        }
    }

    /// Waits for its end and says how it came.
    pub async fn wait(&self) -> String {
        self.wait_by(WATCH_INTERVAL).await
    }

    async fn wait_by(&self, interval: Duration) -> String {
        if let Origin::Started(ended) = &self.origin {
            let mut ended = ended.clone();
            let how = ended.wait_for(Option::is_some).await.map(|how| how.clone());
            return how.ok().flatten().unwrap_or_default();
        }
        loop {
            match self.ended() {
                Some(how) => return how,
                None => sleep(interval).await,
            }
        }
    }

    /// Sends each signal in turn until it ends within the time that it has for that. Whether it has ended.
    pub async fn end(&self, signals: [(Signal, Duration); 2]) -> bool {
        for (signal, patience) in signals {
            self.signal(signal);
            if timeout(patience, self.wait_by(STOP_INTERVAL)).await.is_ok() {
                return true;
            }
        }
        false
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    pub fn signal(&self, signal: Signal) {
        if self.ended().is_some() {
            return;
        }
        match kill_process(self.pid, signal) {
            Ok(()) | Err(Errno::SRCH) => {}
            // Then the wait for its end runs out, and that is reported.
            Err(error) => tracing::warn!(%error, pid = %self.pid.as_raw_nonzero(), "cannot signal a process"),
        }
    }
}

/// Has the system send `signal` to the program when the thread that starts it ends, which every thread does at the
/// latest when its process is killed.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_thread(command: &mut Command, signal: Signal) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(signal))?;
        // We may have died between the fork and the line above; then nobody would send the signal.
        match getppid() == Some(parent) {
            true => Ok(()),
            false => Err(Errno::SRCH.into()),
        }
    };
    // SAFETY: between fork and exec this makes two system calls and nothing else: no allocation, no lock.
    // It runs after the change of user, which would undo it.
    unsafe { command.pre_exec(tie) };
}

/// Other systems know no such signal; a server that is left over gets adopted by the next start.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_thread(_command: &mut Command, _signal: Signal) {}

/// Options that make or open a file for us alone, but follow no link.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    options.write(true).create(true).mode(0o600).custom_flags(no_follow);
    options
}

/// A folder is recognised as ours by this file.
pub(crate) const LOCK: &str = "lock";

/// Waits for the lock of a folder that is ours; it goes when the file is dropped or its process ends.
pub async fn lock(dir: &Path, patience: Duration) -> io::Result<File> {
    // Never inherited: the program that we start would keep the lock.
    let file = private_file().truncate(false).open(dir.join(LOCK))?;
    let deadline = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => {
                let held = format!("another process has held it for over {} s", patience.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, held));
            }
            Err(TryLockError::WouldBlock) => sleep(STOP_INTERVAL).await,
        }
    }
}

/// The log, opened to append to, and where it ends now. One of more than `limit` bytes is put aside; one old log is kept.
pub fn open_log(path: &Path, limit: u64) -> io::Result<(File, u64)> {
    if fs::metadata(path).is_ok_and(|meta| meta.len() > limit) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    let log = private_file().write(false).append(true).open(path)?;
    let end = log.metadata()?.len();
    Ok((log, end))
}

/// The last lines that a failed start wrote, as one.
pub fn last_words(log: &Path, start: u64) -> String {
    let mut bytes = Vec::new();
    let read = File::open(log).and_then(|mut log| {
        log.seek(SeekFrom::Start(start))?;
        log.take(64 * 1024).read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        return format!("cannot read {}: {error}", log.display());
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.get(lines.len().saturating_sub(8)..).unwrap_or_default();
    one_line(&last.join("\n"))
}
