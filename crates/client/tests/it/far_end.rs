//! The far end of the wire in tests: meets each request as it is told to, and remembers what it was asked.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use wayfare_client::{Client, Retries, Session};

/// How a request is met.
#[derive(Clone, Debug)]
pub enum Act {
    /// A whole answer with these header lines.
    Reply(u16, Vec<String>, String),
    /// The connection is cut when the request has been read.
    Hang,
    /// Half of an answer, then the connection is cut.
    Half(String),
    /// Nothing, for longer than anybody waits.
    Silence,
    /// A whole answer, when it is let go.
    Held(Arc<Notify>, String),
    /// An answer in pieces; then the body ends, or with `false` the connection is cut.
    Pieces(Vec<String>, bool),
}

/// A whole answer in the API's success envelope.
pub fn ok(data: Value) -> Act {
    answer(200, &json!({ "success": true, "data": data }))
}

/// A whole answer.
pub fn answer(status: u16, body: &Value) -> Act {
    Act::Reply(status, Vec::new(), body.to_string())
}

/// A refusal in the API's envelope.
pub fn refusal(status: u16, text: &str) -> Act {
    answer(status, &json!({ "success": false, "error": text }))
}

/// The answer of a log-in or refresh whose access token has this name.
pub fn tokens(name: &str, seconds: u64) -> Act {
    let user = json!({
        "id": "00000000-0000-7000-8000-000000000001", "username": "asha", "email": "asha@sunrise.example",
        "name": "Asha Rao", "role": "agent", "status": "active",
        "org_id": "00000000-0000-7000-8000-000000000002", "sub_agent_id": "WF7K2M9Q-A0001",
    });
    let tokens = json!({
        "access_token": name, "refresh_token": format!("refresh-{name}"), "expires_in_seconds": seconds,
    });
    ok(json!({ "user": user, "tokens": tokens, "agent_id": "WF7K2M9Q" }))
}

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Method and target: `GET /api/v1/me`.
    pub line: String,
    /// In lower case, one a line.
    pub headers: String,
    /// To the byte.
    pub body: String,
}

impl Asked {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The server. Log-ins are met by themselves and not remembered; other requests meet the acts in order, and 599 beyond.
pub struct FarEnd {
    pub base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What decides how a request is met.
type Script = Arc<dyn Fn(&Asked) -> Act + Send + Sync>;

impl FarEnd {
    pub async fn start(acts: impl IntoIterator<Item = Act>) -> Self {
        let acts: Mutex<VecDeque<Act>> = Mutex::new(acts.into_iter().collect());
        let next = move |_: &Asked| acts.lock().unwrap().pop_front();
        Self::that(move |asked| next(asked).unwrap_or_else(|| refusal(599, "no act is left"))).await
    }

    /// One that meets each request as this says.
    pub async fn that(meets: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (seen, script) = (asked.clone(), Arc::new(meets) as Script);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(meet(stream, script.clone(), seen.clone()));
            }
        });
        Self { base_url, asked }
    }

    /// All that was asked but log-ins, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The lines of all that was asked.
    pub fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    /// Somebody who speaks to it, with quick retries.
    pub async fn session(&self) -> Session {
        self.client(quick())
            .log_in("WF7K2M9Q", "asha", "correct horse 7")
            .await
            .unwrap()
    }

    pub fn client(&self, retries: Retries) -> Client {
        let builder = Client::builder(&self.base_url).retries(retries);
        let (timeout, silence) = (Duration::from_secs(1), Duration::from_millis(300));
        builder.timeout(timeout).silence(silence).build().unwrap()
    }
}

/// Four tries without long pauses.
pub fn quick() -> Retries {
    Retries {
        attempts: 4,
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(20),
        patience: Duration::from_secs(10),
    }
}

async fn meet(mut stream: TcpStream, script: Script, seen: Arc<Mutex<Vec<Asked>>>) {
    while let Some(asked) = read(&mut stream).await {
        let act = if asked.line.ends_with("/auth/login") {
            tokens("first", 3600)
        } else {
            seen.lock().unwrap().push(asked.clone());
            script(&asked)
        };
        match act {
            Act::Reply(status, headers, body) => {
                let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{headers}\r\n",
                    body.len()
                );
                stream
                    .write_all(format!("{head}{body}").as_bytes())
                    .await
                    .unwrap();
            }
            Act::Hang => return,
            Act::Half(body) => {
                let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n", body.len() * 2);
                stream
                    .write_all(format!("{head}{body}").as_bytes())
                    .await
                    .unwrap();
                return;
            }
            Act::Held(release, body) => {
                release.notified().await;
                let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n", body.len());
                stream
                    .write_all(format!("{head}{body}").as_bytes())
                    .await
                    .unwrap();
            }
            Act::Silence => tokio::time::sleep(Duration::from_secs(60)).await,
            Act::Pieces(pieces, ends) => {
                let head =
                    "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
                stream.write_all(head.as_bytes()).await.unwrap();
                for piece in pieces {
                    let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
                    stream.write_all(chunk.as_bytes()).await.unwrap();
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                if !ends {
                    return;
                }
                stream.write_all(b"0\r\n\r\n").await.unwrap();
            }
        }
    }
}

/// The next request on this connection; none when it is closed.
async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let (line, headers) = head.split_once("\r\n")?;
            let asked = Asked {
                line: line.trim_end_matches(" HTTP/1.1").to_owned(),
                headers: headers.to_lowercase(),
                body: body.to_owned(),
            };
            let length = asked
                .header("content-length")
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return Some(asked);
            }
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}
