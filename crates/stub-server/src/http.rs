//! The server's side of HTTP/1.1 on a socket of its own, so that it is known when an answer's last byte was written.

use std::{error::Error, net::Ipv4Addr, sync::Arc};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// What went wrong with a connection.
pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Clone, Debug)]
pub struct Request {
    /// Method and target: `GET /air/orders`.
    pub line: String,
    pub headers: String,
    pub text: String,
    /// The body read; null where it is no JSON.
    pub body: Value,
}

impl Request {
    pub fn path(&self) -> &str {
        self.line.split_once(' ').map_or("", |(_, path)| path)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.lines().filter_map(|line| line.split_once(": "));
        headers.find_map(|(known, value)| known.eq_ignore_ascii_case(name).then_some(value))
    }
}

/// Who answers the requests of a connection, one after the other.
pub trait Answers: Send + Sync + 'static {
    /// Writes the whole answer, head and body; an error ends the connection.
    fn answer(&self, request: Request, to: &mut TcpStream) -> impl Future<Output = Result<()>> + Send;
}

/// A free port of this machine, and its URL.
pub async fn listen() -> Result<(TcpListener, String)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("http://{}", listener.local_addr()?);
    Ok((listener, url))
}

/// Answers until the listener breaks.
pub async fn serve(listener: TcpListener, answers: Arc<impl Answers>) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answers = answers.clone();
        tokio::spawn(async move {
            // A client that hangs up ends its own connection only.
            connection(stream, &*answers).await.ok();
        });
    }
}

async fn connection(stream: TcpStream, answers: &impl Answers) -> Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await? {
        answers.answer(request, stream.get_mut()).await?;
    }
    Ok(())
}

/// The next request; none when the client has closed.
async fn read(stream: &mut BufReader<TcpStream>) -> Result<Option<Request>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut request = Request {
        line: line.trim_end().trim_end_matches(" HTTP/1.1").to_owned(),
        headers: String::new(),
        text: String::new(),
        body: Value::Null,
    };
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        match line.trim_end() {
            "" => break,
            header => request.headers += &format!("{header}\n"),
        }
    }
    let length = request.header("content-length").map_or(Ok(0), str::parse)?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    request.body = serde_json::from_slice(&body).unwrap_or_default();
    request.text = String::from_utf8(body)?;
    Ok(Some(request))
}

/// The head of an answer with so long a body.
pub fn head(length: usize) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
}

/// The head of an answer whose body comes in chunks.
pub const EVENTS: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// Writes one chunk; an empty one is the last.
pub async fn chunk(to: &mut TcpStream, bytes: &[u8]) -> Result<()> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend(bytes);
    chunk.extend(b"\r\n");
    Ok(to.write_all(&chunk).await?)
}
