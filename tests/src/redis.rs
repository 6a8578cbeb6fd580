//! A Redis of its own for each test, where the machine has one.

use std::{
    env, fs,
    io::{ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use wayfare_stub_server::did_not_run;

/// How long it may take to start, on a machine however busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// A Redis on a socket in a folder of its own. It ends with the value.
pub struct TestRedis {
    folder: PathBuf,
    server: Child,
}

impl TestRedis {
    /// A new, empty Redis; none, and a word about it, on a machine without `redis-server`.
    pub fn start() -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("wayfare-redis-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        match run(&folder) {
            Ok(server) => Some(Self { folder, server }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::remove_dir_all(&folder).unwrap();
                did_not_run("there is no redis-server on this machine");
                None
            }
            Err(error) => panic!("redis-server: {error}"),
        }
    }

    pub fn url(&self) -> String {
        format!("unix://{}", socket(&self.folder).display())
    }

    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// Starts it anew, with nothing in it, after a kill.
    pub fn restart(&mut self) {
        self.server = run(&self.folder).unwrap();
    }

    /// It takes connections and requests, and answers none.
    pub fn hang(&self) {
        self.signal(Signal::STOP);
    }

    pub fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.server), signal).unwrap();
    }

    /// What it answers to a command, as it is on the wire.
    pub fn ask(&self, command: &str) -> String {
        let mut stream = UnixStream::connect(socket(&self.folder)).unwrap();
        write!(stream, "{command}\r\nQUIT\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        // Best effort: it may be dead, and the folder is one of temporary files.
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("redis.sock")
}

/// Starts the server and waits until it takes connections.
fn run(folder: &Path) -> std::io::Result<Child> {
    let mut server = Command::new("redis-server")
        .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
        .arg(socket(folder))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let patience = Instant::now() + PATIENCE;
    while UnixStream::connect(socket(folder)).is_err() {
        if let Some(ended) = server.try_wait()? {
            panic!("redis-server ended with {ended}");
        }
        assert!(Instant::now() < patience, "redis-server does not answer");
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(server)
}
