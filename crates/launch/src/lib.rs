//! What both programs, the server and `wayfarectl`, need before they can work: settings, keys, the database.
//!
//! It promises:
//! - **Both find the same things the same way.** The options of [`Common`] are in both programs, each of them a flag,
//!   an environment variable and a key of one TOML file. A flag beats a variable, a variable the file, the file the
//!   default; a wrong value or an unknown key ends the program at start, and the message names where it was set.
//! - **No start without keys.** With a database of the operator's all keys have to be given; with the private one
//!   they are made once, and never again once there is data ([`Keys`]).
//! - **A database with nothing configured**, shared by all programs on one data folder ([`database::open`]).
//! - **A sandbox that outlives a kill of the server** and is found again by the next one ([`SandboxProcess`]); one that
//!   is killed itself is started again ([`SandboxProcess::watched`]).
//!
//! What can't be done is an [`Error`], whose message is one line that says what to do about it.
//!
//! ```no_run
//! use clap::Parser;
//! use wayfare_launch::{Common, Keys, SandboxArgs, SandboxProcess, ServerSettings, database, run_sandbox};
//!
//! /// Books journeys.
//! #[derive(Parser)]
//! struct Program {
//!     #[command(flatten)]
//!     common: Common,
//!     #[command(flatten)]
//!     server: ServerSettings,
//!     #[command(subcommand)]
//!     command: Option<Command>,
//! }
//!
//! #[derive(clap::Subcommand)]
//! enum Command {
//!     /// What SandboxProcess starts.
//!     #[command(hide = true)]
//!     Sandbox(SandboxArgs),
//! }
//!
//! # async fn example() -> Result<(), wayfare_launch::Error> {
//! let (program, tables) = wayfare_launch::parse::<Program>();
//! wayfare_launch::init_logging(&program.common);
//! if let Some(Command::Sandbox(sandbox)) = program.command {
//!     return run_sandbox(sandbox).await;
//! }
//! let keys = Keys::open(&program.common)?;
//! let database = database::open(&program.common).await?;
//! let sandbox = match program.server.with_sandbox(&program.common, &tables) {
//!     true => Some(SandboxProcess::start_or_adopt(&program.common.data_dir, program.server.sandbox_bind).await?),
//!     false => None,
//! };
//! // … serve, with `keys`, `database.url()` and `sandbox`, until a signal …
//! # drop(keys);
//! if let Some(sandbox) = sandbox {
//!     sandbox.stop().await?;
//! }
//! database.close().await
//! # }
//! ```

mod data_dir;
pub mod database;
mod error;
mod file;
mod file_watch;
mod hooks;
mod key;
mod key_file;
mod keys;
mod logging;
mod parse;
pub mod people_keys;
mod renamed;
mod sandbox;
mod sandbox_process;
mod secret_file;
mod settings;
mod supplier_secrets;
mod suppliers;
pub mod systemd;
mod tables;
mod trial;
mod value;
mod version;
mod zone_folder;

pub use data_dir::create as create_data_dir;
pub use database::OpenDatabase;
pub use error::Error;
pub use hooks::{HookAddress, HookCalls, SupplierHooks};
pub use key::Key;
pub use key_file::{AcceptedKey, SigningKeys};
pub use keys::{KeyWatch, Keys};
pub use logging::{Export, init_logging, init_logging_and_export};
pub use parse::{parse, parse_from};
pub use people_keys::{PeopleKeyRing, PeopleKeyWatch};
pub use sandbox::{SandboxArgs, run_sandbox};
pub use sandbox_process::{SandboxProcess, WatchedSandbox};
pub use settings::{Auto, Common, LogFormat, Migrate, ServerSettings, Switch};
pub use suppliers::{SupplierKind, SupplierSettings, Suppliers};
pub use tables::FileTables;
pub use version::{COMMIT, COMMIT_DATE, VERSION, full_version};
