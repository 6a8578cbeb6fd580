//! How the server behaves towards its clients.

use std::time::Duration;

use tokio::sync::watch;
use wayfare_domain::Network;

use super::rate_limit::RateLimits;

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
}
