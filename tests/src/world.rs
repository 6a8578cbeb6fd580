//! A world of its own for each test: a fresh database, a sandbox supplier, the platform and its API server.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test can only fail when its world does not stand"
)]

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::dev::ServerHandle;
use chrono::{DateTime, Utc};
use diesel::{QueryableByName, sql_query, sql_types::Text};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use reqwest::{Client, StatusCode};
use secrecy::SecretSlice;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use wayfare_api::RateLimits;
use wayfare_domain::Clock;
use wayfare_flights::duffel::Duffel;
use wayfare_operations::{Durations, Platform, PlatformParts, Secrets, worker};
use wayfare_pricing::RateTable;
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_supply::{Limits, SupplierConfig, SupplierHttp};

use crate::{Agency, Person, TestDatabase};

/// What a test may want otherwise.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// The time of platform, supplier client and sandbox.
    pub clock: Clock,
    /// How long callers wait for an effect.
    pub patience: Duration,
    /// How long an outcome may stay unknown before the operator is told.
    pub exception_after: Duration,
    /// How long offers last.
    pub offer_validity: Duration,
    /// How long booking keys last.
    pub quote_validity: Duration,
    /// How long the supplier may take to answer a question.
    pub read_deadline: Duration,
    /// How long the supplier may take to carry something out.
    pub effect_deadline: Duration,
    /// Until when "not found" means "not yet".
    pub processing_time: Duration,
    /// How hard the supplier is pressed, and when it is left alone.
    pub limits: Limits,
    /// Whether callers are limited.
    pub rate_limits: bool,
    /// The currency that the supplier sells in.
    pub supplier_currency: &'static str,
    /// Exchange rates.
    pub rates: RateTable,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            patience: Duration::from_secs(60),
            exception_after: Duration::from_secs(900),
            offer_validity: Duration::from_secs(1200),
            quote_validity: Duration::from_secs(900),
            read_deadline: Duration::from_secs(20),
            effect_deadline: Duration::from_secs(130),
            processing_time: Duration::from_secs(130),
            limits: Limits::default(),
            rate_limits: false,
            supplier_currency: "INR",
            rates: RateTable::default(),
        }
    }
}

/// One world. It ends with the value.
pub struct World {
    /// The platform behind the API.
    pub platform: Arc<Platform>,
    /// Its time.
    pub clock: Clock,
    /// Its database.
    pub database: TestDatabase,
    /// Where the API answers, without `/api/v1`.
    pub base_url: String,
    pub(crate) client: Client,
    sandbox: Mutex<Option<Running>>,
    sandbox_url: String,
    server: ServerHandle,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

impl World {
    /// The key that this world's tokens are signed with.
    pub const SIGNING_KEY: &'static [u8] = b"a signing key of at least 32 bytes";

    /// A world by the machine's clock.
    pub async fn start() -> Self {
        Self::with(Knobs::default()).await
    }

    /// A world whose time stands still until [`World::pass`] moves it.
    pub async fn frozen() -> Self {
        Self::with(Knobs::default().frozen()).await
    }

    /// A world with these knobs.
    ///
    /// # Panics
    /// When it can't be made, as all that follows.
    pub async fn with(knobs: Knobs) -> Self {
        let database = TestDatabase::fresh().await;
        let settings = Settings {
            bind: ([127, 0, 0, 1], 0).into(),
            data_dir: None,
            seed: 1,
            currency: knobs.supplier_currency.to_owned(),
        };
        let sandbox = Sandbox::start_at(settings, knobs.clock.clone()).await.unwrap();
        let sandbox_url = sandbox.base_url();
        let config = SupplierConfig {
            code: "duffel".to_owned(),
            base_url: format!("{sandbox_url}/duffel"),
            token: "duffel_test_world".to_owned().into(),
            read_deadline: knobs.read_deadline,
            effect_deadline: knobs.effect_deadline,
            processing_time: knobs.processing_time,
            limits: knobs.limits,
        };
        let duffel = Duffel::new(SupplierHttp::new(config, knobs.clock.clone()).unwrap());
        let platform = Platform::new(PlatformParts {
            database: database.database.clone(),
            clock: knobs.clock.clone(),
            secrets: Secrets::new(
                SecretSlice::from(Self::SIGNING_KEY.to_vec()),
                &SecretSlice::from(vec![7; 32]),
            )
            .unwrap(),
            rates: Arc::new(knobs.rates),
            flights: vec![Arc::new(duffel)],
            durations: Durations {
                offer_validity: knobs.offer_validity,
                quote_validity: knobs.quote_validity,
                patience: knobs.patience,
                exception_after: knobs.exception_after,
            },
        });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let limits = if knobs.rate_limits {
            RateLimits::on()
        } else {
            RateLimits::off()
        };
        let server = wayfare_api::serve(platform.clone(), listener, limits, 1, 1).unwrap();
        let handle = server.handle();
        tokio::spawn(server);
        Self {
            platform,
            clock: knobs.clock,
            database,
            base_url,
            client: Client::new(),
            sandbox: Mutex::new(Some(sandbox)),
            sandbox_url,
            server: handle,
        }
    }

    /// A new agency with its admin.
    pub async fn agency(&self) -> Agency {
        Agency::open(self).await
    }

    /// An agent with so much money, in an agency of their own.
    pub async fn agent(&self, money: &str) -> Person {
        self.agency().await.agent("arjun", money).await
    }

    /// The present.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Moves frozen time.
    pub fn pass(&self, seconds: i64) {
        self.clock.advance(chrono::Duration::seconds(seconds));
    }

    /// Lets the supplier's next call of this kind suffer.
    pub async fn next(&self, call: &str, fault: &str) {
        self.next_times(call, fault, 1).await;
    }

    /// Lets so many of the supplier's next calls of this kind suffer.
    pub async fn next_times(&self, call: &str, fault: &str, times: u32) {
        let body = json!({ "supplier": "duffel", "call": call, "fault": fault, "times": times });
        let url = format!("{}/_sandbox/faults", self.sandbox_url);
        let answer = self.client.post(url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED, "{call} {fault}");
    }

    /// Nothing goes wrong at the supplier any more.
    pub async fn all_is_well(&self) {
        let url = format!("{}/_sandbox/faults", self.sandbox_url);
        let answer = self.client.delete(url).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }

    /// What the supplier holds for us, cancelled orders included.
    pub async fn supplier_orders(&self) -> Vec<Value> {
        let url = format!("{}/_sandbox/orders", self.sandbox_url);
        let answer = self.client.get(url).send().await.unwrap().text().await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// Ends the supplier: its port refuses connections from now on.
    pub async fn end_supplier(&self) {
        if let Some(sandbox) = self.sandbox.lock().await.take() {
            sandbox.stop().await;
        }
    }

    /// Recovers what is due, as the worker does; how many effects were looked at.
    pub async fn recover(&self) -> usize {
        worker::recover_due(&self.platform).await.unwrap()
    }

    /// Does this in the database.
    pub async fn sql(&self, statement: &str) {
        let mut connection = self.database.connection().await;
        connection.batch_execute(statement).await.unwrap();
    }

    /// What a query says, one text for each row of its one column.
    pub async fn lines(&self, query: &str) -> Vec<String> {
        let mut connection = self.database.connection().await;
        let query = format!("select t.line::text as line from ({query}) as t(line)");
        let lines: Vec<Line> = sql_query(&query)
            .load(&mut *connection)
            .await
            .unwrap_or_else(|error| panic!("{query}: {error}"));
        lines.into_iter().map(|line| line.line).collect()
    }

    /// What a query with one row and one column says.
    pub async fn line(&self, query: &str) -> String {
        self.lines(query).await.concat()
    }

    /// That no money is set aside and nothing was booked.
    #[track_caller]
    pub fn nothing_happened(&self) -> impl Future<Output = ()> {
        let caller = std::panic::Location::caller();
        async move {
            let found = self
                .line("select (select sum(held) from wallets) || ' held, ' || (select count(*) from bookings) || ' bookings'")
                .await;
            assert!(
                found.ends_with("held, 0 bookings") && self.held().await.is_zero(),
                "{found} at {caller}"
            );
        }
    }

    /// All the money that is set aside.
    pub async fn held(&self) -> rust_decimal::Decimal {
        self.line("select sum(held) from wallets").await.parse().unwrap()
    }
}

impl Knobs {
    /// The same, with time that stands still.
    #[must_use]
    pub fn frozen(self) -> Self {
        let noon = DateTime::<Utc>::from_timestamp(1_800_000_000, 0).unwrap();
        Self {
            clock: Clock::frozen_at(noon),
            ..self
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // The command is sent at once; only its answer would have to be awaited.
        drop(self.server.stop(false));
    }
}
