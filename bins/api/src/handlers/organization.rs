//! The agency itself: profile, settings, audit log.

use wayfare_domain::PageRequest;
use wayfare_operations::{
    Admin,
    agency::{
        audit_log::{self, AuditFilter},
        profile, settings,
    },
};

use super::App;
use crate::{
    bodies,
    extract::{Ask, Body, Nothing, Query},
    reply::{Data, Done, Listed, Replied, data, done, list},
    views::organization::{AuditEntry, Organization, Setting},
};

/// `GET /org/profile`.
///
/// # Errors
/// As the error table says.
pub async fn profile(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Organization>> {
    data(Organization::from(profile::profile(&app, &ask.who).await?))
}

/// `PUT /org/profile`.
///
/// # Errors
/// As the error table says.
pub async fn change_profile(app: App, ask: Ask<Admin, Body<bodies::Profile>>) -> Replied<Done> {
    let Body(bodies::Profile(change)) = ask.what;
    profile::change_profile(&app, &ask.who, change).await?;
    done("profile updated")
}

/// `GET /org/settings`.
///
/// # Errors
/// As the error table says.
pub async fn settings(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Vec<Setting>>> {
    let all = settings::list(&app, &ask.who).await?;
    data(all.into_iter().map(Setting::from).collect::<Vec<_>>())
}

/// `PUT /org/settings`.
///
/// # Errors
/// As the error table says.
pub async fn set_setting(app: App, ask: Ask<Admin, Body<bodies::Setting>>) -> Replied<Done> {
    let Body(bodies::Setting { key, value }) = ask.what;
    settings::set(&app, &ask.who, &key, &value).await?;
    done("setting updated")
}

/// `GET /org/audit-logs`.
///
/// # Errors
/// As the error table says.
pub async fn audit_logs(
    app: App,
    ask: Ask<Admin, Query<(PageRequest, AuditFilter)>>,
) -> Replied<Listed<AuditEntry>> {
    let Query((page, filter)) = ask.what;
    list(
        audit_log::list(&app, &ask.who, filter, page).await?,
        AuditEntry::from,
    )
}
