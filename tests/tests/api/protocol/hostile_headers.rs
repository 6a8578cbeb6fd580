//! Headers that callers write: none of them breaks out of its place, in an answer, the journal or the server.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use wayfare_tests::World;

/// Sends these very bytes; all that the server says before it closes.
async fn say(world: &World, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(world.base_url.trim_start_matches("http://")).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut said = Vec::new();
    // The server may cut the connection while there is more to read.
    let _ = stream.read_to_end(&mut said).await;
    String::from_utf8_lossy(&said).into_owned()
}

fn status(said: &str) -> &str {
    said.split(' ').nth(1).unwrap_or("nothing")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_stays_one_header_whatever_is_in_it() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let token = admin.token.clone().unwrap();
    let long = "x".repeat(20_000);
    let values: [&[u8]; 12] = [
        b"a\rset-cookie: evil=1",
        b"a\nset-cookie: evil=1",
        b"a\r\nset-cookie: evil=1",
        b"a%0d%0aset-cookie: evil=1",
        b"a\0b",
        b"a\x1b[2J",
        b"a\x7fb",
        b"a\tb",
        b"\xff\xfe",
        "é\u{2028}".as_bytes(),
        b"",
        long.as_bytes(),
    ];
    for name in ["x-request-id", "user-agent", "x-forwarded-for", "idempotency-key", "accept-encoding"] {
        for value in values {
            let body = r#"{"name":"New"}"#;
            let head = format!(
                "PUT /api/v1/org/profile HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n{name}: ",
                body.len()
            );
            let said = say(&world, &[head.as_bytes(), value, b"\r\n\r\n", body.as_bytes()].concat()).await;
            let shown = String::from_utf8_lossy(&value[..value.len().min(40)]).into_owned();
            assert!(["200", "400", "422", "431"].contains(&status(&said)), "{name} {shown:?}: {said}");
            for line in said.split("\r\n\r\n").next().unwrap().lines() {
                assert!(!line.starts_with("set-cookie"), "{name} {shown:?}: {said}");
                assert!(!line.contains(|c: char| c.is_control()), "{name} {shown:?}: {said}");
            }
        }
    }
    // What was journaled of it is printable, and no longer than it may be.
    let journaled = world
        .lines("select user_agent || ' ' || request_id || ' ' || ip_address from events where action = 'organization.updated'")
        .await;
    for line in journaled {
        assert!(!line.contains(char::is_control) && line.len() < 700, "{line:?}");
    }
    admin.get("/me").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_framed_in_one_way_or_refused() {
    let world = World::start().await;
    let table: [(&str, &str, &str); 6] = [
        ("two lengths", "content-length: 2\r\ncontent-length: 3\r\n", "{}x"),
        ("a length and chunks", "content-length: 2\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
        ("a negative length", "content-length: -1\r\n", "{}"),
        ("a length with a sign", "content-length: +2\r\n", "{}"),
        ("an unknown encoding", "transfer-encoding: xchunked\r\n", "{}"),
        ("chunks that are none", "transfer-encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
    ];
    for (what, headers, body) in table {
        // A second request in the same bytes must not be served as one.
        let request = format!(
            "POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{headers}\r\n{body}\
             GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        );
        let said = say(&world, request.as_bytes()).await;
        assert_eq!(status(&said), "400", "{what}: {said}");
        assert!(!said.contains(r#"{"status":"ok"}"#), "{what}: {said}");
    }
}
