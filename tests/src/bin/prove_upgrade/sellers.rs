//! Agents who book all the time, at any of the servers that take requests just now, as a proxy before them would have it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::Days;
use reqwest::{Client, RequestBuilder, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use wayfare_domain::Clock;

pub const PASSWORD: &str = "as long as passwords must be 1";
const REST: Duration = Duration::from_millis(200);
/// Before the same is asked again where no time was named.
const PAUSE: Duration = Duration::from_millis(200);
/// For so long the same is asked again: longer than a supplier's answer is waited for.
const LONGEST: Duration = Duration::from_secs(100);
/// Lists that are read after each sale.
const LISTS: [&str; 4] =
    ["/flights/bookings", "/wallet/transactions", "/me/fare-transactions", "/notifications"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    Old,
    New,
}

impl Which {
    pub fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Search,
    Price,
    Book,
    Cancel,
    Read,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Done,
    /// 503 with `Retry-After`, or 409 while the first request of a key is under way: it is asked again.
    Again,
    /// The connection ended at a server that was being stopped.
    Gone,
    Failed(String),
}

#[derive(Debug)]
pub struct Asked {
    pub ended_at: Instant,
    pub took: Duration,
    pub at: Which,
    pub step: Step,
    pub ended: Ended,
}

#[derive(Debug)]
pub struct Sale {
    pub acknowledged_at: Instant,
    pub reference: String,
    pub priced_at: Which,
    pub booked_at: Which,
    /// Whether it was confirmed when it was acknowledged. One that was pending may have failed since.
    pub is_confirmed: bool,
    /// By which server its cancellation was acknowledged.
    pub cancelled_at: Option<Which>,
}

/// The servers that get requests, and all that came of these.
#[derive(Default)]
pub struct Proxy {
    servers: Mutex<Vec<(Which, String)>>,
    turn: AtomicUsize,
    is_over: AtomicBool,
    pub asked: Mutex<Vec<Asked>>,
    pub sales: Mutex<Vec<Sale>>,
}

impl Proxy {
    /// This server gets requests from now on.
    pub fn add(&self, which: Which, url: &str) {
        self.servers.lock().unwrap().push((which, format!("{url}/api/v1")));
    }

    pub fn remove(&self, which: Which) {
        self.servers.lock().unwrap().retain(|(one, _)| *one != which);
    }

    pub fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn next(&self) -> (Which, String) {
        let servers = self.servers.lock().unwrap();
        servers.get(self.turn.fetch_add(1, Ordering::Relaxed) % servers.len()).unwrap().clone()
    }

    fn has(&self, which: Which) -> bool {
        self.servers.lock().unwrap().iter().any(|(one, _)| *one == which)
    }
}

pub struct Seller {
    proxy: Arc<Proxy>,
    http: Client,
    username: String,
    token: String,
    count: usize,
}

impl Seller {
    pub async fn log_in(proxy: &Arc<Proxy>, agency: &str, username: &str) -> Self {
        let http = Client::builder().timeout(Duration::from_secs(100)).build().unwrap();
        let body = json!({ "agent_id": agency, "username": username, "password": PASSWORD });
        let (_, url) = proxy.next();
        let answer = http.post(format!("{url}/auth/login")).json(&body).send().await.unwrap();
        let (status, answer): (_, Value) = (answer.status(), answer.json().await.unwrap());
        assert_eq!(status, StatusCode::OK, "{username} can't log in: {answer}");
        let token = answer["data"]["tokens"]["access_token"].as_str().unwrap().to_owned();
        Self { proxy: proxy.clone(), http, username: username.to_owned(), token, count: 0 }
    }

    /// Sells until the proxy is closed.
    pub async fn work(mut self) {
        while !self.proxy.is_over.load(Ordering::Relaxed) {
            self.sell().await;
            tokio::time::sleep(REST).await;
        }
    }

    /// Searches and prices at one server, which alone knows its offers without Redis; books, cancels and reads at any.
    async fn sell(&mut self) -> Option<()> {
        self.count += 1;
        let server = self.proxy.next();
        let found = self.post(&server, Step::Search, "/flights/search", &search(), None).await.ok()?;
        let offer = found["data"]["offers"].as_array()?.first()?["offer_id"].clone();
        let body = json!({ "offer_ids": [offer], "adults": 1 });
        let priced = self.post(&server, Step::Price, "/flights/price", &body, None).await.ok()?;
        let order = order(&priced["data"]["booking_keys"]);
        let key = format!("{}-{}", self.username, self.count);
        let (booked_at, booked) = self.insist(Step::Book, "/flights/book", &order, &key).await?;
        let reference = booked["data"]["booking_ref"].as_str()?.to_owned();
        let sale = Sale {
            acknowledged_at: Instant::now(),
            reference: reference.clone(),
            priced_at: server.0,
            booked_at,
            is_confirmed: booked["data"]["status"] == "CONFIRMED",
            cancelled_at: None,
        };
        self.proxy.sales.lock().unwrap().push(sale);
        if self.count.is_multiple_of(3) {
            let path = format!("/flights/bookings/{reference}/cancel");
            let (at, _) = self.insist(Step::Cancel, &path, &json!({}), &format!("{key}-cancel")).await?;
            let mut sales = self.proxy.sales.lock().unwrap();
            sales.iter_mut().find(|sale| sale.reference == reference)?.cancelled_at = Some(at);
        }
        let list = LISTS.get(self.count % LISTS.len())?;
        let server = self.proxy.next();
        self.ask(server.0, Step::Read, self.http.get(format!("{}{list}", server.1))).await.ok()?;
        Some(())
    }

    /// Asks for the same under the same key, at any server, until it is done; who and the answer. None where it failed.
    async fn insist(&self, step: Step, path: &str, body: &Value, key: &str) -> Option<(Which, Value)> {
        let begun = Instant::now();
        loop {
            let server = self.proxy.next();
            match self.post(&server, step, path, body, Some(key)).await {
                Ok(answer) => return Some((server.0, answer)),
                Err(Ended::Done | Ended::Failed(_)) => return None,
                Err(Ended::Again | Ended::Gone) if begun.elapsed() < LONGEST => {
                    tokio::time::sleep(PAUSE).await;
                }
                Err(again) => {
                    let ended = Ended::Failed(format!("{again:?} for {} s", LONGEST.as_secs()));
                    self.note(server.0, step, begun, ended);
                    return None;
                }
            }
        }
    }

    async fn post(
        &self,
        server: &(Which, String),
        step: Step,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Value, Ended> {
        let mut request = self.http.post(format!("{}{path}", server.1)).json(body);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        self.ask(server.0, step, request).await
    }

    /// Asks and takes down how it ended; the answer of one that is done.
    async fn ask(&self, at: Which, step: Step, request: RequestBuilder) -> Result<Value, Ended> {
        let begun = Instant::now();
        let answer = self.answer(at, request).await;
        self.note(at, step, begun, answer.as_ref().err().cloned().unwrap_or(Ended::Done));
        answer
    }

    fn note(&self, at: Which, step: Step, begun: Instant, ended: Ended) {
        let asked = Asked { ended_at: Instant::now(), took: begun.elapsed(), at, step, ended };
        self.proxy.asked.lock().unwrap().push(asked);
    }

    async fn answer(&self, at: Which, request: RequestBuilder) -> Result<Value, Ended> {
        let sent = request.bearer_auth(&self.token).send().await;
        // What a proxy would not have sent there any more.
        let broken = |error: reqwest::Error| match self.proxy.has(at) {
            true => Ended::Failed(format!("no answer: {error:?}")),
            false => Ended::Gone,
        };
        let answer = sent.map_err(broken)?;
        let status = answer.status();
        let may_be_repeated = answer.headers().contains_key(RETRY_AFTER);
        let text = answer.text().await.map_err(broken)?;
        match status {
            StatusCode::OK | StatusCode::CREATED | StatusCode::ACCEPTED => {
                serde_json::from_str(&text).map_err(|_| Ended::Failed(text))
            }
            // The first request under this key is under way.
            StatusCode::CONFLICT => Err(Ended::Again),
            StatusCode::SERVICE_UNAVAILABLE if may_be_repeated => Err(Ended::Again),
            _ => Err(Ended::Failed(format!("{status}: {text}"))),
        }
    }
}

fn search() -> Value {
    let day = (Clock::system().now() + Days::new(30)).date_naive();
    json!({
        "search_params": { "trip_type": "ONE_WAY", "passengers": { "adults": 1 }, "cabin_class": "ECONOMY" },
        "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": day }],
    })
}

fn order(booking_keys: &Value) -> Value {
    json!({
        "booking_keys": booking_keys,
        "contact_email": "traveller@agency.example",
        "contact_phone": "9812345678",
        "contact_country_code": "91",
        // The same person all the time.
        "allow_duplicate": true,
        "passengers": [{
            "pax_index": 1, "type": "ADT", "title": "Ms", "first_name": "Meera", "last_name": "Shah", "gender": "F",
            "dob": "1990-04-12",
        }],
    })
}
