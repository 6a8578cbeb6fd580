//! The search stream over a real socket: read with curl, ended by a stop, left by its client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Response;
use rustix::process::Signal;
use serde_json::Value;

use crate::api::{Api, search};
use crate::shared::Shared;

/// What a stop may take with streams open: less than the supplier has for its answer, 20 s, and than a stop waits for
/// calls, 30 s.
const AT_ONCE: Duration = Duration::from_secs(15);

/// A stream and what came of it.
struct Stream {
    answer: Response,
    came: String,
}

impl Stream {
    async fn open(api: &Api) -> Stream {
        Stream { answer: api.stream().await, came: String::new() }
    }

    /// Reads until this has come.
    async fn until(&mut self, text: &str) {
        while !self.came.contains(text) {
            assert!(self.read().await, "it ended without {text}: {}", self.came);
        }
    }

    async fn all(mut self) -> String {
        while self.read().await {}
        self.came
    }

    async fn read(&mut self) -> bool {
        let chunk = self.answer.chunk().await.unwrap();
        let chunk = chunk.map(|chunk| String::from_utf8(chunk.into()).unwrap());
        self.came.extend(chunk.clone());
        chunk.is_some()
    }
}

#[tokio::test]
async fn a_stop_ends_open_streams_at_once_and_without_done() {
    let shared = Shared::with_sandbox("stopped_stream").await;
    let mut server = shared.first(None).await;
    let api = shared.agent().await;
    api.fault("search", "slow:600000").await;
    let mut stream = Stream::open(&api).await;
    // TripJack's part is there, Duffel's is waited for.
    stream.until("event: results").await;

    let told = Instant::now();
    server.signal(Signal::TERM);
    let came = stream.all().await;
    let stream_ended = told.elapsed();
    let status = server.exited(AT_ONCE * 5).await;
    let server_ended = told.elapsed();
    println!("the stream ended after {stream_ended:?}, the server after {server_ended:?}");
    assert_eq!(status.code(), Some(0), "{}", server.said());
    assert!(stream_ended < AT_ONCE && server_ended < AT_ONCE);
    assert_eq!(came.matches("event: results").count(), 1, "{came}");
    assert!(!came.contains("event: done"), "{came}");
    assert!(came.ends_with("\n\n"), "an event was cut off: {came}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_its_stream_takes_the_suppliers_call_along() {
    let supplier = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = supplier.local_addr().unwrap();
    let shared = Shared::with_duffel_at("left_stream", &format!("http://{address}")).await;
    let _server = shared.first(None).await;
    let api = shared.agent().await;
    let call = tokio::task::spawn_blocking(move || {
        // The watch asks for changed orders by itself.
        let mut calls = supplier.incoming().map(Result::unwrap);
        let search = calls.find(|call| read_head(call).starts_with("POST /air/offer_requests"));
        closed(search.unwrap())
    });
    let mut stream = Stream::open(&api).await;
    stream.until(": keep-alive").await;
    assert!(!call.is_finished(), "the supplier's call ended before its client left");

    let left = Instant::now();
    drop(stream);
    let closed = call.await.unwrap();
    println!("the supplier's call was dropped after {:?}", closed - left);
    // The supplier had 20 s to answer.
    assert!(closed - left < AT_ONCE);
}

/// The first line of a call.
fn read_head(mut call: &TcpStream) -> String {
    let mut line = [0; 64];
    call.read_exact(&mut line).unwrap();
    String::from_utf8_lossy(&line).into_owned()
}

/// When the caller closed the connection.
fn closed(mut call: TcpStream) -> Instant {
    call.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // A reset is an end, too; silence until the time-out shows in the time.
    let _ = call.read_to_end(&mut Vec::new());
    Instant::now()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn curl_reads_each_suppliers_offers_as_they_come() {
    let shared = Shared::with_sandbox("curl_stream").await;
    let _server = shared.first(None).await;
    let api = shared.agent().await;
    // Duffel answers when what TripJack has is there, and a comment.
    api.fault("search", "slow:600000").await;
    let (told, mut lines) = tokio::sync::mpsc::unbounded_channel();
    let reading = tokio::task::spawn_blocking({
        let api = api.clone();
        move || curl(&api, |line| told.send(line).unwrap())
    });
    let mut came = Vec::new();
    let has = |came: &[String], wanted: &str| came.iter().any(|line| line == wanted);
    while !has(&came, "event: results") || !has(&came, ": keep-alive") {
        came.push(lines.recv().await.unwrap());
    }
    api.all_is_well().await;
    while let Some(line) = lines.recv().await {
        came.push(line);
    }
    reading.await.unwrap();
    let lines = came;

    let (head, events): (Vec<_>, Vec<_>) = {
        let end = lines.iter().position(String::is_empty).unwrap();
        (lines[..end].to_vec(), lines[end + 1..].to_vec())
    };
    let head: Vec<String> = head.into_iter().map(|line| line.to_lowercase()).collect();
    assert_eq!(head[0], "http/1.1 200 ok");
    assert!(head.contains(&"content-type: text/event-stream".to_owned()), "{head:?}");
    // In what this curl takes of both, and in gzip never: events would wait for each other.
    let version = Command::new("curl").arg("--version").output().unwrap();
    let features = String::from_utf8(version.stdout).unwrap();
    let takes = |feature: &str| features.split_whitespace().any(|one| one == feature);
    let best = [("zstd", "zstd"), ("brotli", "br")].into_iter().find(|(feature, _)| takes(feature));
    let coding = head.iter().find_map(|line| line.strip_prefix("content-encoding: "));
    assert_eq!(coding, best.map(|(_, coding)| coding), "{head:?}");

    let names = events.iter().filter_map(|line| line.strip_prefix("event: "));
    let names: Vec<&str> = names.collect();
    let data = events.iter().filter_map(|line| line.strip_prefix("data: "));
    let data: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
    assert_eq!(names, ["results", "results", "done"]);
    let suppliers = |snapshot: &Value| -> Vec<String> {
        let status = &snapshot["data"]["search_meta"]["provider_status"];
        status.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(suppliers(&data[0]), ["tripjack"]);
    assert_eq!(suppliers(&data[1]), ["duffel", "tripjack"]);
    assert_eq!(data[2]["message"], "search complete");
    assert_eq!(data[2]["data"]["offers"], data[1]["data"]["offers"]);
    let offers = |snapshot: &Value| snapshot["data"]["offers"].as_array().unwrap().len();
    assert!(offers(&data[0]) > 0 && offers(&data[1]) > offers(&data[0]));
}

/// The head and the stream as curl shows them, each line as it comes.
fn curl(api: &Api, mut tell: impl FnMut(String)) {
    let mut curl = Command::new("curl")
        .args(["--silent", "--no-buffer", "--compressed", "--include", "--max-time", "120", "--noproxy", "*"])
        .args(["--header", "Content-Type: application/json", "--data", "@-"])
        .args(["--header", &format!("Authorization: Bearer {}", api.token())])
        .arg(format!("{}/api/v1/flights/search/stream", api.url()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = curl.stdin.take().unwrap();
    stdin.write_all(search().to_string().as_bytes()).unwrap();
    drop(stdin);
    for line in BufReader::new(curl.stdout.take().unwrap()).lines() {
        tell(line.unwrap());
    }
    assert!(curl.wait().unwrap().success());
}
