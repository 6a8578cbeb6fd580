//! Folders that clean up, SQL in one line, and helper processes that own a server.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, kill_process};
use tokio_postgres::{NoTls, SimpleQueryMessage};
use wayfare_local_postgres::{Error, LocalPostgres, Settings};

const HELPER_DIR: &str = "WAYFARE_HELPER_DIR";
const HELPER: &str = "support::a_helper_process_owns_a_server_when_it_is_told_to";

/// A temporary folder that goes with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = place().join(format!("wayfare-it-{}-{number}", std::process::id()));
        // Left by a process that had our number and was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path.canonicalize().unwrap())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the server of the test goes: a folder that does not exist yet.
    pub fn dir(&self) -> PathBuf {
        self.0.join("pg")
    }

    pub fn settings(&self) -> Settings {
        settings(self.dir())
    }

    /// One with a server.
    pub async fn started() -> (Folder, LocalPostgres) {
        let folder = Folder::new();
        let server = folder.start().await;
        (folder, server)
    }

    pub async fn start(&self) -> LocalPostgres {
        LocalPostgres::start_or_adopt(self.settings()).await.unwrap()
    }

    /// The server is started, not adopted, and the row of [`write_row`] is there.
    pub async fn starts_anew_with_its_row(&self) {
        let server = self.start().await;
        assert!(!server.adopted());
        let row = sql(&server.url(), "SELECT word FROM kept").await.unwrap();
        assert_eq!(row, ["still here"]);
        server.stop().await.unwrap();
    }

    /// The start fails, with a message of one line.
    pub async fn refusal(&self, settings: Settings) -> Error {
        let error = LocalPostgres::start_or_adopt(settings).await.unwrap_err();
        assert!(!error.to_string().contains('\n'), "{error}");
        error
    }

    /// The process id in the server's lock file.
    pub fn server_pid(&self) -> Pid {
        let text = fs::read_to_string(self.dir().join("data/postmaster.pid")).unwrap();
        Pid::from_raw(text.lines().next().unwrap().parse().unwrap()).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        names(&self.dir())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Settings that never fetch anything.
pub fn settings(dir: impl Into<PathBuf>) -> Settings {
    Settings { download: None, ..Settings::new(dir) }
}

/// In memory, where there is room and nobody said otherwise: a new cluster is a thousand files.
fn place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let room = statvfs(memory).is_ok_and(|stat| stat.f_bavail * stat.f_frsize > 2 << 30);
    match room && env::var_os("TMPDIR").is_none() {
        true => memory.to_path_buf(),
        false => env::temp_dir(),
    }
}

/// What is in a folder, in order.
pub fn names(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Runs statements and returns the first column of every row.
pub async fn sql(url: &str, statements: &str) -> Result<Vec<String>, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    let messages = client.simple_query(statements).await?;
    let values = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    Ok(values.collect())
}

/// Makes a table with one row to be found again.
pub async fn write_row(url: &str) {
    let make = "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('still here')";
    sql(url, make).await.unwrap();
}

pub fn kill(pid: Pid) {
    kill_process(pid, Signal::KILL).unwrap();
}

/// A process of its own that starts or adopts a server, and ends when told to.
pub struct Helper(Child);

impl Helper {
    pub fn spawn(dir: &Path) -> Helper {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", HELPER, "--nocapture"]).env(HELPER_DIR, dir);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Helper(command.spawn().unwrap())
    }

    /// Waits until its server is ready and tells whether it was adopted.
    pub fn adopted(&mut self) -> bool {
        let out = BufReader::new(self.0.stdout.as_mut().unwrap());
        let mut lines = out.lines().map(Result::unwrap);
        let line = lines.find(|line| line.contains("adopted="));
        line.expect("the helper failed").contains("adopted=true")
    }

    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Not a test of its own: [`Helper`] runs this test binary again with the variable set.
#[tokio::test]
async fn a_helper_process_owns_a_server_when_it_is_told_to() {
    let Some(dir) = env::var_os(HELPER_DIR) else { return };
    let server = LocalPostgres::start_or_adopt(settings(dir)).await.unwrap();
    println!("\nadopted={}", server.adopted());
    std::io::stdout().flush().unwrap();
    // Until we are killed or the parent is gone.
    let _ = std::io::stdin().read(&mut [0]);
}

/// Waits for something that must come soon.
pub async fn soon(what: &str, mut happened: impl FnMut() -> bool) {
    for _ in 0..2000 {
        if happened() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("not within 10 s: {what}");
}
