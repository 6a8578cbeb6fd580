//! One function for each endpoint: extract, call one operation, wrap the answer.

pub mod access;
pub mod flights;
pub mod health;
pub mod organization;
pub mod users;
pub mod wallets;

use std::sync::Arc;

use actix_web::web::Data;
use wayfare_operations::Platform;

/// The platform, as handlers are given it.
pub type App = Data<Arc<Platform>>;
