//! The Wayfare API server: HTTP and nothing else.
//!
//! A handler extracts, calls one operation and wraps its answer; the API's envelopes, statuses and texts
//! are made here and only here.
//!
//! ```no_run
//! # async fn example(platform: std::sync::Arc<wayfare_operations::Platform>) -> std::io::Result<()> {
//! let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! let options = wayfare_api::ServerOptions {
//!     limits: wayfare_api::RateLimits::off(),
//!     trusted_proxies: Vec::new(),
//!     slowest_request: std::time::Duration::from_secs(15),
//!     workers: 2,
//!     stopping: tokio::sync::watch::channel(false).1,
//!     shutdown: std::time::Duration::from_secs(30),
//! };
//! let server = wayfare_api::serve(platform, listener, options)?;
//! server.await
//! # }
//! ```

mod bodies;
mod client_address;
pub mod demo;
mod docs;
mod extract;
mod form;
mod handlers;
mod once;
mod openapi;
mod queries;
mod query;
mod rate_limit;
mod refusal;
mod reply;
mod request_id;
mod routes;
mod server;
mod stream;
mod views;

pub use openapi::document;
pub use rate_limit::{RateLimits, Thresholds};
pub use routes::{Endpoint, endpoints};
pub use server::{ServerOptions, serve};
pub use views::snapshot::Snapshot;
