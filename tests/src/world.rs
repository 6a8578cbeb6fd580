//! A world of its own for each test: a fresh database, a sandbox supplier, the platform and its API server.

use std::{net::TcpListener, num::NonZeroU32, sync::Arc, time::Duration};

use actix_web::dev::ServerHandle;
use chrono::{DateTime, Utc};
use diesel_async::SimpleAsyncConnection;
use futures_util::{StreamExt, stream::FuturesUnordered};
use rust_decimal::Decimal;
use serde_json::Value;
use tokio::sync::{Mutex, watch};
use wayfare_api::{
    AirlineLogos, ConsoleOptions, EventEncoders, Metrics, RateLimits, RequestMetrics, ServerOptions,
    Thresholds, serve_metrics,
};
use wayfare_domain::{Clock, OperatorRole};
use wayfare_operations::{
    Platform, SearchMemoryUse,
    events::{feed, webhooks},
    reports,
    suppliers::look_to_book,
    worker,
};
use wayfare_sandbox::{Running, Sandbox, Settings};

use crate::{
    Agency, Books, OperatorDoor, OperatorPerson, Person, StaySearch, Supplier, TestDatabase, WorldOptions,
    world_options::{Rotated, signing_key},
};

/// One world. It ends with the value.
pub struct World {
    pub platform: Arc<Platform>,
    pub clock: Clock,
    pub database: TestDatabase,
    /// Where the API answers, without `/api/v1`.
    pub base_url: String,
    sandbox: Mutex<Option<Running>>,
    pub(crate) supplier: Supplier,
    rotated: Rotated,
    stopping: watch::Sender<bool>,
    servers: Vec<ServerHandle>,
    /// What the first server counts.
    requests: RequestMetrics,
}

impl World {
    /// The key that this world's tokens are signed with.
    pub const SIGNING_KEY: &'static [u8] = b"a signing key of at least 32 bytes";
    /// The key that its ledger is sealed with.
    pub const LEDGER_KEY: [u8; 32] = [7; 32];
    pub const PEOPLE_KEY: [u8; 32] = [8; 32];

    /// What proves the hooks of the supplier of this code.
    pub fn hook_secret(code: &str) -> String {
        format!("what-proves-the-hooks-of-{code}")
    }

    /// This supplier of the sandbox's posts its hooks to this world's API from now on.
    pub async fn takes_hooks_of(&self, supplier: &str) {
        self.supplier.posts_to(supplier, &self.base_url).await;
    }

    /// A world by the machine's clock.
    pub async fn start() -> Self {
        Self::with(WorldOptions::default()).await
    }

    /// A world whose time stands still until [`World::pass`] moves it.
    pub async fn frozen() -> Self {
        Self::with(WorldOptions::default().frozen()).await
    }

    /// A world with these options.
    pub async fn with(options: WorldOptions) -> Self {
        Self::on(TestDatabase::fresh().await, options).await
    }

    /// A world with these options on a database that was made before.
    pub async fn on(database: TestDatabase, options: WorldOptions) -> Self {
        let currency = options.supplier_currency.to_owned();
        let settings = Settings { currency, ..Settings::of_seed(1) };
        let sandbox = Sandbox::start_at(settings, options.clock.clone()).await.unwrap();
        let sandbox_url = sandbox.base_url();
        let rotated = options.rotated.clone();
        let platform = options.platform(database.database.clone(), &sandbox_url);
        let limits = match options.rate_limits {
            true => RateLimits::on(thresholds(20, 60, 600)),
            false => RateLimits::off(),
        };
        let stopping = watch::Sender::new(false);
        let requests = RequestMetrics::default();
        let server_options = ServerOptions {
            limits,
            metrics: requests.clone(),
            trusted_proxies: options.trusted_proxies,
            slowest_request: options.slowest_request,
            event_encoders: EventEncoders::within(options.stream_memory),
            ..server_options(stopping.subscribe())
        };
        let (base_url, server) = serve(&platform, server_options);
        Self {
            platform,
            clock: options.clock,
            database,
            base_url,
            sandbox: Mutex::new(Some(sandbox)),
            supplier: Supplier::at(sandbox_url),
            rotated,
            stopping,
            servers: vec![server],
            requests,
        }
    }

    fn server_options(&self, limits: RateLimits) -> ServerOptions {
        ServerOptions { limits, ..server_options(self.stopping.subscribe()) }
    }

    /// Starts one more server of this world, with these limits; where it answers, without `/api/v1`.
    pub fn another_server(&mut self, limits: RateLimits) -> String {
        let (base_url, server) = serve(&self.platform, self.server_options(limits));
        self.servers.push(server);
        base_url
    }

    /// Starts a server over a platform of its own on the same database and sandbox, as another process would be; where
    /// it answers, without `/api/v1`.
    pub fn another_process(&mut self, options: &WorldOptions) -> String {
        let platform = options.platform(self.database.database.clone(), self.supplier.url());
        let (base_url, server) = serve(&platform, self.server_options(RateLimits::off()));
        self.servers.push(server);
        base_url
    }

    /// Serves the operator's API on a port of its own, without limits.
    pub fn operator_api(&mut self) -> OperatorDoor {
        self.limited_operator_api(RateLimits::off())
    }

    /// This world, and the door of its operators' API.
    pub fn and_operators(mut self) -> (Self, OperatorDoor) {
        let door = self.operator_api();
        (self, door)
    }

    /// This world, and an operator of this name and role, logged in.
    pub async fn and_operator(mut self, username: &str, role: OperatorRole) -> (Self, OperatorPerson) {
        let operator = self.operator_api().operator(username, role).await;
        (self, operator)
    }

    pub fn limited_operator_api(&mut self, limits: RateLimits) -> OperatorDoor {
        let (listener, url) = listen();
        let options = self.server_options(limits);
        let server = wayfare_api::serve_operator(self.platform.clone(), listener, options).unwrap();
        self.servers.push(server.handle());
        tokio::spawn(server);
        OperatorDoor::at(url, self.platform.clone())
    }

    /// Prints the metrics of the first server on a port of their own; where.
    pub fn serve_metrics(&mut self) -> String {
        let (listener, url) = listen();
        let server = serve_metrics(Metrics::of(&self.requests, &self.platform), listener).unwrap();
        self.servers.push(server.handle());
        tokio::spawn(server);
        format!("{url}/metrics")
    }

    /// Where the world's sandbox answers.
    pub fn sandbox_url(&self) -> &str {
        self.supplier.url()
    }

    /// Lets the next call of this kind at this supplier suffer.
    pub async fn next_at(&self, supplier: &str, call: &str, fault: &str) {
        self.supplier.next_at(supplier, call, fault, 1).await;
    }

    /// Tells the servers that they are about to be stopped.
    pub fn end_streams(&self) {
        self.stopping.send_replace(true);
    }

    pub async fn agency(&self) -> Agency {
        Agency::open(&self.platform, &self.base_url).await
    }

    pub fn books(&self) -> Books {
        Books::of(self.platform.clone(), self.supplier.clone())
    }

    /// That all books agree.
    pub async fn books_agree(&self) {
        let wrong = self.books().wrongs().await;
        assert!(wrong.is_empty(), "\n  {}\n", wrong.join("\n  "));
    }

    /// What the ledger says that suppliers are owed, in a world of one currency.
    pub async fn owed_to_suppliers(&self) -> Decimal {
        let accounts = "select coalesce(sum(case side when 'credit' then amount else -amount end), 0)
            from entries where account like 'supplier:%'";
        self.line(accounts).await.parse().unwrap()
    }

    /// The operator is told, as an incident with this id, that this booking came at another total.
    pub async fn raises_other_total(&self, id: &str, reference: &str) {
        self.sql(&format!(
            "insert into exceptions (org_id, id, booking_id, kind, problem, details, raised_at)
             select b.org_id, '{id}', b.id, 'other_total', 'another total', '{{}}', now()
             from bookings b where b.booking_ref = '{reference}'"
        ))
        .await;
    }

    /// That nothing is under way any more, no money is set aside and all books agree.
    pub async fn is_settled(&self) {
        let under_way = self.books().under_way().await;
        assert!(under_way.is_empty(), "\n  {}\n", under_way.join("\n  "));
        self.books_agree().await;
    }

    /// An agent with so much money, in an agency of their own.
    pub async fn agent(&self, money: &str) -> Person {
        self.agency().await.agent("arjun", money).await
    }

    /// This world, and an agency.
    pub async fn and_agency(self) -> (Self, Agency) {
        let agency = self.agency().await;
        (self, agency)
    }

    /// This world, and an agency whose admin is logged in, with so much money in the organization's wallet.
    pub async fn and_admin(self, money: &str) -> (Self, Agency, Person) {
        let agency = self.agency().await;
        let admin = agency.admin(money).await;
        (self, agency, admin)
    }

    /// This world, and an agency whose agent Arjun is logged in, with so much money in a wallet of their own.
    pub async fn and_agent(self, money: &str) -> (Self, Agency, Person) {
        let agency = self.agency().await;
        let agent = agency.agent("arjun", money).await;
        (self, agency, agent)
    }

    /// This world, and an agency with its admin and its agent Arjun, with so much money in each one's wallet.
    pub async fn and_people(self, admins: &str, agents: &str) -> (Self, Agency, Person, Person) {
        let (world, agency, admin) = self.and_admin(admins).await;
        let agent = agency.agent("arjun", agents).await;
        (world, agency, admin, agent)
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.advance(chrono::Duration::seconds(seconds));
    }

    /// Lets the supplier's next call of this kind suffer.
    pub async fn next(&self, call: &str, fault: &str) {
        self.supplier.next(call, fault, 1).await;
    }

    /// Lets so many of the supplier's next calls of this kind suffer.
    pub async fn next_times(&self, call: &str, fault: &str, times: u32) {
        self.supplier.next(call, fault, times).await;
    }

    pub async fn next_times_at(&self, supplier: &str, call: &str, fault: &str, times: u32) {
        self.supplier.next_at(supplier, call, fault, times).await;
    }

    /// How often a fault that waits for calls has not struck yet, all together.
    pub async fn strikes_left(&self) -> u64 {
        self.supplier.waiting().await.iter().filter_map(|fault| fault["times"].as_u64()).sum()
    }

    /// Writes down who looked how often, as the worker does.
    pub async fn count_looks(&self) {
        look_to_book::write(&self.platform.suppliers).await.unwrap();
    }

    /// How many calls of the supplier still wait to go wrong.
    pub async fn faults_left(&self) -> usize {
        self.supplier.waiting().await.len()
    }

    /// What the platform keeps of searches.
    pub fn search_memory(&self) -> [SearchMemoryUse; 6] {
        self.platform.remove_expired_searches()
    }

    /// Waits until all that waits to go wrong at the supplier does: the calls that it strikes have come.
    pub async fn has_struck(&self) {
        self.supplier.has_struck().await;
    }

    /// Does the second while a call of the first, which is to last ([`crate::LASTS`]), is under way at the supplier.
    pub async fn meanwhile<A, B>(
        &self,
        first: impl Future<Output = A>,
        second: impl Future<Output = B>,
    ) -> (A, B) {
        let second = async {
            self.has_struck().await;
            let done = second.await;
            self.all_is_well().await;
            done
        };
        tokio::join!(first, second)
    }

    /// What comes of all of these at once but one, of which a call that is to last ([`crate::LASTS`]) is under way at the
    /// supplier; and what then comes of that one.
    pub async fn all_but_one<T>(
        &self,
        asked: impl IntoIterator<Item = impl Future<Output = T>>,
    ) -> (Vec<T>, T) {
        let mut asked: FuturesUnordered<_> = asked.into_iter().collect();
        let mut told = Vec::new();
        while asked.len() > 1 {
            told.extend(asked.next().await);
        }
        // The last one may still be on its way there.
        self.has_struck().await;
        self.all_is_well().await;
        (told, asked.next().await.unwrap())
    }

    /// Nothing goes wrong at the supplier any more, and its calls that are slow go on.
    pub async fn all_is_well(&self) {
        self.supplier.all_is_well().await;
    }

    /// What the supplier holds for us, cancelled orders included.
    pub async fn supplier_orders(&self) -> Vec<Value> {
        self.supplier.orders().await
    }

    /// The airline puts the first journey of this booking at Duffel off by so many minutes, and its agent looks; the change.
    pub async fn puts_off(&self, agent: &Person, reference: &str, minutes: u32) -> Value {
        self.airline_puts_off(agent.booking(reference).await["provider_ref"].as_str().unwrap(), minutes)
            .await;
        agent.get(&format!("/flights/bookings/{reference}/retrieve")).await.ok();
        agent.booking(reference).await["changes"][0].clone()
    }

    /// The airline puts the first journey of this order of the supplier's, Duffel's, off by so many minutes.
    pub async fn airline_puts_off(&self, order: &str, minutes: u32) {
        self.supplier.airline_puts_off(order, minutes).await;
    }

    /// This change of an airline's is accepted at Duffel, and not by us.
    pub async fn duffel_accepts(&self, change: &str) {
        self.supplier.duffel_accepts(change).await;
    }

    /// This order of Duffel's is cancelled, and not by us.
    pub async fn duffel_cancels(&self, order: &str) {
        self.supplier.duffel_cancels(order).await;
    }

    /// `data` of what the supplier, Duffel, answers to a question, in its own words.
    pub async fn duffel(&self, path: &str) -> Value {
        self.supplier.duffel(path).await
    }

    /// Ends the supplier: its port refuses connections from now on.
    pub async fn end_supplier(&self) {
        if let Some(sandbox) = self.sandbox.lock().await.take() {
            sandbox.stop().await;
        }
    }

    /// The supplier ends this order by itself ([`Supplier::ends`]).
    pub async fn supplier_ends(&self, order: &str, refund: Option<&str>, told: bool) {
        self.supplier.ends(order, refund, told).await;
    }

    /// The same, in another currency ([`Supplier::ends_in`]).
    pub async fn supplier_ends_in(&self, order: &str, currency: &str) {
        self.supplier.ends_in(order, currency).await;
    }

    /// The hotel tells its own numbers of this order.
    pub async fn hotel_tells(&self, order: &str, numbers: &[&str]) {
        self.supplier.hotel_tells(order, numbers).await;
    }

    /// Polls orders that are due, as the worker does: holds that may have lapsed, tickets that may be there, and
    /// at what stands until its travel is over.
    pub async fn watch(&self) {
        worker::poll_due_orders(&self.platform).await.unwrap();
        worker::watch_due_orders(&self.platform).await.unwrap();
    }

    /// Asks suppliers what hotels are that were found until now, as the worker does in its time.
    pub async fn read_hotel_content(&self) {
        // What is asked for beside a search is refused.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let waiting = "select count(*) from hotel_content where wished_at is not null";
        while self.line(waiting).await != "0" {
            self.sql("update hotel_content_pages set next_at = to_timestamp(0)").await;
            worker::read_due_content(&self.platform.hotels).await.unwrap();
        }
    }

    /// What the hotels of this search are is known, as after a while.
    pub async fn knows_hotels(&self, agent: &Person, search: &StaySearch) {
        agent.search_stays(search).await;
        self.read_hotel_content().await;
    }

    /// How often Hotelbeds was asked what hotels are, and how often it refused to say it beside a search.
    pub async fn content_calls(&self) -> (u64, u64) {
        self.supplier.content_calls().await
    }

    /// Reads suppliers' lists that are due, as the worker does.
    pub async fn sweep(&self) {
        worker::sweep_due(&self.platform).await.unwrap();
    }

    /// Checks the watch, as the worker does: it finds orders that nobody watches.
    pub async fn tend_watch(&self) {
        worker::follow_up_watch(&self.platform).await.unwrap();
    }

    /// Follows up holds and changes that are due, as the worker does: it reminds of them, has holds ticketed and changes closed.
    pub async fn tend_holds(&self) {
        worker::follow_up_holds(&self.platform).await.unwrap();
        worker::follow_up_changes(&self.platform.core).await.unwrap();
    }

    /// Polls the orders of refused cancellations that are due, as the worker does.
    pub async fn recheck(&self) {
        worker::recheck_due(&self.platform).await.unwrap();
    }

    /// Publishes events and delivers what is due at webhooks, as the worker does.
    pub async fn deliver(&self) {
        feed::publish_due(&self.platform.core).await.unwrap();
        webhooks::deliver_due(&self.platform.webhooks).await.unwrap();
    }

    /// Recovers what is due, as the worker does; how many effects were looked at.
    pub async fn recover(&self) -> usize {
        worker::recover_due(&self.platform).await.unwrap()
    }

    /// The same so many seconds from now.
    pub async fn recover_in(&self, seconds: i64) -> usize {
        self.pass(seconds);
        self.recover().await
    }

    /// Makes reports that are due and removes those that are not kept any more, as the worker does; how many it was at.
    pub async fn make_reports(&self) -> usize {
        reports::make_due(&self.platform.reports).await.unwrap()
    }

    /// Gives the platform these signing keys, of which the first signs; each with the time until which it is accepted.
    pub fn rotate_keys(&self, keys: &[(&[u8], Option<DateTime<Utc>>)]) {
        let keys = keys.iter().map(|(key, until)| signing_key(key, *until)).collect();
        *self.rotated.lock().unwrap() = Some(keys);
    }

    /// Does this in the database, as the owner of its tables.
    pub async fn sql(&self, statement: &str) {
        let mut connection = self.database.owner().await;
        connection.batch_execute(statement).await.unwrap();
    }

    /// What a query says, one text for each row of its one column.
    pub async fn lines(&self, query: &str) -> Vec<String> {
        self.books().lines(query).await
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

    pub async fn held(&self) -> rust_decimal::Decimal {
        self.line("select sum(held) from wallets").await.parse().unwrap()
    }
}

/// How tests serve, until it is told that the server stops: without limits, and with the console.
pub fn server_options(stopping: watch::Receiver<bool>) -> ServerOptions {
    ServerOptions {
        limits: RateLimits::off(),
        metrics: RequestMetrics::default(),
        trusted_proxies: Vec::new(),
        operator_hosts: Vec::new(),
        slowest_request: Duration::from_secs(15),
        workers: 1,
        stopping,
        started: watch::channel(true).1,
        shutdown: Duration::from_secs(1),
        airline_logos: AirlineLogos::default(),
        event_encoders: EventEncoders::within(256 << 20),
        console: Some(ConsoleOptions::default()),
    }
}

/// So many of each in a minute.
pub fn thresholds(logins: u32, searches: u32, requests: u32) -> Thresholds {
    let number = |number| NonZeroU32::new(number).unwrap();
    Thresholds { logins: number(logins), searches: number(searches), requests: number(requests) }
}

/// A port of its own, and its URL.
pub fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

/// Serves the platform on a port of its own.
fn serve(platform: &Arc<Platform>, options: ServerOptions) -> (String, ServerHandle) {
    let (listener, base_url) = listen();
    let server = wayfare_api::serve(platform.clone(), listener, options).unwrap();
    let handle = server.handle();
    tokio::spawn(server);
    (base_url, handle)
}

impl Drop for World {
    fn drop(&mut self) {
        // The command is sent at once; only its answer would have to be awaited.
        for server in &self.servers {
            drop(server.stop(false));
        }
    }
}
