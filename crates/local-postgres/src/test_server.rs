//! One throw-away server per test process.
//!
//! It keeps nothing (`fsync` and the like are off), lies in memory where there is room, takes 300
//! connections, and goes with the process. Making databases from a template is left to its callers:
//!
//! ```no_run
//! use wayfare_local_postgres::test_server::TestServer;
//!
//! let admin_url = TestServer::shared().url("postgres");
//! // CREATE DATABASE one TEMPLATE prepared STRATEGY file_copy
//! let test_url = TestServer::shared().url("one");
//! # let _ = (admin_url, test_url);
//! ```

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use rustix::fs::statvfs;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, geteuid, getpid, kill_process, test_kill_process};

use crate::error::{Error, io};
use crate::layout::{Layout, named};
use crate::{Download, Durability, LocalPostgres, Settings, pid_file};

const PREFIX: &str = "wayfare-test-";
const IN_MEMORY: &str = "/dev/shm";
/// A container's `/dev/shm` has 64 MB by default, where a cluster and a few databases do not fit.
const ROOM: u64 = 1024 * 1024 * 1024;

/// The throw-away server of this process.
#[derive(Debug)]
pub struct TestServer {
    server: LocalPostgres,
}

impl TestServer {
    /// The server, which the first call starts; the others wait for it.
    ///
    /// Binaries are searched as for every server. Its folder is `/dev/shm/wayfare-test-<process id>`, or
    /// the same in the temporary folder when there is less than 1 GiB of room. It stays when the process
    /// ends, and is removed by the next test process that starts a server.
    ///
    /// # Panics
    ///
    /// When no server can be started, with the reason; a test can do nothing else about it.
    #[expect(clippy::panic, reason = "a test can only fail when it has no server")]
    pub fn shared() -> &'static TestServer {
        static SERVER: OnceLock<Result<TestServer, String>> = OnceLock::new();
        match SERVER.get_or_init(start_in_own_thread) {
            Ok(server) => server,
            Err(reason) => panic!("there is no test server: {reason}"),
        }
    }

    /// The superuser's URL of one of the server's databases; `postgres` and `wayfare` exist from the start.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        self.server.url_of(database)
    }

    /// The URL of one of them for [`SERVICE_USER`](crate::SERVICE_USER).
    #[must_use]
    pub fn service_url(&self, database: &str) -> String {
        self.server.service_url_of(database)
    }
}

/// The caller may be in an async runtime, which cannot be blocked on in its own thread.
fn start_in_own_thread() -> Result<TestServer, String> {
    let start = || -> Result<TestServer, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        // The server itself belongs to a thread that stays, not to this one.
        runtime.block_on(start()).map_err(|error| error.to_string())
    };
    let thread = thread::Builder::new().name("test-server".to_owned()).spawn(start);
    let outcome = thread.map_err(|error| error.to_string())?.join();
    outcome.unwrap_or_else(|_| Err("its start panicked".to_owned()))
}

async fn start() -> Result<TestServer, Error> {
    let places = [PathBuf::from(IN_MEMORY), env::temp_dir()];
    for place in &places {
        remove_left_overs(place);
    }
    let [memory, temporary] = &places;
    let in_memory = has_room(memory).then(|| make_folder(memory)).and_then(Result::ok);
    let dir = in_memory.map_or_else(|| make_folder(temporary), Ok)?;
    // A fetched build outlives the throw-away folder.
    let cache = temporary.join(format!("wayfare-test-binaries-{}", geteuid().as_raw()));
    let settings =
        Settings { durability: Durability::None, download: Some(Download::new(cache)), ..Settings::new(dir) };
    Ok(TestServer { server: LocalPostgres::start_or_adopt(settings).await? })
}

/// Made here and now: a folder of that name that is there already is somebody's trap.
fn make_folder(place: &Path) -> Result<PathBuf, Error> {
    let dir = place.join(format!("{PREFIX}{}", std::process::id()));
    let made = DirBuilder::new().mode(0o700).create(&dir);
    made.map_err(io("create", &dir))?;
    Ok(dir)
}

fn has_room(place: &Path) -> bool {
    statvfs(place).is_ok_and(|stat| stat.f_bavail.saturating_mul(stat.f_frsize) >= ROOM)
}

/// Removes the folders of processes that are gone. Those of other users stay, as they should.
fn remove_left_overs(place: &Path) {
    for dir in named(place, PREFIX) {
        let Some(owner) = owner(&dir) else { continue };
        if owner == getpid() || test_kill_process(owner) == Err(Errno::SRCH) {
            let layout = Layout::of(dir);
            // Where the system did not end the server with its process, this does.
            if let Some(pid) = pid_file::live_server(&layout) {
                let _ = kill_process(pid, Signal::QUIT);
            }
            let _ = fs::remove_dir_all(&layout.dir);
        }
    }
}

/// The process in the folder's name.
fn owner(dir: &Path) -> Option<Pid> {
    let name = dir.file_name()?.to_str()?;
    Pid::from_raw(name.strip_prefix(PREFIX)?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_with_a_process_id_are_swept() {
        assert_eq!(owner(Path::new("/tmp/wayfare-test-4711")), Pid::from_raw(4711));
        for name in ["wayfare-test-binaries-0", "wayfare-test-", "wayfare-test-0", "other-4711"] {
            assert_eq!(owner(Path::new(name)), None, "{name}");
        }
    }
}
