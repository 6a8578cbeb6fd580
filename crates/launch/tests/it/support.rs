//! Folders that clean up, and the program `host` of `examples/` with an environment of its own.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// A temporary folder that goes with the test, and with it the sandbox that it names.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("wayfare-launch-{}-{number}", std::process::id()));
        // Left by a process that had our number and was killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Folder(path.canonicalize().unwrap())
    }

    /// The data folder, which does not exist yet.
    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The program with this data folder and nothing else in its environment.
    pub fn host(&self) -> Command {
        let mut command = host();
        command.env("WAYFARE_DATA_DIR", self.data());
        command
    }

    /// The process id that `sandbox.json` names.
    pub fn sandbox_pid(&self) -> Option<Pid> {
        let text = fs::read(self.data().join("sandbox/sandbox.json")).ok()?;
        let named: serde_json::Value = serde_json::from_slice(&text).ok()?;
        Pid::from_raw(named["pid"].as_i64()?.try_into().ok()?)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(pid) = self.sandbox_pid() {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `host` with an empty environment but for where programs are.
pub fn host() -> Command {
    // target/<profile>/deps/it-… and target/<profile>/examples/host
    let test = env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples/host");
    assert!(program.exists(), "cargo builds {} with `cargo test -p wayfare-launch`", program.display());
    let mut command = Command::new(program);
    command.env_clear().env("PATH", env::var_os("PATH").unwrap()).env("HOME", "/nowhere");
    command
}

pub fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The text has all of these words.
#[track_caller]
pub fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word} in {text}");
    }
}

/// The message of a program that refused to start, with the exit code it should have.
pub fn refusal(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{message}");
    message
}

/// A running `host`, in a process group of its own, that has said its first line.
pub struct Running {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    pub line: String,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        use std::os::unix::process::CommandExt;
        let mut child = command.stdout(Stdio::piped()).process_group(0).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "it ended: {:?}", child.wait());
        Running { child, _stdout: stdout, line: line.trim().to_owned() }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// As `kill -9` does.
    pub fn kill(mut self) {
        kill_process(self.pid(), Signal::KILL).unwrap();
        self.child.wait().unwrap();
    }

    /// As Ctrl-C does: the whole group gets the signal.
    pub fn interrupt(mut self) {
        kill_process_group(self.pid(), Signal::INT).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
