//! A whole installation in a folder of its own: the released `wayfare` with its PostgreSQL and its sandbox.

use std::{
    fs::{self, DirBuilder, File},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use rustix::{
    fs::statfs,
    process::{Pid, Signal, kill_process},
};
use serde::Deserialize;
use serde_json::Value;
use tokio::process::{Child, Command};
use tokio_postgres::NoTls;

use crate::{Browser, Client, Guesser, Memory, Processor, Result};

/// How long a first start may take: a new database cluster, and all tables.
const START: Duration = Duration::from_secs(120);
/// The type of a file system in memory, as `statfs` tells it.
const TMPFS: u64 = 0x0102_1994;

/// What `demo.json` tells of the demo agency.
#[derive(Clone, Debug, Default, Deserialize)]
struct Demo {
    base_url: String,
    sandbox_url: String,
    agent_id: String,
    users: Vec<User>,
}

#[derive(Clone, Debug, Deserialize)]
struct User {
    role: String,
    username: String,
    password: String,
}

/// A running installation. [`Installation::stop`] ends it and removes its folder.
pub struct Installation {
    folder: PathBuf,
    programs: PathBuf,
    server: Child,
    demo: Demo,
}

impl Installation {
    /// Starts `wayfare` out of the folder `programs`, with rate limits off, these settings (the text of a settings file)
    /// and all else as it comes, on data in a new folder below `place`.
    pub async fn start(programs: &Path, place: &Path, settings: &str) -> Result<Self> {
        if statfs(place)?.f_type.cast_unsigned() == TMPFS {
            let place = place.display();
            return Err(format!("{place} is in memory: name a folder on a disk with --place").into());
        }
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = place.join(format!("wayfare-bench-{}-{number}", std::process::id()));
        DirBuilder::new().mode(0o711).create(&folder)?;
        let log = folder.join("wayfare.log");
        let config = folder.join("settings.toml");
        fs::write(&config, settings)?;
        let server = Command::new(programs.join("wayfare"))
            .env("WAYFARE_DATA_DIR", folder.join("data"))
            .env("WAYFARE_CONFIG", config)
            .env("WAYFARE_BIND", "127.0.0.1:0")
            .env("WAYFARE_RATE_LIMITS", "off")
            .env_remove("DATABASE_URL")
            .env_remove("MIGRATION_DATABASE_URL")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{}: {error}", programs.join("wayfare").display()))?;
        let mut starting = Self { programs: programs.to_owned(), server, demo: Demo::default(), folder };
        starting.demo = starting.ready().await?;
        Ok(starting)
    }

    /// The server writes `demo.json` once it answers.
    async fn ready(&mut self) -> Result<Demo> {
        let patience = Instant::now() + START;
        loop {
            if let Ok(text) = fs::read(self.data().join("demo.json")) {
                return Ok(serde_json::from_slice(&text)?);
            }
            let ended = self.server.try_wait()?;
            if ended.is_some() || Instant::now() > patience {
                let said = fs::read_to_string(self.folder.join("wayfare.log")).unwrap_or_default();
                return Err(format!("wayfare did not start: {said}").into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The folder of its PostgreSQL.
    pub(crate) fn postgres(&self) -> PathBuf {
        self.data().join("postgres")
    }

    /// The demo agency's admin, who pays from the agency's wallet.
    pub async fn admin(&self) -> Result<Client> {
        let admin = self.demo_admin()?;
        self.client(&admin.username, &admin.password).await
    }

    pub async fn browser(&self) -> Result<Browser> {
        let admin = self.demo_admin()?;
        let Demo { base_url, agent_id, .. } = &self.demo;
        Browser::log_in(base_url, agent_id, &admin.username, &admin.password).await
    }

    fn demo_admin(&self) -> Result<&User> {
        let admin = self.demo.users.iter().find(|user| user.role == "org_admin");
        Ok(admin.ok_or("demo.json names no org_admin")?)
    }

    /// A new agent of the demo agency, with so much money in a wallet of their own.
    pub async fn agent(&self, username: &str, money: &str) -> Result<Client> {
        let email = format!("{username}@agency.example");
        let password = "as long as passwords must be 1";
        let agency = self.demo.agent_id.as_str();
        let create = ["user", "create", agency, "--username", username, "--email"];
        let rest = [&email, "--name", username, "--role", "agent", "--password", password];
        self.operate(&[&create[..], &rest].concat()).await?;
        self.top_up(&["--user", username], money).await?;
        self.client(username, password).await
    }

    /// Puts so much money into the agency's wallet.
    pub async fn fund(&self, money: &str) -> Result<()> {
        self.top_up(&[], money).await
    }

    async fn top_up(&self, whose: &[&str], money: &str) -> Result<()> {
        let topup = ["agency", "topup", &self.demo.agent_id, money];
        self.operate(&[&topup, whose].concat()).await.map(drop)
    }

    /// Runs `wayfarectl` with these arguments; what it printed.
    pub async fn operate(&self, arguments: &[&str]) -> Result<String> {
        let mut program = Command::new(self.programs.join("wayfarectl"));
        program.args(arguments).env("WAYFARE_DATA_DIR", self.data());
        program.env_remove("DATABASE_URL").env_remove("MIGRATION_DATABASE_URL");
        said(&mut program).await
    }

    async fn client(&self, username: &str, password: &str) -> Result<Client> {
        Client::log_in(&self.demo.base_url, &self.demo.agent_id, username, password).await
    }

    /// Somebody who tries passwords of one of the demo agency's users.
    pub fn guesser_of_a_password(&self) -> Result<Guesser> {
        let user = self.demo.users.first().ok_or("demo.json names no user")?;
        Ok(Guesser::new(&self.demo.base_url, &self.demo.agent_id, &user.username))
    }

    /// Somebody who tries names that the demo agency does not have.
    pub fn guesser_of_a_name(&self) -> Guesser {
        Guesser::new(&self.demo.base_url, &self.demo.agent_id, "nobody")
    }

    pub fn memory(&self) -> Result<Memory> {
        Ok(Memory::of(self.server.id().ok_or("the server has ended")?))
    }

    pub fn processor(&self) -> Result<Processor> {
        Ok(Processor::of(self.server.id().ok_or("the server has ended")?))
    }

    /// A connection to one of the databases of its PostgreSQL, as its superuser.
    pub async fn connect(&self, database: &str) -> Result<tokio_postgres::Client> {
        let (client, connection) = tokio_postgres::Config::new()
            .host_path(self.postgres().join("run"))
            .user("wayfare")
            .dbname(database)
            .connect(NoTls)
            .await?;
        tokio::spawn(connection);
        Ok(client)
    }

    /// How many orders stand at the sandbox, and how many bookings are confirmed here.
    pub async fn orders_and_bookings(&self) -> Result<(i64, i64)> {
        let url = format!("{}/_sandbox/orders", self.demo.sandbox_url);
        let orders: Vec<Value> = serde_json::from_str(&reqwest::get(url).await?.text().await?)?;
        let standing = orders.iter().filter(|order| order.get("status").is_some_and(|it| it == "confirmed"));
        let query = "select count(*) from bookings where status = 'confirmed'";
        let bookings = self.connect("wayfare").await?.query_one(query, &[]).await?;
        Ok((i64::try_from(standing.count())?, bookings.try_get(0)?))
    }

    /// Stops everything and removes the folder.
    pub async fn stop(mut self) -> Result<()> {
        if let Some(pid) = self.server.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            kill_process(pid, Signal::TERM)?;
        }
        let ended = self.server.wait().await?;
        if !ended.success() {
            return Err(format!("wayfare ended with {ended}; see {}", self.folder.display()).into());
        }
        Ok(fs::remove_dir_all(&self.folder)?)
    }
}

/// What a program printed; its words of failure otherwise.
pub(crate) async fn said(program: &mut Command) -> Result<String> {
    let ended = program.stdin(Stdio::null()).output().await?;
    if ended.status.success() {
        return Ok(String::from_utf8(ended.stdout)?);
    }
    let name = program.as_std().get_program().display().to_string();
    Err(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr)).into())
}
