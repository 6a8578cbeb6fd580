//! An agency's own server, to which webhooks are sent: it notes what comes and answers as it is told.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

use crate::{contract, eventually};

/// What the receiver does with the next requests.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    Answers(u16),
    /// With this status and further header lines, each with its end.
    AnswersWith(u16, &'static str),
    /// It takes so long first, then answers with this status.
    Dawdles(Duration, u16),
    /// It answers with this status when [`Receiver::lets_go`] is called.
    Waits(u16),
    /// It answers 200 at once, with a body that never ends.
    Trickles,
    /// It closes the connection without a word.
    HangsUp,
}

#[derive(Clone, Debug)]
pub struct Received {
    /// The header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub at: Instant,
}

impl Received {
    /// This header's value, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        let event: Value = serde_json::from_str(&self.body).unwrap();
        // What a test has written into the outbox itself has no data.
        if event["data"] != json!({}) {
            contract::check_webhook(&event);
        }
        event
    }
}

/// The server. It ends with the value.
pub struct Receiver {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    manner: Arc<Mutex<Manner>>,
    let_go: watch::Sender<()>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// One that answers 200.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let (received, manner) = (Arc::default(), Arc::new(Mutex::new(Manner::Answers(200))));
        let let_go = watch::Sender::new(());
        let serving = tokio::spawn(serve(listener, Arc::clone(&received), manner.clone(), let_go.clone()));
        Self { url, received, manner, let_go, serving }
    }

    /// From now on it does so.
    pub fn becomes(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }

    /// Answers all that wait for it ([`Manner::Waits`]).
    pub fn lets_go(&self) {
        self.let_go.send_replace(());
    }

    /// What has come, in order.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Waits until so much has come.
    pub async fn waits_for(&self, count: usize) -> Vec<Received> {
        eventually(&format!("{count} messages at {}", self.url), async || {
            let received = self.received();
            (received.len() >= count).then_some(received)
        })
        .await
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(
    listener: TcpListener,
    received: Arc<Mutex<Vec<Received>>>,
    manner: Arc<Mutex<Manner>>,
    let_go: watch::Sender<()>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (received, manner, let_go) = (received.clone(), manner.clone(), let_go.subscribe());
        // A client that hangs up ends its own exchange.
        tokio::spawn(async move { drop(answer(stream, &received, &manner, let_go).await) });
    }
}

async fn answer(
    mut stream: TcpStream,
    received: &Mutex<Vec<Received>>,
    manner: &Mutex<Manner>,
    mut let_go: watch::Receiver<()>,
) -> std::io::Result<()> {
    let Some(request) = read(&mut stream).await? else { return Ok(()) };
    received.lock().unwrap().push(request);
    let manner = *manner.lock().unwrap();
    let (status, headers) = match manner {
        Manner::Answers(status) => (status, ""),
        Manner::AnswersWith(status, headers) => (status, headers),
        Manner::Dawdles(time, status) => {
            tokio::time::sleep(time).await;
            (status, "")
        }
        Manner::Waits(status) => {
            drop(let_go.changed().await);
            (status, "")
        }
        Manner::Trickles => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await?;
            loop {
                stream.write_all(b"1\r\n.\r\n").await?;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        Manner::HangsUp => return Ok(()),
    };
    let text = format!("HTTP/1.1 {status} X\r\n{headers}content-length: 5\r\nconnection: close\r\n\r\nheard");
    stream.write_all(text.as_bytes()).await
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Option<Received>> {
    let mut bytes = Vec::new();
    loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let headers: Vec<(String, String)> = head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
        if body.len() >= length {
            return Ok(Some(Received { headers, body: body.to_owned(), at: Instant::now() }));
        }
    }
}
