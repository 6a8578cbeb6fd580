//! The sandbox as the server sees it: a process that is started, found again and stopped.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::future::Future;
use std::io::{self, Read, Seek, SeekFrom};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use crate::data_dir;
use crate::error::{Error, io};
use crate::sandbox::Address;

/// How long a start may take.
const START_PATIENCE: Duration = Duration::from_secs(20);
/// How long a stop may take before it is forced, and how long a forced one may take.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait for another process that starts or stops the same sandbox: longer than either takes.
const LOCK_PATIENCE: Duration = Duration::from_secs(45);
/// How long the sandbox may take to say that it is well.
const HEALTH_PATIENCE: Duration = Duration::from_secs(3);
const INTERVAL: Duration = Duration::from_millis(10);
/// From this size on the log begins anew at a start.
const LOG_LIMIT: u64 = 4 * 1024 * 1024;
/// All that the sandbox gets of our environment: it has no use for our secrets.
const VARIABLES: [&str; 9] = [
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "PATH",
    "RUST_BACKTRACE",
    "TMPDIR",
    "WAYFARE_LOG",
    "WAYFARE_LOG_FORMAT",
    "XDG_DATA_HOME",
];

/// The sandbox suppliers of a data folder, which answer in a process of their own.
///
/// The process is in a group of its own, so that Ctrl-C does not reach it, and outlives this one. Dropping the value
/// leaves it running.
#[derive(Debug)]
pub struct SandboxProcess {
    dir: PathBuf,
    address: SocketAddr,
    process: Process,
}

#[derive(Debug)]
enum Process {
    Started(Keeper),
    Adopted(Pid),
}

impl SandboxProcess {
    /// Finds the sandbox of a data folder at work, or starts this program's subcommand `sandbox`
    /// ([`run_sandbox`](crate::run_sandbox)) in the folder `sandbox` below it. One that listens elsewhere than `bind`
    /// asks for is stopped and started anew; with port 0 any port will do.
    ///
    /// # Errors
    /// When it does not start, with the last it said.
    pub async fn start_or_adopt(data_dir: &Path, bind: SocketAddr) -> Result<SandboxProcess, Error> {
        data_dir::create(data_dir)?;
        let dir = data_dir.join("sandbox");
        data_dir::create_private(&dir)?;
        let _lock = lock(&dir).await?;
        if let Some(found) = SandboxProcess::find(&dir).await {
            if found.suits(bind) {
                tracing::info!(address = %found.address, "found the sandbox at work");
                return Ok(found);
            }
            tracing::info!(address = %found.address, %bind, "the sandbox moves");
            found.end().await?;
        }
        let started = SandboxProcess::start(dir, bind).await?;
        tracing::info!(address = %started.address, "the sandbox is ready");
        Ok(started)
    }

    /// The URL in front of every path of the sandbox: `http://127.0.0.1:4711`. Duffel's base URL is this and
    /// `/duffel`.
    pub fn base_url(&self) -> String {
        format!("http://{}", callable(self.address))
    }

    /// Whether it was running already.
    pub fn adopted(&self) -> bool {
        matches!(self.process, Process::Adopted(_))
    }

    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.process.pid().as_raw_nonzero().get()
    }

    /// Resolves when the process has ended. The future does not borrow the value, so a task can watch it.
    pub fn exited(&self) -> impl Future<Output = ()> + Send + use<> {
        self.process.ended()
    }

    /// Stops it, adopted or not, and returns when it has ended; its orders stay.
    ///
    /// # Errors
    /// [`Error::SandboxWillNotStop`] when not even a kill ends it.
    pub async fn stop(self) -> Result<(), Error> {
        // Whoever wants to start it meanwhile waits instead of finding it half gone.
        let _lock = lock(&self.dir).await?;
        // By now the number of one that is not our child may be another's.
        let address = Address {
            pid: self.pid(),
            address: self.address,
        };
        match self.adopted() && !is_healthy(&address).await {
            true => Ok(()),
            false => self.end().await,
        }
    }

    /// The sandbox that the folder names, if it answers to that name.
    async fn find(dir: &Path) -> Option<SandboxProcess> {
        let named = Address::read(dir)?;
        let pid = Pid::from_raw(named.pid)?;
        is_healthy(&named).await.then(|| SandboxProcess {
            dir: dir.to_path_buf(),
            address: named.address,
            process: Process::Adopted(pid),
        })
    }

    fn suits(&self, bind: SocketAddr) -> bool {
        self.address.ip() == bind.ip() && (bind.port() == 0 || bind.port() == self.address.port())
    }

    async fn start(dir: PathBuf, bind: SocketAddr) -> Result<SandboxProcess, Error> {
        let log_path = dir.join("sandbox.log");
        let (log, end_of_log) = open_log(&log_path)?;
        let program = env::current_exe().map_err(io("find", Path::new("this program")))?;
        let mut command = Command::new(&program);
        command
            .args(["sandbox", "--bind", &bind.to_string(), "--data-dir"])
            .arg(&dir)
            .env_clear()
            .envs(
                VARIABLES
                    .iter()
                    .filter_map(|name| Some((name, env::var_os(name)?))),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .process_group(0);
        let child = command.spawn().map_err(io("start", &program))?;
        let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
            return Err(io("start", &program)(io::Error::other("it has no process id")));
        };
        let keeper = Keeper::of(pid, child);
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            if let Some(how) = keeper.how() {
                let words = tail(&log_path, end_of_log);
                return Err(Error::SandboxEnded {
                    how,
                    words,
                    log: log_path,
                });
            }
            let named = Address::read(&dir).filter(|named| Pid::from_raw(named.pid) == Some(keeper.pid));
            if let Some(named) = named
                && is_healthy(&named).await
            {
                return Ok(SandboxProcess {
                    dir,
                    address: named.address,
                    process: Process::Started(keeper),
                });
            }
            if Instant::now() > deadline {
                let process = Process::Started(keeper);
                process.signal(Signal::KILL);
                return Err(Error::SandboxSilent {
                    seconds: START_PATIENCE.as_secs(),
                    log: log_path,
                });
            }
            sleep(INTERVAL).await;
        }
    }

    async fn end(self) -> Result<(), Error> {
        for signal in [Signal::TERM, Signal::KILL] {
            self.process.signal(signal);
            if timeout(STOP_PATIENCE, self.process.ended()).await.is_ok() {
                return Ok(());
            }
        }
        Err(Error::SandboxWillNotStop(self.pid()))
    }
}

impl Process {
    fn pid(&self) -> Pid {
        match self {
            Process::Started(keeper) => keeper.pid,
            Process::Adopted(pid) => *pid,
        }
    }

    /// Resolves when the process has ended.
    fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let (adopted, mut ended) = match self {
            Process::Started(keeper) => (None, Some(keeper.ended.clone())),
            Process::Adopted(pid) => (Some(*pid), None),
        };
        async move {
            if let Some(ended) = &mut ended {
                // An error: the runtime ends, and with it everything that waits.
                let _ = ended.wait_for(Option::is_some).await;
            }
            while adopted.is_some_and(is_running) {
                sleep(INTERVAL).await;
            }
        }
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    fn signal(&self, signal: Signal) {
        let running = match self {
            Process::Started(keeper) => keeper.how().is_none(),
            Process::Adopted(pid) => is_running(*pid),
        };
        if running {
            match kill_process(self.pid(), signal) {
                Ok(()) | Err(Errno::SRCH) => {}
                // Then the wait for its end runs out, and that is reported.
                Err(error) => tracing::warn!(%error, "cannot signal the sandbox"),
            }
        }
    }
}

/// Waits for a child from its start, so that it is never left as a zombie.
#[derive(Debug)]
struct Keeper {
    pid: Pid,
    ended: watch::Receiver<Option<String>>,
}

impl Keeper {
    fn of(pid: Pid, mut child: Child) -> Keeper {
        let (end, ended) = watch::channel(None);
        tokio::spawn(async move {
            let how = child
                .wait()
                .await
                .map_or_else(|error| error.to_string(), |status| status.to_string());
            end.send_replace(Some(how));
        });
        Keeper { pid, ended }
    }

    fn how(&self) -> Option<String> {
        self.ended.borrow().clone()
    }
}

/// Whether a process that is not our child still runs. One that only waits to be collected has ended.
fn is_running(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    let is_zombie = stat
        .rsplit_once(") ")
        .is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']));
    !is_zombie && test_kill_process(pid) != Err(Errno::SRCH)
}

/// Whether what listens there is a sandbox in this process.
async fn is_healthy(named: &Address) -> bool {
    let pid = timeout(HEALTH_PATIENCE, health(callable(named.address))).await;
    matches!(pid, Ok(Ok(Some(pid))) if pid == named.pid)
}

/// The process id that `/_sandbox/health` tells.
async fn health(address: SocketAddr) -> io::Result<Option<i32>> {
    #[derive(Deserialize)]
    struct Health {
        pid: i32,
    }
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /_sandbox/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(64 * 1024).read_to_string(&mut answer).await?;
    let body = answer
        .strip_prefix("HTTP/1.1 200 ")
        .and_then(|rest| rest.split_once("\r\n\r\n"));
    let health: Option<Health> = body.and_then(|(_, body)| serde_json::from_str(body).ok());
    Ok(health.map(|health| health.pid))
}

/// Where to call what listens everywhere.
fn callable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Waits for the folder's lock; it goes when the file is dropped or its process ends.
async fn lock(dir: &Path) -> Result<File, Error> {
    let path = dir.join("lock");
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(io("open", &path))?;
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(io("lock", dir)(error)),
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => {
                return Err(Error::Locked {
                    path: dir.to_path_buf(),
                    seconds: LOCK_PATIENCE.as_secs(),
                });
            }
            Err(TryLockError::WouldBlock) => sleep(INTERVAL).await,
        }
    }
}

/// The log, opened to append to, and where it ends now.
fn open_log(path: &Path) -> Result<(File, u64), Error> {
    let mut options = OpenOptions::new();
    let log = options
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .map_err(io("open", path))?;
    let mut end = log.metadata().map_err(io("look at", path))?.len();
    if end > LOG_LIMIT {
        log.set_len(0).map_err(io("empty", path))?;
        end = 0;
    }
    Ok((log, end))
}

/// The last lines of a failed start, as one.
fn tail(path: &Path, start: u64) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut log| {
        log.seek(SeekFrom::Start(start))?;
        log.take(64 * 1024).read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        return format!("cannot read {}: {error}", path.display());
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines
        .get(lines.len().saturating_sub(6)..)
        .unwrap_or_default()
        .join(" | ")
}
