//! The running server: started or adopted, watched, stopped or left alone.

use std::future::Future;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::database::{Answer, probe};
use crate::error::Error;
use crate::layout::Layout;
use crate::process::ManagedProcess;
use crate::settings::Settings;
use crate::user::RunUser;
use crate::{choose, cluster, database, pid_file, start, user};

/// How long to wait for another process that starts or stops the same server: longer than either takes.
const LOCK_PATIENCE: Duration = Duration::from_secs(120);
/// How long a fast shutdown may take to write everything out.
const FAST_PATIENCE: Duration = Duration::from_secs(30);
/// How long an immediate shutdown may take.
const IMMEDIATE_PATIENCE: Duration = Duration::from_secs(10);
/// How long a server may take to become ready or to go away. It is long because a server that replays
/// its log after a crash, or writes everything out at its end, is doing what it should.
const CHANGE_PATIENCE: Duration = Duration::from_secs(60);

/// A running PostgreSQL server with the database [`DATABASE`](crate::DATABASE) and the role
/// [`SERVICE_USER`](crate::SERVICE_USER).
///
/// Dropping it leaves the server as it is: an adopted one runs on, and one that this process started ends with this
/// process.
#[derive(Debug)]
pub struct LocalPostgres {
    layout: Layout,
    process: ManagedProcess,
}

impl LocalPostgres {
    /// Starts the server of a data folder, making everything that is missing; or adopts the one that
    /// runs there already.
    ///
    /// When several processes call this at the same time, one starts the server and the others adopt it.
    /// If the process that started it ends, the server ends, for those who adopted it as well.
    ///
    /// A start that has begun runs to its end, even if the future is dropped; the next call then adopts
    /// its server.
    pub async fn start_or_adopt(settings: Settings) -> Result<LocalPostgres, Error> {
        let start = tokio::spawn(start_or_adopt(settings)).await;
        start.unwrap_or_else(|error| Err(Error::StartFailed(error.to_string())))
    }

    /// The superuser's URL of the database, `postgres://wayfare@%2F…%2Frun/wayfare`: the host is the socket's
    /// folder, percent-encoded.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of(crate::DATABASE)
    }

    /// The superuser's URL of another database of this server.
    #[must_use]
    pub fn url_of(&self, database: &str) -> String {
        self.layout.url(crate::USER, database)
    }

    /// The URL of the database for [`SERVICE_USER`](crate::SERVICE_USER), who may do what the superuser grants.
    #[must_use]
    pub fn service_url(&self) -> String {
        self.service_url_of(crate::DATABASE)
    }

    /// The same of another database of this server.
    #[must_use]
    pub fn service_url_of(&self, database: &str) -> String {
        self.layout.url(crate::SERVICE_USER, database)
    }

    /// Whether the server was running already.
    #[must_use]
    pub fn adopted(&self) -> bool {
        self.process.adopted()
    }

    /// Stops the server, adopted or not, and returns when it has ended. Open connections are cut, what
    /// was committed stays.
    pub async fn stop(self) -> Result<(), Error> {
        // Whoever wants to start it meanwhile waits instead of finding it half gone.
        let _lock = self.layout.lock(LOCK_PATIENCE).await?;
        let signals = [(Signal::INT, FAST_PATIENCE), (Signal::QUIT, IMMEDIATE_PATIENCE)];
        match self.process.end(signals).await {
            true => Ok(()),
            false => Err(Error::WillNotStop(self.process.pid().as_raw_nonzero().get())),
        }
    }

    /// Resolves when the server has ended, with an error that says how. The future does not borrow the
    /// server, so a task can watch it.
    pub fn exited(&self) -> impl Future<Output = Error> + Send + use<> {
        let (process, log) = (self.process.clone(), self.layout.log.clone());
        async move {
            let how = process.wait().await;
            Error::Ended { how, log }
        }
    }
}

async fn start_or_adopt(settings: Settings) -> Result<LocalPostgres, Error> {
    let user = user::choose(&settings.dir.join("data"))?;
    let user = user.as_ref();
    let layout = Layout::prepare(&settings.dir, user)?;
    let _lock = layout.lock(LOCK_PATIENCE).await?;
    let process = match running_server(&layout).await? {
        Some(pid) => ManagedProcess::adopt(pid, &layout.data, pid_file::is_server),
        None => start_server(&settings, &layout, user).await?,
    };
    let server = LocalPostgres { layout, process };
    database::ensure(&server.layout, crate::DATABASE, crate::SERVICE_USER).await?;
    tracing::info!(dir = %server.layout.dir.display(), adopted = server.adopted(), "PostgreSQL is ready");
    Ok(server)
}

/// The server to adopt, once it is ready; `None` when the folder is free. Only the holder of the
/// folder's lock may act on this.
async fn running_server(layout: &Layout) -> Result<Option<Pid>, Error> {
    let deadline = Instant::now() + CHANGE_PATIENCE;
    loop {
        let live = pid_file::live_server(layout);
        let detail = match (probe(&layout.socket()).await, live) {
            (Answer::Ready, Some(pid)) => return Ok(Some(pid)),
            (Answer::Nobody, None) => return Ok(None),
            // Before it listens, after it stopped listening, or it listens somewhere else.
            (Answer::Nobody, Some(pid)) => format!("process {} has no socket here", pid.as_raw_nonzero()),
            // On its way out: a server whose lock file is gone ends by itself.
            (Answer::Ready, None) => "it has lost its postmaster.pid".to_owned(),
            (Answer::NotReady(reason), _) => reason,
        };
        if Instant::now() > deadline {
            let path = layout.dir.clone();
            return Err(Error::Unresponsive { path, detail });
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Everything from an unknown state of the folder to a server that takes connections.
async fn start_server(
    settings: &Settings,
    layout: &Layout,
    user: Option<&RunUser>,
) -> Result<ManagedProcess, Error> {
    layout.hand_over(user)?;
    let binaries = choose::choose(settings, layout, user).await?;
    cluster::ensure(layout, &binaries, settings.durability).await?;
    tracing::debug!(bin = %binaries.bin.display(), major = binaries.major, "starting PostgreSQL");
    start::start(layout, &binaries, settings).await
}
