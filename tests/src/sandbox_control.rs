//! The sandbox's control surface: what goes wrong next, and what was ordered.

use std::time::{Duration, Instant};

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::{LONG, World, http_client::http_client};

/// A fault: the call lasts until all is well again ([`Supplier::all_is_well`]), or longer than any test.
pub const LASTS: &str = "slow:600000";

/// The sandbox as its tests steer it.
#[derive(Clone)]
pub struct Supplier {
    client: Client,
    url: String,
}

impl Supplier {
    /// The sandbox at this URL.
    pub fn at(url: String) -> Self {
        Self { client: http_client(), url }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Lets so many of the next calls of this kind at Duffel suffer.
    pub async fn next(&self, call: &str, fault: &str, times: u32) {
        self.next_at("duffel", call, fault, times).await;
    }

    /// Lets so many of the next calls of this kind at this supplier suffer.
    pub async fn next_at(&self, supplier: &str, call: &str, fault: &str, times: u32) {
        let body = json!({ "supplier": supplier, "call": call, "fault": fault, "times": times });
        self.post("faults", &body, StatusCode::CREATED).await;
    }

    pub async fn waiting(&self) -> Vec<Value> {
        self.list("faults").await
    }

    /// Waits until all that waits to go wrong does: the calls that it strikes have come.
    pub async fn has_struck(&self) {
        let began = Instant::now();
        while !self.waiting().await.is_empty() {
            assert!(began.elapsed() < LONG, "{:?}", self.waiting().await);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Nothing goes wrong any more, and calls that are slow go on.
    pub async fn all_is_well(&self) {
        self.delete("faults").await;
    }

    /// Answers are odd from now on, as the sandbox's control surface takes it.
    pub async fn is_odd(&self, how: &Value) {
        self.post("oddities", how, StatusCode::CREATED).await;
    }

    pub async fn is_plain(&self) {
        self.delete("oddities").await;
    }

    /// The airline puts the first journey of this order of Duffel's off by so many minutes.
    pub async fn airline_puts_off(&self, order: &str, minutes: u32) {
        let what = format!("orders/{order}/airline_change");
        self.post(&what, &json!({ "minutes": minutes }), StatusCode::CREATED).await;
    }

    /// The supplier ends this order by itself and gives back so much, or all that was paid; it says so where `told`.
    pub async fn ends(&self, order: &str, refund: Option<&str>, told: bool) {
        let refund: Option<Value> = refund.map(|amount| serde_json::from_str(amount).unwrap());
        let body = match refund {
            Some(refund) => json!({ "refund": refund, "told": told }),
            None => json!({ "told": told }),
        };
        self.unasked(order, "cancel", &body).await;
    }

    /// The same, of all of it, and says of what it gives back that it is in another currency.
    pub async fn ends_in(&self, order: &str, currency: &str) {
        self.unasked(order, "cancel", &json!({ "currency": currency })).await;
    }

    /// The hotel tells its own numbers of the rooms of this order.
    pub async fn hotel_tells(&self, order: &str, numbers: &[&str]) {
        self.unasked(order, "hotel_numbers", &json!({ "numbers": numbers })).await;
    }

    /// This supplier posts its hooks to the API there from now on.
    pub async fn posts_to(&self, supplier: &str, base_url: &str) {
        let secret = World::hook_secret(supplier);
        let body = match supplier {
            "duffel" => {
                json!({ "supplier": supplier, "url": format!("{base_url}/hooks/duffel"), "secret": secret })
            }
            _ => json!({ "supplier": supplier, "url": format!("{base_url}/hooks/{supplier}/{secret}") }),
        };
        self.post("webhooks", &body, StatusCode::NO_CONTENT).await;
    }

    async fn unasked(&self, order: &str, what: &str, body: &Value) {
        self.post(&format!("orders/{order}/{what}"), body, StatusCode::NO_CONTENT).await;
    }

    async fn post(&self, what: &str, body: &Value, expected: StatusCode) {
        let url = format!("{}/_sandbox/{what}", self.url);
        let answer = self.client.post(url).json(body).send().await.unwrap();
        assert_eq!(answer.status(), expected, "{what} {body}");
    }

    async fn delete(&self, what: &str) {
        let answer = self.client.delete(format!("{}/_sandbox/{what}", self.url)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{what}");
    }

    /// Everything that was ordered, cancelled orders included.
    pub async fn orders(&self) -> Vec<Value> {
        self.list("orders").await
    }

    /// `data` of what Duffel answers to a question, in its own words.
    pub async fn duffel(&self, path: &str) -> Value {
        self.ask_duffel(Method::GET, path, &Value::Null).await
    }

    /// This change of an airline's is accepted at Duffel, and not by us.
    pub async fn duffel_accepts(&self, change: &str) {
        let path = format!("/air/airline_initiated_changes/{change}/actions/accept");
        self.ask_duffel(Method::POST, &path, &Value::Null).await;
    }

    /// This order of Duffel's is cancelled, and not by us.
    pub async fn duffel_cancels(&self, order: &str) {
        let body = json!({ "data": { "order_id": order } });
        let quote = self.ask_duffel(Method::POST, "/air/order_cancellations", &body).await;
        let id = quote["id"].as_str().unwrap();
        let path = format!("/air/order_cancellations/{id}/actions/confirm");
        self.ask_duffel(Method::POST, &path, &Value::Null).await;
    }

    async fn ask_duffel(&self, method: Method, path: &str, body: &Value) -> Value {
        let mut request = self
            .client
            .request(method, format!("{}/duffel{path}", self.url))
            .bearer_auth("duffel_test_sandbox")
            .header("Sandbox-Plain", "1")
            .header("Duffel-Version", "v2")
            .header("Accept", "application/json");
        if !body.is_null() {
            request = request.json(body);
        }
        let answer = request.send().await.unwrap().text().await.unwrap();
        let body: Value = serde_json::from_str(&answer).unwrap();
        body.get("data").unwrap().clone()
    }

    /// How often Hotelbeds was asked what hotels are, and how often it refused to say it beside a search.
    pub async fn content_calls(&self) -> (u64, u64) {
        let counts = self.read("content_calls").await;
        (counts["asked"].as_u64().unwrap(), counts["refused"].as_u64().unwrap())
    }

    async fn list(&self, what: &str) -> Vec<Value> {
        serde_json::from_value(self.read(what).await).unwrap()
    }

    async fn read(&self, what: &str) -> Value {
        let url = format!("{}/_sandbox/{what}", self.url);
        let answer = self.client.get(url).send().await.unwrap().text().await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}
