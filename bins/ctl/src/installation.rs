//! The installation that a command works on: found as the server finds it, left as it was.

use std::{sync::Arc, time::Duration};

use secrecy::SecretSlice;
use wayfare_domain::Clock;
use wayfare_launch::{Common, FileTables, Key, Keys, database};
use wayfare_operations::{
    Database, Durations, Error, Platform, PlatformParts, SearchMemoryBounds, Secrets, SigningKeys,
    StoreError, WebhookNetworks, WebhookSender,
    access::PasswordCost,
    operator,
    people::{PeopleKey, PeopleKeys},
    reports::ReportFiles,
};

use crate::{
    output::{Done, Failure},
    progress::Progress,
};

/// One command asks one thing after the other.
const CONNECTIONS: usize = 2;

/// What is waited for while the tables are made.
pub const MIGRATING: &str = "bringing the tables up to date";

/// Where everything is; nothing is opened yet.
pub struct Installation {
    common: Common,
    tables: FileTables,
    progress: Progress,
}

impl Installation {
    /// The installation of these settings.
    pub fn new(common: Common, tables: FileTables, progress: Progress) -> Self {
        Self { common, tables, progress }
    }

    /// Where waiting is shown.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Its settings.
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// Works with the database as it is. A private server that nobody runs is started for it and stopped after it.
    pub async fn with_database(&self, work: impl AsyncFnOnce(Database) -> Done) -> Done {
        let opening = database::open(&self.common);
        let open = self.progress.waiting(self.opening(), opening).await?;
        let database = Database::connect(open.url(), CONNECTIONS)
            .and_then(|database| database.owned_by(open.owner_url()));
        let worked = match database {
            Ok(database) => work(database).await,
            Err(error) => Err(error.into()),
        };
        let closed = self.progress.waiting("closing the database", open.close()).await;
        worked?;
        Ok(closed?)
    }

    /// What takes its time when the database is opened.
    fn opening(&self) -> &'static str {
        match self.common.has_private_database() {
            true => "starting PostgreSQL, which is fetched first on a machine that has none",
            false => "opening the database",
        }
    }

    /// Works with the platform, whose tables are up to date: a private database is brought there, an operator's
    /// has to be.
    pub async fn with_platform(self, work: impl AsyncFnOnce(&Platform) -> Done) -> Done {
        // Before anything is started: without keys there is nothing to do.
        let keys = Keys::open(&self.common)?;
        // A command signs nothing: it has ended before a rotation could matter.
        let signing = SigningKeys::only(bytes(&keys.signing.newest))?;
        let people = keys.people.iter().map(|(id, key)| PeopleKey { id: *id, secret: bytes(key) });
        let people = PeopleKeys::new(people.collect(), Box::new(|| None))?;
        let secrets = Secrets::new(signing, &bytes(&keys.ledger), people)?;
        let (private, progress) = (self.common.has_private_database(), self.progress);
        let (kept_days, erasure_log) = (self.common.kept_days(), self.common.erasure_log());
        let rates = Arc::new(self.tables.exchange_rates.clone());
        let with_database = self.with_database(async |database| {
            if private {
                progress.waiting(MIGRATING, database.migrate()).await?;
            }
            let platform = Platform::new(PlatformParts {
                database,
                clock: Clock::system(),
                secrets,
                rates,
                // Nothing here searches, prices, books or makes reports.
                flights: Vec::new(),
                hotels: Vec::new(),
                search_memory: SearchMemoryBounds::of(0),
                redis: None,
                webhooks: WebhookSender::new(WebhookNetworks::default()),
                report_files: ReportFiles::in_memory(),
                kept_days,
                erasure_log,
                password_cost: PasswordCost::default(),
                commit: wayfare_launch::COMMIT,
                durations: Durations {
                    search_cache_ttl: std::time::Duration::ZERO,
                    offer_validity: Duration::ZERO,
                    quote_validity: Duration::ZERO,
                    patience: Duration::ZERO,
                    incident_after: Duration::ZERO,
                },
            });
            platform.core.ready().await.map_err(not_ready)?;
            operator::check_ledger_key(&platform).await?;
            work(&platform).await
        });
        with_database.await
    }
}

/// A database that answers, but not to this, lacks tables; one that does not answer is another matter.
fn not_ready(error: Error) -> Failure {
    match error {
        Error::Store(StoreError::Database(reason)) => {
            Failure::Failed(format!("the tables are not up to date: run `wayfarectl migrate` ({reason})"))
        }
        other => other.into(),
    }
}

/// The key's bytes, for the operations.
pub fn bytes(key: &Key) -> SecretSlice<u8> {
    SecretSlice::from(key.expose().to_vec())
}
