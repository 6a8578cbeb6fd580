//! A caller of the API and of the sandbox, as the demo agency.

use reqwest::{Client, Method, RequestBuilder, Response};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::place::{Place, Server};

/// A user who is logged in.
#[derive(Clone)]
pub struct Api {
    http: Client,
    base_url: String,
    sandbox_url: String,
    token: String,
}

/// What an agency finds again after a restart.
#[derive(Debug, PartialEq)]
pub struct Holdings {
    agent_id: Value,
    users: Value,
    profile: Value,
    wallet: Value,
    transactions: Value,
    organization: Value,
    bookings: Value,
    orders: Value,
}

impl Api {
    /// The demo agency's agent, with the password of `demo.json`.
    pub async fn agent(place: &Place) -> Api {
        Api::log_in(place, "agent").await
    }

    pub async fn log_in(place: &Place, role: &str) -> Api {
        let demo = place.demo();
        let users = demo["users"].as_array().unwrap();
        let user = users.iter().find(|user| user["role"] == role).unwrap();
        let mut api = Api {
            // No connection outlives its call, so that none delays a stop.
            http: Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap(),
            base_url: demo["base_url"].as_str().unwrap().to_owned(),
            sandbox_url: demo["sandbox_url"].as_str().unwrap().to_owned(),
            token: String::new(),
        };
        let body = json!({
            "agent_id": demo["agent_id"],
            "username": user["username"],
            "password": user["password"],
        });
        let signed_in = api.post("/auth/login", body).await;
        api.token = signed_in["tokens"]["access_token"].as_str().unwrap().to_owned();
        api
    }

    /// The same token at the address that `demo.json` names now.
    pub fn moved(&self, place: &Place) -> Api {
        let base_url = place.demo()["base_url"].as_str().unwrap().to_owned();
        Api { base_url, ..self.clone() }
    }

    /// The same user at another server.
    pub fn at(&self, server: &Server) -> Api {
        Api { base_url: server.url(), ..self.clone() }
    }

    /// The same user, and the sandbox that answers here.
    pub fn with_sandbox(self, sandbox_url: &str) -> Api {
        Api { sandbox_url: sandbox_url.to_owned(), ..self }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn url(&self) -> &str {
        &self.base_url
    }

    pub fn sandbox_url(&self) -> &str {
        &self.sandbox_url
    }

    /// The status and the body of any call.
    pub async fn call(&self, method: Method, url: String, body: Option<Value>) -> (u16, Value) {
        let mut request = self.http.request(method, url).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request).await
    }

    pub async fn ready(&self) -> u16 {
        self.call(Method::GET, format!("{}/health/ready", self.base_url), None).await.0
    }

    /// The data of a 200.
    pub async fn get(&self, path: &str) -> Value {
        data(self.try_get(path).await)
    }

    pub async fn try_get(&self, path: &str) -> (u16, Value) {
        self.call(Method::GET, format!("{}/api/v1{path}", self.base_url), None).await
    }

    /// The data of a 200.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        data(self.try_post(path, body).await)
    }

    pub async fn try_post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::POST, format!("{}/api/v1{path}", self.base_url), Some(body)).await
    }

    /// A call that is done once however often it is made under this key.
    pub async fn once(&self, key: &str, path: &str, body: Value) -> (u16, Value) {
        let request = self.http.post(format!("{}/api/v1{path}", self.base_url));
        let request = request.bearer_auth(&self.token).header("Idempotency-Key", key);
        answer(request.json(&body)).await
    }

    /// Nothing goes wrong at suppliers any more, and calls that are slow go on.
    pub async fn all_is_well(&self) {
        let url = format!("{}/_sandbox/faults", self.sandbox_url);
        assert_eq!(self.call(Method::DELETE, url, None).await.0, 204);
    }

    /// The control surface of the sandbox.
    pub async fn sandbox(&self, path: &str) -> Value {
        let (status, body) =
            self.call(Method::GET, format!("{}/_sandbox{path}", self.sandbox_url), None).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Duffel's next call of this kind goes wrong so.
    pub async fn fault(&self, call: &str, fault: &str) {
        self.faults_at("duffel", call, fault, 1).await;
    }

    /// So many of the next calls of this kind at this supplier go wrong so.
    pub async fn faults_at(&self, supplier: &str, call: &str, fault: &str, times: u32) {
        let body = json!({ "supplier": supplier, "call": call, "fault": fault, "times": times });
        let url = format!("{}/_sandbox/faults", self.sandbox_url);
        let (status, body) = self.call(Method::POST, url, Some(body)).await;
        assert_eq!(status, 201, "{body}");
    }

    pub async fn search(&self) -> Value {
        self.post("/flights/search", search()).await
    }

    /// The search as a stream that has begun.
    pub async fn stream(&self) -> Response {
        let url = format!("{}/api/v1/flights/search/stream", self.base_url);
        let request = self.http.post(url).bearer_auth(&self.token).json(&search());
        request.send().await.unwrap().error_for_status().unwrap()
    }

    /// The key of a promised price of this supplier, and what it costs the agency.
    pub async fn price(&self, supplier: &str) -> (Value, Decimal) {
        let found = self.search().await;
        let mut offers = found["offers"].as_array().unwrap().iter().rev();
        let dearest = offers.find(|offer| offer["supplier"] == supplier);
        let offer = &dearest.expect("an offer")["offer_id"];
        let priced = self.post("/flights/price", json!({ "offer_ids": [offer], "adults": 1 })).await;
        let fare = decimal(&priced["price_summary"]["agent_details"]["agent_fare"]);
        (priced["booking_keys"][0].clone(), fare)
    }

    /// Books the dearest offer: the booking's reference and what it cost.
    pub async fn book(&self) -> (Value, Decimal) {
        let (key, fare) = self.price("duffel").await;
        let booked = self.post("/flights/book", order(&key)).await;
        assert_eq!(booked["status"], "CONFIRMED", "{booked}");
        (booked["booking_ref"].clone(), fare)
    }

    pub async fn balance(&self) -> Decimal {
        decimal(&self.get("/wallet").await["balance"])
    }

    /// Everything the agency has.
    pub async fn holdings(&self, place: &Place) -> Holdings {
        let demo = place.demo();
        let admin = Api::log_in(place, "org_admin").await;
        let mut profile = self.get("/me").await;
        profile["last_login_at"].take();
        Holdings {
            agent_id: demo["agent_id"].clone(),
            users: demo["users"].clone(),
            profile,
            wallet: self.get("/wallet").await,
            transactions: self.get("/wallet/transactions").await,
            organization: admin.get("/org/wallet").await,
            bookings: self.get("/flights/bookings").await,
            orders: self.sandbox("/orders").await,
        }
    }
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let reply = request.send().await.unwrap();
    let status = reply.status().as_u16();
    let text = reply.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn data((status, body): (u16, Value)) -> Value {
    assert_eq!(status, 200, "{body}");
    body["data"].clone()
}

/// Exactly as it was printed.
pub fn decimal(number: &Value) -> Decimal {
    let number = number.as_number().unwrap_or_else(|| panic!("{number} is no number"));
    number.as_str().parse().unwrap()
}

pub fn search() -> Value {
    json!({
        "search_params": {
            "trip_type": "ONE_WAY",
            "passengers": { "adults": 1 },
            "cabin_class": "ECONOMY",
        },
        "slices": [{ "origin": "DEL", "destination": "BOM", "departure_date": in_a_month() }],
    })
}

#[allow(clippy::disallowed_methods, reason = "a real server, a real calendar")]
fn in_a_month() -> String {
    let day = chrono::Utc::now() + chrono::Duration::days(30);
    day.format("%Y-%m-%d").to_string()
}

pub fn order(key: &Value) -> Value {
    json!({
        "booking_keys": [key],
        "contact_email": "traveller@agency.example",
        "contact_phone": "9812345678",
        "contact_country_code": "91",
        "allow_duplicate": true,
        "passengers": [{
            "pax_index": 1,
            "type": "ADT",
            "title": "Ms",
            "first_name": "Meera",
            "last_name": "Shah",
            "gender": "F",
            "dob": "1990-04-12",
        }],
    })
}
