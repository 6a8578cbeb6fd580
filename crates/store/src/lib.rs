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

pub mod access;
mod after_sale_schema;
mod anchored;
pub mod batch;
pub mod booking;
mod by_name;
mod database;
pub mod day_bounds;
mod error;
pub mod events;
mod grants;
pub mod hotel_content;
mod json_text;
mod kept_sql;
pub mod leases;
mod liveness;
pub mod look_to_book;
pub mod many_rows;
pub mod metrics;
mod migrating;
pub mod money;
pub mod operator_events;
pub mod operator_lists;
mod operator_schema;
pub mod operators;
mod postgres;
pub mod pricing;
pub mod reports;
pub mod retention;
mod row_value_in;
mod schema;
pub mod servers;
pub mod shared_time;
pub mod supplier_accounts;
pub mod supplier_health;
pub mod supplier_hooks;
pub mod supplier_read_losses;

pub use batch::Batch;
pub use database::{Connection, Database, PoolUse};
/// What diesel reports when a statement fails; transactions are opened with it by the operations.
pub use diesel::result::Error as DieselError;
pub use error::StoreError;
pub use json_text::JsonText;
pub use migrating::MIGRATIONS;
