//! The API as its callers see it, one module for each thing the API promises. Each test has a world of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

mod access;
mod allocations;
mod ancillaries;
mod answers;
mod assignment;
mod at_once;
mod audit;
mod batches;
mod booking_faults;
mod bookings;
mod bought_ancillaries;
mod breaker;
mod cancellation_faults;
mod client;
mod contention;
mod credit_limit_alert;
mod currencies;
mod duplicates;
mod exceptions;
mod fare_rules;
mod fares;
mod fields;
mod filters;
mod flight_refunds;
mod flood;
mod halves;
mod headers;
mod holds;
mod hotel_errors;
mod hotel_faults;
mod hotel_money;
mod hotel_packages;
mod hotel_search;
mod hotel_snapshots;
mod hotels;
mod idempotency;
mod idempotent_users;
mod identity;
mod input;
mod inventory;
mod lapsed_holds;
mod limits;
mod lists;
mod locators;
mod looked_at;
mod new_columns;
mod notifications;
mod nul;
mod openapi;
mod operator;
mod organization;
mod package_assignments;
mod packages;
mod passengers;
mod profile;
mod promises;
mod proof;
mod report_store;
mod reports;
mod rescheduling;
mod search_faults;
mod sessions;
mod settling;
mod several_orders;
mod shared_limits;
mod shared_searches;
mod ssr;
mod streams;
mod suppliers;
mod tariffs;
mod texts;
mod tickets;
mod tiers;
mod tokens;
mod users;
mod wallet_export;
mod wallet_lists;
mod wallet_summary;
mod wallets;
mod webhooks;
mod whitelist;
