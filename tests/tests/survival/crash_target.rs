//! The process that is killed, as its parent holds it.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

const PATIENCE: Duration = Duration::from_secs(60);

/// An API server with its recovery (`src/bin/crash_target.rs`).
pub struct CrashTarget {
    child: Child,
    orders: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    pub url: String,
}

impl CrashTarget {
    /// Starts it with reports in this folder and what else it is told; alone on its database, or beside others
    /// that may hold leases.
    pub async fn start(
        database_url: &str,
        sandbox_url: &str,
        reports: &Path,
        is_alone: bool,
        what_else: &[&str],
    ) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_crash_target"))
            .args([database_url, sandbox_url])
            .arg(reports)
            .arg(if is_alone { "alone" } else { "beside" })
            .args(what_else)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut crash_target = Self {
            orders: child.stdin.take().unwrap(),
            said: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            url: String::new(),
        };
        crash_target.url = crash_target.says("ready ").await;
        crash_target
    }

    /// The rest of its next line, which begins so.
    async fn says(&mut self, beginning: &str) -> String {
        let line = timeout(PATIENCE, self.said.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("it never said {beginning:?}"));
        let line = line.unwrap().unwrap_or_default();
        let rest = line.strip_prefix(beginning);
        rest.unwrap_or_else(|| panic!("it said {line:?} for {beginning:?}")).to_owned()
    }

    async fn tell(&mut self, order: &str) {
        self.orders.write_all(format!("{order}\n").as_bytes()).await.unwrap();
    }

    /// The first effect that comes to this moment stops there.
    pub async fn arm(&mut self, moment: &str) {
        self.tell(&format!("arm {moment}")).await;
        self.says("armed ").await;
    }

    /// Waits until an effect stands at the armed moment.
    pub async fn reached(&mut self) {
        self.says("reached ").await;
    }

    /// Wraps all keys of people under the newest one.
    pub async fn begin_to_rewrap(&mut self) {
        self.tell("rewrap").await;
    }

    pub async fn rewrapped(&mut self) -> String {
        self.says("rewrapped ").await
    }

    /// Rules about the first order of a booking, in words: `<booking> <kind> <amount>`.
    pub async fn begin_to_rule(&mut self, what: &str) {
        self.tell(&format!("rule {what}")).await;
    }

    /// What came of it: `once`, `again` or `nothing`.
    pub async fn ruled(&mut self) -> String {
        self.says("ruled ").await
    }

    pub async fn go(&mut self) {
        self.tell("go").await;
    }

    /// SIGKILL, unless it is dead already.
    pub async fn kill(&mut self) {
        if self.child.try_wait().unwrap().is_none() {
            self.child.kill().await.unwrap();
        }
    }
}
