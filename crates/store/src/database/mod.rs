//! The connection pool, the migrations, and what the service's role may do afterwards.

mod grants;
mod liveness;
mod migrating;
mod postgres;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use deadpool::managed::{PoolError, QueueMode, Status, TimeoutType, Timeouts};
use diesel::{
    ConnectionError,
    dsl::sql,
    sql_types::{Bool, Text},
};
use diesel_async::{
    AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection,
    async_connection_wrapper::AsyncConnectionWrapper,
    pooled_connection::{
        AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod,
        deadpool::{Object, Pool},
    },
};
use diesel_migrations::MigrationHarness;
use futures_util::FutureExt;
use prometheus_client::metrics::histogram::Histogram;
use tokio::runtime::Handle;
use tokio_postgres::Client;
use wayfare_domain::random_code;

pub use migrating::MIGRATIONS;

use self::{liveness::Liveness, postgres::Postgres};
use crate::{
    Result, StoreError,
    statements::{Columns, Write as _, statement},
};

/// How long a caller waits for a free connection before it is told that there is none.
const WAIT: Duration = Duration::from_secs(10);

/// The same of a connection that is being made.
const CONNECT_WAIT: Duration = Duration::from_secs(10);

/// So often a connection is made until it is one to the newest primary among those that take writes.
const NEWEST_ATTEMPTS: usize = 8;

/// No statement of a server runs longer: a report over years takes minutes, and nothing takes more.
const LONGEST_STATEMENT_MS: u32 = 15 * 60 * 1000;

/// What a row costs a server's plans: as much as a page, a hundred times what PostgreSQL takes it for. Plans are kept, also
/// those of the first minutes, when a whole table is as quickly read as one of its rows; so they are made as if rows were
/// many. Costs that high would have every list compiled, and read by several processes, whose start takes longer than to read
/// it; those are off. And a page of a list is read in the order of its index, not collected and then sorted. Who reads many
/// rows has other plans: [`crate::statements::many_rows::read_many`].
const ROW_COST: &str = "1";

/// What is set for good on connections whose every plan is kept. Rows are found by their keys even while the tables are
/// small: a plan that reads a whole table or index would still do so when it has grown. Nor is a statement planned anew for
/// the values of each call: that takes several times as long as to look up a handful of rows.
const KEPT_PLANS: &str = "set enable_seqscan = off; set enable_mergejoin = off; set enable_hashjoin = off; \
    set plan_cache_mode = force_generic_plan";

/// Of so many connections one has kept plans.
const KEPT_PLANS_SHARE: usize = 4;

/// What a server's connections are named by.
const SERVER: &str = "wayfare-server-";

/// A pooled connection; gives itself back when dropped.
pub type Connection = Object<AsyncPgConnection>;

/// A pool of connections to one database.
#[derive(Clone)]
pub struct Database {
    pool: Pool<AsyncPgConnection>,
    kept_plans: Pool<AsyncPgConnection>,
    postgres: Postgres,
    owner: Option<Postgres>,
    timeouts: Arc<AtomicU64>,
    waits: Histogram,
    name: Option<String>,
}

/// Upper bounds in seconds: one that is free, one that is made, one that is waited for.
const WAIT_BUCKETS: [f64; 9] = [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 10.0];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    pub size: usize,
    /// How many of them somebody works with.
    pub in_use: usize,
    pub most: usize,
    pub waiting: usize,
    /// How many have waited in vain since the start.
    pub timeouts: u64,
}

#[boxed]
impl Database {
    /// A pool of at most `size` connections; nothing is connected yet. Called in the runtime that is to drive them.
    ///
    /// Hosts that are neither sockets nor this machine are reached by TLS and must prove their name, unless the URL
    /// says otherwise by `sslmode`; `sslrootcert`, `sslcert` and `sslkey` name files of PEM. Of several hosts the one that
    /// takes writes is found.
    ///
    /// # Errors
    /// [`StoreError::Url`] when the URL, or a file that it names, can't be used.
    pub fn connect(url: &str, size: usize) -> Result<Self> {
        Self::connect_as(url, size, None)
    }

    /// The same for a server, which others that use the database can tell from a program that only looks in. Its
    /// statements end after 15 minutes, and with an error when PostgreSQL does not answer any more.
    ///
    /// # Errors
    /// As [`Database::connect`].
    pub fn connect_server(url: &str, size: usize) -> Result<Self> {
        Self::connect_as(url, size, Some(format!("{SERVER}{}", random_code(12))))
    }

    fn connect_as(url: &str, size: usize, name: Option<String>) -> Result<Self> {
        let postgres = Postgres::of(url)?;
        // A connection's driver runs where it was made: on the pool's runtime, not on some caller's that may end.
        let runtime = Handle::current();
        let server = name.clone().map(|name| (name, Liveness::watch(postgres.clone(), &runtime)));
        let ways = Ways { postgres: postgres.clone(), runtime, server };
        let kept = (size / KEPT_PLANS_SHARE).max(1);
        // Who holds one of two may need the other.
        let others = size.saturating_sub(kept).max(size.min(2)).max(1);
        let pool = ways.clone().pool(url, others, false)?;
        let kept_plans = ways.pool(url, kept, true)?;
        Ok(Self {
            pool,
            kept_plans,
            postgres,
            owner: None,
            timeouts: Arc::default(),
            waits: Histogram::new(WAIT_BUCKETS),
            name,
        })
    }

    /// The same pool over tables that belong to another role, if there is one, whose URL this is: migrations run as
    /// that role, and each time leave the pool's able to do what the service does, but not to change what is in the
    /// ledger.
    ///
    /// # Errors
    /// As [`Database::connect`].
    pub fn owned_by(self, owner_url: Option<&str>) -> Result<Self> {
        let owner = owner_url.map(Postgres::of).transpose()?;
        Ok(Self { owner, ..self })
    }

    /// A connection of the pool.
    ///
    /// # Errors
    /// [`StoreError::Pool`] when none is free in time or PostgreSQL can't be reached.
    pub async fn connection(&self) -> Result<Connection> {
        self.connection_of(&self.pool).await
    }

    /// A connection on which every plan is kept, for a [`crate::Batch`]: it finds a handful of rows by their keys. There are
    /// few of them; nobody keeps one while a supplier is asked.
    ///
    /// # Errors
    /// As [`Database::connection`].
    pub async fn connection_of_kept_plans(&self) -> Result<Connection> {
        self.connection_of(&self.kept_plans).await
    }

    /// The same for what is looked up for many callers at once; any other where batches have them all. A batch may wait for
    /// another server's, or for a standby that is gone, and whoever only reads has nothing to do with it.
    ///
    /// # Errors
    /// As [`Database::connection`].
    pub async fn connection_to_look_up(&self) -> Result<Connection> {
        let at_once = Timeouts { wait: Some(Duration::ZERO), ..Timeouts::new() };
        match self.kept_plans.timeout_get(&at_once).await {
            Ok(connection) => Ok(connection),
            Err(PoolError::Timeout(TimeoutType::Wait)) => self.connection().await,
            Err(error) => Err(StoreError::Pool(error.to_string())),
        }
    }

    async fn connection_of(&self, pool: &Pool<AsyncPgConnection>) -> Result<Connection> {
        let begun = Instant::now();
        let got = tokio::time::timeout(WAIT, pool.get()).await;
        self.waits.observe(begun.elapsed().as_secs_f64());
        match got {
            Ok(got) => got.map_err(|error| StoreError::Pool(error.to_string())),
            Err(_) => {
                self.timeouts.fetch_add(1, Ordering::Relaxed);
                Err(StoreError::Pool(format!("none was free within {} s", WAIT.as_secs())))
            }
        }
    }

    /// How long callers waited for a connection, with the time that making one took.
    pub fn pool_waits(&self) -> &Histogram {
        &self.waits
    }

    pub fn pool_use(&self) -> PoolUse {
        let [some, others] = [&self.pool, &self.kept_plans].map(Pool::status);
        let in_use = |status: &Status| status.size.saturating_sub(status.available);
        PoolUse {
            size: some.size + others.size,
            in_use: in_use(&some) + in_use(&others),
            most: some.max_size + others.max_size,
            waiting: some.waiting + others.waiting,
            timeouts: self.timeouts.as_ref().load(Ordering::Relaxed),
        }
    }

    /// What the connections of this server are named by; none of a program that only looks in.
    pub fn server_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How many other servers use the database now.
    pub async fn other_servers(&self) -> Result<i64> {
        let mut connection = self.connection().await?;
        let others = statement(
            "select count(distinct application_name) as count from pg_stat_activity
             where datname = current_database() and application_name like $1
                 and application_name <> current_setting('application_name')",
            format!("{SERVER}%"),
        );
        let Columns(others) = others.get_result(&mut connection).await?;
        Ok(others)
    }

    /// Brings the tables up to date, and with them the grants where another role owns them
    /// ([`owned_by`](Self::owned_by)). Several processes may try at once: one does it, the others wait.
    ///
    /// # Errors
    /// [`StoreError::Migration`] says which one failed and why, or what speaks against the two roles.
    pub async fn migrate(&self) -> Result<Vec<String>> {
        let service = match self.owner {
            Some(_) => Some(self.role().await?),
            None => None,
        };
        self.with_harness(|connection| {
            let done = migrating::run_pending(connection)?;
            if let Some(service) = service {
                grants::to(&service, connection).map_err(|error| error.to_string())?;
            }
            Ok(done)
        })
        .await
    }

    /// The migrations that have not been carried out yet, in order. Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::Migration`] when the owner of the tables can't be asked.
    pub async fn pending_migrations(&self) -> Result<Vec<String>> {
        let postgres = self.owner.as_ref().unwrap_or(&self.postgres);
        let connection = postgres.establish().await;
        let mut connection = connection.map_err(|error| StoreError::Migration(error.to_string()))?;
        migrating::pending(&mut connection).await
    }

    /// Takes every migration back, newest first: empties the database.
    ///
    /// # Errors
    /// [`StoreError::Migration`] says which one failed and why.
    pub async fn revert(&self) -> Result<()> {
        self.with_harness(|connection| {
            connection.revert_all_migrations(MIGRATIONS).map_err(|error| error.to_string()).map(drop)
        })
        .await
    }

    /// Whether a text within wallet transactions is found by an index of its parts, or each of them has to be read.
    pub async fn finds_texts_by_index(&self) -> Result<bool> {
        let mut connection = self.connection().await?;
        let valid = sql::<Bool>(
            "exists (select from pg_index where indexrelid = to_regclass('transfers_by_text') and indisvalid)",
        );
        Ok(diesel::select(valid).get_result(&mut connection).await?)
    }

    /// Whether PostgreSQL answers and the tables are up to date.
    ///
    /// # Errors
    /// Why it is not ready.
    pub async fn ready(&self) -> Result<()> {
        let mut connection = self.connection().await?;
        // What the newest migrations have brought.
        diesel::sql_query(
            "select made_transfer_id, written_whole(0, 0), references_in(''), saga, filters, sealed_answer, up_to, wrong_wallets, \
             servers.settings from idempotency_keys, exchange_rates, look_to_book, effects, reports, retention, ledger_proofs, servers \
             limit 0",
        ).write(&mut connection).await
    }

    /// Who is logged in on the pool's connections.
    async fn role(&self) -> Result<String> {
        let mut connection = self.connection().await?;
        let role = diesel::select(sql::<Text>("session_user::text"));
        Ok(role.get_result(&mut connection).await?)
    }

    /// The migration harness is synchronous: it runs on a thread of its own, under an advisory lock.
    async fn with_harness<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AsyncConnectionWrapper<AsyncPgConnection>) -> Result<T, String> + Send + 'static,
    ) -> Result<T> {
        const LOCK: &str = "select pg_advisory_lock(7727061)";
        let (postgres, whose) = match &self.owner {
            Some(owner) => (owner.clone(), " as the tables' owner (MIGRATION_DATABASE_URL)"),
            None => (self.postgres.clone(), ""),
        };
        let task = tokio::task::spawn_blocking(move || {
            use diesel::connection::SimpleConnection;
            let connection = Handle::current()
                .block_on(postgres.establish())
                .map_err(|error| format!("no connection{whose}: {error}"))?;
            let mut connection = AsyncConnectionWrapper::<AsyncPgConnection>::from(connection);
            SimpleConnection::batch_execute(&mut connection, LOCK).map_err(|error| error.to_string())?;
            work(&mut connection)
        });
        task.await.map_err(|error| error.to_string()).and_then(|done| done).map_err(StoreError::Migration)
    }
}

/// How the connections of pools are made.
#[derive(Clone)]
struct Ways {
    postgres: Postgres,
    runtime: Handle,
    /// A server's name, and who watches over its database.
    server: Option<(String, Liveness)>,
}

impl Ways {
    /// A pool of at most so many; nothing is connected yet.
    fn pool(self, url: &str, size: usize, keeps_plans: bool) -> Result<Pool<AsyncPgConnection>> {
        let mut config = ManagerConfig::<AsyncPgConnection>::default();
        // A round trip on each use would only tell what the next statement tells anyway.
        config.recycling_method = RecyclingMethod::Fast;
        config.custom_setup = Box::new(move |_| {
            let ways = self.clone();
            async move {
                let runtime = ways.runtime.clone();
                // Whoever waits for it may be gone by then, and nobody else would end it.
                let made = runtime.spawn(tokio::time::timeout(CONNECT_WAIT, ways.connect(keeps_plans)));
                let bad = |why: String| Err(ConnectionError::BadConnection(why));
                match made.await {
                    Ok(Ok(made)) => made,
                    Ok(Err(_)) => bad(format!("no answer within {} s", CONNECT_WAIT.as_secs())),
                    Err(lost) => bad(lost.to_string()),
                }
            }
            .boxed()
        });
        // The connection that was used last is used next (D-330): those that are needed then know the plans of all
        // statements, and PostgreSQL's processes behind them are warm.
        Pool::builder(AsyncDieselConnectionManager::new_with_config(url, config))
            .max_size(size)
            .queue_mode(QueueMode::Lifo)
            .build()
            .map_err(|error| StoreError::Pool(error.to_string()))
    }

    async fn connect(self, keeps_plans: bool) -> Result<AsyncPgConnection, ConnectionError> {
        let mut connection = match self.server {
            Some((name, liveness)) => connect_server(&self.postgres, name, &liveness).await?,
            None => self.postgres.establish().await?,
        };
        if keeps_plans {
            let set = SimpleAsyncConnection::batch_execute(&mut connection, KEPT_PLANS).await;
            set.map_err(ConnectionError::CouldntSetupConfiguration)?;
        }
        Ok(connection)
    }
}

/// A connection to a primary than which the server has seen no newer one.
async fn connect_newest(postgres: &Postgres, liveness: &Liveness) -> Result<Client, ConnectionError> {
    for attempt in 0..NEWEST_ATTEMPTS {
        let (client, connection) = match attempt {
            0 => postgres.connect().await?,
            _ => postgres.connect_to_any().await?,
        };
        liveness.drive(connection);
        if !postgres.has_several_hosts() {
            return Ok(client);
        }
        let is_newest = liveness.is_newest(&client).await;
        if is_newest.map_err(|error| ConnectionError::BadConnection(error.to_string()))? {
            return Ok(client);
        }
    }
    Err(ConnectionError::BadConnection(
        "only a primary answers that another one has replaced; a server that is to use it again must be restarted"
            .to_owned(),
    ))
}

/// A connection of a server's pool, by its name.
async fn connect_server(
    postgres: &Postgres,
    name: String,
    liveness: &Liveness,
) -> Result<AsyncPgConnection, ConnectionError> {
    let client = connect_newest(postgres, liveness).await?;
    let mut connection = AsyncPgConnection::try_from(client).await?;
    connection.set_instrumentation(liveness.refusals());
    let named = statement(
        "select set_config('application_name', $1, false), set_config('statement_timeout', $2, false), \
             set_config('cpu_tuple_cost', $3, false), set_config('cpu_index_tuple_cost', $3, false), \
             set_config('jit', 'off', false), set_config('enable_bitmapscan', 'off', false), \
             set_config('max_parallel_workers_per_gather', '0', false)",
        (name, LONGEST_STATEMENT_MS.to_string(), ROW_COST),
    );
    named.execute(&mut connection).await.map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}
