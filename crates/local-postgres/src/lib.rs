//! A private PostgreSQL server in a data folder, for programs that should run with nothing configured.
//!
//! [`LocalPostgres::start_or_adopt`] finds the PostgreSQL binaries of the machine (15 or newer; a pinned
//! build is fetched when there are none), makes a cluster in the folder it is given, starts the server
//! and makes sure that the database [`DATABASE`] and the role [`SERVICE_USER`] exist. What it promises:
//!
//! * **Nobody else gets in.** The server listens on a unix socket in a folder only its own user may
//!   enter, and on no network address. That is why no role needs a password, not even the superuser [`USER`].
//! * **It works as root too**, which containers like: the server then runs as the user `postgres`, or
//!   `nobody` where there is none, because PostgreSQL refuses to run as root.
//! * **The server ends with the process that started it**, even when that process is killed (on Linux,
//!   through the parent death signal). Where a server is left over all the same, or another process runs
//!   it, the next start adopts it instead of failing.
//! * **No kill at any moment needs manual repair**: an interrupted initialisation is thrown away and
//!   stale lock files are made harmless, without stepping round PostgreSQL's own protection against two
//!   servers on the same files.
//! * **The data is durable** ([`Durability::Full`]); only throw-away servers for tests give that up.
//!
//! Everything is in the one folder: `data/` (the cluster), `run/` (the socket), `postgres.log`, `lock`,
//! and `binaries/` where a build had to be fetched. The folder belongs to this crate alone.
//!
//! ```no_run
//! use wayfare_local_postgres::{LocalPostgres, Settings};
//!
//! # async fn example() -> Result<(), wayfare_local_postgres::Error> {
//! let server = LocalPostgres::start_or_adopt(Settings::new("/var/lib/wayfare/postgres")).await?;
//! println!("DATABASE_URL={}", server.service_url());
//! tokio::select! {
//!     ended = server.exited() => return Err(ended),
//!     _ = tokio::signal::ctrl_c() => {}
//! }
//! server.stop().await
//! # }
//! ```
//!
//! What can't be done is an [`Error`], whose message is one line that says what to do about it.
//!
//! Tests take [`test_server::TestServer`], one throw-away server per test process.

mod binaries;
mod choose;
mod cluster;
mod command;
mod database;
mod download;
mod error;
mod fetch;
mod layout;
mod pid_file;
pub mod process;
mod server;
mod settings;
mod start;
pub mod test_server;
mod user;

pub use download::{ArchiveSource, Download};
pub use error::{Error, FetchError};
pub use server::LocalPostgres;
pub use settings::{Durability, Settings};

/// The superuser of the cluster, who is to own the tables.
pub const USER: &str = "wayfare";

/// A role that may log in and nothing else: what the service connects as, once it has been granted what it needs.
pub const SERVICE_USER: &str = "wayfare_app";

/// The database that exists after every start.
pub const DATABASE: &str = "wayfare";
