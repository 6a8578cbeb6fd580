//! The resources of the API, a module each: its handlers, one function an endpoint (extract, call one operation, wrap the
//! answer), its bodies and queries, and its answers. How an endpoint may be refused its row in `routes` says.

pub mod auth;
pub mod bookings;
mod common;
pub mod events;
pub mod fare_ledger;
pub mod flights;
pub mod hotels;
pub mod me;
pub mod notifications;
pub mod operator;
pub mod organization;
pub mod packages;
pub mod reports;
pub mod service;
pub mod supplier_hooks;
pub mod users;
pub mod wallets;
pub mod webhooks;
