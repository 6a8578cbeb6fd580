//! A Chromium without a window, with as many pages as somebody wants. It is spoken to over two pipes in its own protocol
//! (`--remote-debugging-pipe`: JSON between NULs), which needs neither a driver nor a library.

mod page;

use std::{
    cell::RefCell,
    collections::HashMap,
    env, fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    rc::Rc,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

pub use self::page::{Page, Request};

/// Chromium's names; Debian's without a window first.
pub const CHROMIUM: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
/// How long the browser may take for one command, a script of a page's included.
const PATIENCE: Duration = Duration::from_secs(180);

/// What was looked for in a browser, or what was there instead.
pub type Looked<T = ()> = Result<T, String>;

/// A running Chromium. It ends with the value and the last of its pages.
#[derive(Clone)]
pub struct Browser {
    pipe: Rc<RefCell<Pipe>>,
}

impl Browser {
    /// Chromium's name on this machine, if it is there.
    pub fn name() -> Option<&'static str> {
        CHROMIUM.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
    }

    /// Starts one.
    pub fn start() -> Self {
        let pipe = Pipe::open(Self::name().expect("Chromium is on this machine"));
        Self { pipe: Rc::new(RefCell::new(pipe)) }
    }

    /// A page of somebody who was never here: no other page has its cookies.
    pub fn page(&self) -> Page {
        let made = self.tell("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        self.page_in(made["browserContextId"].clone())
    }

    /// A page that shares cookies with others of this context.
    fn page_in(&self, context: Value) -> Page {
        let made = self.tell(
            "Target.createTarget",
            json!({ "url": "about:blank", "browserContextId": context, "width": 1280, "height": 800 }),
        );
        let attached =
            self.tell("Target.attachToTarget", json!({ "targetId": made["targetId"], "flatten": true }));
        Page::new(self.clone(), context, attached["sessionId"].as_str().unwrap().to_owned())
    }

    fn tell(&self, method: &str, params: Value) -> Value {
        self.pipe.borrow_mut().tell("", method, &params).unwrap()
    }
}

struct Pipe {
    process: Child,
    folder: PathBuf,
    asked: ChildStdin,
    messages: Receiver<Value>,
    last: u32,
    /// What was told of each page and nobody has read yet.
    events: HashMap<String, Vec<Value>>,
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself, and may still be writing there.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Pipe {
    fn open(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("wayfare-browser-{}-{number}", std::process::id()));
        // The pipes have the numbers 3 and 4. Its sandbox is not for root, and it sees nothing but our own pages.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1", name])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--lang=en-GB",
                "--remote-debugging-pipe",
                "--window-size=1280,1600",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let asked = process.stdin.take().unwrap();
        let mut told = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = channel();
        // Ends with the process.
        thread::spawn(move || {
            loop {
                let mut message = Vec::new();
                let read = told.read_until(0, &mut message);
                let text = message.strip_suffix(&[0]).filter(|_| read.is_ok());
                let Some(message) = text.and_then(|text| serde_json::from_slice(text).ok()) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { process, folder, asked, messages, last: 0, events: HashMap::new() }
    }

    /// Sends a command to a page, or to the browser where no page is named; its result.
    fn tell(&mut self, session: &str, method: &str, params: &Value) -> Looked<Value> {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": params });
        if !session.is_empty() {
            command["sessionId"] = json!(session);
        }
        let gone = |error: &dyn std::fmt::Display| format!("the browser is gone at {method}: {error}");
        self.asked.write_all(format!("{command}\0").as_bytes()).map_err(|error| gone(&error))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).map_err(|error| gone(&error))?;
            if message["id"] != self.last {
                self.keep(message);
            } else if message["error"].is_null() {
                return Ok(message["result"].clone());
            } else {
                return Err(format!("{method}: {}", message["error"]));
            }
        }
    }

    /// What was told of a page since this was asked the last time.
    fn events(&mut self, session: &str) -> Vec<Value> {
        while let Ok(message) = self.messages.try_recv() {
            self.keep(message);
        }
        self.events.remove(session).unwrap_or_default()
    }

    fn keep(&mut self, message: Value) {
        if let Some(session) = message["sessionId"].as_str() {
            self.events.entry(session.to_owned()).or_default().push(message);
        }
    }
}
