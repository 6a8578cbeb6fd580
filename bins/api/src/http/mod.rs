//! What HTTP needs whatever the resource is: who asks, how bodies and queries are read, envelopes, refusals, rate limits,
//! and how all of it describes itself for the OpenAPI document, which tests make.

#[cfg(test)]
mod answers;
pub mod client_address;
pub mod compression;
pub mod csv_style;
pub mod endpoint;
pub mod event_coding;
pub mod extract;
pub mod idempotent;
pub mod json_body;
pub mod known_hosts;
#[cfg(test)]
pub mod operation;
pub mod options;
pub mod query;
pub mod rate_limit;
pub mod refusal;
pub mod reply;
pub mod request_id;
pub mod request_metrics;

use std::sync::Arc;

use actix_web::web::Data;
use wayfare_operations::Platform;

/// The platform, as handlers are given it.
pub type App = Data<Arc<Platform>>;

/// What every path of the API begins with.
pub const BASE: &str = "/api/v1";
