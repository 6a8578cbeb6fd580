//! `wayfare`: starts everything that the configuration asks for, serves, and stops all of it cleanly.

mod check_config;
mod listeners;
mod presence;

use std::{
    collections::{BTreeMap, HashSet},
    error::Error,
    fs::{File, TryLockError},
    sync::Arc,
    time::Duration,
};

use clap::{Parser, Subcommand};
use listeners::Listeners;
use mimalloc::MiMalloc;
use secrecy::{ExposeSecret, SecretSlice};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};
use wayfare_api::{
    AirlineLogos, EventEncoders, Metrics, RateLimits, RequestMetrics, ServerOptions, Thresholds,
    demo::{self, Addresses},
    serve,
};
use wayfare_domain::Clock;
use wayfare_launch::{
    Common, FileTables, Key, KeyWatch, Keys, Migrate, OpenDatabase, PeopleKeyRing, PeopleKeyWatch,
    SandboxArgs, SandboxProcess, ServerSettings, SupplierSettings, Suppliers, Switch, WatchedSandbox,
    systemd,
};
use wayfare_operations::{
    Database, Durations, Platform, PlatformParts, Redis, SearchMemoryBounds, SearchMemoryUse, Secrets,
    SigningKey, SigningKeys, WebhookNetworks, WebhookSender,
    access::PasswordCost,
    core::shared_time,
    operator::{check_ledger_key, people},
    people::{PeopleKey, PeopleKeys},
    reports::ReportFiles,
    suppliers::look_to_book,
    worker,
};
use wayfare_reference::{find_airlines, find_cities, find_places};
use wayfare_supply::PermitUse;

/// A search makes and drops tens of thousands of small texts (docs/PERFORMANCE.md, Search).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A client that takes longer than this for a request's head, or for its body, is sent away.
const SLOWEST_REQUEST: Duration = Duration::from_secs(15);

/// A request waits no longer for the Redis that counts it.
const REDIS_PATIENCE: Duration = Duration::from_millis(50);
/// A search waits no longer for the Redis where it is kept for other servers.
const SHARING_PATIENCE: Duration = Duration::from_millis(500);

/// Wayfare: search, price and book travel at several suppliers, paid from prepaid wallets
#[derive(Parser)]
#[command(name = "wayfare", version = wayfare_launch::full_version())]
struct Program {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    server: ServerSettings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the sandbox suppliers alone
    Sandbox(SandboxArgs),
    /// Reads the settings as a start does, says what is wrong with them, and starts nothing
    CheckConfig,
}

#[tokio::main]
async fn main() {
    let (program, tables) = wayfare_launch::parse::<Program>();
    let export = wayfare_launch::init_logging_and_export(&program.common, &program.server);
    let export = export.unwrap_or_else(|error| {
        eprintln!("wayfare: {error}");
        std::process::exit(1);
    });
    let done = match program.command {
        Some(Command::Sandbox(sandbox)) => wayfare_launch::run_sandbox(sandbox).await.map_err(Into::into),
        Some(Command::CheckConfig) => check_config(&program.common, &program.server, tables),
        None => run(&program.common, &program.server, tables).await,
    };
    drop(export);
    if let Err(error) = done {
        eprintln!("wayfare: {error}");
        std::process::exit(1);
    }
}

fn check_config(common: &Common, server: &ServerSettings, tables: FileTables) -> Result<(), Box<dyn Error>> {
    let wrongs = check_config::wrongs(common, server, tables);
    if !wrongs.is_empty() {
        return Err(wrongs.join("\nwayfare: ").into());
    }
    println!("The settings can be used.");
    Ok(())
}

async fn run(common: &Common, server: &ServerSettings, tables: FileTables) -> Result<(), Box<dyn Error>> {
    // Before anything is made: a signal that comes meanwhile stops it too.
    let mut stop = Stop::watch()?;
    let watch = KeyWatch::begin(common);
    let people_watch = PeopleKeyWatch::begin(common).ok();
    let secrets = secrets(Keys::open(common)?, watch, people_watch)?;
    // The port first: nothing is started for a server that can't listen.
    let listeners = Listeners::bind(common, server)?;
    let _alone = only_server(common)?;
    let limits = rate_limits(server).await?;
    let database = tokio::select! {
        opened = wayfare_launch::database::open(common) => opened?,
        // It may be a long download. PostgreSQL ends with this process, at whatever it is.
        () = stop.requested() => return Ok(()),
    };
    let sandbox = match server.with_sandbox(common, &tables) {
        true => {
            let sandbox = SandboxProcess::start_or_adopt(&common.data_dir, server.sandbox_bind).await?;
            Some(sandbox.watched())
        }
        false => None,
    };
    let served =
        work(common, server, tables, secrets, &database, sandbox.as_ref(), listeners, limits, stop).await;
    if let Some(sandbox) = sandbox {
        sandbox.stop().await?;
    }
    database.close().await?;
    served
}

/// Forgets, each minute, what nobody asks for any more.
async fn forget_each_minute(platform: Arc<Platform>, limits: RateLimits) {
    let mut before = None;
    let mut turned_away = BTreeMap::new();
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        limits.remove_full();
        let used = platform.remove_expired_searches();
        if before.replace(used) != Some(used) {
            log_search_memory(&used);
        }
        for (supplier, used) in platform.suppliers.permit_use() {
            let count = used.turned_away;
            if turned_away.insert(supplier.to_owned(), count).unwrap_or(0) != count {
                log_permits(supplier, used);
            }
        }
    }
}

/// What must be true of the database before this server does anything with it.
async fn make_ready(
    platform: &Platform,
    server: &ServerSettings,
    opened: &OpenDatabase,
) -> Result<(), Box<dyn Error>> {
    if server.test_clock == Switch::Off {
        shared_time::is_real(&platform.core).await?;
    }
    // Nobody is sold anything by a server that can't read whom for.
    people::check_keys(platform).await?;
    check_ledger_key(platform).await?;
    // Before anything is leased or judged.
    shared_time::read(&platform.core).await?;
    if opened.private().is_some() {
        // It is the only server, by the lock on its data folder: who holds a lease has died.
        worker::void_leases(platform).await?;
    }
    Ok(())
}

#[allow(clippy::too_many_arguments, reason = "start-up names everything once")]
async fn work(
    common: &Common,
    server: &ServerSettings,
    tables: FileTables,
    secrets: Secrets,
    opened: &OpenDatabase,
    sandbox: Option<&WatchedSandbox>,
    listeners: Listeners,
    limits: RateLimits,
    mut stop: Stop,
) -> Result<(), Box<dyn Error>> {
    let database = connect(server, opened).await?;
    let shared_settings = tables.shared_settings();
    let platform = platform(common, server, tables, secrets, database, sandbox).await?;
    make_ready(&platform, server, opened).await?;
    tokio::task::spawn_blocking(read_tables);
    let address = listeners.api.local_addr()?;
    let [(streams, stopping), (ready, started)] = [(); 2].map(|()| watch::channel(false));
    let metrics = RequestMetrics::default();
    // Before requests are served: a start that hangs from here on is seen as well.
    let print = |listener| listeners::print_metrics(Metrics::of(&metrics, &platform), &platform, listener);
    let scraped = listeners.metrics.map(print).transpose()?;
    let options = ServerOptions {
        metrics,
        limits: limits.clone(),
        trusted_proxies: server.trusted_proxies.clone(),
        operator_hosts: server.operator_hosts.clone(),
        slowest_request: SLOWEST_REQUEST,
        workers: server.workers.map_or_else(cores, std::num::NonZero::get),
        stopping,
        started,
        shutdown: server.shutdown(),
        airline_logos: AirlineLogos(server.airline_logos.clone()),
        event_encoders: EventEncoders::within(server.stream_memory()),
        console: listeners::console(server, sandbox.is_some()),
    };
    let desk = listeners::serve_desk(&platform, listeners.operator, &options, server)?;
    let http = serve(platform.clone(), listeners.api, options)?;
    let (handle, http) = (http.handle(), tokio::spawn(http));
    let mut recovery = tokio::spawn(worker::run(platform.clone()));
    let forgetting = tokio::spawn(forget_each_minute(platform.clone(), limits));
    let announcer = presence::announce(&platform, address, shared_settings);
    let at = Addresses {
        base_url: format!("http://{address}"),
        sandbox_url: sandbox.map_or("", WatchedSandbox::base_url).to_owned(),
        operator_url: desk.as_ref().map(|desk| format!("http://{}", desk.address)),
    };
    greet(&platform, common, server, at).await?;
    ready.send_replace(true);
    systemd::ready();
    let alive = tokio::spawn(systemd::alive());
    let ended = tokio::select! {
        () = stop.requested() => Ok(()),
        error = postgres_ended(opened) => Err(error),
        // Without recovery money would stay held: better to be started anew.
        _ = &mut recovery => Err("the recovery of open effects has ended".into()),
    };
    systemd::stopping();
    if ended.is_ok() {
        drain(server.drain(), &ready, &mut stop).await;
    }
    tracing::info!("stopping: calls under way may end");
    streams.send_replace(true);
    if let Some(desk) = desk {
        desk.handle.stop(true).await;
    }
    handle.stop(true).await;
    if let Err(error) = worker::give_back(&platform.engine).await {
        tracing::warn!(%error, "what is under way is recovered when its leases have ended");
    }
    recovery.abort();
    forgetting.abort();
    announcer.abort();
    http.await??;
    alive.abort();
    presence::leave(&platform).await;
    if let Some(scraped) = scraped {
        scraped.stop(true).await;
    }
    count_last_searches(&platform).await;
    ended
}

async fn count_last_searches(platform: &Platform) {
    if let Err(error) = look_to_book::write(&platform.suppliers).await {
        tracing::warn!(%error, "the last searches were not counted");
    }
}

/// Says where the server is, and who may log in where there is a demo.
async fn greet(
    platform: &Platform,
    common: &Common,
    server: &ServerSettings,
    at: Addresses,
) -> Result<(), Box<dyn Error>> {
    if server.with_demo(common) {
        // Nothing else may have been kept there, and an agency whose passwords are lost is no demo.
        wayfare_launch::create_data_dir(&common.data_dir)?;
        let demo = demo::ensure(platform, &common.data_dir, at).await?;
        let has_console = server.console == Switch::On;
        println!("{}", demo.greeting(&common.data_dir, has_console));
        return Ok(());
    }
    println!("Wayfare is ready: {}", at.base_url);
    if let Some(url) = at.operator_url {
        println!("The operator's API: {url}");
    }
    Ok(())
}

/// Serves on without being ready, so that a proxy sends nothing more here; a second signal ends that.
async fn drain(time: Duration, ready: &watch::Sender<bool>, stop: &mut Stop) {
    if time.is_zero() {
        return;
    }
    tracing::info!(seconds = time.as_secs(), "draining: not ready any more, calls are served");
    ready.send_replace(false);
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = stop.requested() => {}
    }
}

/// Reading cities, airports and airlines takes a moment, which no request should wait for.
fn read_tables() {
    find_cities("a", None, 1);
    find_places("a", None, 1);
    find_airlines("a", 1);
}

/// The database, with tables that are up to date; with a warning of what this server does not share with others of it.
async fn connect(server: &ServerSettings, opened: &OpenDatabase) -> Result<Database, Box<dyn Error>> {
    let database = Database::connect_server(opened.url(), usize::try_from(server.database_pool)?)?
        .owned_by(opened.owner_url())?;
    match server.migrate {
        Migrate::Auto => {
            for migration in database.migrate().await? {
                tracing::info!(migration, "migrated");
            }
        }
        Migrate::Never => {
            let pending = database.pending_migrations().await?;
            if !pending.is_empty() {
                let pending = pending.join(", ");
                return Err(format!(
                    "the tables lack migrations ({pending}): run `wayfarectl migrate`, or set WAYFARE_MIGRATE=auto"
                )
                .into());
            }
        }
    }
    if !database.finds_texts_by_index().await? {
        tracing::warn!(
            "PostgreSQL has no index of the texts of wallet transactions (pg_trgm): a search for one reads all of them, but \
             for a whole booking reference; docs/OPERATIONS.md says how to make it"
        );
    }
    let others = database.other_servers().await? > 0;
    if others && server.redis_url.is_none() {
        tracing::warn!(
            "another server uses this database, and REDIS_URL is not set: offers that one of them shows can't be priced \
             by the other, and each counts requests for itself"
        );
    }
    if others && server.reports_url.is_none() {
        tracing::warn!(
            "another server uses this database, and WAYFARE_REPORTS_URL is not set: a report that one of them makes can be \
             fetched from the other only if both have the same data folder"
        );
    }
    Ok(database)
}

async fn platform(
    common: &Common,
    server: &ServerSettings,
    tables: FileTables,
    secrets: Secrets,
    database: Database,
    sandbox: Option<&WatchedSandbox>,
) -> Result<Arc<Platform>, Box<dyn Error>> {
    let clock = Clock::system();
    let sandbox_url = sandbox.map(WatchedSandbox::base_url);
    let Suppliers { flights, hotels } = suppliers(tables.suppliers, sandbox_url, &clock)?;
    Ok(Platform::new(PlatformParts {
        database,
        clock,
        secrets,
        rates: Arc::new(tables.exchange_rates),
        flights,
        hotels,
        search_memory: SearchMemoryBounds::of(server.search_memory()),
        redis: searches_in_redis(server).await?,
        webhooks: WebhookSender::new(WebhookNetworks::new(server.webhook_networks(common))),
        report_files: report_files(common, server)?,
        kept_days: common.kept_days(),
        erasure_log: common.erasure_log(),
        password_cost: PasswordCost::default(),
        commit: wayfare_launch::COMMIT,
        durations: Durations {
            offer_validity: server.offer_validity(),
            quote_validity: server.quote_validity(),
            search_cache_ttl: server.search_cache_ttl(),
            patience: server.patience(),
            incident_after: server.incident_after(),
        },
    }))
}

/// The suppliers of the settings file, and those of the sandbox.
fn suppliers(
    mut suppliers: Vec<SupplierSettings>,
    sandbox_url: Option<&str>,
    clock: &Clock,
) -> Result<Suppliers, Box<dyn Error>> {
    suppliers.extend(sandbox_url.into_iter().flat_map(SupplierSettings::of_sandbox));
    let codes: HashSet<&str> = suppliers.iter().map(|supplier| supplier.config.code.as_str()).collect();
    if codes.len() < suppliers.len() {
        return Err("a supplier of the settings file has the code of a sandbox supplier".into());
    }
    Ok(Suppliers::of(suppliers, clock)?)
}

/// A private database and its sandbox belong to one server: the first to stop would take them from the other.
fn only_server(common: &Common) -> Result<Option<File>, Box<dyn Error>> {
    if !common.has_private_database() {
        return Ok(None);
    }
    wayfare_launch::create_data_dir(&common.data_dir)?;
    let lock = File::create(common.data_dir.join("server.lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => {
            Err(format!("another server works on the data folder {}", common.data_dir.display()).into())
        }
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Tells the operator what is kept of searches.
fn log_search_memory(used: &[SearchMemoryUse]) {
    for part in used {
        let (kind, bytes, entries) = (part.kind, part.bytes, part.entries);
        tracing::info!(kind, bytes, bound = part.bound, entries, put_out = part.put_out, "search memory");
    }
}

/// Tells the operator that calls to a supplier found no permit.
fn log_permits(supplier: &str, used: PermitUse) {
    let (taken, waiting) = (used.taken, used.waiting);
    tracing::warn!(
        supplier,
        taken,
        waiting,
        turned_away = used.turned_away,
        beyond_share = used.beyond_share,
        "calls to a supplier found no permit"
    );
}

async fn rate_limits(server: &ServerSettings) -> Result<RateLimits, String> {
    if !server.with_rate_limits() {
        return Ok(RateLimits::off());
    }
    let thresholds = Thresholds {
        logins: server.logins_a_minute,
        searches: server.searches_a_minute,
        requests: server.requests_a_minute,
    };
    match &server.redis_url {
        Some(url) => RateLimits::shared(thresholds, url.expose_secret(), REDIS_PATIENCE)
            .await
            .map_err(|error| format!("--redis-url (REDIS_URL): {error}")),
        None => Ok(RateLimits::on(thresholds)),
    }
}

/// Where other servers find this one's searches.
async fn searches_in_redis(server: &ServerSettings) -> Result<Option<Arc<Redis>>, String> {
    let Some(url) = &server.redis_url else { return Ok(None) };
    let without = "this process keeps its searches for itself";
    let redis = Redis::open(url.expose_secret(), SHARING_PATIENCE, without).await;
    redis.map(Some).map_err(|error| format!("--redis-url (REDIS_URL): {error}"))
}

/// Where the files of reports are kept. What S3 needs to know is in the variables that every program reads it from.
fn report_files(common: &Common, server: &ServerSettings) -> Result<ReportFiles, String> {
    let Some(url) = &server.reports_url else {
        let folder = common.data_dir.join("reports");
        return ReportFiles::in_folder(&folder).map_err(|error| error.to_string());
    };
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        name.starts_with("AWS_").then_some((name, value))
    });
    ReportFiles::open(url, variables).map_err(|error| format!("--reports-url (WAYFARE_REPORTS_URL): {error}"))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The keys; those that sign and those of people are told anew when they have been rotated.
fn secrets(
    keys: Keys,
    watch: KeyWatch,
    people_watch: Option<PeopleKeyWatch>,
) -> Result<Secrets, wayfare_operations::Error> {
    let renewal = move || {
        let keys = signing_keys(&watch.changed()?);
        keys.inspect_err(|error| tracing::error!(%error, "the new signing keys can't be used")).ok()
    };
    let signing = SigningKeys::new(signing_keys(&keys.signing)?, Box::new(renewal))?;
    let renewal = move || Some(people_keys(&people_watch.as_ref()?.changed()?));
    let people = PeopleKeys::new(people_keys(&keys.people), Box::new(renewal))?;
    Secrets::new(signing, &bytes(&keys.ledger), people)
}

fn people_keys(keys: &PeopleKeyRing) -> Vec<PeopleKey> {
    let key = |(id, key): (&u32, &Key)| PeopleKey { id: *id, secret: bytes(key) };
    keys.iter().map(key).collect()
}

fn signing_keys(keys: &wayfare_launch::SigningKeys) -> Result<Vec<SigningKey>, wayfare_operations::Error> {
    let newest = SigningKey::new(bytes(&keys.newest), None);
    let accepted = keys.accepted.iter();
    let accepted = accepted.map(|accepted| SigningKey::new(bytes(&accepted.key), accepted.until));
    [newest].into_iter().chain(accepted).collect()
}

fn bytes(key: &wayfare_launch::Key) -> SecretSlice<u8> {
    SecretSlice::from(key.expose().to_vec())
}

/// Resolves when the private PostgreSQL has ended, with how: without it a server would only refuse, for ever. A new
/// start brings both back.
async fn postgres_ended(database: &OpenDatabase) -> Box<dyn Error> {
    match database.private() {
        Some(postgres) => postgres.exited().await.into(),
        None => std::future::pending().await,
    }
}

/// Ctrl-C, or SIGTERM as process managers send it; from the moment it is made none is lost.
struct Stop {
    interrupt: Signal,
    terminate: Signal,
}

impl Stop {
    fn watch() -> std::io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn requested(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
