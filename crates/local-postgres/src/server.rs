//! The running server: started or adopted, watched, stopped or left alone.

use std::future::Future;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::timeout;

use crate::error::Error;
use crate::keeper::Keeper;
use crate::layout::Layout;
use crate::settings::Settings;
use crate::user::RunUser;
use crate::{binaries, cluster, database, inspect, pid_file, start, user};

/// How long to wait for another process that starts or stops the same server: longer than either takes.
const LOCK_PATIENCE: Duration = Duration::from_secs(120);
/// How long a fast shutdown may take to write everything out.
const FAST_PATIENCE: Duration = Duration::from_secs(30);
/// How long an immediate shutdown may take.
const IMMEDIATE_PATIENCE: Duration = Duration::from_secs(10);
/// How often an adopted server, which is not our child, is looked at: while it runs, and while it stops.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);
const STOP_INTERVAL: Duration = Duration::from_millis(10);

/// A running PostgreSQL server with the database [`DATABASE`](crate::DATABASE) and the role
/// [`SERVICE_USER`](crate::SERVICE_USER).
///
/// Dropping it leaves the server as it is, like [`LocalPostgres::detach`].
#[derive(Debug)]
pub struct LocalPostgres {
    layout: Layout,
    process: Process,
}

#[derive(Debug, Clone)]
enum Process {
    Started(Keeper),
    Adopted(Pid),
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
        let start = tokio::spawn(start_or_adopt(settings));
        start
            .await
            .unwrap_or_else(|error| Err(Error::StartFailed(error.to_string())))
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

    /// The folder of the server's socket.
    #[must_use]
    pub fn socket_dir(&self) -> &std::path::Path {
        &self.layout.run
    }

    /// Whether the server was running already.
    #[must_use]
    pub fn adopted(&self) -> bool {
        matches!(self.process, Process::Adopted(_))
    }

    /// Stops the server, adopted or not, and returns when it has ended. Open connections are cut, what
    /// was committed stays.
    pub async fn stop(self) -> Result<(), Error> {
        // Whoever wants to start it meanwhile waits instead of finding it half gone.
        let _lock = self.layout.lock(LOCK_PATIENCE).await?;
        for (signal, patience) in [(Signal::INT, FAST_PATIENCE), (Signal::QUIT, IMMEDIATE_PATIENCE)] {
            self.signal(signal);
            if timeout(patience, wait(&self.process, &self.layout, STOP_INTERVAL))
                .await
                .is_ok()
            {
                return Ok(());
            }
        }
        Err(Error::WillNotStop(self.pid().as_raw_nonzero().get()))
    }

    /// Forgets the server without stopping it. An adopted one runs on; one that this process started
    /// ends with this process.
    pub fn detach(self) {}

    /// Resolves when the server has ended, with an error that says how. The future does not borrow the
    /// server, so a task can watch it.
    pub fn exited(&self) -> impl Future<Output = Error> + Send + use<> {
        let (process, layout) = (self.process.clone(), self.layout.clone());
        async move {
            let how = wait(&process, &layout, WATCH_INTERVAL).await;
            Error::Ended { how, log: layout.log }
        }
    }

    fn pid(&self) -> Pid {
        match &self.process {
            Process::Started(keeper) => keeper.pid,
            Process::Adopted(pid) => *pid,
        }
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    fn signal(&self, signal: Signal) {
        let running = match &self.process {
            Process::Started(keeper) => keeper.ended().is_none(),
            Process::Adopted(pid) => pid_file::is_server(*pid, &self.layout.data),
        };
        if running {
            match kill_process(self.pid(), signal) {
                Ok(()) | Err(Errno::SRCH) => {}
                // Then the wait for its end runs out, and that is reported.
                Err(error) => tracing::warn!(%error, "cannot signal PostgreSQL"),
            }
        }
    }
}

async fn start_or_adopt(settings: Settings) -> Result<LocalPostgres, Error> {
    let user = user::choose(settings.run_as.as_deref(), &settings.dir.join("data"))?;
    let user = user.as_ref();
    let layout = Layout::prepare(&settings.dir, user)?;
    let _lock = layout.lock(LOCK_PATIENCE).await?;
    let process = match inspect::running_server(&layout).await? {
        Some(pid) => Process::Adopted(pid),
        None => Process::Started(start_server(&settings, &layout, user).await?),
    };
    let server = LocalPostgres { layout, process };
    database::ensure(&server.layout, crate::DATABASE, crate::SERVICE_USER).await?;
    tracing::info!(dir = %server.layout.dir.display(), adopted = server.adopted(), "PostgreSQL is ready");
    Ok(server)
}

/// Waits for the server's end and says how it came.
async fn wait(process: &Process, layout: &Layout, interval: Duration) -> String {
    match process {
        Process::Started(keeper) => keeper.wait().await,
        Process::Adopted(pid) => {
            while pid_file::is_server(*pid, &layout.data) {
                tokio::time::sleep(interval).await;
            }
            "it was started by another process".to_owned()
        }
    }
}

/// Everything from an unknown state of the folder to a server that takes connections.
async fn start_server(settings: &Settings, layout: &Layout, user: Option<&RunUser>) -> Result<Keeper, Error> {
    layout.hand_over(user)?;
    let binaries = binaries::choose(settings, layout, user).await?;
    cluster::ensure(layout, &binaries, user, settings.durability).await?;
    tracing::debug!(bin = %binaries.bin.display(), major = binaries.major, "starting PostgreSQL");
    start::start(layout, &binaries, user, settings.durability).await
}
