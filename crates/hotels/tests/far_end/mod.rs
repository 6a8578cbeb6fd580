//! The far end of a wire in tests: answers what it is told to and remembers what it was asked.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How the next request is met.
#[derive(Clone, Debug)]
pub enum Act {
    /// A whole answer.
    Reply(u16, String),
    /// A whole answer with one more header line.
    ReplyWith(u16, &'static str, String),
    /// Half of an answer, then the connection is cut.
    Cut(u16, String),
    /// The connection is cut when the request has been read.
    Hang,
    /// A whole answer, 200, so much later.
    Late(Duration, String),
    /// Nothing, for longer than anybody waits.
    Silence,
}

/// A whole answer.
pub fn reply(status: u16, body: impl Into<String>) -> Act {
    Act::Reply(status, body.into())
}

/// One request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Method and target: `GET /bookings/b1`.
    pub line: String,
    /// In lower case, one a line.
    pub headers: String,
    /// Null without one.
    pub body: Value,
}

/// The server. Requests beyond its acts get 599. What is asked beside something else, at a time that nobody knows, such
/// as what hotels are, has acts and a list of its own.
#[derive(Clone, Debug)]
pub struct FarEnd {
    pub base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    beside_asked: Arc<Mutex<Vec<Asked>>>,
}

/// How every request is met whose line begins so.
pub type Beside = (&'static str, Act);

/// What requests meet.
struct Script {
    acts: Mutex<VecDeque<Act>>,
    beside: Vec<Beside>,
}

impl FarEnd {
    /// One that meets requests so, in this order.
    pub async fn with(acts: impl IntoIterator<Item = Act>) -> Self {
        Self::with_beside(acts, []).await
    }

    /// The same, and what is asked beside them.
    pub async fn with_beside(
        acts: impl IntoIterator<Item = Act>,
        beside: impl IntoIterator<Item = Beside>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let far_end = Self {
            base_url: format!("http://{}", listener.local_addr().unwrap()),
            asked: Arc::default(),
            beside_asked: Arc::default(),
        };
        let script = Arc::new(Script {
            acts: Mutex::new(acts.into_iter().collect()),
            beside: beside.into_iter().collect(),
        });
        let server = far_end.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), server.clone()));
            }
        });
        far_end
    }

    /// An address at which nobody listens.
    pub async fn nobody() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        Self {
            base_url,
            asked: Arc::default(),
            beside_asked: Arc::default(),
        }
    }

    /// All requests but those beside them.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Those beside them.
    pub fn beside_asked(&self) -> Vec<Asked> {
        self.beside_asked.lock().unwrap().clone()
    }

    /// The only request there was, but those beside it.
    pub fn only(&self) -> Asked {
        let [only] = self.asked().try_into().expect("exactly one request");
        only
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Script>, far_end: FarEnd) {
    let Some(asked) = read_request(&mut stream).await else {
        return;
    };
    let beside = script
        .beside
        .iter()
        .find(|(start, _)| asked.line.starts_with(start));
    let act = if let Some((_, act)) = beside {
        far_end.beside_asked.lock().unwrap().push(asked);
        act.clone()
    } else {
        far_end.asked.lock().unwrap().push(asked);
        let act = script.acts.lock().unwrap().pop_front();
        act.unwrap_or(Act::Reply(599, String::new()))
    };
    let (status, header, body, cut) = match act {
        Act::Reply(status, body) => (status, "x-plain: 1", body, false),
        Act::ReplyWith(status, header, body) => (status, header, body, false),
        Act::Cut(status, body) => (status, "x-plain: 1", body, true),
        Act::Late(wait, body) => {
            tokio::time::sleep(wait).await;
            (200, "x-plain: 1", body, false)
        }
        Act::Hang => return,
        Act::Silence => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            return;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n{header}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.ok();
    let end = if cut { body.len() / 2 } else { body.len() };
    stream.write_all(&body.as_bytes()[..end]).await.ok();
    stream.flush().await.ok();
}

async fn read_request(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).ok()?;
    let (line, headers) = head.split_once("\r\n")?;
    let headers = headers.replace('\r', "").trim().to_owned();
    let lower = headers.to_ascii_lowercase();
    let length = lower
        .lines()
        .find_map(|header| header.strip_prefix("content-length: ")?.parse::<usize>().ok());
    while bytes.len() < head_end + length.unwrap_or(0) {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = serde_json::from_slice(&bytes[head_end..]).unwrap_or(Value::Null);
    let line = line.strip_suffix(" HTTP/1.1")?.to_owned();
    Some(Asked { line, headers, body })
}
