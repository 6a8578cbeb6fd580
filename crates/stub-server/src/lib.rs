//! What tests and benchmarks put at the other end of a wire: [`StubServer`] answers prepared bytes and keeps what it was
//! sent, [`http`] is the wire below it, [`Decoder`] reads coded streams, [`spoiling`] makes broken bodies, [`recordings`]
//! reads recorded answers, [`odd_world`] reads answers with oddities.
//!
//! No program depends on this crate, so it panics where a test would.
//!
//! ```
//! use tokio::{io::{AsyncReadExt, AsyncWriteExt}, net::TcpStream};
//! use wayfare_stub_server::{Reply, StubServer, reply};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let server = StubServer::start([reply(200, r#"{"data":[]}"#), Reply::Hang]).await;
//! let mut client = TcpStream::connect(server.address()).await.unwrap();
//! client.write_all(b"GET /air/orders HTTP/1.1\r\naccept: */*\r\n\r\n").await.unwrap();
//! let mut answer = String::new();
//! client.read_to_string(&mut answer).await.unwrap();
//! assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with(r#"{"data":[]}"#));
//! assert_eq!(server.only().line, "GET /air/orders");
//! # });
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "only tests and benchmarks use it"
)]

mod decoder;
mod did_not_run;
pub mod http;
pub mod odd_world;
pub mod recordings;
mod server;
pub mod spoiling;

pub use decoder::Decoder;
pub use did_not_run::{MUST_RUN, did_not_run};
pub use http::Request;
pub use server::{Reply, SideReply, StubServer, patience, reply};
