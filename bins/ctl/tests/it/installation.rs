//! An installation of its own for each test, and what the program says of it.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use clap::Parser;
use serde_json::Value;
use wayfare_domain::Clock;
use wayfare_launch::{Common, OpenDatabase, database};
use wayfare_tests::{World, redacted};

pub const PASSWORD: &str = "correct horse battery";

/// A folder with an installation, gone with the test.
pub struct Installation(PathBuf);

impl Installation {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
        let path = place.join(format!("wayfarectl-{}-{number}", std::process::id()));
        // Left by a process that had our number and was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        // PostgreSQL, which runs as another user when we are root, has to pass through.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self(path)
    }

    /// One whose server runs as long as the test holds what comes with it.
    pub async fn open() -> (Self, OpenDatabase) {
        let here = Self::new();
        let served = here.served().await;
        (here, served)
    }

    /// The same with an agency: its `agent_id`.
    pub async fn with_agency() -> (Self, OpenDatabase, String) {
        let (here, served) = Self::open().await;
        let agency = here.agency();
        (here, served, agency)
    }

    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    pub fn server_runs(&self) -> bool {
        self.data().join("postgres/data/postmaster.pid").exists()
    }

    /// A server like that of a running API, for as long as the test holds it.
    pub async fn served(&self) -> OpenDatabase {
        #[derive(Parser)]
        struct Server {
            #[command(flatten)]
            common: Common,
        }
        let data = self.data();
        let arguments = ["server", "--data-dir", data.to_str().unwrap()];
        let (server, _) = wayfare_launch::parse_from::<Server>(arguments).unwrap();
        database::open(&server.common).await.unwrap()
    }

    pub fn ctl(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wayfarectl"));
        command
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap())
            .env("HOME", "/nowhere")
            .env("WAYFARE_DATA_DIR", self.data())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// A file with the key of people that worlds have.
    pub fn people_keys(&self) -> PathBuf {
        let path = env::temp_dir().join(format!("people_keys_{}.toml", std::process::id()));
        let text = format!("[people_keys]\n1 = \"{}\"\n", "08".repeat(32));
        let beside = path.with_extension(format!("{:?}", std::thread::current().id()));
        fs::write(&beside, text).unwrap();
        fs::set_permissions(&beside, fs::Permissions::from_mode(0o600)).unwrap();
        fs::rename(&beside, &path).unwrap();
        path
    }

    /// Beside the servers of a world, on its database.
    pub fn beside(&self, world: &World, arguments: &[&str]) -> Command {
        let mut command = self.ctl(arguments);
        command
            .env("DATABASE_URL", &world.database.url)
            .env("WAYFARE_SIGNING_KEY", String::from_utf8_lossy(World::SIGNING_KEY).as_ref())
            .env("WAYFARE_LEDGER_KEY", "07".repeat(32))
            .env("WAYFARE_PEOPLE_KEY_FILE", self.people_keys());
        command
    }

    /// The one object that the command answers with there.
    pub fn json_beside(&self, world: &World, arguments: &[&str]) -> Value {
        let answer = succeeded(&self.beside(world, arguments).arg("--json").output().unwrap());
        serde_json::from_str(&one_line(&answer)).unwrap()
    }

    /// The one object that the command answers with, as it stands there.
    pub fn answer(&self, arguments: &[&str]) -> String {
        let output = self.ctl(arguments).arg("--json").env("WAYFARE_PASSWORD", PASSWORD).output().unwrap();
        one_line(&succeeded(&output))
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.answer(arguments)).unwrap()
    }

    /// What the command says to people, as it is in every installation.
    pub fn say(&self, arguments: &[&str]) -> String {
        said(self.ctl(arguments).env("WAYFARE_PASSWORD", PASSWORD))
    }

    pub fn refusal(&self, arguments: &[&str]) -> String {
        refused(self.ctl(arguments).env("WAYFARE_PASSWORD", PASSWORD), 1)
    }

    pub fn misuse(&self, arguments: &[&str]) -> String {
        refused(&mut self.ctl(arguments), 2)
    }

    /// A new agency's `agent_id`.
    pub fn agency(&self) -> String {
        text(&self.json(&AGENCY)["agent_id"])
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub const AGENCY: [&str; 12] = [
    "agency",
    "create",
    "--name",
    "Blue Sky",
    "--email",
    "office@bluesky.example",
    "--country",
    "IN",
    "--admin-username",
    "priya",
    "--admin-email",
    "priya@bluesky.example",
];

pub fn user<'a>(agent_id: &'a str, username: &'a str, email: &'a str, role: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["user", "create", agent_id, "--username", username];
    arguments.extend(["--email", email, "--name", "Ravi Kumar", "--role", role]);
    arguments
}

/// What the command says, with placeholders for the ids and codes of the installation and for the times of this year.
pub fn said(command: &mut Command) -> String {
    let said = succeeded(&command.output().unwrap());
    let year = Clock::system().now().format("%Y-").to_string();
    let after_time = |text: &str| -> String {
        let is_of_time = |c: char| c.is_ascii_digit() || "-T:.Z".contains(c);
        let text = text.trim_start_matches(is_of_time);
        // A day and the time after it, as statements have them.
        match text.strip_prefix(' ') {
            Some(time) if time.starts_with(|c: char| c.is_ascii_digit()) => {
                time.trim_start_matches(is_of_time)
            }
            _ => text,
        }
        .to_owned()
    };
    let steady = |line: &str| {
        let line: String = serde_json::from_str(&redacted(&line.into())).unwrap();
        let mut parts = line.split(&year);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |line, part| line + "[time]" + &after_time(part))
    };
    said.lines().map(steady).collect::<Vec<_>>().join("\n")
}

/// What it said, which is nothing but the answer.
pub fn succeeded(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Why it refused. It says nothing else, and never the password.
pub fn refused(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{stderr}");
    assert!(!stderr.contains(PASSWORD), "{stderr}");
    stderr
}

pub fn one_line(text: &str) -> String {
    let line = text.strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "{line}");
    line.to_owned()
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A connection to the database past the program.
pub async fn connect(served: &OpenDatabase) -> tokio_postgres::Client {
    let connecting = tokio_postgres::connect(served.url(), tokio_postgres::NoTls);
    let (client, connection) = connecting.await.unwrap();
    tokio::spawn(connection);
    client
}

/// What a query says, one text for each row.
pub async fn lines(served: &OpenDatabase, query: &str) -> Vec<String> {
    let rows = connect(served).await.query(query, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Carries statements out behind the program's back.
pub async fn execute(served: &OpenDatabase, statements: &str) {
    connect(served).await.batch_execute(statements).await.unwrap();
}
