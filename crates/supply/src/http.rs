//! The HTTP client of one supplier: every exchange passes the bulkhead and ends in a judged [`Answer`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;
use wayfare_domain::Clock;

use crate::breaker::Verdict;
use crate::bulkhead::{Bulkhead, PERMIT_WAIT};
use crate::metrics::{CallDurations, CountedCall};
use crate::observed::{self, ObservedExchange};
use crate::permits::is_watching;
use crate::read_losses::ReadLosses;
use crate::reading::{trimmed, without_nul};
use crate::tally::CallOutcome;
use crate::{Answer, Outage, OutageKind, PermitUse, Purpose, SupplierConfig, SupplierMetrics};

/// No real supplier answer is larger.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// Few answers are larger: room for more is made as it comes.
const USUAL_LIMIT: usize = 4 * 1024 * 1024;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long after it was handed over an effect may still leave, once it has its permit and its connection. Later it is
/// not sent at all.
pub const LATEST_START: Duration = PERMIT_WAIT.saturating_add(CONNECT_TIMEOUT);

/// A supplier that is rate limiting is left alone at least so long, whatever it says.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// After it a supplier is asked again, though it may have named a later time or a senseless one.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// The way to one supplier, shared by all who ask it: its clones share one bulkhead and one circuit breaker.
#[derive(Clone, Debug)]
pub struct SupplierHttp {
    client: Client,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    config: SupplierConfig,
    clock: Clock,
    bulkhead: Bulkhead,
    durations: CallDurations,
    losses: Arc<ReadLosses>,
}

/// The pauses of one supplier, so that several processes heed what one of them was told.
#[derive(Clone)]
pub struct SupplierPauses {
    asked: watch::Receiver<Option<DateTime<Utc>>>,
    clock: Clock,
    heed: Arc<dyn Fn(Duration) + Send + Sync>,
}

impl fmt::Debug for SupplierPauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SupplierPauses").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl SupplierPauses {
    /// Pauses of which `asked` tells, by this clock, and which `heed` keeps where another process was asked for them.
    pub fn new(
        asked: watch::Receiver<Option<DateTime<Utc>>>,
        clock: Clock,
        heed: impl Fn(Duration) + Send + Sync + 'static,
    ) -> Self {
        Self { asked, clock, heed: Arc::new(heed) }
    }

    /// Until when, by its [`SupplierPauses::clock`], the supplier has asked this process to leave it alone: the latest of all,
    /// each time that it is later than before.
    pub fn asked(&self) -> watch::Receiver<Option<DateTime<Utc>>> {
        self.asked.clone()
    }

    /// The time by which pauses end here.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Leaves the supplier alone for so long, since it has asked another process; no longer than it could have asked this one.
    pub fn heed(&self, pause: Duration) {
        (self.heed)(pause.min(LONGEST_PAUSE));
    }
}

/// A request that only [`SupplierHttp::send`] can send.
#[derive(Debug)]
#[must_use]
pub struct Request {
    builder: RequestBuilder,
    wants_server_errors: bool,
}

/// What came back in full: a status that is no outage, and the body's bytes.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// 2xx, 3xx or 4xx other than 429; 5xx only where [`Request::with_server_errors`] asked for it.
    pub status: StatusCode,
    /// The whole body, without the NULs that JSON lets texts have, and without a byte order mark or blanks before it.
    pub body: Vec<u8>,
}

impl SupplierHttp {
    /// A client that follows no redirects and keeps connections warm. `clock` tells when the supplier may be
    /// called again after it failed or asked to be left alone.
    ///
    /// # Errors
    /// When the platform's TLS roots can't be loaded.
    pub fn new(config: SupplierConfig, clock: Clock) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            // Before those who stand before suppliers close it, after 60 s and more: a call that is sent as they do
            // is one of which nobody knows what became of it.
            .pool_idle_timeout(Duration::from_secs(50))
            .user_agent(concat!("wayfare/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let bulkhead = Bulkhead::new(&config.code, config.limits, clock.clone());
        let losses = Arc::new(ReadLosses::of(&config.code));
        let shared = Shared { config, clock, bulkhead, durations: CallDurations::default(), losses };
        Ok(Self { client, shared: Arc::new(shared) })
    }

    /// How the supplier is reached.
    pub fn config(&self) -> &SupplierConfig {
        &self.shared.config
    }

    /// What is under way there now, and how much was not sent for want of a permit.
    pub fn permit_use(&self) -> PermitUse {
        self.shared.bulkhead.permit_use()
    }

    /// How the supplier is now, and how its calls ended since the start.
    pub fn metrics(&self) -> SupplierMetrics {
        SupplierMetrics {
            calls: self.shared.durations.all(),
            tally: self.shared.durations.tally(),
            permits: self.permit_use(),
            losses: self.shared.losses.all(),
            permits_in_all: self.shared.config.limits.calls_at_once,
            breaker: self.shared.bulkhead.breaker().present(),
        }
    }

    /// Reads an answer of the supplier: what is lost in it ([`crate::note_loss`]) is counted.
    pub fn reading<T>(&self, read: impl FnOnce() -> T) -> T {
        self.shared.losses.reading(read)
    }

    /// What the supplier asks of this process and of others: to be left alone.
    pub fn pauses(&self) -> SupplierPauses {
        let (asked, shared) = (self.shared.bulkhead.breaker().asked_pauses(), self.shared.clone());
        SupplierPauses::new(asked, self.shared.clock.clone(), move |pause| {
            shared.bulkhead.breaker().heed(pause);
        })
    }

    /// The time that the supplier is told by.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// A request to be filled and given to [`SupplierHttp::send`]; `path` begins with a slash.
    pub fn request(&self, method: Method, path: &str) -> Request {
        self.request_at(&self.shared.config.base_url, method, path)
    }

    /// The same at the address where it is booked.
    pub fn booking_request(&self, method: Method, path: &str) -> Request {
        let config = &self.shared.config;
        let base_url = config.booking_url.as_ref().unwrap_or(&config.base_url);
        self.request_at(base_url, method, path)
    }

    fn request_at(&self, base_url: &str, method: Method, path: &str) -> Request {
        Request {
            builder: self.client.request(method, format!("{base_url}{path}")),
            wants_server_errors: false,
        }
    }

    /// Sends once, never twice, and judges what came back. 5xx and a broken or overlong answer are unknown; a
    /// refused connection and 429 are an outage in which nothing happened. Nothing is sent either while the
    /// supplier is left alone or no permit is free; time spent waiting for one counts towards the deadline.
    pub async fn send(&self, request: Request, purpose: Purpose) -> Answer<Exchange> {
        let purpose = match purpose {
            Purpose::Question | Purpose::LookUp if is_watching() => Purpose::Watch,
            other => other,
        };
        let supplier = self.shared.config.code.as_str();
        let span = tracing::info_span!("supplier_call", supplier, purpose = purpose.label());
        self.send_once(request, purpose).instrument(span).await
    }

    async fn send_once(&self, request: Request, purpose: Purpose) -> Answer<Exchange> {
        let patience = match purpose {
            Purpose::Question | Purpose::BestEffort | Purpose::LookUp | Purpose::Watch => {
                self.shared.config.read_deadline
            }
            Purpose::Effect => self.shared.config.effect_deadline,
        };
        let deadline = Instant::now() + patience;
        let wants_server_errors = request.wants_server_errors;
        let request = match request.of_trace().builder.build() {
            Ok(request) => request,
            Err(error) => return Answer::Unavailable(Outage::new(describe(&error))),
        };
        let observed = observed::begin(&request);
        let counted = CountedCall::begin(&self.shared.durations, purpose);
        let call = match self.shared.bulkhead.enter(purpose, patience).await {
            Ok(call) => call,
            Err(outage) => {
                counted.ended(CallOutcome::NotSent);
                return Answer::Unavailable(outage);
            }
        };
        let ending = match timeout_at(deadline, self.exchange(request, wants_server_errors)).await {
            Ok(ending) => ending,
            Err(_) => Ending::Unknown(format!("no answer within {} ms", patience.as_millis())),
        };
        counted.ended(ending.outcome());
        if let Some(exchange) = observed {
            observed::end(ObservedExchange { answer: ending.observed(), ..exchange });
        }
        match ending.verdict() {
            Verdict::Answered | Verdict::Failed(_) if purpose == Purpose::BestEffort => drop(call.permit),
            verdict => call.permit.ended(verdict),
        }
        match ending {
            Ending::Answered(exchange) => Answer::Done(exchange),
            Ending::Limited(pause) => Answer::Unavailable(Outage {
                retry_after: Some(pause),
                ..Outage::of(OutageKind::Busy, "the supplier is rate limiting")
            }),
            Ending::Unreachable(reason) => Answer::Unavailable(Outage::new(reason)),
            Ending::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    async fn exchange(&self, request: reqwest::Request, wants_server_errors: bool) -> Ending {
        let mut response = match self.client.execute(request).await {
            Ok(response) => response,
            Err(error) if error.is_connect() => return Ending::Unreachable(describe(&error)),
            Err(error) => return Ending::Unknown(describe(&error)),
        };
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Ending::Limited(pause(response.headers(), self.shared.clock.now()));
        }
        if status.is_server_error() && !wants_server_errors {
            return Ending::Unknown(answered(status));
        }
        let mut body = Vec::with_capacity(told_length(&response));
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() <= BODY_LIMIT => body.extend_from_slice(&chunk),
                Ok(Some(_)) => return Ending::Unknown("the answer is too large".to_owned()),
                Ok(None) => {
                    let mark = body.len() - trimmed(&body).len();
                    body.drain(..mark);
                    let body = without_nul(body);
                    return Ending::Answered(Exchange { status, body });
                }
                Err(error) => return Ending::Unknown(describe(&error)),
            }
        }
    }
}

/// The room that a body needs as far as its length was told, so that it is not moved while it grows. What a supplier tells is not
/// believed beyond what an answer may well have.
fn told_length(response: &Response) -> usize {
    let told = response.content_length().unwrap_or_default();
    usize::try_from(told).unwrap_or_default().min(USUAL_LIMIT)
}

impl Request {
    /// With one more header.
    pub fn header(self, name: &'static str, value: &str) -> Self {
        self.built(|builder| builder.header(name, value))
    }

    /// With the secret as the bearer's token.
    pub fn bearer(self, token: &SecretString) -> Self {
        self.built(|builder| builder.bearer_auth(token.expose_secret()))
    }

    /// With these parameters in its query.
    pub fn query(self, parameters: &impl Serialize) -> Self {
        self.built(|builder| builder.query(parameters))
    }

    /// With this body.
    pub fn json(self, body: &impl Serialize) -> Self {
        self.built(|builder| builder.json(body))
    }

    /// Whose 5xx answers come whole, to be judged by what they say: for suppliers that refuse in them. To the breaker
    /// they are failures all the same.
    pub fn with_server_errors(self) -> Self {
        Self { wants_server_errors: true, ..self }
    }

    /// With the trace that it is asked in, so that the supplier's log and ours can be laid side by side.
    fn of_trace(self) -> Self {
        match wayfare_trace::current() {
            Some(trace) => self.header(wayfare_trace::HEADER, &trace.to_string()),
            None => self,
        }
    }

    fn built(self, more: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        Self { builder: more(self.builder), ..self }
    }
}

/// How an exchange that was begun ended.
enum Ending {
    Answered(Exchange),
    Limited(Duration),
    Unreachable(String),
    Unknown(String),
}

impl Ending {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Answered(exchange) if exchange.status.is_server_error() => CallOutcome::ServerError,
            Self::Answered(_) => CallOutcome::Answered,
            Self::Limited(_) => CallOutcome::Limited,
            Self::Unreachable(_) => CallOutcome::Unreachable,
            Self::Unknown(_) => CallOutcome::Unknown,
        }
    }

    fn observed(&self) -> Result<(u16, Vec<u8>), String> {
        match self {
            Self::Answered(exchange) => Ok((exchange.status.as_u16(), exchange.body.clone())),
            Self::Limited(_) => Err(answered(StatusCode::TOO_MANY_REQUESTS)),
            Self::Unreachable(reason) | Self::Unknown(reason) => Err(reason.clone()),
        }
    }

    fn verdict(&self) -> Verdict {
        match self {
            Self::Answered(exchange) if exchange.status.is_server_error() => {
                Verdict::Failed(answered(exchange.status))
            }
            Self::Answered(_) => Verdict::Answered,
            Self::Limited(pause) => Verdict::Limited(*pause),
            Self::Unreachable(reason) | Self::Unknown(reason) => Verdict::Failed(reason.clone()),
        }
    }
}

fn answered(status: StatusCode) -> String {
    format!("the supplier answered {status}")
}

/// How long a supplier that is rate limiting is left alone: as `Retry-After` says, else `ratelimit-reset`.
fn pause(headers: &HeaderMap, now: DateTime<Utc>) -> Duration {
    let wait = |name: HeaderName| wait(headers.get(name)?.to_str().ok()?.trim(), now);
    wait(RETRY_AFTER)
        .or_else(|| wait(HeaderName::from_static("ratelimit-reset")))
        .unwrap_or_default()
        .clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
}

/// Seconds, or the date until which.
fn wait(text: &str, now: DateTime<Utc>) -> Option<Duration> {
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let until = DateTime::parse_from_rfc2822(text).ok()?;
            Some((until.to_utc() - now).to_std().unwrap_or_default())
        }
    }
}

/// The error and what is below it, without the address: it may carry what is not for everybody's eyes.
fn describe(error: &reqwest::Error) -> String {
    let mut text = String::new();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(error) = cause {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&error.to_string());
        cause = error.source();
    }
    if text.is_empty() { "the connection broke".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_told_in_seconds_or_as_a_date_and_stays_within_reason() {
        let now = "2027-01-10T12:00:00Z".parse().unwrap();
        for (headers, seconds) in [
            (vec![("retry-after", "7")], 7),
            (vec![("retry-after", "Sun, 10 Jan 2027 12:00:30 GMT")], 30),
            (vec![("ratelimit-reset", "Sun, 10 Jan 2027 12:00:09 GMT")], 9),
            (vec![("ratelimit-reset", "9")], 9),
            (vec![("retry-after", " 4 "), ("ratelimit-reset", "60")], 4),
            (vec![("retry-after", "soon"), ("ratelimit-reset", "60")], 60),
            (vec![("retry-after", "0")], 1),
            (vec![("retry-after", "Sun, 10 Jan 2027 11:00:00 GMT")], 1),
            (vec![("retry-after", "86400")], 300),
            (vec![("ratelimit-reset", "1799582400")], 300),
            (vec![("retry-after", "-3")], 1),
            (vec![], 1),
        ] {
            let map = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
                .collect();
            assert_eq!(pause(&map, now), Duration::from_secs(seconds), "{headers:?}");
        }
    }
}
