//! Somebody who searches, and tells what of it was the suppliers' time and what ours.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{Days, NaiveDate};
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use serde_json::json;
use tokio::task::JoinSet;
use wayfare_domain::Clock;
use wayfare_stub_server::Decoder;

use super::{StubSuppliers, stub_suppliers::Watch};
use crate::{Installation, Result};

/// So many searches may be under way at once: each has a date of its own, within the year that may be searched.
const DATES: u64 = 350;
/// Between the beginnings of streams of which many are open at once.
const GAP: Duration = Duration::from_millis(5);
/// Servers close a connection that nothing came through for five seconds: it is let go before, not used in that moment.
const IDLE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// At once: `POST /flights/search`.
    Answer,
    /// By events: `POST /flights/search/stream`.
    Events,
}

#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// From the question to the last byte.
    pub took: Duration,
    /// From the last supplier's last byte to the last byte.
    pub own: Duration,
    /// From the first supplier's last byte to the end of the first event, where it came by events.
    pub first: Option<Duration>,
    pub bytes: usize,
}

/// Searches over connections that are kept, without compression unless told otherwise.
pub struct Searcher {
    http: reqwest::Client,
    /// The content coding that is asked for.
    coding: Option<&'static str>,
    url: String,
    token: String,
    watch: Arc<Watch>,
    /// Those that no search under way has.
    dates: Mutex<VecDeque<NaiveDate>>,
}

struct Received {
    first_event: Option<Instant>,
    last_byte: Instant,
    bytes: usize,
    /// All of it where it is looked at, else nothing that the clock would have to wait for.
    body: Vec<u8>,
}

impl Searcher {
    pub(super) fn new(api: &str, token: &str, watch: Arc<Watch>) -> Result<Self> {
        let today = Clock::system().now().date_naive();
        let http = reqwest::Client::builder().no_gzip().pool_idle_timeout(IDLE);
        Ok(Self {
            http: http.build()?,
            coding: None,
            url: format!("{api}/flights/search"),
            token: token.to_owned(),
            watch,
            dates: Mutex::new((2..DATES + 2).map(|days| today + Days::new(days)).collect()),
        })
    }

    /// The demo agency's admin, at an installation whose suppliers these are.
    pub async fn of(installation: &Installation, suppliers: &StubSuppliers) -> Result<Self> {
        let (api, token) = installation.admin().await?.credentials();
        Self::new(&api, &token, suppliers.watch())
    }

    /// The same who asks for this content coding of events.
    #[must_use]
    pub fn asking_for(self, coding: Option<&'static str>) -> Self {
        Self { coding, ..self }
    }

    /// So many streams at once, read to their ends. What suppliers answered is not looked at: several have the same date.
    pub async fn streams(self: &Arc<Self>, count: usize) -> Result<()> {
        let dates: Vec<NaiveDate> = self.dates().iter().copied().collect();
        let mut streams = JoinSet::new();
        for date in dates.into_iter().cycle().take(count) {
            let searcher = self.clone();
            streams.spawn(async move { searcher.on(date, Kind::Events, false).await.map(drop) });
            // On two cores they come faster than they end, and none waits so long that it is refused.
            tokio::time::sleep(GAP).await;
        }
        streams.join_all().await.into_iter().collect()
    }

    pub async fn search(&self, kind: Kind) -> Result<Timed> {
        self.received(kind, false).await.map(|(timed, _)| timed)
    }

    /// Searches, and looks whether all offers are there.
    pub async fn check(&self, kind: Kind, offers: usize) -> Result<Timed> {
        let (timed, body) = self.received(kind, true).await?;
        let body = String::from_utf8(body)?;
        let (_, told) = body.rsplit_once("\"total_results\":").ok_or("an answer without its total")?;
        let all = told.strip_prefix(&offers.to_string());
        match all.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit())) {
            true => Ok(timed),
            false => Err(format!("not {offers} offers: {:.300}", told).into()),
        }
    }

    /// Searches; the times, and all that was sent, decoded, if it is looked at.
    pub(super) async fn received(&self, kind: Kind, looks: bool) -> Result<(Timed, Vec<u8>)> {
        let date = self.dates().pop_front().ok_or("too many searches are under way")?;
        let searched = self.on(date, kind, looks).await;
        let answered = self.watch.take(&date.to_string());
        self.dates().push_back(date);
        let ((begun, received), (first, last)) = (searched?, answered?);
        let timed = Timed {
            took: received.last_byte - begun,
            own: received.last_byte.saturating_duration_since(last),
            first: received.first_event.map(|event| event.saturating_duration_since(first)),
            bytes: received.bytes,
        };
        Ok((timed, received.body))
    }

    async fn on(&self, date: NaiveDate, kind: Kind, looks: bool) -> Result<(Instant, Received)> {
        let url = match kind {
            Kind::Answer => self.url.clone(),
            Kind::Events => format!("{}/stream", self.url),
        };
        let body = json!({
            "search_params": {
                "trip_type": "ONE_WAY",
                "passengers": { "adults": 1, "children": 0, "infants": 0 },
                "cabin_class": "ECONOMY",
            },
            "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": date }],
        });
        let begun = Instant::now();
        let mut request = self.http.post(url).bearer_auth(&self.token).json(&body);
        if let Some(coding) = self.coding {
            request = request.header(ACCEPT_ENCODING, coding);
        }
        let answer = request.send().await?;
        Ok((begun, read(answer.error_for_status()?, kind, looks).await?))
    }

    fn dates(&self) -> std::sync::MutexGuard<'_, VecDeque<NaiveDate>> {
        self.dates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(mut answer: reqwest::Response, kind: Kind, looks: bool) -> Result<Received> {
    let coding = answer.headers().get(CONTENT_ENCODING).map(|coding| coding.to_str()).transpose()?;
    let mut decoder = Decoder::of(coding);
    let mut received = Received { first_event: None, last_byte: Instant::now(), bytes: 0, body: Vec::new() };
    while let Some(chunk) = answer.chunk().await? {
        received.last_byte = Instant::now();
        received.bytes += chunk.len();
        let is_first_event = kind == Kind::Events && received.first_event.is_none();
        if looks || is_first_event {
            received.body.extend(decoder.decode(&chunk));
        }
        // The data of an event has no line break: an empty line is its end.
        if is_first_event && received.body.ends_with(b"\n\n") {
            received.first_event = Some(Instant::now());
        }
    }
    Ok(received)
}
