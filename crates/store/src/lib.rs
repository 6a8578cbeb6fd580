//! PostgreSQL, concretely: every statement that Wayfare sends, and nothing else.
//!
//! Only this crate knows SQL. Its row structs are private; its functions take a connection, never a pool, so
//! that callers can put several of them in one transaction. Every read of tenant data takes a
//! [`wayfare_domain::Scope`] or an organization's id; what is out of scope is not found.
//!
//! Every function fails when the database can't be asked or holds what can't be; under `# Errors` stands only what else may
//! go wrong.
//!
//! ```no_run
//! use wayfare_store::{Database, access::organizations};
//!
//! # async fn example() -> Result<(), wayfare_store::StoreError> {
//! let database = Database::connect("postgres://wayfare@localhost/wayfare", 8)?;
//! database.migrate().await?;
//! let mut connection = database.connection().await?;
//! let agency = organizations::by_code(&mut connection, &"WF7K2M9Q".to_owned().into()).await?;
//! assert!(agency.is_none());
//! # Ok(())
//! # }
//! ```

#[macro_use]
extern crate wayfare_boxed;

pub mod access;
pub mod batch;
pub mod booking;
mod database;
mod error;
pub mod events;
pub mod money;
pub mod operator;
pub mod pricing;
pub mod reports;
mod schema;
pub mod service;
pub mod statements;
pub mod suppliers;

pub use batch::Batch;
pub use database::{Connection, Database, MIGRATIONS, PoolUse};
/// What diesel reports when a statement fails; transactions are opened with it by the operations.
pub use diesel::result::Error as DieselError;
pub use error::{Result, StoreError};
pub use statements::json_text::JsonText;
