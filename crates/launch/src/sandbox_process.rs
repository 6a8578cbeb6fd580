//! The sandbox as the server sees it: a process that is started, found again and stopped.

use std::env;
use std::fs::{self, File};
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, test_kill_process};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use wayfare_local_postgres::process::{self, ManagedProcess, last_words, open_log};

use crate::data_dir;
use crate::error::{Error, io};
use crate::sandbox::Address;

/// How long a start may take.
const START_PATIENCE: Duration = Duration::from_secs(20);
/// How long a stop may take before it is forced, and how long a forced one may take.
const STOP_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before one that has ended by itself is started again, and between two tries.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
/// How long to wait for another process that starts or stops the same sandbox: longer than either takes.
const LOCK_PATIENCE: Duration = Duration::from_secs(45);
/// How long the sandbox may take to say that it is well.
const HEALTH_PATIENCE: Duration = Duration::from_secs(3);
const INTERVAL: Duration = Duration::from_millis(10);
/// From this size on the log is put aside at a start; one old log is kept.
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
    process: ManagedProcess,
}

impl SandboxProcess {
    /// Finds the sandbox of a data folder at work, or starts this program's subcommand `sandbox`
    /// ([`run_sandbox`](crate::run_sandbox)) in the folder `sandbox` below it. One that listens elsewhere than `bind`
    /// asks for is stopped and started anew; with port 0 any port will do.
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
        self.process.adopted()
    }

    /// The id of the process that answers.
    pub fn pid(&self) -> i32 {
        self.process.pid().as_raw_nonzero().get()
    }

    /// Looks after it from now on: whenever it ends by itself it is started again, at the same address and with its
    /// orders.
    pub fn watched(self) -> WatchedSandbox {
        let (stop, stopped) = oneshot::channel();
        WatchedSandbox { base_url: self.base_url(), stop, watch: tokio::spawn(watch(self, stopped)) }
    }

    /// Starts it again where it was, or finds the one that somebody else has started there.
    async fn again(&self) -> Result<SandboxProcess, Error> {
        let data_dir = self.dir.parent().unwrap_or(&self.dir);
        SandboxProcess::start_or_adopt(data_dir, self.address).await
    }

    /// Resolves when the process has ended. The future does not borrow the value, so a task can watch it.
    pub fn exited(&self) -> impl Future<Output = ()> + Send + use<> {
        let process = self.process.clone();
        async move {
            process.wait().await;
        }
    }

    /// Stops it, adopted or not, and returns when it has ended; its orders stay.
    ///
    /// # Errors
    /// [`Error::SandboxWillNotStop`] when not even a kill ends it.
    pub async fn stop(self) -> Result<(), Error> {
        // Whoever wants to start it meanwhile waits instead of finding it half gone.
        let _lock = lock(&self.dir).await?;
        // By now the number of one that is not our child may be another's.
        let address = Address { pid: self.pid(), address: self.address };
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
            process: ManagedProcess::adopt(pid, dir, is_running),
        })
    }

    fn suits(&self, bind: SocketAddr) -> bool {
        self.address.ip() == bind.ip() && (bind.port() == 0 || bind.port() == self.address.port())
    }

    async fn start(dir: PathBuf, bind: SocketAddr) -> Result<SandboxProcess, Error> {
        let log = dir.join("sandbox.log");
        let (file, end_of_log) = open_log(&log, LOG_LIMIT).map_err(io("open", &log))?;
        let program = env::current_exe().map_err(io("find", Path::new("this program")))?;
        let command = command(&program, &dir, bind, file);
        let process = ManagedProcess::start(command, None).await;
        let process = process.map_err(io("start", &program))?;
        let deadline = Instant::now() + START_PATIENCE;
        loop {
            if let Some(how) = process.ended() {
                let words = last_words(&log, end_of_log);
                return Err(Error::SandboxEnded { how, words, log });
            }
            let named = Address::read(&dir).filter(|named| Pid::from_raw(named.pid) == Some(process.pid()));
            if let Some(named) = named
                && is_healthy(&named).await
            {
                let address = named.address;
                return Ok(SandboxProcess { dir, address, process });
            }
            if Instant::now() > deadline {
                process.signal(Signal::KILL);
                let seconds = START_PATIENCE.as_secs();
                return Err(Error::SandboxSilent { seconds, log });
            }
            sleep(INTERVAL).await;
        }
    }

    async fn end(self) -> Result<(), Error> {
        let signals = [Signal::TERM, Signal::KILL].map(|signal| (signal, STOP_PATIENCE));
        match self.process.end(signals).await {
            true => Ok(()),
            false => Err(Error::SandboxWillNotStop(self.pid())),
        }
    }
}

/// A sandbox that is started again whenever it ends by itself.
#[derive(Debug)]
pub struct WatchedSandbox {
    base_url: String,
    stop: oneshot::Sender<()>,
    watch: JoinHandle<SandboxProcess>,
}

impl WatchedSandbox {
    /// As [`SandboxProcess::base_url`].
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// As [`SandboxProcess::stop`]; it is not started again.
    ///
    /// # Errors
    /// As [`SandboxProcess::stop`].
    pub async fn stop(self) -> Result<(), Error> {
        drop(self.stop);
        match self.watch.await {
            Ok(sandbox) => sandbox.stop().await,
            Err(lost) => {
                tracing::error!(%lost, "nobody looked after the sandbox");
                Ok(())
            }
        }
    }
}

/// Starts it again until it is to be stopped; the one that is there then.
async fn watch(mut sandbox: SandboxProcess, mut stopped: oneshot::Receiver<()>) -> SandboxProcess {
    loop {
        tokio::select! {
            _ = &mut stopped => return sandbox,
            () = sandbox.exited() => {
                tracing::error!(pid = sandbox.pid(), "the sandbox has ended by itself: it is started again");
            }
        }
        loop {
            if timeout(AGAIN_AFTER, &mut stopped).await.is_ok() {
                return sandbox;
            }
            match sandbox.again().await {
                Ok(again) => {
                    tracing::warn!(pid = again.pid(), "the sandbox is back");
                    sandbox = again;
                    break;
                }
                Err(error) => tracing::error!(%error, "the sandbox can't be started again"),
            }
        }
    }
}

/// This program's subcommand `sandbox`.
fn command(program: &Path, dir: &Path, bind: SocketAddr, log: File) -> Command {
    let mut command = Command::new(program);
    command.args(["sandbox", "--bind", &bind.to_string(), "--data-dir"]).arg(dir);
    let variables = VARIABLES.iter();
    let variables = variables.filter_map(|name| Some((name, env::var_os(name)?)));
    command.env_clear().envs(variables);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command
}

async fn lock(dir: &Path) -> Result<File, Error> {
    process::lock(dir, LOCK_PATIENCE).await.map_err(io("lock", dir))
}

/// Whether a process that is not our child still runs. One that only waits to be collected has ended.
fn is_running(pid: Pid, _: &Path) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let is_zombie = state.starts_with(['Z', 'X']);
    !is_zombie && test_kill_process(pid) != Err(Errno::SRCH)
}

/// Whether what listens there is a sandbox in this process.
async fn is_healthy(named: &Address) -> bool {
    let pid = timeout(HEALTH_PATIENCE, health(callable(named.address))).await;
    matches!(pid, Ok(Ok(Some(pid))) if pid == named.pid)
}

/// The process id that `/_sandbox/health` returns.
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
    let body = answer.strip_prefix("HTTP/1.1 200 ").and_then(|rest| rest.split_once("\r\n\r\n"));
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
