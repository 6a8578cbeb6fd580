//! A sandbox of its own for each test, and the calls a client makes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use reqwest::{Method, RequestBuilder};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::Clock;
use wayfare_sandbox::{Running, Sandbox, Settings};

/// A sandbox and a client of it.
pub(crate) struct Stage {
    pub(crate) sandbox: Running,
    pub(crate) clock: Clock,
    pub(crate) client: reqwest::Client,
}

/// An answer: its status, its body, its headers.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) text: String,
    pub(crate) headers: reqwest::header::HeaderMap,
}

impl Answer {
    /// The `data` of an answer that must have this status.
    #[track_caller]
    pub(crate) fn data(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body["data"].clone()
    }

    /// The first error of an answer that must have this status and code.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        let error = self.body["errors"][0].clone();
        assert_eq!((self.status, error["code"].as_str()), (status, Some(code)), "{}", self.text);
        assert_eq!(self.body["meta"]["status"], json!(status));
        assert_eq!(self.body["meta"]["request_id"], self.headers["x-request-id"].to_str().unwrap());
        error
    }
}

/// The day that frozen clocks begin on, at noon.
pub(crate) fn start() -> DateTime<Utc> {
    "2027-01-10T12:00:00Z".parse().unwrap()
}

/// A day to fly on, six weeks later.
pub(crate) const DAY: &str = "2027-02-21";

pub(crate) fn settings() -> Settings {
    Settings::of_seed(42)
}

/// A folder of its own, gone with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("wayfare-sandbox-{}-{number}-{name}", std::process::id()));
        std::fs::remove_dir_all(&path).ok();
        Self(path)
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings { data_dir: Some(self.0.clone()), ..settings() }
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.0.join("orders.jsonl")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

impl Stage {
    pub(crate) async fn open() -> Self {
        Self::with(settings()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let clock = Clock::frozen_at(start());
        let sandbox = Sandbox::start_at(settings, clock.clone()).await.unwrap();
        let client = reqwest::Client::builder().gzip(true).build().unwrap();
        Self { sandbox, clock, client }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/duffel/air{path}", self.sandbox.base_url());
        let request = self.client.request(method, url);
        request
            .bearer_auth("duffel_test_abc")
            .header("Duffel-Version", "v2")
            .header("Accept", "application/json")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        sent(self.request(Method::GET, path)).await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, data: Value) -> Answer {
        self.try_post(path, data).await.unwrap()
    }

    pub(crate) async fn try_post(&self, path: &str, data: Value) -> Result<Answer, reqwest::Error> {
        sent(self.request(Method::POST, path).json(&json!({ "data": data }))).await
    }

    pub(crate) async fn patch(&self, path: &str, data: Value) -> Answer {
        sent(self.request(Method::PATCH, path).json(&json!({ "data": data }))).await.unwrap()
    }

    /// A call of the control surface.
    pub(crate) async fn control(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let request = self.client.request(method, format!("{}/_sandbox{path}", self.sandbox.base_url()));
        sent(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
        .unwrap()
    }

    /// Lets the next call of a kind to Duffel suffer.
    pub(crate) async fn next(&self, call: &str, fault: &str) {
        self.next_of("duffel", call, fault).await;
    }

    /// Lets the next call of a kind to a supplier suffer.
    pub(crate) async fn next_of(&self, supplier: &str, call: &str, fault: &str) {
        let wanted = json!({ "supplier": supplier, "call": call, "fault": fault });
        let answer = self.control(Method::POST, "/faults", Some(wanted)).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
    }

    /// Waits until no fault waits any more: the calls that they strike have come.
    pub(crate) async fn has_struck(&self) {
        while self.control(Method::GET, "/faults", None).await.body != json!([]) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Everything that was ordered, as the control surface lists it.
    pub(crate) async fn orders(&self) -> Vec<Value> {
        self.control(Method::GET, "/orders", None).await.body.as_array().unwrap().clone()
    }

    /// The offers of a search.
    pub(crate) async fn offers(&self, search: Value) -> Vec<Value> {
        self.post("/offer_requests", search).await.data(201)["offers"].as_array().unwrap().clone()
    }

    /// The first offer of a search that fits.
    pub(crate) async fn offer(&self, search: Value, fits: impl Fn(&Value) -> bool) -> Value {
        self.offers(search).await.into_iter().find(fits).expect("an offer that fits")
    }

    /// Any offer of a short flight.
    pub(crate) async fn any_offer(&self) -> Value {
        self.offer(one_way("DEL", "BOM"), |_| true).await
    }

    /// An order of any such offer, paid at once.
    pub(crate) async fn any_order(&self) -> Value {
        self.buy(&self.any_offer().await).await
    }

    /// An order of an offer, paid at once.
    pub(crate) async fn buy(&self, offer: &Value) -> Value {
        self.post("/orders", instant(offer)).await.data(201)
    }
}

/// A success of a `POST` to Duffel.
pub(crate) async fn done(stage: &Stage, path: &str, data: Value) -> Value {
    let answer = stage.post(path, data).await;
    assert!([200, 201].contains(&answer.status), "{}", answer.text);
    answer.body["data"].clone()
}

pub(crate) fn path_of(order: &Value) -> String {
    format!("/orders/{}", text(&order["id"]))
}

pub(crate) fn confirm_path(quote: &Value) -> String {
    format!("/order_cancellations/{}/actions/confirm", text(&quote["id"]))
}

#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// Adds the members of another object.
pub(crate) fn extend(body: &mut Value, more: &Value) {
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
}

/// Everything in a list.
#[track_caller]
pub(crate) fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// One member of each.
pub(crate) fn each(all: &[Value], name: &str) -> Vec<Value> {
    all.iter().map(|one| one[name].clone()).collect()
}

/// A body has these members, whatever it has besides.
#[track_caller]
pub(crate) fn has(body: &Value, members: Value) {
    for (name, member) in members.as_object().unwrap() {
        assert_eq!(&body[name], member, "{name} of {body}");
    }
}

/// A JSON number, exactly.
#[track_caller]
pub(crate) fn number(value: &Value) -> Decimal {
    assert!(value.is_number(), "no number: {value}");
    value.to_string().parse().unwrap()
}

/// Sends, and reads the whole answer.
pub(crate) async fn sent(request: RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or_default();
    Ok(Answer { status, body, text, headers })
}

pub(crate) fn leg(from: &str, to: &str, day: &str) -> Value {
    json!({ "origin": from, "destination": to, "departure_date": day })
}

/// One adult, one way, in economy.
pub(crate) fn one_way(from: &str, to: &str) -> Value {
    json!({
        "slices": [leg(from, to, DAY)],
        "passengers": [{ "type": "adult" }],
        "cabin_class": "economy",
    })
}

/// One adult, there and back in a week.
pub(crate) fn return_trip(from: &str, to: &str) -> Value {
    json!({
        "slices": [leg(from, to, DAY), leg(to, from, "2027-02-28")],
        "passengers": [{ "type": "adult" }],
        "cabin_class": "economy",
    })
}

/// The order of an offer, paid at once, for people who fit it.
pub(crate) fn instant(offer: &Value) -> Value {
    json!({
        "type": "instant",
        "selected_offers": [offer["id"]],
        "passengers": people(offer),
        "payments": [balance(&offer["total_amount"], &offer["total_currency"])],
        "metadata": { "reference": "FA-7K2M9Q4X-1" },
    })
}

/// The order of an offer, held.
pub(crate) fn hold(offer: &Value) -> Value {
    json!({ "type": "hold", "selected_offers": [offer["id"]], "passengers": people(offer) })
}

pub(crate) fn balance(amount: &Value, currency: &Value) -> Value {
    json!({ "type": "balance", "amount": amount, "currency": currency })
}

/// Somebody for each passenger of an offer, infants on laps.
pub(crate) fn people(offer: &Value) -> Vec<Value> {
    let passengers = offer["passengers"].as_array().unwrap();
    let is_infant = |passenger: &&Value| passenger["type"] == "infant_without_seat";
    let mut infants = passengers.iter().filter(is_infant).map(|infant| infant["id"].clone());
    let names = ["Asha", "Ravi", "Meera", "Kabir", "Tara", "Dev", "Ila", "Om", "Zoya"];
    let person = |(passenger, name): (&Value, &&str)| {
        let born_on = match (passenger["age"].as_i64(), passenger["type"].as_str().unwrap()) {
            (Some(age), _) => {
                NaiveDate::from_ymd_opt(2027 - i32::try_from(age).unwrap(), 1, 5).unwrap().to_string()
            }
            (None, "adult") => "1988-05-17".to_owned(),
            (None, "child") => "2019-03-02".to_owned(),
            (None, _) => "2026-06-30".to_owned(),
        };
        let lap = if passenger["type"] == "adult" { infants.next() } else { None };
        json!({
            "id": passenger["id"], "title": "ms", "gender": "f", "given_name": name, "family_name": "Rao",
            "born_on": born_on, "email": "asha@example.com", "phone_number": "+919812345678",
            "infant_passenger_id": lap,
        })
    };
    passengers.iter().zip(&names).map(person).collect()
}

/// An amount, exactly.
#[track_caller]
pub(crate) fn amount(value: &Value) -> Decimal {
    value.as_str().unwrap_or_else(|| panic!("no amount: {value}")).parse().unwrap()
}

pub(crate) fn holdable(offer: &Value) -> bool {
    offer["payment_requirements"]["requires_instant_payment"] == false
}

pub(crate) fn owned_by<'a>(code: &'a str) -> impl Fn(&Value) -> bool + 'a {
    move |offer| offer["owner"]["iata_code"] == code
}
