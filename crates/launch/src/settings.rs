//! The options, each with its variable and its default; the file's keys are the field names.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, RangedI64ValueParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use secrecy::SecretString;
use url::Url;
use wayfare_domain::{KeptDays, Network};
use wayfare_local_postgres::ArchiveSource;

use crate::data_dir;
use crate::key::Key;
use crate::tables::FileTables;
use crate::value::{
    DatabaseUrlParser, KeyParser, RedisUrlParser, download_source, file_store, log_filter, logo_template,
    site_address, web_address,
};

const A_DAY: u64 = 86_400;

/// Options: each row is a field with its comment, which is its help, its type, its variable, what `--help` calls its
/// value, and what else clap is to know.
macro_rules! settings {
    ($(#[$meta:meta])* struct $name:ident, global = $global:literal {
        $($(#[$doc:meta])* $field:ident: $type:ty = $variable:literal, $value:literal $(, [$($more:tt)+])?;)*
    }) => {
        #[derive(Clone, Debug, Args)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$doc])*
            #[arg(long, global = $global, env = $variable, value_name = $value $(, $($more)+)?)]
            pub $field: $type,)*
        }
    };
}

fn within(range: RangeInclusive<u64>) -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(range)
}

fn days(range: RangeInclusive<u16>) -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(i64::from(*range.start())..=i64::from(*range.end()))
}

settings! {
    /// The options of both programs.
    #[command(next_help_heading = "Where things are")]
    struct Common, global = true {
        /// The folder of everything that is kept: keys, private PostgreSQL, sandbox
        data_dir: PathBuf = "WAYFARE_DATA_DIR", "FOLDER", [
            default_value_os_t = data_dir::usual(),
            value_parser = PathBufValueParser::new().try_map(std::path::absolute)
        ];
        /// A TOML file with any of these options, `data_dir = "…"`, and the tables `[[suppliers]]` and `[exchange_rates]`
        config: Option<PathBuf> = "WAYFARE_CONFIG", "FILE";
        /// A folder of time zones as `zic` writes them, with its `tzdata.zi`, that is not older than the built-in ones
        zoneinfo: Option<PathBuf> = "WAYFARE_ZONEINFO", "FOLDER";
        /// The PostgreSQL database; without it a private server runs in the data folder
        database_url: Option<SecretString> = "DATABASE_URL", "URL",
            [value_parser = DatabaseUrlParser, hide_env_values = true];
        /// The same database as the owner of its tables, for migrations; DATABASE_URL is then the service's own role, which
        /// can't change what is in the ledger
        migration_database_url: Option<SecretString> = "MIGRATION_DATABASE_URL", "URL",
            [value_parser = DatabaseUrlParser, hide_env_values = true];
        /// The key that signs access tokens, 32 bytes or more as text, base64 or hex; needed with DATABASE_URL
        signing_key: Option<Key> = "WAYFARE_SIGNING_KEY", "KEY",
            [value_parser = KeyParser, hide_env_values = true];
        /// One more key whose access tokens are accepted: while the signing key is changed, the next one or the last one
        accepted_signing_key: Option<Key> = "WAYFARE_ACCEPTED_SIGNING_KEY", "KEY",
            [value_parser = KeyParser, hide_env_values = true];
        /// The key that seals the ledger, likewise; never change it once there is data
        ledger_key: Option<Key> = "WAYFARE_LEDGER_KEY", "KEY",
            [value_parser = KeyParser, hide_env_values = true];
        /// The file with the keys that seal whom bookings are for, `[people_keys]`, which nobody else may read; needed with
        /// DATABASE_URL
        people_key_file: Option<PathBuf> = "WAYFARE_PEOPLE_KEY_FILE", "FILE",
            [value_parser = PathBufValueParser::new().try_map(std::path::absolute)];
        /// For how many days after a journey it is kept whom a booking was for, where its agency has not said so
        people_kept_days: u16 = "WAYFARE_PEOPLE_KEPT_DAYS", "DAYS",
            [default_value_t = KeptDays::default().people, value_parser = days(KeptDays::PEOPLE)];
        /// The same of passports and other papers
        papers_kept_days: u16 = "WAYFARE_PAPERS_KEPT_DAYS", "DAYS",
            [default_value_t = KeptDays::default().papers, value_parser = days(KeptDays::PAPERS)];
        /// For how many days quotes are kept that ended and that nobody has booked
        quotes_kept_days: u16 = "WAYFARE_QUOTES_KEPT_DAYS", "DAYS",
            [default_value_t = KeptDays::default().quotes, value_parser = days(KeptDays::QUOTES)];
        /// For how many days the audit log keeps addresses and programs of those who did something
        addresses_kept_days: u16 = "WAYFARE_ADDRESSES_KEPT_DAYS", "DAYS",
            [default_value_t = KeptDays::default().addresses, value_parser = days(KeptDays::ADDRESSES)];
        /// The folder with `postgres` and `initdb` for the private server, instead of searching for one
        postgres_bin: Option<PathBuf> = "WAYFARE_POSTGRES_BIN", "FOLDER";
        /// Where to fetch a PostgreSQL build from when the machine has none: an address below which the builds are, or the file
        /// of the archive
        postgres_download_url: Option<ArchiveSource> = "WAYFARE_POSTGRES_DOWNLOAD_URL", "URL",
            [value_parser = download_source];
        /// What is logged, to standard error: levels, also per module
        log: String = "WAYFARE_LOG", "FILTER",
            [default_value = "info,actix_server=warn,actix_http::h1=off", value_parser = log_filter];
        /// How it is logged
        log_format: LogFormat = "WAYFARE_LOG_FORMAT", "FORMAT", [value_enum, default_value_t = LogFormat::Text];
    }
}

settings! {
    /// The options of the server alone.
    #[command(next_help_heading = "The server")]
    struct ServerSettings, global = false {
        /// Where the API listens
        bind: SocketAddr = "WAYFARE_BIND", "ADDRESS:PORT", [default_value = "127.0.0.1:8080"];
        /// Where metrics are printed for Prometheus, at `/metrics`; nowhere unless given. Whoever reaches it can read them
        metrics_bind: Option<SocketAddr> = "WAYFARE_METRICS_BIND", "ADDRESS:PORT";
        /// Where spans are sent in OTLP over HTTP, `http://host:4318`; only where the program was built with the feature `otlp`
        otlp_endpoint: Option<String> = "WAYFARE_OTLP_ENDPOINT", "URL", [value_parser = web_address];
        /// Whether the console for browsers is served at `/console`
        console: Switch = "WAYFARE_CONSOLE", "ON|OFF", [value_enum, default_value_t = Switch::On];
        /// Where browsers find the console, such as `https://portal.example.com`; needed where they come by a proxy or from another
        /// machine. Its cookies are for TLS alone where it is https
        console_public_url: Option<Url> = "WAYFARE_CONSOLE_PUBLIC_URL", "URL", [value_parser = site_address];
        /// Where the operator's API listens; left out, only a server with nothing configured has one, for this machine alone. It has
        /// no second factor and no TLS: never open it to the internet
        operator_bind: Option<SocketAddr> = "WAYFARE_OPERATOR_BIND", "ADDRESS:PORT";
        /// Where browsers find the operator's screens, such as `https://desk.example.com`; needed where they come by a proxy or
        /// from another machine. Its cookies are for TLS alone where it is https
        operator_public_url: Option<Url> = "WAYFARE_OPERATOR_PUBLIC_URL", "URL", [value_parser = site_address];
        /// By which hosts the operator's API may be asked for, with commas between, beside this machine's own names, the address that it
        /// listens on and the host of its public URL; any other is refused
        operator_hosts: Vec<String> = "WAYFARE_OPERATOR_HOSTS", "HOSTS", [value_delimiter = ','];
        /// How long searches and their offers hold, in seconds
        offer_validity_s: u64 = "WAYFARE_OFFER_VALIDITY_S", "SECONDS",
            [default_value_t = 1200, value_parser = within(1..=A_DAY)];
        /// How long booking keys and hotel prices hold, in seconds
        quote_validity_s: u64 = "WAYFARE_QUOTE_VALIDITY_S", "SECONDS",
            [default_value_t = 900, value_parser = within(1..=A_DAY)];
        /// The search cache's TTL: how long a supplier's answer serves identical searches, in seconds; 0 = not at all
        search_cache_ttl_s: u64 = "WAYFARE_SEARCH_CACHE_TTL_S", "SECONDS",
            [alias = "answer-validity-s", default_value_t = 60, value_parser = within(0..=900)];
        /// How much memory kept searches and cached answers may take, in MiB; what is put out of it has to be searched again
        search_memory_mb: u64 = "WAYFARE_SEARCH_MEMORY_MB", "MIB",
            [default_value_t = 512, value_parser = within(1..=1_048_576)];
        /// How much memory the compression of search streams may take, in MiB; streams beyond it are sent as they are
        stream_memory_mb: u64 = "WAYFARE_STREAM_MEMORY_MB", "MIB",
            [default_value_t = 256, value_parser = within(0..=1_048_576)];
        /// Where logos of airlines are that no supplier has one of: an address with `{iata}` in the place of the airline's code.
        /// Clients fetch them, this server never does
        airline_logos: Option<String> = "WAYFARE_AIRLINE_LOGOS", "URL", [value_parser = logo_template];
        /// How long a call waits for a supplier before it answers that the outcome is pending, in seconds
        patience_s: u64 = "WAYFARE_PATIENCE_S", "SECONDS",
            [default_value_t = 60, value_parser = within(1..=3600)];
        /// How long the outcome of a booking or cancellation may stay unknown before the operator is told, in seconds; never
        /// less than the supplier's processing time
        exception_after_s: u64 = "WAYFARE_EXCEPTION_AFTER_S", "SECONDS",
            [default_value_t = 900, value_parser = within(1..=A_DAY)];
        /// Whether callers are slowed down; `off` only where just this machine can call
        rate_limits: Switch = "WAYFARE_RATE_LIMITS", "ON|OFF", [value_enum, default_value_t = Switch::On];
        /// The Redis through which all servers share one count of each caller; without it each server counts for itself
        redis_url: Option<SecretString> = "REDIS_URL", "URL",
            [value_parser = RedisUrlParser, hide_env_values = true];
        /// Where the files of reports are kept: `file:///folder`, or `s3://bucket/prefix` with AWS_ACCESS_KEY_ID and the like;
        /// the folder `reports` of the data folder unless given
        reports_url: Option<String> = "WAYFARE_REPORTS_URL", "URL",
            [value_parser = file_store];
        /// How many log-ins and refreshes one address may make a minute
        logins_a_minute: NonZeroU32 = "WAYFARE_LOGINS_A_MINUTE", "NUMBER", [default_value = "20"];
        /// How many searches one user may make a minute
        searches_a_minute: NonZeroU32 = "WAYFARE_SEARCHES_A_MINUTE", "NUMBER", [default_value = "60"];
        /// How many other requests one user may make a minute
        requests_a_minute: NonZeroU32 = "WAYFARE_REQUESTS_A_MINUTE", "NUMBER", [default_value = "600"];
        /// Addresses and CIDR ranges of the proxies whose X-Forwarded-For is believed, with commas between
        trusted_proxies: Vec<Network> = "WAYFARE_TRUSTED_PROXIES", "NETWORKS",
            [value_delimiter = ',', value_parser = |text: &str| text.trim().parse::<Network>()];
        /// Addresses and CIDR ranges, with commas between, to which webhooks may be sent though they are not public, also
        /// without TLS; this machine beside the demo, unless given
        webhook_networks: Vec<Network> = "WAYFARE_WEBHOOK_NETWORKS", "NETWORKS",
            [value_delimiter = ',', value_parser = |text: &str| text.trim().parse::<Network>()];
        /// Whether sandbox suppliers run beside the server; `auto`: with neither DATABASE_URL nor suppliers
        sandbox: Auto = "WAYFARE_SANDBOX", "WHEN", [value_enum, default_value_t = Auto::Auto];
        /// Where they listen; port 0 takes a free one
        sandbox_bind: SocketAddr = "WAYFARE_SANDBOX_BIND", "ADDRESS:PORT", [default_value = "127.0.0.1:0"];
        /// Whether a demo agency is made and its passwords shown; `auto`: with the private PostgreSQL and where just
        /// this machine can call
        demo: Auto = "WAYFARE_DEMO", "WHEN",
            [value_enum, default_value_t = Auto::Auto];
        /// How many threads serve; one per core unless given
        workers: Option<NonZeroUsize> = "WAYFARE_WORKERS", "NUMBER";
        /// How many connections to the database at most; two of them may be busy with reports for minutes
        database_pool: u32 = "WAYFARE_DATABASE_POOL", "NUMBER",
            [default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=1000)];
        /// Whether the server brings the tables up to date at its start; `never`: it refuses tables that lack a migration, which
        /// `wayfarectl migrate` carries out
        migrate: Migrate = "WAYFARE_MIGRATE", "WHEN", [value_enum, default_value_t = Migrate::Auto];
        /// Whether table `test_clock` may move the time of leases and due times; only in tests
        test_clock: Switch = "WAYFARE_TEST_CLOCK", "ON|OFF", [value_enum, default_value_t = Switch::Off];
        /// For how long a server that is told to stop says that it is not ready and serves on, in seconds, so that a proxy
        /// sends nothing more to it
        drain_s: u64 = "WAYFARE_DRAIN_S", "SECONDS",
            [default_value_t = 0, value_parser = within(0..=3600)];
        /// How long calls under way may take to end when the server is told to stop, in seconds
        shutdown_s: u64 = "WAYFARE_SHUTDOWN_S", "SECONDS",
            [default_value_t = 30, value_parser = within(0..=3600)];
    }
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

/// Who migrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Migrate {
    /// Each server at its start.
    Auto,
    /// The operator alone.
    Never,
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
    /// How long it is kept whom bookings are for, and what else ages.
    pub fn kept_days(&self) -> KeptDays {
        KeptDays {
            people: self.people_kept_days,
            papers: self.papers_kept_days,
            quotes: self.quotes_kept_days,
            addresses: self.addresses_kept_days,
        }
    }

    /// Where erasures are noted beside the database that is ours; of another one its owner keeps them.
    pub fn erasure_log(&self) -> Option<PathBuf> {
        self.has_private_database().then(|| self.data_dir.join("erasures.log"))
    }

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

    /// Where the operator's API is to listen, if anywhere. Where nothing is said it is for this machine alone, beside a database
    /// that is ours and a console: at the port after the server's own, whichever that is.
    pub fn operator_listens_at(&self, common: &Common) -> Option<SocketAddr> {
        let is_usual = common.has_private_database() && self.console == Switch::On;
        let usual = || match self.bind.port() {
            0 => 0,
            port => port.saturating_add(1),
        };
        self.operator_bind.or_else(|| is_usual.then(|| SocketAddr::from((Ipv4Addr::LOCALHOST, usual()))))
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

    /// How many bytes kept searches may take.
    pub fn search_memory(&self) -> usize {
        usize::try_from(self.search_memory_mb << 20).unwrap_or(usize::MAX)
    }

    /// How many bytes the encoders of search streams may take.
    pub fn stream_memory(&self) -> usize {
        usize::try_from(self.stream_memory_mb << 20).unwrap_or(usize::MAX)
    }

    /// How long a call waits for a supplier before it answers that the outcome is pending.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience_s)
    }

    /// How long an outcome may stay unknown before the operator is told.
    pub fn incident_after(&self) -> Duration {
        Duration::from_secs(self.exception_after_s)
    }

    /// For how long it serves on when it is told to stop, and says that it is not ready.
    pub fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_s)
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
        if self.otlp_endpoint.is_some() && !cfg!(feature = "otlp") {
            return Err(
                "--otlp-endpoint (WAYFARE_OTLP_ENDPOINT) needs a program that was built with the feature `otlp`, and this one \
                 was not"
                    .to_owned(),
            );
        }
        if !self.is_local() && self.rate_limits == Switch::Off {
            return refused("--rate-limits off (WAYFARE_RATE_LIMITS)");
        }
        if !self.is_local() && self.demo == Auto::On {
            return refused("--demo on (WAYFARE_DEMO)");
        }
        Ok(())
    }
}
