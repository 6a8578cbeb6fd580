//! The agency itself: profile, settings, audit log.

mod bodies;
mod people;

use secrecy::ExposeSecret;
use wayfare_contract::{AuditEntry, OrganizationChange, OrganizationProfile, SetSetting, Setting};
use wayfare_domain::ListRequest;
use wayfare_operations::{
    Admin,
    agency::{
        audit_log::{self, AuditFilter},
        profile, settings,
    },
};

pub use self::people::{erase_people, people};
use crate::http::{
    App,
    extract::{Ask, Body, Nothing, Query},
    reply::{DataReply, Message, Paged, Replied, data, message, paged},
};

/// `GET /org/profile`.
pub async fn profile(app: App, ask: Ask<Admin, Nothing>) -> DataReply<OrganizationProfile> {
    data(profile::profile(&app.core, &ask.who).await?)
}

/// `PUT /org/profile`.
pub async fn change_profile(app: App, ask: Ask<Admin, Body<OrganizationChange>>) -> Replied<Message> {
    let Body(change) = ask.what;
    profile::change_profile(&app.core, &ask.who, change).await?;
    message("profile updated")
}

/// `GET /org/settings`.
pub async fn settings(app: App, ask: Ask<Admin, Nothing>) -> DataReply<Vec<Setting>> {
    data(settings::list(&app.core, &ask.who).await?)
}

/// `PUT /org/settings`.
pub async fn set_setting(app: App, ask: Ask<Admin, Body<SetSetting>>) -> Replied<Message> {
    let Body(SetSetting { key, value }) = ask.what;
    settings::set(&app.access, &ask.who, &key, value.expose_secret()).await?;
    message("setting updated")
}

/// `GET /org/audit-logs`.
pub async fn audit_logs(
    app: App,
    ask: Ask<Admin, Query<(ListRequest, AuditFilter)>>,
) -> Replied<Paged<AuditEntry>> {
    let Query((page, filter)) = ask.what;
    paged(audit_log::list(&app.core, &ask.who, filter, page).await?)
}
