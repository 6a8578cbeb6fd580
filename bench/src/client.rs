//! Clients of the API, each over one connection, one call after the other: a user, and somebody who would be one.

use chrono::{Duration, NaiveDate};
use reqwest::StatusCode;
use serde_json::{Value, json};
use wayfare_domain::Clock;

use crate::Result;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    api: String,
    token: String,
}

impl Client {
    pub(crate) async fn log_in(base_url: &str, agency: &str, username: &str, password: &str) -> Result<Self> {
        let mut client =
            Self { http: reqwest::Client::new(), api: format!("{base_url}/api/v1"), token: String::new() };
        let body = json!({ "agent_id": agency, "username": username, "password": password });
        let answer = client.post("/auth/login", body.to_string()).await?;
        client.token = text(answer.pointer("/data/tokens/access_token"))?;
        Ok(client)
    }

    /// Where the API answers, and the token that it knows the user by.
    pub(crate) fn credentials(&self) -> (String, String) {
        (self.api.clone(), self.token.clone())
    }

    /// The same user over a connection of their own.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self { http: reqwest::Client::new(), ..self.clone() }
    }

    /// Searches one way for one adult a month from now; the first offer's id.
    pub async fn search(&self) -> Result<String> {
        let day = (Clock::system().now() + Duration::days(30)).date_naive();
        let body = json!({
            "search_params": {
                "trip_type": "ONE_WAY",
                "passengers": { "adults": 1, "children": 0, "infants": 0 },
                "cabin_class": "ECONOMY",
            },
            "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": day }],
        });
        text(self.post("/flights/search", body.to_string()).await?.pointer("/data/offers/0/offer_id"))
    }

    /// Prices an offer; the request that books it.
    pub async fn price(&self, offer: &str) -> Result<String> {
        let body = json!({ "offer_ids": [offer], "adults": 1 });
        let answer = self.post("/flights/price", body.to_string()).await?;
        let order = json!({
            "booking_keys": answer.pointer("/data/booking_keys"),
            "contact_email": "traveller@agency.example",
            "contact_phone": "9812345678",
            "contact_country_code": "91",
            // The same person all the time.
            "allow_duplicate": true,
            "passengers": [{
                "pax_index": 1, "type": "ADT", "title": "Ms", "first_name": "Meera", "last_name": "Shah",
                "gender": "F", "dob": "1990-04-12",
            }],
        });
        Ok(order.to_string())
    }

    /// So many requests to book, each of a search of its own: suppliers sell one of a search's offers at most.
    pub async fn orders(&self, count: usize) -> Result<Vec<String>> {
        let mut orders = Vec::with_capacity(count);
        for _ in 0..count {
            orders.push(self.price(&self.search().await?).await?);
        }
        Ok(orders)
    }

    pub async fn book(&self, order: String) -> Result<()> {
        self.post("/flights/book", order).await.map(drop)
    }

    pub async fn live(&self) -> Result<()> {
        let url = self.api.replace("/api/v1", "/health/live");
        self.answer("/health/live", self.http.get(url)).await.map(drop)
    }

    pub async fn get(&self, path: &str) -> Result<()> {
        self.answer(path, self.http.get(format!("{}{path}", self.api))).await.map(drop)
    }

    /// Asks for the wallet's report of these days, and waits until its file is there; where that is.
    pub async fn report(&self, first: NaiveDate, last: NaiveDate) -> Result<String> {
        let body = json!({ "type": "wallet", "period_start": first, "period_end": last });
        let id = text(self.post("/org/reports", body.to_string()).await?.pointer("/data/id"))?;
        loop {
            let request = self.http.get(format!("{}/org/reports", self.api));
            let listed = self.answer("/org/reports", request).await?;
            let newest = listed.pointer("/data/0").ok_or("no report")?;
            match newest.get("status").and_then(Value::as_str) {
                Some("ready") => return Ok(format!("/org/reports/{id}/download")),
                Some("failed") => return Err("the report has failed: see the server's log".into()),
                _ => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        }
    }

    /// Downloads a file, and keeps nothing of it; how many lines it has.
    pub async fn download(&self, path: &str) -> Result<usize> {
        let request = self.http.get(format!("{}{path}", self.api));
        let mut answer = request.bearer_auth(&self.token).send().await?.error_for_status()?;
        let mut lines = 0;
        while let Some(chunk) = answer.chunk().await? {
            lines += chunk.iter().filter(|byte| **byte == b'\n').count();
        }
        Ok(lines)
    }

    async fn post(&self, path: &str, body: String) -> Result<Value> {
        let request = self.http.post(format!("{}{path}", self.api));
        self.answer(path, request.header("content-type", "application/json").body(body)).await
    }

    async fn answer(&self, path: &str, request: reqwest::RequestBuilder) -> Result<Value> {
        let answer = request.bearer_auth(&self.token).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        match status {
            StatusCode::OK | StatusCode::CREATED => Ok(serde_json::from_str(&text)?),
            _ => Err(format!("{path}: {status}: {text}").into()),
        }
    }
}

/// Somebody who tries to log in as a user whose password they don't know.
pub struct Guesser {
    http: reqwest::Client,
    url: String,
    body: String,
}

impl Guesser {
    pub(crate) fn new(base_url: &str, agency: &str, username: &str) -> Self {
        let body = json!({ "agent_id": agency, "username": username, "password": "a wrong password" });
        Self {
            http: reqwest::Client::new(),
            url: format!("{base_url}/api/v1/auth/login"),
            body: body.to_string(),
        }
    }

    pub async fn guess(&self) -> Result<StatusCode> {
        let request = self.http.post(&self.url).header("content-type", "application/json");
        let answer = request.body(self.body.clone()).send().await?;
        let status = answer.status();
        // To its end, so that the connection can be used again.
        answer.bytes().await?;
        Ok(status)
    }
}

fn text(value: Option<&Value>) -> Result<String> {
    Ok(value.and_then(Value::as_str).ok_or("an answer without its text")?.to_owned())
}
