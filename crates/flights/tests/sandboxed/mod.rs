//! The adapter with the sandbox at its far end, in a time that stands still.

use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value, json};
use wayfare_domain::Clock;
use wayfare_flights::duffel::Duffel;
use wayfare_flights::{Cabin, FlightSupplier, Offer, OrderMode, OrderRequest, PricedOrder, SupplierOrder};
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_supply::{Limits, SupplierHttp};

use crate::duffel_bodies::{PARTY, TOKEN, booking, clock, done, query};
use crate::plain_config::plain_config;

/// A fault: the call lasts until all is well again ([`Stage::all_is_well`]), or longer than any test.
pub const LASTS: &str = "slow:600000";

pub struct Stage {
    pub duffel: Duffel,
    pub clock: Clock,
    sandbox: Running,
    client: Client,
}

/// What is sent to book what was priced.
pub fn request_for(priced: &PricedOrder, mode: OrderMode) -> OrderRequest {
    let mut request = OrderRequest {
        offer_token: priced.offers[0].token.clone(),
        supplier_context: priced.supplier_context.clone(),
        total: priced.offers[0].charge.total,
        ..booking(mode)
    };
    // Duffel takes no digits in a name.
    for (traveller, name) in request.travellers.iter_mut().zip(["Anna", "Bela", "Cato", "Dora"]) {
        name.clone_into(&mut traveller.first_name);
    }
    request
}

impl Stage {
    pub async fn open(limits: Limits) -> Self {
        let clock = clock();
        let sandbox = Sandbox::start_at(Settings::of_seed(42), clock.clone()).await.unwrap();
        let config = plain_config("duffel", &format!("{}/duffel", sandbox.base_url()), TOKEN);
        let config = config.with(|config| {
            config.effect_deadline = Duration::from_secs(3);
            config.limits = limits;
        });
        Self {
            duffel: Duffel::new(SupplierHttp::new(config, clock.clone()).unwrap()),
            clock,
            sandbox,
            client: Client::new(),
        }
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.advance(chrono::TimeDelta::seconds(seconds));
    }

    /// Lets so many calls of this kind suffer.
    pub async fn next(&self, call: &str, fault: &str, times: usize) {
        let fault = json!({"supplier": "duffel", "call": call, "fault": fault, "times": times});
        self.ask(Method::POST, "/_sandbox/faults", Some(fault)).await;
    }

    /// Nothing goes wrong any more, and calls that are slow go on.
    pub async fn all_is_well(&self) {
        let url = format!("{}/_sandbox/faults", self.sandbox.base_url());
        self.client.delete(url).send().await.unwrap();
    }

    /// How many calls are still to suffer: each that arrives takes one away.
    pub async fn waiting(&self) -> u64 {
        let faults = self.ask(Method::GET, "/_sandbox/faults", None).await;
        let times = |fault: &Value| fault["times"].as_u64().unwrap();
        faults.as_array().unwrap().iter().map(times).sum()
    }

    /// The state of each order at the supplier.
    pub async fn orders(&self) -> Vec<String> {
        let orders = self.ask(Method::GET, "/_sandbox/orders", None).await;
        let status = |order: &Value| order["status"].as_str().unwrap().to_owned();
        orders.as_array().unwrap().iter().map(status).collect()
    }

    /// How often an order was paid.
    pub async fn payments(&self, order_id: &str) -> usize {
        let path = format!("/duffel/air/payments?order_id={order_id}");
        let payments = self.ask(Method::GET, &path, None).await;
        payments["data"].as_array().unwrap().len()
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let url = format!("{}{path}", self.sandbox.base_url());
        let mut request = self
            .client
            .request(method, url)
            .bearer_auth(TOKEN)
            .header("Duffel-Version", "v2")
            .header("Accept", "application/json");
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        let text = answer.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// A price on this route, of an offer that fits.
    pub async fn priced(&self, route: (&str, &str), fits: impl Fn(&&Offer) -> bool) -> PricedOrder {
        let mut query = query(&[route]);
        query.cabin = Cabin::Economy;
        let found = done(self.duffel.search(&query).await);
        let token = &found.offers.iter().find(fits).unwrap().token;
        done(self.duffel.price(&[token], PARTY).await)
    }

    /// What is sent to book such an offer on this route, and the order that comes of it.
    pub async fn booked(&self, route: (&str, &str), mode: OrderMode) -> (OrderRequest, SupplierOrder) {
        let fits = |offer: &&Offer| match mode {
            OrderMode::Hold => offer.can_hold == Some(true),
            OrderMode::Instant => offer.instant,
        };
        let request = request_for(&self.priced(route, fits).await, mode);
        let order = done(self.duffel.book(&request).await);
        (request, order)
    }

    /// Lets an airline put off the flights of an order.
    pub async fn airline_changes(&self, order_id: &str) {
        let path = format!("/_sandbox/orders/{order_id}/airline_change");
        self.ask(Method::POST, &path, None).await;
    }

    /// A held order.
    pub async fn held(&self) -> (OrderRequest, SupplierOrder) {
        self.booked(("JFK", "EWR"), OrderMode::Hold).await
    }
}
