//! What the REST API takes and answers: every answer, body and word, declared once. The server writes these types, [`wayfare_client`] reads
//! them, the console's templates show them and `wayfarectl` prints them.
//!
//! A field's doc line is what the OpenAPI documents say of it (feature `schema`). It speaks JSON: `null` is `None` here. Instants
//! are UTC. A field that servers of before don't send has `#[serde(default)]`.
//!
//! [`wayfare_client`]: ../wayfare_client/index.html

#![warn(missing_docs)]

pub mod operator;
pub mod vocabulary;

mod amount;
mod audit_log;
mod profile;
#[cfg(feature = "schema")]
mod schema;
mod secret;
mod users;
mod word_list;

pub use amount::Amount;
pub use audit_log::{ACTOR_TYPES, AuditEntry, ENTITY_TYPES};
pub use profile::ChangePassword;
pub use users::{NewUser, OwnProfile, ProfileChange, SessionUser, User, UserChange, UserRow};
