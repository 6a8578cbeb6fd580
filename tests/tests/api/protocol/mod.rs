//! HTTP: the OpenAPI document, pages and filters, idempotency keys, limits, requests that are refused.

mod bad_requests;
mod compression;
mod empty_lists;
mod endpoint_inventory;
mod generators;
mod hostile_headers;
pub(crate) mod hostile_input;
mod hostile_values;
mod idempotency;
mod list_filters;
mod lost_connections;
mod openapi;
mod pagination;
mod rate_limits;
mod shared_rate_limits;
