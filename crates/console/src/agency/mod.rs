//! The agency's own pages, for its admins: people, money, packages, reports, webhooks, the audit log and the profile.

mod allocations;
mod audit;
pub mod fares;
mod package;
pub mod packages;
mod people;
mod preview;
mod profile;
pub mod reports;
pub mod transactions;
pub mod users;
mod webhooks;

use actix_web::HttpResponse;
use uuid::Uuid;

use crate::prelude::*;

const ROWS: u32 = 25;

/// What is said where an agency has no portal.
#[derive(Template)]
#[template(path = "agency/no_portal.html")]
pub struct NoPortal {
    pub shell: Shell,
}

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency").get(start))
        .configure(users::mount)
        .configure(allocations::mount)
        .configure(transactions::mount)
        .configure(fares::mount)
        .configure(packages::mount)
        .configure(reports::mount)
        .configure(webhooks::mount)
        .configure(audit::mount)
        .configure(profile::mount);
}

/// `GET /console/agency`.
async fn start() -> HttpResponse {
    see_other(&format!("{BASE}/agency/users"))
}

fn id(text: &str) -> Result<Uuid> {
    text.parse().map_err(|_| Failure::NoPage)
}
