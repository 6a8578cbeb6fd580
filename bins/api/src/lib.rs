//! The Wayfare API server: HTTP and nothing else.
//!
//! A handler extracts, calls one operation and wraps its answer; the contract's envelopes, statuses and texts
//! are made here and only here.
//!
//! ```no_run
//! # async fn example(platform: std::sync::Arc<wayfare_operations::Platform>) -> std::io::Result<()> {
//! let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! let server = wayfare_api::serve(platform, listener, wayfare_api::RateLimits::off(), 2, 30)?;
//! server.await
//! # }
//! ```

mod bodies;
pub mod demo;
mod extract;
mod form;
mod handlers;
mod once;
mod rate_limit;
mod refusal;
mod reply;
mod request_id;
mod routes;
mod server;
mod views;

pub use rate_limit::RateLimits;
pub use server::serve;
pub use views::search::SearchResult;
