//! Uses the page of the documentation in Chromium without a window: logs in there, searches flights, takes a picture of
//! it, `target/docs.png`. Ends with 0 when the search was answered and the page's policy stood in nothing's way.
//!
//! Chromium is spoken to over two pipes in its own protocol (`--remote-debugging-pipe`: JSON between NULs), which needs
//! neither a driver nor a library.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "only its caller waits for it"
)]

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use wayfare_tests::{PASSWORD, World, one_way};

const SCRIPT: &str = include_str!("page.js");
/// Notes what the page's policy forbids.
const WATCH: &str = "window.violations = []; document.addEventListener('securitypolicyviolation', \
                     event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));";

#[actix_web::main]
async fn main() -> ExitCode {
    let world = World::start().await;
    let agency = world.agency().await;
    agency.agent("arjun", "0").await;
    let log_in = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    let mut search = one_way("DEL", "BOM").body(world.now());
    search["search_params"]["max_results"] = json!(2);
    let page = format!("{}/docs/", world.base_url);
    let (report, picture) = actix_web::web::block(move || look(&page, &log_in, &search))
        .await
        .unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/docs.png");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, picture).unwrap();
    println!("{report:#}\n{}", file.display());
    let good = report["status"] == "200" && report["violations"] == json!([]);
    ExitCode::from(u8::from(!good))
}

/// What the script reports, and a picture of the page then.
fn look(page: &str, log_in: &Value, search: &Value) -> (Value, Vec<u8>) {
    let folder = env::temp_dir().join(format!("wayfare-docs-{}", std::process::id()));
    let mut browser = Browser::start(&folder);
    browser.tell("Page.enable", json!({}));
    browser.tell(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": WATCH }),
    );
    browser.tell("Page.navigate", json!({ "url": page }));
    let expression = format!("({SCRIPT})({log_in}, {search})");
    let evaluated = browser.tell(
        "Runtime.evaluate",
        json!({ "expression": expression, "awaitPromise": true, "returnByValue": true }),
    );
    assert!(evaluated["exceptionDetails"].is_null(), "{evaluated:#}");
    let picture = browser.tell("Page.captureScreenshot", json!({}));
    drop(browser);
    // It may still be writing there.
    let _ = fs::remove_dir_all(&folder);
    let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
    (evaluated["result"]["value"].clone(), picture)
}

/// A running Chromium with one page. It ends with the value.
struct Browser {
    process: Child,
    asked: ChildStdin,
    messages: BufReader<ChildStdout>,
    page: String,
    last: u32,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    fn start(folder: &Path) -> Self {
        let names = ["chromium-headless-shell", "chromium", "google-chrome"];
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let name = names
            .into_iter()
            .find(is_there)
            .expect("Chromium is on this machine");
        // The pipes have the numbers 3 and 4. Its sandbox is not for root, and it sees nothing but our own page.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1", name])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
            ])
            .args(["--window-size=1280,1600", "about:blank"])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let asked = process.stdin.take().unwrap();
        let messages = BufReader::new(process.stdout.take().unwrap());
        let mut browser = Self {
            process,
            asked,
            messages,
            page: String::new(),
            last: 0,
        };
        let targets = browser.tell("Target.getTargets", json!({}));
        let page = targets["targetInfos"][0]["targetId"].clone();
        let attached = browser.tell(
            "Target.attachToTarget",
            json!({ "targetId": page, "flatten": true }),
        );
        browser.page = attached["sessionId"].as_str().unwrap().to_owned();
        browser
    }

    /// Sends a command to the page, or to the browser while there is none; its result.
    fn tell(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": params });
        if !self.page.is_empty() {
            command["sessionId"] = json!(self.page);
        }
        self.asked.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let mut message = Vec::new();
            self.messages.read_until(0, &mut message).unwrap();
            let message: Value = serde_json::from_slice(message.strip_suffix(&[0]).unwrap()).unwrap();
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {message:#}");
                return message["result"].clone();
            }
        }
    }
}
