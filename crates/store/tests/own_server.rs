//! PostgreSQL of a test's own, to be stopped, reconfigured and reached over TCP.

use std::{
    env, fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU8, Ordering},
};

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use rustix::process::{Pid, Signal, kill_process};
use wayfare_local_postgres::{Durability, LocalPostgres, Settings};

/// A server in a folder that goes with it.
pub struct OwnServer {
    dir: PathBuf,
    postgres: Option<LocalPostgres>,
}

impl OwnServer {
    /// One with these settings.
    pub async fn start(server_settings: &[&str]) -> Self {
        static STARTED: AtomicU8 = AtomicU8::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let dir = env::temp_dir().join(format!("wayfare-own-server-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
        let settings = Settings {
            durability: Durability::None,
            server_settings: server_settings.iter().map(ToString::to_string).collect(),
            ..Settings::new(dir.join("postgres"))
        };
        let postgres = LocalPostgres::start_or_adopt(settings).await.unwrap();
        Self { dir, postgres: Some(postgres) }
    }

    /// By its socket.
    pub fn url(&self) -> String {
        self.postgres.as_ref().unwrap().url()
    }

    /// Stops it as an operator would.
    pub async fn stop(mut self) {
        self.postgres.take().unwrap().stop().await.unwrap();
    }

    /// Changes settings of a server that runs, one statement each.
    pub async fn set(&self, setting: &str) {
        let mut connection = AsyncPgConnection::establish(&self.url()).await.unwrap();
        // A setting of the session's own: this one must be able to write it.
        connection.batch_execute("set default_transaction_read_only = off").await.unwrap();
        let set = format!("alter system set {setting}");
        connection.batch_execute(&set).await.unwrap();
        connection.batch_execute("select pg_reload_conf()").await.unwrap();
    }

    /// Puts a file into its folder that only it can read, and says where it lies.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let data = self.dir.join("postgres/data");
        let owner = fs::metadata(&data).unwrap();
        let path = data.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        chown(&path, Some(owner.uid()), Some(owner.gid())).unwrap();
        path
    }

    /// Its first process and all that this one has started.
    fn processes(&self) -> Vec<Pid> {
        let file = self.dir.join("postgres/data/postmaster.pid");
        let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
        let postmaster: i32 = text.lines().next().unwrap().parse().unwrap();
        let parent = |pid: &i32| -> Option<i32> {
            let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
            stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
        };
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
            .filter(|pid| *pid == postmaster || parent(pid) == Some(postmaster))
            .filter_map(Pid::from_raw)
            .collect()
    }

    /// Sends all of its processes this.
    pub fn signal(&self, signal: Signal) {
        for pid in self.processes() {
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
        self.signal(Signal::INT);
        let _ = fs::remove_dir_all(&self.dir);
    }
}
