//! The far side of HTTP/1.1 on a socket of its own, so that it is known when an answer's last byte was written.

use std::{net::Ipv4Addr, sync::Arc};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::Result;

/// What was asked.
pub(crate) struct Request {
    pub path: String,
    pub body: String,
}

/// Who answers what comes in on connections, one request after the other on each.
pub(crate) trait Answers: Send + Sync + 'static {
    /// Writes the whole answer, head and body.
    fn answer(&self, request: Request, to: &mut TcpStream) -> impl Future<Output = Result<()>> + Send;
}

/// A free port of this machine, and its URL.
pub(crate) async fn listen() -> Result<(TcpListener, String)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("http://{}", listener.local_addr()?);
    Ok((listener, url))
}

/// Answers until the listener breaks.
pub(crate) async fn serve(listener: TcpListener, answers: Arc<impl Answers>) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answers = answers.clone();
        // Whose client has left is left.
        tokio::spawn(async move { on(stream, &*answers).await.ok() });
    }
}

async fn on(stream: TcpStream, answers: &impl Answers) -> Result<()> {
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
    let path = line
        .split(' ')
        .nth(1)
        .ok_or("a request without a path")?
        .to_owned();
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse()?
            }
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let body = String::from_utf8(body)?;
    Ok(Some(Request { path, body }))
}

/// The head of an answer with so long a body.
pub(crate) fn head(length: usize) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
}

/// The head of an answer whose body comes in chunks.
pub(crate) const EVENTS: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// Writes one chunk; an empty one is the last.
pub(crate) async fn chunk(to: &mut TcpStream, bytes: &[u8]) -> Result<()> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend(bytes);
    chunk.extend(b"\r\n");
    Ok(to.write_all(&chunk).await?)
}
