//! The TripJack adapter with the sandbox at its far end, in a time that stands still.

use std::time::Duration;

use reqwest::Client;
use serde_json::json;
use wayfare_domain::{Clock, Party};
use wayfare_flights::tripjack::TripJack;
use wayfare_flights::{
    Cabin, FlightSupplier, Offers, OrderMode, OrderRequest, PricedOrder, SupplierOrder, TripType,
};
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_supply::{Answer, SupplierHttp};

use crate::lookups::by_reference;
use crate::tripjack_bodies::*;

pub struct Stage {
    pub tripjack: TripJack,
    pub clock: Clock,
    sandbox: Running,
}

/// One that waits so many seconds.
fn adapter(sandbox: &Running, clock: &Clock, patience: u64) -> TripJack {
    let config = config(&format!("{}/tripjack", sandbox.base_url())).with(|config| {
        config.token = "tripjack_test_key".into();
        config.read_deadline = Duration::from_secs(patience);
    });
    TripJack::new(SupplierHttp::new(config, clock.clone()).unwrap())
}

impl Stage {
    pub async fn open() -> Self {
        let clock = clock();
        let sandbox = Sandbox::start_at(Settings::of_seed(42), clock.clone()).await.unwrap();
        Self { tripjack: adapter(&sandbox, &clock, 120), clock, sandbox }
    }

    /// The adapter with little patience: it looks at an order that TripJack is still at for a second.
    pub fn hasty(&self) -> TripJack {
        adapter(&self.sandbox, &self.clock, 1)
    }

    pub async fn search(&self, trip_type: TripType, route: &[(&str, &str)], party: Party) -> Offers {
        let mut query = query(trip_type, route);
        (query.cabin, query.party) = (Cabin::Economy, party);
        let found = done(self.tripjack.search(&query).await);
        assert_eq!(found.unusable, Vec::<String>::new());
        assert!(!found.offers.is_empty(), "{route:?}");
        found
    }

    pub async fn price(&self, tokens: &[&str]) -> PricedOrder {
        done(self.tripjack.price(tokens, PARTY).await)
    }

    pub async fn next(&self, call: &str, fault: &str) {
        let fault = json!({"supplier": "tripjack", "call": call, "fault": fault, "times": 1});
        let url = format!("{}/_sandbox/faults", self.sandbox.base_url());
        let answer = Client::new().post(url).json(&fault).send().await.unwrap();
        assert!(answer.status().is_success());
    }

    /// What is sent to book the first offer from Delhi to Bombay that may be held, where that is wanted.
    pub async fn request(&self, mode: OrderMode) -> OrderRequest {
        let found = self.search(TripType::OneWay, &[("DEL", "BOM")], PARTY).await;
        for offer in &found.offers {
            let priced = self.price(&[&offer.token]).await;
            if mode == OrderMode::Instant || priced.offers[0].can_hold == Some(true) {
                return OrderRequest {
                    offer_token: offer.token.clone(),
                    total: priced.offers[0].charge.total,
                    supplier_context: priced.supplier_context,
                    ..booking(mode)
                };
            }
        }
        panic!("nothing may be held")
    }

    pub async fn find(&self, request: &OrderRequest) -> Answer<Option<SupplierOrder>> {
        self.tripjack.find(by_reference(request)).await
    }
}
