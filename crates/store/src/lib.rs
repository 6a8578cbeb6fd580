//! PostgreSQL, concretely: every statement that Wayfare sends, and nothing else.
//!
//! Only this crate knows SQL. Its row structs are private; its functions take a connection, never a pool, so
//! that callers can put several of them in one transaction. Every read of tenant data takes a
//! [`wayfare_domain::Scope`] or an organization's id; what is out of scope is not found.
//!
//! ```no_run
//! use wayfare_store::{Database, organizations};
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

pub mod activity;
mod among;
mod batch;
pub mod bookings;
pub mod contracts;
mod database;
pub mod effects;
mod error;
pub mod exceptions;
pub mod exchange_rates;
pub mod fare_ledger;
pub mod feed;
mod grants;
pub mod idempotency;
pub mod journal;
pub mod ledger;
pub mod ledger_audit;
pub mod ledger_intents;
pub mod looked_at;
pub mod looks;
pub mod notifications;
mod old_rows;
pub mod organizations;
pub mod package_assignments;
pub mod packages;
pub mod quotes;
pub mod refunds;
pub mod report_rows;
pub mod reports;
mod schema;
pub mod sessions;
pub mod settings;
pub mod terms;
pub mod trial_balance;
pub mod users;
pub mod wallet_summary;
pub mod wallets;
pub mod webhook_deliveries;
pub mod webhooks;
pub mod writes;

pub use batch::Batch;
pub use database::{Connection, Database, MIGRATIONS};
/// What diesel reports when a statement fails; transactions are opened with it by the operations.
pub use diesel::result::Error as DieselError;
pub use error::StoreError;
