//! A folder with a PostgreSQL of its own, suppliers' sandbox, and servers of both versions.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, DirBuilder, File, Permissions},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio_postgres::{Client, NoTls};
use wayfare_local_postgres::{LocalPostgres, Settings};
use wayfare_sandbox::{Running, Sandbox};

use crate::programs::{Programs, run};

/// How long a start or a stop may take on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(300);
/// As servers that know it: so long a server serves on that is told to stop.
const DRAIN_S: &str = "2";

pub struct Place {
    folder: PathBuf,
    postgres: LocalPostgres,
    sandbox: Running,
}

/// A running server. It ends with the value.
pub struct Server {
    child: Child,
    folder: PathBuf,
    pub url: String,
}

pub struct Demo {
    pub agency: String,
}

impl Place {
    pub async fn new() -> Self {
        let folder = env::temp_dir().join(format!("wayfare-upgrade-{}", std::process::id()));
        DirBuilder::new().mode(0o711).create(&folder).unwrap();
        let postgres = LocalPostgres::start_or_adopt(Settings::new(folder.join("postgres"))).await.unwrap();
        let sandbox = Sandbox::start(wayfare_sandbox::Settings::of_seed(1)).await.unwrap();
        let place = Self { folder, postgres, sandbox };
        let suppliers = ["duffel", "tripjack"].map(|code| {
            let url = place.sandbox.base_url();
            format!("[[suppliers]]\ncode = '{code}'\nkind = '{code}'\nbase_url = '{url}/{code}'\ntoken = '{code}_test_upgrade'\n")
        });
        place.write("wayfare.toml", &suppliers.concat());
        place.write("people_keys.toml", &format!("[people_keys]\n1 = '{}'\n", "08".repeat(32)));
        // Each failed statement by the name of the server that has sent it.
        let client = place.connect().await;
        for statement in ["alter system set log_line_prefix = '%m %a: '", "select pg_reload_conf()"] {
            client.execute(statement, &[]).await.unwrap();
        }
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    }

    /// A program that works with this place, with what both versions know and what one of them may not.
    fn command(&self, program: &Path, data: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear();
        for name in ["PATH", "HOME", "LLVM_PROFILE_FILE"] {
            command.envs(env::var_os(name).map(|value| (name, value)));
        }
        command
            .env("DATABASE_URL", self.postgres.service_url())
            .env("MIGRATION_DATABASE_URL", self.postgres.url())
            .env("WAYFARE_SIGNING_KEY", "a signing key for upgrades, 32 bytes at least")
            .env("WAYFARE_LEDGER_KEY", "a ledger key for upgrades, of 32 bytes at least")
            .env("WAYFARE_PEOPLE_KEY_FILE", self.folder.join("people_keys.toml"))
            .env("WAYFARE_CONFIG", self.folder.join("wayfare.toml"))
            .env("WAYFARE_DATA_DIR", data)
            .env("WAYFARE_LOG", "warn")
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }

    /// Starts a server, with these variables beside, and waits until it is ready.
    pub async fn start(&self, name: &str, programs: &Programs, variables: &[(&str, &str)]) -> Server {
        let folder = self.folder.join(name);
        fs::create_dir(&folder).unwrap();
        let mut command = self.command(&programs.server(), &folder.join("data"));
        let [out, log] = ["out", "log"].map(|file| File::create(folder.join(file)).unwrap());
        command
            .env("WAYFARE_BIND", "127.0.0.1:0")
            .env("WAYFARE_RATE_LIMITS", "off")
            .env("WAYFARE_DRAIN_S", DRAIN_S)
            .envs(variables.iter().copied())
            .stdout(out)
            .stderr(log);
        let mut server = Server { child: command.spawn().unwrap(), folder, url: String::new() };
        let begun = Instant::now();
        loop {
            let printed = fs::read_to_string(server.folder.join("out")).unwrap();
            if let Some(url) = printed.lines().find_map(|line| line.strip_prefix("Wayfare is ready: ")) {
                server.url = url.to_owned();
                return server;
            }
            let is_late = server.child.try_wait().unwrap().is_some() || begun.elapsed() > PATIENCE;
            assert!(!is_late, "{name} does not start: {}", server.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The operator's program of a version with these arguments.
    pub fn operator(&self, programs: &Programs, arguments: &[&str]) -> Command {
        let mut command = self.command(&programs.operator(), &self.folder.join("operator"));
        command.args(arguments);
        command
    }

    /// A new agent of the agency with this name, and money.
    pub fn agent(&self, programs: &Programs, agency: &str, username: &str, password: &str) {
        let email = format!("{username}@agency.example");
        let create =
            ["user", "create", agency, "--username", username, "--email", &email, "--name", username];
        let rest = ["--role", "agent", "--password", password];
        run(&mut self.operator(programs, &[&create[..], &rest].concat()));
        run(&mut self.operator(programs, &["agency", "topup", agency, "100000000", "--user", username]));
    }

    /// A connection as the owner of the tables.
    pub async fn connect(&self) -> Client {
        let (client, connection) = tokio_postgres::connect(&self.postgres.url(), NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    pub async fn orders(&self) -> Vec<Value> {
        let url = format!("{}/_sandbox/orders", self.sandbox.base_url());
        reqwest::get(url).await.unwrap().json().await.unwrap()
    }

    /// PostgreSQL's log.
    pub fn database_log(&self) -> PathBuf {
        self.folder.join("postgres/postgres.log")
    }

    /// Stops everything and removes the folder.
    pub async fn end(self) {
        self.postgres.stop().await.unwrap();
        fs::remove_dir_all(&self.folder).unwrap();
    }
}

impl Server {
    pub async fn demo(&self) -> Demo {
        let path = self.folder.join("data/demo.json");
        let begun = Instant::now();
        while !path.exists() {
            assert!(begun.elapsed() < PATIENCE, "there is no demo agency: {}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let demo: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        Demo { agency: demo["agent_id"].as_str().unwrap().to_owned() }
    }

    /// Tells it to stop and waits for its end: how that was.
    pub async fn stop(&mut self) -> String {
        let begun = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return format!("{status} after {:.1} s", begun.elapsed().as_secs_f64());
            }
            assert!(begun.elapsed() < PATIENCE, "it does not stop: {}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }

    /// What it warned of, each with how often: without its time, and without the work that it was about.
    pub fn warnings(&self) -> BTreeMap<String, usize> {
        let mut warnings = BTreeMap::new();
        for line in self.log().lines() {
            let (_time, said) = line.split_once(' ').unwrap_or(("", line));
            let said = said.rsplit_once("}: ").map_or(said.trim(), |(_work, said)| said);
            *warnings.entry(said.chars().take(160).collect()).or_default() += 1;
        }
        warnings
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
