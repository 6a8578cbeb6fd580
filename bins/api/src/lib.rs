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
//!     operator_hosts: Vec::new(),
//!     slowest_request: std::time::Duration::from_secs(15),
//!     workers: 2,
//!     stopping: tokio::sync::watch::channel(false).1,
//!     started: tokio::sync::watch::channel(true).1,
//!     shutdown: std::time::Duration::from_secs(30),
//!     airline_logos: wayfare_api::AirlineLogos::default(),
//!     event_encoders: wayfare_api::EventEncoders::within(256 << 20),
//!     metrics: wayfare_api::RequestMetrics::default(),
//!     console: None,
//! };
//! let server = wayfare_api::serve(platform, listener, options)?;
//! server.await
//! # }
//! ```

pub mod demo;
mod http;
mod metrics;
#[cfg(test)]
mod openapi;
mod resources;
mod routes;
mod server;

pub use http::{
    endpoint::Endpoint,
    event_coding::EventEncoders,
    options::{AirlineLogos, ConsoleOptions, ServerOptions},
    rate_limit::{RateLimits, Thresholds},
    request_metrics::RequestMetrics,
};
pub use metrics::{Metrics, serve_metrics};
pub use routes::{endpoints, operator::endpoints as operator_endpoints};
pub use server::{serve, serve_operator};
