//! One attempt: sent once, over a connection to an address that may be called, and judged by whoever asked for it.

use std::{
    error::Error,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime},
};

use reqwest::{
    Client, Response,
    header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER},
    redirect::Policy,
};
use thiserror::Error;
use tokio::time::{Instant, timeout_at};

use crate::{
    Address, Lookup, Message, Networks,
    resolver::{Guarded, of_the_machine},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// From the look-up of the name to the status; nor is a body read for longer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// So much of an answer is read; nobody needs more of it.
const ANSWER_LIMIT: usize = 16 * 1024;
/// So many characters of it are kept.
const EXCERPT: usize = 500;

/// What a receiver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status; redirects are not followed.
    pub status: u16,
    /// The beginning of the body, what is no text replaced.
    pub excerpt: String,
    /// How long it wants to be left alone.
    pub retry_after: Option<Duration>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Unanswered(String);

/// Sends messages. Its clones share their connections.
#[derive(Clone)]
pub struct Sender {
    networks: Networks,
    lookup: Lookup,
    /// Without and with TLS. They are made when something is sent: most programs send nothing.
    clients: Arc<[OnceLock<Client>; 2]>,
}

impl Sender {
    /// One that reaches public addresses, and these networks.
    pub fn new(networks: Networks) -> Self {
        Self::with_lookup(networks, of_the_machine())
    }

    /// One that looks names up so.
    pub fn with_lookup(networks: Networks, lookup: Lookup) -> Self {
        Self { networks, lookup, clients: Arc::default() }
    }

    /// The networks that are allowed beside public addresses.
    pub fn networks(&self) -> &Networks {
        &self.networks
    }

    /// Sends a message once.
    ///
    /// # Errors
    /// Why no status came within ten seconds.
    pub async fn send(&self, url: &str, message: Message<'_>) -> Result<Answer, Unanswered> {
        // A connection asks no resolver for an address in numbers; that it was allowed when it was given says nothing.
        let address = Address::read(url, &self.networks);
        let address = address.map_err(|bad| Unanswered(format!("the URL {bad}")))?;
        let mut request = self
            .client(address.with_tls())?
            .post(address.url().clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.timestamp())
            .header("webhook-signature", message.signatures())
            .body(message.body.to_owned());
        if let Some(trace) = wayfare_trace::current() {
            request = request.header(wayfare_trace::HEADER, trace.to_string());
        }
        let deadline = Instant::now() + TIMEOUT;
        let late = |_| Unanswered(format!("no answer within {} s", TIMEOUT.as_secs()));
        let response = timeout_at(deadline, request.send()).await.map_err(late)?;
        let response = response.map_err(|error| why(&error))?;
        Ok(Answer {
            status: response.status().as_u16(),
            retry_after: retry_after(response.headers()),
            excerpt: excerpt(response, deadline).await,
        })
    }

    fn client(&self, with_tls: bool) -> Result<&Client, Unanswered> {
        let [plain, secure] = &*self.clients;
        let place = if with_tls { secure } else { plain };
        if let Some(client) = place.get() {
            return Ok(client);
        }
        let resolver = Guarded { lookup: self.lookup.clone(), networks: self.networks.clone(), with_tls };
        let client = Client::builder()
            .dns_resolver(Arc::new(resolver))
            .https_only(with_tls)
            .redirect(Policy::none())
            // One of the environment would call whatever it can reach.
            .no_proxy()
            .no_gzip()
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(Duration::from_secs(20))
            .pool_max_idle_per_host(4)
            .user_agent(concat!("wayfare-webhooks/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| why(&error))?;
        Ok(place.get_or_init(|| client))
    }
}

/// The innermost reason, which says what was wrong.
fn why(error: &reqwest::Error) -> Unanswered {
    let mut reason: &dyn Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    let kind = if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "no answer in time"
    } else {
        "the exchange broke off"
    };
    Unanswered(kept(&format!("{kind}: {reason}")))
}

/// As seconds or as a date (RFC 9110, 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

/// What can be had of the body by then: that it breaks off or trickles changes nothing, since its status was heard.
async fn excerpt(mut response: Response, deadline: Instant) -> String {
    let mut body = Vec::new();
    while body.len() < ANSWER_LIMIT
        && let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(ANSWER_LIMIT);
    kept(&String::from_utf8_lossy(&body))
}

/// The beginning of a text. No database keeps a NUL.
fn kept(text: &str) -> String {
    text.chars().filter(|character| *character != '\0').take(EXCERPT).collect()
}
