//! One function for each endpoint: extract, call one operation, wrap the answer.

pub mod access;
pub mod after_sales;
pub mod document;
pub mod fares;
pub mod feed;
pub mod flights;
pub mod health;
pub mod hotel_packages;
pub mod hotels;
pub mod notifications;
pub mod organization;
pub mod packages;
pub mod reports;
pub mod users;
pub mod wallets;
pub mod webhooks;

use std::sync::Arc;

use actix_web::web::Data;
use wayfare_domain::{EventId, PackageId, ReportId, UserId, WebhookId};
use wayfare_operations::{Error, Platform};

/// The platform, as handlers are given it.
pub type App = Data<Arc<Platform>>;

/// The user that the path names; a text that can't be an id names none (P-44).
fn user_id(id: &str) -> Result<UserId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

/// The event that the path names, or what is told of it, likewise.
fn event_id(id: &str) -> Result<EventId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

/// The webhook that the path names, likewise.
fn webhook_id(id: &str) -> Result<WebhookId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

/// The package that the path names, likewise.
fn package_id(id: &str) -> Result<PackageId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}

/// The report that the path names, likewise.
fn report_id(id: &str) -> Result<ReportId, Error> {
    id.parse().map_err(|_| Error::NotFound)
}
