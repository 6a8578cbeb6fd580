//! The options, each with its variable and its default; the file's keys are the field names.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use secrecy::SecretString;
use wayfare_domain::Network;

use crate::data_dir;
use crate::file::FileTables;
use crate::key::Key;
use crate::value::{DatabaseUrlParser, KeyParser, RedisUrlParser, file_store, log_filter, web_address};

const A_DAY: u64 = 86_400;

/// The options of both programs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Where things are")]
pub struct Common {
    /// The folder of everything that is kept: keys, private PostgreSQL, sandbox
    #[arg(
        long,
        global = true,
        env = "WAYFARE_DATA_DIR",
        value_name = "FOLDER",
        default_value_os_t = data_dir::usual(),
        value_parser = PathBufValueParser::new().try_map(std::path::absolute)
    )]
    pub data_dir: PathBuf,

    /// A TOML file with any of these options, `data_dir = "…"`, and the tables `[[suppliers]]` and `[exchange_rates]`
    #[arg(long, global = true, env = "WAYFARE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// The PostgreSQL database; without it a private server runs in the data folder
    #[arg(
        long,
        global = true,
        env = "DATABASE_URL",
        value_name = "URL",
        value_parser = DatabaseUrlParser,
        hide_env_values = true
    )]
    pub database_url: Option<SecretString>,

    /// The same database as the owner of its tables, for migrations; DATABASE_URL is then the service's own role, which
    /// can't change what is in the ledger
    #[arg(
        long,
        global = true,
        env = "MIGRATION_DATABASE_URL",
        value_name = "URL",
        value_parser = DatabaseUrlParser,
        hide_env_values = true
    )]
    pub migration_database_url: Option<SecretString>,

    /// The key that signs access tokens, 32 bytes or more as text, base64 or hex; needed with DATABASE_URL
    #[arg(
        long,
        global = true,
        env = "WAYFARE_SIGNING_KEY",
        value_name = "KEY",
        value_parser = KeyParser,
        hide_env_values = true
    )]
    pub signing_key: Option<Key>,

    /// One more key whose access tokens are accepted: while the signing key is changed, the next one or the last one
    #[arg(
        long,
        global = true,
        env = "WAYFARE_ACCEPTED_SIGNING_KEY",
        value_name = "KEY",
        value_parser = KeyParser,
        hide_env_values = true
    )]
    pub accepted_signing_key: Option<Key>,

    /// The key that seals the ledger, likewise; never change it once there is data
    #[arg(
        long,
        global = true,
        env = "WAYFARE_LEDGER_KEY",
        value_name = "KEY",
        value_parser = KeyParser,
        hide_env_values = true
    )]
    pub ledger_key: Option<Key>,

    /// The folder with `postgres` and `initdb` for the private server, instead of searching for one
    #[arg(long, global = true, env = "WAYFARE_POSTGRES_BIN", value_name = "FOLDER")]
    pub postgres_bin: Option<PathBuf>,

    /// Where to fetch a PostgreSQL build from when the machine has none
    #[arg(
        long,
        global = true,
        env = "WAYFARE_POSTGRES_DOWNLOAD_URL",
        value_name = "URL",
        value_parser = web_address
    )]
    pub postgres_download_url: Option<String>,

    /// What is logged, to standard error: levels, also per module
    #[arg(
        long,
        global = true,
        env = "WAYFARE_LOG",
        value_name = "FILTER",
        default_value = "info,actix_server=warn",
        value_parser = log_filter
    )]
    pub log: String,

    /// How it is logged
    #[arg(
        long,
        global = true,
        env = "WAYFARE_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value_t = LogFormat::Text
    )]
    pub log_format: LogFormat,
}

/// The options of the server alone.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The server")]
pub struct ServerSettings {
    /// Where the API listens
    #[arg(
        long,
        env = "WAYFARE_BIND",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub bind: SocketAddr,

    /// How long searches and their offers hold, in seconds
    #[arg(
        long,
        env = "WAYFARE_OFFER_VALIDITY_S",
        value_name = "SECONDS",
        default_value_t = 1200,
        value_parser = clap::value_parser!(u64).range(1..=A_DAY)
    )]
    pub offer_validity_s: u64,

    /// How long booking keys and hotel prices hold, in seconds
    #[arg(
        long,
        env = "WAYFARE_QUOTE_VALIDITY_S",
        value_name = "SECONDS",
        default_value_t = 900,
        value_parser = clap::value_parser!(u64).range(1..=A_DAY)
    )]
    pub quote_validity_s: u64,

    /// The search cache's TTL: how long a supplier's answer serves identical searches, in seconds; 0 = not at all
    #[arg(
        long,
        alias = "answer-validity-s",
        env = "WAYFARE_SEARCH_CACHE_TTL_S",
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(0..=900)
    )]
    pub search_cache_ttl_s: u64,

    /// How long a call waits for a supplier before it answers that the outcome is pending, in seconds
    #[arg(
        long,
        env = "WAYFARE_PATIENCE_S",
        value_name = "SECONDS",
        default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..=3600)
    )]
    pub patience_s: u64,

    /// How long the outcome of a booking or cancellation may stay unknown before the operator is told, in seconds; never
    /// less than the supplier's processing time
    #[arg(
        long,
        env = "WAYFARE_EXCEPTION_AFTER_S",
        value_name = "SECONDS",
        default_value_t = 900,
        value_parser = clap::value_parser!(u64).range(1..=A_DAY)
    )]
    pub exception_after_s: u64,

    /// Whether callers are slowed down; `off` only where just this machine can call
    #[arg(
        long,
        env = "WAYFARE_RATE_LIMITS",
        value_name = "ON|OFF",
        value_enum,
        default_value_t = Switch::On
    )]
    pub rate_limits: Switch,

    /// The Redis through which all servers share one count of each caller; without it each server counts for itself
    #[arg(
        long,
        env = "REDIS_URL",
        value_name = "URL",
        value_parser = RedisUrlParser,
        hide_env_values = true
    )]
    pub redis_url: Option<SecretString>,

    /// Where the files of reports are kept: `file:///folder`, or `s3://bucket/prefix` with AWS_ACCESS_KEY_ID and the like;
    /// the folder `reports` of the data folder unless given
    #[arg(
        long,
        env = "WAYFARE_REPORTS_URL",
        value_name = "URL",
        value_parser = file_store
    )]
    pub reports_url: Option<String>,

    /// How many log-ins and refreshes one address may make a minute
    #[arg(
        long,
        env = "WAYFARE_LOGINS_A_MINUTE",
        value_name = "NUMBER",
        default_value = "20"
    )]
    pub logins_a_minute: NonZeroU32,

    /// How many searches one user may make a minute
    #[arg(
        long,
        env = "WAYFARE_SEARCHES_A_MINUTE",
        value_name = "NUMBER",
        default_value = "60"
    )]
    pub searches_a_minute: NonZeroU32,

    /// How many other requests one user may make a minute
    #[arg(
        long,
        env = "WAYFARE_REQUESTS_A_MINUTE",
        value_name = "NUMBER",
        default_value = "600"
    )]
    pub requests_a_minute: NonZeroU32,

    /// Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed, with commas between
    #[arg(
        long,
        env = "WAYFARE_TRUSTED_PROXIES",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = |text: &str| text.trim().parse::<Network>()
    )]
    pub trusted_proxies: Vec<Network>,

    /// Addresses and CIDR ranges, with commas between, to which webhooks may be sent though they are not public, also
    /// without TLS; this machine beside the demo, unless given
    #[arg(
        long,
        env = "WAYFARE_WEBHOOK_NETWORKS",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = |text: &str| text.trim().parse::<Network>()
    )]
    pub webhook_networks: Vec<Network>,

    /// Whether sandbox suppliers run beside the server; `auto`: with neither DATABASE_URL nor suppliers
    #[arg(
        long,
        env = "WAYFARE_SANDBOX",
        value_name = "WHEN",
        value_enum,
        default_value_t = Auto::Auto
    )]
    pub sandbox: Auto,

    /// Where they listen; port 0 takes a free one
    #[arg(
        long,
        env = "WAYFARE_SANDBOX_BIND",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:0"
    )]
    pub sandbox_bind: SocketAddr,

    /// Whether a demo agency is made and its passwords shown; `auto`: with the private PostgreSQL and where just
    /// this machine can call
    #[arg(
        long,
        env = "WAYFARE_DEMO",
        value_name = "WHEN",
        value_enum,
        default_value_t = Auto::Auto
    )]
    pub demo: Auto,

    /// How many threads serve; one per core unless given
    #[arg(long, env = "WAYFARE_WORKERS", value_name = "NUMBER")]
    pub workers: Option<NonZeroUsize>,

    /// How many connections to the database at most; two of them may be busy with reports for minutes
    #[arg(
        long,
        env = "WAYFARE_DATABASE_POOL",
        value_name = "NUMBER",
        default_value_t = 16,
        value_parser = clap::value_parser!(u32).range(4..=1000)
    )]
    pub database_pool: u32,

    /// How long calls under way may take to end when the server is told to stop, in seconds
    #[arg(
        long,
        env = "WAYFARE_SHUTDOWN_S",
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(0..=3600)
    )]
    pub shutdown_s: u64,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For eyes.
    Text,
    /// One JSON object a line.
    Json,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// On, off, or what the rest of the settings suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Auto {
    /// What the rest of the settings suggests.
    Auto,
    /// It is.
    On,
    /// It is not.
    Off,
}

impl Auto {
    fn or(self, suggested: bool) -> bool {
        match self {
            Auto::Auto => suggested,
            Auto::On => true,
            Auto::Off => false,
        }
    }
}

impl Common {
    /// Whether the database is a private PostgreSQL in the data folder.
    pub fn has_private_database(&self) -> bool {
        self.database_url.is_none()
    }

    /// What each value alone cannot show.
    pub(crate) fn check(&self) -> Result<(), String> {
        match (&self.database_url, &self.migration_database_url) {
            (None, Some(_)) => Err(
                "--migration-database-url (MIGRATION_DATABASE_URL) is only for the database of --database-url \
                 (DATABASE_URL), which is not given"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }
}

impl ServerSettings {
    /// Whether only this machine can call the API.
    pub fn is_local(&self) -> bool {
        self.bind.ip().to_canonical().is_loopback()
    }

    /// Whether callers are slowed down.
    pub fn with_rate_limits(&self) -> bool {
        self.rate_limits == Switch::On
    }

    /// Whether sandbox suppliers run beside the server.
    pub fn with_sandbox(&self, common: &Common, tables: &FileTables) -> bool {
        let nothing_real = common.has_private_database() && tables.suppliers.is_empty();
        self.sandbox.or(nothing_real)
    }

    /// Whether a demo agency is made and shown.
    pub fn with_demo(&self, common: &Common) -> bool {
        self.demo.or(common.has_private_database() && self.is_local())
    }

    /// Where webhooks may be sent though it is not public. Whoever can call a demo is on this machine already.
    pub fn webhook_networks(&self, common: &Common) -> Vec<Network> {
        match self.webhook_networks.is_empty() && self.with_demo(common) {
            true => "127.0.0.0/8".parse().into_iter().collect(),
            false => self.webhook_networks.clone(),
        }
    }

    /// How long searches and their offers hold.
    pub fn offer_validity(&self) -> Duration {
        Duration::from_secs(self.offer_validity_s)
    }

    /// How long booking keys and hotel prices hold.
    pub fn quote_validity(&self) -> Duration {
        Duration::from_secs(self.quote_validity_s)
    }

    /// How long a supplier's answer serves identical searches.
    pub fn search_cache_ttl(&self) -> Duration {
        Duration::from_secs(self.search_cache_ttl_s)
    }

    /// How long a call waits for a supplier before it answers that the outcome is pending.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience_s)
    }

    /// How long an outcome may stay unknown before the operator is told.
    pub fn incident_after(&self) -> Duration {
        Duration::from_secs(self.exception_after_s)
    }

    /// How long calls under way may take to end at the end.
    pub fn shutdown(&self) -> Duration {
        Duration::from_secs(self.shutdown_s)
    }

    /// What each value alone cannot show.
    pub(crate) fn check(&self) -> Result<(), String> {
        let refused = |what: &str| {
            Err(format!(
                "{what} is allowed only with a loopback address, and --bind (WAYFARE_BIND) is {}",
                self.bind
            ))
        };
        if !self.is_local() && self.rate_limits == Switch::Off {
            return refused("--rate-limits off (WAYFARE_RATE_LIMITS)");
        }
        if !self.is_local() && self.demo == Auto::On {
            return refused("--demo on (WAYFARE_DEMO)");
        }
        Ok(())
    }
}
