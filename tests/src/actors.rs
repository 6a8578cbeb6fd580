//! Those who speak to the API: agencies and their people.

use std::sync::Arc;

use reqwest::{Client, Method};
use rust_decimal::Decimal;
use secrecy::SecretString;
use serde_json::{Value, json};
use wayfare_domain::{AgencyCode, Clock, Currency, Role, Tier};
use wayfare_operations::{
    Platform,
    access::operators::By,
    operator::{self, NewAgency, NewUser},
};

use crate::{
    Events, Reply, Trip, amount,
    http_client::{http_client, try_send},
    travellers,
    trip::give_papers,
};

/// The password of everybody whom a test makes.
pub const PASSWORD: &str = "correct horse 7";

#[derive(Clone)]
struct Door {
    client: Client,
    url: String,
    clock: Clock,
}

/// An agency with an admin who has no money yet.
#[derive(Clone)]
pub struct Agency {
    pub code: AgencyCode,
    platform: Arc<Platform>,
    door: Door,
}

impl Agency {
    /// A new agency of this platform, whose people speak to the API at this URL.
    pub async fn open(platform: &Arc<Platform>, base_url: &str) -> Self {
        let new = NewAgency {
            name: "Sunrise Travels".to_owned(),
            email: "desk@sunrise.example".to_owned(),
            country: "IN".to_owned(),
            tier: Tier::Full,
            currency: Currency::INR,
            time_zone: wayfare_domain::Zone::KOLKATA,
            admin: new_user("asha", Role::OrgAdmin),
        };
        let (agency, _) = operator::create_agency(platform, By::command_line(), new).await.unwrap();
        Self {
            code: agency.code,
            platform: platform.clone(),
            door: Door {
                client: http_client(),
                url: format!("{base_url}/api/v1"),
                clock: platform.core.clock.clone(),
            },
        }
    }

    /// Its admin, logged in, with so much money in the organization's wallet.
    pub async fn admin(&self, money: &str) -> Person {
        self.top_up(None, money).await;
        self.log_in("asha").await
    }

    /// A new agent of this name, logged in, with so much money in a wallet of their own.
    pub async fn agent(&self, username: &str, money: &str) -> Person {
        let new = new_user(username, Role::Agent);
        operator::create_user(&self.platform, By::command_line(), &self.code, new).await.unwrap();
        self.top_up(Some(username), money).await;
        self.log_in(username).await
    }

    pub async fn second_admin(&self, username: &str) {
        let new = new_user(username, Role::OrgAdmin);
        operator::create_user(&self.platform, By::command_line(), &self.code, new).await.unwrap();
    }

    /// Somebody who is here already, logged in again.
    pub async fn log_in(&self, username: &str) -> Person {
        self.log_in_with(username, PASSWORD).await
    }

    pub async fn log_in_with(&self, username: &str, password: &str) -> Person {
        let nobody = Person { door: self.door.clone(), token: None, refresh_token: None, id: String::new() };
        let login = json!({ "agent_id": self.code.as_ref(), "username": username, "password": password });
        let data = nobody.post("/auth/login", &login).await.ok();
        Person {
            token: Some(data["tokens"]["access_token"].as_str().unwrap().to_owned()),
            refresh_token: Some(data["tokens"]["refresh_token"].as_str().unwrap().to_owned()),
            id: data["user"]["id"].as_str().unwrap().to_owned(),
            ..nobody
        }
    }

    /// Somebody who is here already, speaking through the client crate, in a session of their own.
    pub async fn session(&self, username: &str) -> wayfare_client::Session {
        let client = wayfare_client::Client::new(self.door.url.trim_end_matches("/api/v1")).unwrap();
        client.log_in(self.code.as_ref(), username, PASSWORD).await.unwrap()
    }

    /// Pays so much into this user's wallet, or the organization's where nobody is named.
    pub async fn top_up(&self, username: Option<&str>, money: &str) {
        let money: Decimal = money.parse().unwrap();
        if !money.is_zero() {
            operator::top_up(&self.platform, By::command_line(), &self.code, username, money).await.unwrap();
        }
    }
}

fn new_user(username: &str, role: Role) -> NewUser {
    NewUser {
        username: username.to_owned(),
        email: format!("{username}@sunrise.example"),
        name: format!("{username} Sunrise"),
        phone: String::new(),
        password: SecretString::from(PASSWORD),
        role,
    }
}

/// What [`Person::buy`] or [`Person::buy_stay`] bought.
#[derive(Clone, Debug)]
pub struct Bought {
    pub reference: String,
    pub fare: Decimal,
    pub priced: Value,
    pub booked: Value,
}

impl Bought {
    /// The booking that this answer confirms, at this fare.
    pub(crate) fn confirmed(priced: Value, booked: Value, fare: Decimal) -> Self {
        assert_eq!(booked["status"], "CONFIRMED");
        let reference = booked["booking_ref"].as_str().unwrap().to_owned();
        Self { reference, fare, priced, booked }
    }
}

#[derive(Clone)]
pub struct Person {
    door: Door,
    /// With what they prove who they are.
    pub token: Option<String>,
    /// With what they get the next token.
    pub refresh_token: Option<String>,
    pub id: String,
}

impl Person {
    /// The same connection with another token, or none.
    #[must_use]
    pub fn with_token(&self, token: Option<&str>) -> Self {
        Self { token: token.map(str::to_owned), ..self.clone() }
    }

    /// A request of theirs, to be filled and sent.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.door.client.request(method, format!("{}{path}", self.door.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// The same person at another door: the API answers at this URL now.
    #[must_use]
    pub fn at(&self, base_url: &str) -> Self {
        Self { door: Door { url: format!("{base_url}/api/v1"), ..self.door.clone() }, ..self.clone() }
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Reply {
        self.try_send(request).await.unwrap()
    }

    /// Sends a request to somebody who may end before they answer.
    pub async fn try_send(&self, request: reqwest::RequestBuilder) -> reqwest::Result<Reply> {
        try_send(&self.door.client, request).await
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path)).await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// `PUT` with a JSON body.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PUT, path).json(body)).await
    }

    /// `POST` with a JSON body under an idempotency key.
    pub async fn post_with_key(&self, path: &str, key: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body).header("Idempotency-Key", key)).await
    }

    pub async fn delete_user(&self, user: &Self) {
        self.delete(&format!("/org/users/{}", user.id)).await.says(200, "user deleted");
    }

    pub async fn suspend_user(&self, user: &Self) {
        self.put(&format!("/org/users/{}/suspend", user.id), &json!({})).await.says(200, "user suspended");
    }

    /// Gives this agent so much of the organization's money.
    pub async fn give(&self, agent: &Self, amount: &str, reason: &str) {
        let amount: Value = serde_json::from_str(amount).unwrap();
        let body = json!({ "amount": amount, "description": reason });
        let path = format!("/org/wallet/topup/{}", agent.id);
        self.post(&path, &body).await.says(200, "wallet allocated to agent");
    }

    /// `POST` with this very text as JSON.
    pub async fn post_text(&self, path: &str, body: &str) -> Reply {
        self.send_text(Method::POST, path, body.to_owned()).await
    }

    /// The same by any method, of text or bytes.
    pub async fn send_text(&self, method: Method, path: &str, body: impl Into<reqwest::Body>) -> Reply {
        let request = self.request(method, path).header("content-type", "application/json");
        self.send(request.body(body)).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Asks for the next pair of tokens with this refresh token.
    pub async fn refresh(&self, token: &str) -> Reply {
        self.post("/auth/refresh", &json!({ "refresh_token": token })).await
    }

    /// Asks for the next pair with the refresh token that they have.
    pub async fn refresh_own(&self) -> Reply {
        self.refresh(self.refresh_token.as_deref().unwrap()).await
    }

    /// Themselves with the next pair of tokens.
    pub async fn refreshed(&self) -> Self {
        let tokens = self.refresh_own().await.ok()["tokens"].clone();
        let text = |name: &str| tokens[name].as_str().map(str::to_owned);
        Self { token: text("access_token"), refresh_token: text("refresh_token"), ..self.clone() }
    }

    /// The day that it is, UTC.
    pub fn today(&self) -> chrono::NaiveDate {
        self.door.clock.now().date_naive()
    }

    pub async fn search(&self, trip: &Trip) -> Value {
        self.post("/flights/search", &trip.body(self.door.clock.now())).await.ok()
    }

    /// Searches, and is told of each supplier as it answers.
    pub async fn stream(&self, trip: &Trip) -> Events {
        self.stream_accepting(None, trip).await
    }

    /// The same of somebody who takes these content codings.
    pub async fn stream_accepting(&self, codings: Option<&str>, trip: &Trip) -> Events {
        let body = trip.body(self.door.clock.now());
        let mut request = self.request(Method::POST, "/flights/search/stream").json(&body);
        if let Some(codings) = codings {
            request = request.header("accept-encoding", codings);
        }
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        Events::of(answer)
    }

    /// Searches; the cheapest offer's id.
    pub async fn offer(&self, trip: &Trip) -> String {
        let found = self.search(trip).await;
        let offer = &found["offers"][0]["offer_id"];
        offer.as_str().unwrap_or_else(|| unreachable!("no offers: {found}")).to_owned()
    }

    /// Searches and prices the dearest offer, which gives money back when it is cancelled; the answer of price.
    pub async fn quote_dearest(&self, trip: &Trip) -> Value {
        let found = self.search(trip).await;
        let dearest = found["offers"].as_array().and_then(|offers| offers.last());
        self.price(dearest.and_then(|offer| offer["offer_id"].as_str()).unwrap()).await.ok()
    }

    /// Searches; the dearest offer of this supplier, which gives money back when it is cancelled. None when it has none.
    pub async fn dearest_of(&self, supplier: &str, trip: &Trip) -> Option<String> {
        let found = self.search(trip).await;
        let mut offers = found["offers"].as_array().unwrap().iter().rev();
        offers.find(|offer| offer["supplier"] == supplier)?["offer_id"].as_str().map(str::to_owned)
    }

    pub async fn price(&self, offer: &str) -> Reply {
        self.post("/flights/price", &json!({ "offer_ids": [offer] })).await
    }

    /// Searches and prices the cheapest offer; the answer of price.
    pub async fn quote(&self, trip: &Trip) -> Value {
        self.price(&self.offer(trip).await).await.ok()
    }

    /// The body of a booking of what was priced, for this trip's party of the family Sharma, with the papers that are demanded.
    pub fn order(&self, priced: &Value, trip: &Trip) -> Value {
        let mut order = json!({
            "booking_keys": priced["booking_keys"],
            "contact_email": "traveller@sunrise.example",
            "contact_phone": "9812345678",
            "contact_country_code": "91",
            // Many tests book the same people on the same flight.
            "allow_duplicate": true,
            "passengers": travellers("Sharma", trip.party, self.door.clock.now()),
        });
        give_papers(&mut order, &priced["requires"]);
        order
    }

    /// Searches and prices the cheapest offer; the body of its booking.
    pub async fn order_for(&self, trip: &Trip) -> Value {
        self.order(&self.quote(trip).await, trip)
    }

    pub async fn book(&self, order: &Value) -> Reply {
        self.post("/flights/book", order).await
    }

    /// Searches, prices and books the cheapest offer.
    pub async fn try_buy(&self, trip: &Trip) -> Reply {
        self.book(&self.order(&self.quote(trip).await, trip)).await
    }

    /// Searches, prices and books the cheapest offer; it is confirmed.
    pub async fn buy(&self, trip: Trip) -> Bought {
        self.buy_at(self.quote(&trip).await, &trip).await
    }

    /// Searches, prices and books the dearest offer, which gives money back when it is cancelled; it is confirmed.
    pub async fn buy_dearest(&self, trip: &Trip) -> Bought {
        self.buy_at(self.quote_dearest(trip).await, trip).await
    }

    async fn buy_at(&self, priced: Value, trip: &Trip) -> Bought {
        let booked = self.book(&self.order(&priced, trip)).await.ok();
        let fare = amount(&booked["total_amount"]);
        Bought::confirmed(priced, booked, fare)
    }

    pub async fn booking(&self, reference: &str) -> Value {
        self.get(&format!("/flights/bookings/{reference}")).await.ok()
    }

    /// Asks what cancelling would cost.
    pub async fn penalty(&self, reference: &str) -> Reply {
        self.post(&format!("/flights/bookings/{reference}/penalty"), &json!({})).await
    }

    pub async fn cancel(&self, reference: &str) -> Reply {
        self.post(&format!("/flights/bookings/{reference}/cancel"), &json!({})).await
    }

    /// Cancels a booking that is given back at once; the answer.
    pub async fn cancels(&self, reference: &str) -> Value {
        self.cancel(reference).await.says(200, "booking cancelled")
    }

    pub async fn balance(&self) -> Decimal {
        amount(&self.get("/wallet").await.ok()["balance"])
    }
}
