//! A server that answers what a test has prepared and keeps what it was sent.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::http::{self, Answers, Request, Result};

#[derive(Clone, Debug)]
pub enum Reply {
    Whole(u16, String),
    /// A whole answer with one more header line.
    WithHeader(u16, String, String),
    /// Half of an answer, then the connection is cut.
    Cut(u16, String),
    /// The connection is cut when the request has been read.
    Hang,
    /// A whole answer, 200, so much later.
    Late(Duration, String),
    /// A whole answer, 200, when it is released.
    Held(Arc<Notify>, String),
    /// An event stream in chunks; then the body ends, or with `false` the connection is cut.
    Chunks(Vec<String>, bool),
    /// The same with a header line that says how it is coded.
    Coded(String, Vec<Vec<u8>>, bool),
    /// Nothing, for longer than anybody waits.
    Silence,
}

pub fn reply(status: u16, body: impl Into<String>) -> Reply {
    Reply::Whole(status, body.into())
}

/// Where a prepared reply never comes, or comes late.
static SILENT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// How long a test lets its client wait for the server at this URL, or at a path of it: so long that a busy machine is not
/// taken for a silent server, and shortly for one that was prepared to be silent.
pub fn patience(url: &str) -> Duration {
    let silent = SILENT.lock().unwrap();
    let is_at = |silent: &String| {
        url.strip_prefix(silent.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if silent.iter().any(is_at) { Duration::from_secs(2) } else { Duration::from_secs(120) }
}

/// How every request is answered whose line contains this: a side request.
pub type SideReply = (&'static str, Reply);

/// The server, on a port of its own until the runtime ends. Requests that come beside the main ones, at a time that nobody
/// knows, have replies and a list of their own.
#[derive(Clone, Debug)]
pub struct StubServer {
    /// Where it answers, without a trailing slash.
    pub base_url: String,
    requests: Arc<Mutex<Vec<Request>>>,
    side_requests: Arc<Mutex<Vec<Request>>>,
}

struct Script {
    main: Box<dyn Fn(&Request) -> Reply + Send + Sync>,
    side: Vec<SideReply>,
    server: StubServer,
}

impl StubServer {
    /// One that gives these replies in order, and 599 beyond them.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with_side(replies, []).await
    }

    pub async fn with_side(
        replies: impl IntoIterator<Item = Reply>,
        side: impl IntoIterator<Item = SideReply>,
    ) -> Self {
        let replies: VecDeque<Reply> = replies.into_iter().collect();
        let is_silent = replies.iter().any(|reply| matches!(reply, Reply::Silence));
        let replies = Mutex::new(replies);
        let next = move |_: &Request| replies.lock().unwrap().pop_front();
        let server =
            Self::deciding(move |request| next(request).unwrap_or_else(|| reply(599, "")), side).await;
        if is_silent {
            server.is_silent();
        }
        server
    }

    /// One that decides each reply by the request.
    pub async fn deciding(
        main: impl Fn(&Request) -> Reply + Send + Sync + 'static,
        side: impl IntoIterator<Item = SideReply>,
    ) -> Self {
        let (listener, base_url) = http::listen().await.unwrap();
        let server = Self { base_url, requests: Arc::default(), side_requests: Arc::default() };
        // A server before it, which has ended, may have had the port.
        SILENT.lock().unwrap().remove(&server.base_url);
        let side: Vec<SideReply> = side.into_iter().collect();
        if side.iter().any(|(_, reply)| matches!(reply, Reply::Silence)) {
            server.is_silent();
        }
        let script = Script { main: Box::new(main), side, server: server.clone() };
        tokio::spawn(http::serve(listener, Arc::new(script)));
        server
    }

    fn is_silent(&self) {
        SILENT.lock().unwrap().insert(self.base_url.clone());
    }

    /// An address at which nobody listens.
    pub async fn nobody() -> Self {
        let (_, base_url) = http::listen().await.unwrap();
        Self { base_url, requests: Arc::default(), side_requests: Arc::default() }
    }

    pub fn address(&self) -> &str {
        self.base_url.trim_start_matches("http://")
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Method and target of each main request.
    pub fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.line).collect()
    }

    pub fn side_requests(&self) -> Vec<Request> {
        self.side_requests.lock().unwrap().clone()
    }

    /// The only main request there was.
    pub fn only(&self) -> Request {
        let [only] = self.requests().try_into().expect("exactly one request");
        only
    }
}

impl Answers for Script {
    async fn answer(&self, request: Request, to: &mut TcpStream) -> Result<()> {
        let mut side = self.side.iter();
        let (list, reply) = match side.find(|(part, _)| request.line.contains(part)) {
            Some((_, reply)) => (&self.server.side_requests, reply.clone()),
            None => (&self.server.requests, (self.main)(&request)),
        };
        list.lock().unwrap().push(request);
        match reply {
            Reply::Whole(status, body) => write(to, status, "x-plain: 1", &body, body.len()).await,
            Reply::WithHeader(status, header, body) => write(to, status, &header, &body, body.len()).await,
            Reply::Cut(status, body) => write(to, status, "x-plain: 1", &body, body.len() / 2).await,
            Reply::Late(wait, body) => {
                sleep(wait).await;
                write(to, 200, "x-plain: 1", &body, body.len()).await
            }
            Reply::Held(release, body) => {
                release.notified().await;
                write(to, 200, "x-plain: 1", &body, body.len()).await
            }
            Reply::Chunks(chunks, ends) => {
                let chunks = chunks.into_iter().map(String::into_bytes).collect();
                stream(to, http::EVENTS, chunks, ends).await
            }
            Reply::Coded(header, chunks, ends) => {
                let head = http::EVENTS.replacen("\r\n", &format!("\r\n{header}\r\n"), 1);
                stream(to, &head, chunks, ends).await
            }
            Reply::Hang => Err("the connection is cut".into()),
            Reply::Silence => {
                sleep(Duration::from_secs(3600)).await;
                Err("nobody waits".into())
            }
        }
    }
}

async fn stream(to: &mut TcpStream, head: &str, chunks: Vec<Vec<u8>>, ends: bool) -> Result<()> {
    to.write_all(head.as_bytes()).await?;
    for chunk in chunks {
        http::chunk(to, &chunk).await?;
        sleep(Duration::from_millis(10)).await;
    }
    if ends {
        http::chunk(to, b"").await?;
    }
    Err("the stream is over".into())
}

/// As much of the answer as this; each connection has one answer.
async fn write(to: &mut TcpStream, status: u16, header: &str, body: &str, end: usize) -> Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\n{header}\r\nconnection: close\r\n\r\n"
    );
    to.write_all(head.as_bytes()).await?;
    to.write_all(&body.as_bytes()[..end]).await?;
    to.flush().await?;
    Err("one answer a connection".into())
}
