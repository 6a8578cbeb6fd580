//! Reads the search stream with a browser's own reader for server-sent events, and ends with 0 when it could.
//!
//! `EventSource` can only GET, without a token: a relay stands between, which logs in, POSTs the search and passes on
//! what comes, byte by byte, in a content coding that it was asked for. Chromium reads it where it is installed, and so does Node, whose `EventSource` follows the
//! same standard; each tells the relay what it read.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "only its caller waits for it")]

use std::{
    env, fs,
    io::ErrorKind,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    web::{self, Bytes, Data},
};
use reqwest::{Method, header};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tokio::{sync::mpsc, time::timeout};
use wayfare_tests::{Person, Seller, World, WorldOptions, browser::CHROMIUM, listen, one_way};

/// How late one supplier answers: the other's offers have to be there before, and a comment between them.
const LATE: &str = "slow:4000";
/// How long a reader may take for two streams.
const PATIENCE: Duration = Duration::from_secs(60);
const SCRIPT: &str = include_str!("reader.mjs");

#[actix_web::main]
async fn main() -> ExitCode {
    let (url, mut reports) = relay().await;
    let folder = env::temp_dir().join(format!("wayfare-browser-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (mut readers, mut all_read) = (0, true);
    for (name, commands) in [("Chromium", chromium(&folder, &url)), ("Node", node(&folder, &url))] {
        let Some(_reader) = commands.into_iter().find_map(start) else {
            println!("{name}: not on this machine, or too old");
            continue;
        };
        readers += 1;
        all_read &= tell(name, timeout(PATIENCE, reports.recv()).await.ok().flatten());
    }
    // A browser that is just ending may still write there.
    let _ = fs::remove_dir_all(&folder);
    ExitCode::from(u8::from(readers == 0 || !all_read))
}

fn chromium(folder: &Path, url: &str) -> Vec<Command> {
    let of = |name| {
        let mut command = Command::new(name);
        // Its sandbox is not for root, and it sees nothing but this program's own page.
        command.args(["--headless", "--no-sandbox", "--disable-gpu"]);
        command.arg(format!("--user-data-dir={}", folder.display())).arg(url);
        command
    };
    CHROMIUM.map(of).into()
}

/// One of a version that has `EventSource`.
fn node(folder: &Path, url: &str) -> Vec<Command> {
    let script = folder.join("reader.mjs");
    fs::write(&script, SCRIPT).unwrap();
    let node = || {
        let mut command = Command::new("node");
        command.args(["--no-warnings", "--experimental-eventsource"]);
        command
    };
    if !node().arg("--version").output().is_ok_and(|version| version.status.success()) {
        return Vec::new();
    }
    let mut reader = node();
    reader.arg(script).arg(url);
    vec![reader]
}

/// A running reader. It ends with the value, and so does what it started.
struct Reader(Child);

impl Drop for Reader {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Starts it, if it is on this machine.
fn start(mut command: Command) -> Option<Reader> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.process_group(0).spawn() {
        Ok(child) => Some(Reader(child)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => unreachable!("a program that is there starts: {error}"),
    }
}

/// Prints what a reader reported; whether all was as it should be.
fn tell(name: &str, report: Option<Value>) -> bool {
    let Some(report) = report else {
        println!("{name}: no report within {PATIENCE:?}");
        return false;
    };
    println!("{}", report["reader"].as_str().unwrap());
    let texts = |key: &str| report[key].as_array().unwrap().clone();
    for line in texts("lines") {
        println!("  {}", line.as_str().unwrap());
    }
    for problem in texts("problems") {
        println!("  PROBLEM {}", problem.as_str().unwrap());
    }
    texts("problems").is_empty() && texts("lines").len() == 2
}

struct Relay {
    world: World,
    agent: Person,
    reports: mpsc::Sender<Value>,
}

/// Starts a world and the relay before it: where it answers, and what readers report to it.
async fn relay() -> (String, mpsc::Receiver<Value>) {
    let world = World::with(WorldOptions {
        sellers: vec![Seller::duffel(), Seller::tripjack()],
        ..WorldOptions::default()
    })
    .await;
    let agent = world.agent("0").await;
    let (reports, reported) = mpsc::channel(1);
    let relay = Data::new(Relay { world, agent, reports });
    let (listener, url) = listen();
    let app = move || {
        App::new()
            .app_data(relay.clone())
            .route("/", web::get().to(async || typed("text/html", include_str!("page.html"))))
            .route("/reader.mjs", web::get().to(async || typed("text/javascript", SCRIPT)))
            .route("/stream", web::get().to(stream))
            .route("/report", web::post().to(report))
    };
    tokio::spawn(HttpServer::new(app).workers(1).disable_signals().listen(listener).unwrap().run());
    (url, reported)
}

fn typed(kind: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE.as_str(), kind)).body(text)
}

/// The stream of a search that is made now, as the API sends it, in a content coding that the reader takes.
async fn stream(relay: Data<Relay>, asked: HttpRequest) -> HttpResponse {
    relay.world.next_at("duffel", "search", LATE).await;
    let search = one_way("DEL", "BOM").body(relay.world.now());
    let mut request = relay.agent.request(Method::POST, "/flights/search/stream");
    if let Some(accepted) = asked.headers().get(header::ACCEPT_ENCODING.as_str()) {
        request = request.header(header::ACCEPT_ENCODING, accepted.as_bytes());
    }
    let answer = request.json(&search).send().await.unwrap();
    let mut passed_on = HttpResponse::build(answer.status().as_u16().try_into().unwrap());
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        if let Some(value) = answer.headers().get(&name) {
            passed_on.insert_header((name.as_str(), value.as_bytes()));
        }
    }
    passed_on.streaming(answer.bytes_stream())
}

async fn report(relay: Data<Relay>, body: Bytes) -> HttpResponse {
    relay.reports.send(serde_json::from_slice(&body).unwrap()).await.unwrap();
    HttpResponse::NoContent().finish()
}
