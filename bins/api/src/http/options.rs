//! How the server behaves towards its clients.

use std::time::Duration;

use tokio::sync::watch;
use url::Url;
use wayfare_domain::Network;

pub use wayfare_search_response::flights::AirlineLogos;

use super::{event_coding::EventEncoders, rate_limit::RateLimits, request_metrics::RequestMetrics};

/// How the server behaves towards its clients.
#[derive(Clone)]
pub struct ServerOptions {
    /// How much each may ask.
    pub limits: RateLimits,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// A request's head must come within this time, and its body within as much again: a slow client does not keep a
    /// connection.
    pub slowest_request: Duration,
    /// How many threads serve.
    pub workers: usize,
    /// Turns true when the server is about to be stopped: streams end at once.
    pub stopping: watch::Receiver<bool>,
    /// Turns true when the start has ended: whoever waits for a server that is ready finds all that it tells of then.
    pub started: watch::Receiver<bool>,
    /// How long running requests may take to end when the server is stopped.
    pub shutdown: Duration,
    /// Where logos of airlines are that no supplier has one of.
    pub airline_logos: AirlineLogos,
    /// What codes event streams for those who ask for it.
    pub event_encoders: EventEncoders,
    /// Where requests are counted.
    pub metrics: RequestMetrics,
    /// The console for browsers, if there is to be one.
    pub console: Option<ConsoleOptions>,
    /// By which hosts the operator's listener is asked for, beside this machine's own.
    pub operator_hosts: Vec<String>,
}

/// How the console for browsers is to be.
#[derive(Clone, Debug, Default)]
pub struct ConsoleOptions {
    /// Where browsers find what this listener serves, if that is said.
    pub public_url: Option<Url>,
    /// Whether nothing that is sold is real.
    pub is_sandbox: bool,
}
