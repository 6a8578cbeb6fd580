//! Folders that clean up behind whatever happens, and the program `wayfare` in an environment of its own.

use std::env;
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::sync::{Semaphore, SemaphorePermit};

/// How long anything may take that should take seconds.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long a stop may take (decided).
const STOP: Duration = Duration::from_secs(60);

/// A folder that goes with the test, and with it every process that works in it.
pub struct Place {
    dir: PathBuf,
    /// Where the program is, and who runs it.
    program: PathBuf,
    user: Option<(u32, u32)>,
    _turn: SemaphorePermit<'static>,
}

impl Place {
    /// Waits until few enough others are at work.
    pub async fn new() -> Place {
        static TURNS: Semaphore = Semaphore::const_new(3);
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let turn = TURNS.acquire().await.unwrap();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = memory_or_disk().join(format!("wayfare-process-{}-{number}", std::process::id()));
        // Left by a process that had our number and was killed.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        fs::set_permissions(&dir, Permissions::from_mode(0o755)).unwrap();
        Place {
            dir: dir.canonicalize().unwrap(),
            program: env!("CARGO_BIN_EXE_wayfare").into(),
            user: None,
            _turn: turn,
        }
    }

    /// From now on the program runs as this user, who can read neither the workspace nor root's folders.
    pub fn become_user(&mut self, (uid, gid): (u32, u32)) {
        // Not in memory, where containers allow no programs.
        let program = env::temp_dir().join(self.dir.file_name().unwrap());
        fs::copy(&self.program, &program).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        chown(&self.dir, Some(uid), Some(gid)).unwrap();
        (self.program, self.user) = (program, Some((uid, gid)));
    }

    /// The data folder, which the first start makes.
    pub fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// A file with a key of people.
    pub fn people_keys(&self) -> PathBuf {
        let path = self.write("people_keys.toml", &format!("[people_keys]\n1 = '{}'\n", "08".repeat(32)));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    /// The program with this data folder, any port, and nothing else in its environment.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear();
        for name in ["PATH", "WAYFARE_POSTGRES_BIN", "WAYFARE_POSTGRES_DOWNLOAD_URL", "LLVM_PROFILE_FILE"] {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", &self.dir)
            .env("WAYFARE_DATA_DIR", self.data())
            .env("WAYFARE_BIND", "127.0.0.1:0")
            .current_dir("/")
            .stdin(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// One where the program runs, started with nothing configured.
    pub async fn started() -> (Place, Server) {
        let place = Place::new().await;
        let server = place.start().await;
        (place, server)
    }

    /// Starts the program as it is started with nothing configured, and waits until it is ready.
    pub async fn start(&self) -> Server {
        self.start_with([]).await
    }

    pub async fn start_with<'a>(&self, variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Server {
        let mut server = self.launch(variables);
        server.wait_until_ready().await;
        server
    }

    /// Starts the program and does not wait.
    pub fn launch<'a>(&self, variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Server {
        let mut command = self.command();
        command.envs(variables);
        Server::spawn(command, self.log())
    }

    /// Runs the program to an end that should come by itself: its exit code and what it said.
    pub async fn refused<'a>(
        &self,
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> (Option<i32>, String) {
        let mut server = self.launch(variables);
        let status = server.exited(PATIENCE).await;
        (status.code(), server.said())
    }

    /// Runs `check-config`: its exit code and what it said.
    pub async fn checked<'a>(
        &self,
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> (Option<i32>, String) {
        let mut command = self.command();
        command.arg("check-config").envs(variables);
        let mut checked = Server::spawn(command, self.log());
        let status = checked.exited(PATIENCE).await;
        (status.code(), checked.said() + &checked.lines().join("\n"))
    }

    /// Starts the sandbox alone: it, and where it listens.
    pub async fn start_sandbox(&self) -> (Server, String) {
        let folder = self.data().join("sandbox");
        let mut command = self.command();
        command.arg("sandbox").arg("--data-dir").arg(&folder);
        let sandbox = Server::spawn(command, self.log());
        let named = until("the sandbox", async || {
            let text = fs::read(folder.join("sandbox.json")).ok()?;
            serde_json::from_slice::<Value>(&text).ok()
        });
        let url = format!("http://{}", named.await["address"].as_str().unwrap());
        (sandbox, url)
    }

    /// What `demo.json` says.
    pub fn demo(&self) -> Value {
        serde_json::from_slice(&fs::read(self.data().join("demo.json")).unwrap()).unwrap()
    }

    /// The process id in PostgreSQL's lock file.
    pub fn postmaster(&self) -> Pid {
        let text = fs::read_to_string(self.data().join("postgres/data/postmaster.pid")).unwrap();
        Pid::from_raw(text.lines().next().unwrap().parse().unwrap()).unwrap()
    }

    /// The process id of the sandbox.
    pub fn sandbox(&self) -> Pid {
        let text = fs::read(self.data().join("sandbox/sandbox.json")).unwrap();
        let named: Value = serde_json::from_slice(&text).unwrap();
        Pid::from_raw(named["pid"].as_i64().unwrap().try_into().unwrap()).unwrap()
    }

    /// Every process that works in the data folder or was told of it.
    pub fn processes(&self) -> Vec<(Pid, String)> {
        let data = self.data();
        let numbers = fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        numbers
            .filter_map(|pid| {
                let process = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
                // A zombie has neither.
                let line = fs::read(process.join("cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).replace('\0', " ");
                let works_here = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&data));
                (works_here || line.contains(data.to_str()?)).then_some((pid, line))
            })
            .collect()
    }

    /// Shows that nobody works in the data folder any more.
    pub async fn assert_nobody_is_left(&self) {
        let deadline = Instant::now() + STOP;
        while !self.processes().is_empty() {
            assert!(Instant::now() < deadline, "left over: {:?}", self.processes());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn log(&self) -> PathBuf {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        self.dir.join(format!("log-{number}"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let deadline = Instant::now() + STOP;
        let mut signal = Signal::INT;
        loop {
            let left = self.processes();
            if left.is_empty() {
                break;
            }
            for (pid, _) in left {
                let _ = kill_process(pid, signal);
            }
            if Instant::now() > deadline {
                signal = Signal::KILL;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = fs::remove_dir_all(&self.dir);
        if self.user.is_some() {
            let _ = fs::remove_file(&self.program);
        }
    }
}

/// The operator's program, which is built beside the server's.
pub fn operators_program() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_wayfare")).with_file_name("wayfarectl")
}

/// In memory, where there is room: a new cluster is a thousand files, and PostgreSQL makes them safe.
fn memory_or_disk() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let room = statvfs(memory).is_ok_and(|stat| stat.f_bavail * stat.f_frsize > 2 << 30);
    match room && env::var_os("TMPDIR").is_none() {
        true => memory.to_path_buf(),
        false => env::temp_dir(),
    }
}

/// The running program. It goes with the test, however that ends.
pub struct Server {
    child: Child,
    launched: Instant,
    printed: Arc<Mutex<Vec<(Instant, String)>>>,
    log: PathBuf,
}

impl Server {
    fn spawn(mut command: Command, log: PathBuf) -> Server {
        let stderr = File::create(&log).unwrap();
        let launched = Instant::now();
        let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let printed = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&printed);
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                kept.lock().unwrap().push((Instant::now(), line));
            }
        });
        Server { child, launched, printed, log }
    }

    async fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while self.base_url().is_none() {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended ({ended:?}): {}", self.said());
            assert!(Instant::now() < deadline, "it is not ready: {}", self.said());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The lines it printed so far.
    pub fn lines(&self) -> Vec<String> {
        let printed = self.printed.lock().unwrap();
        printed.iter().map(|(_, line)| line.clone()).collect()
    }

    fn base_url(&self) -> Option<String> {
        let lines = self.lines();
        let ready = lines.iter().find_map(|line| line.strip_prefix("Wayfare is ready: "));
        ready.map(str::to_owned)
    }

    /// Where it said that it listens.
    pub fn url(&self) -> String {
        self.base_url().expect("it is ready")
    }

    /// From its launch to the line that says so.
    pub fn ready_after(&self) -> Duration {
        let printed = self.printed.lock().unwrap();
        let ready = printed.iter().find(|(_, line)| line.starts_with("Wayfare is ready"));
        ready.expect("it is ready").0 - self.launched
    }

    /// What it says when it is ready, once all of it is there: the line to paste ends it.
    pub async fn greeting(&self) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let lines = self.lines();
            let end = lines.iter().position(|line| line.starts_with("A first call: "));
            if let Some(end) = end {
                return lines[..=end].to_vec();
            }
            assert!(Instant::now() < deadline, "no greeting: {lines:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// All that it wrote to standard error.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end.
    pub async fn exited(&mut self, patience: Duration) -> ExitStatus {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end: {}", self.said());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Tells it to stop and waits: how it ended.
    pub async fn stop(&mut self, signal: Signal) -> ExitStatus {
        let told = Instant::now();
        self.signal(signal);
        let status = self.exited(STOP).await;
        println!("stopped by {signal:?} within {:?}", told.elapsed());
        status
    }

    /// Gives it no chance.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("--- what the server said ---\n{}", self.said());
        }
    }
}

/// Waits for something that comes by itself, at first looking often, then seldom enough for the rate limits.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let mut pause = Duration::from_millis(2);
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(pause).await;
        pause = (pause * 5 / 4).min(Duration::from_millis(500));
    }
}
