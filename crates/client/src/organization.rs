//! The organization: its profile, its settings, what was done in it (docs/API.md, Settings and Events).

use chrono::NaiveDate;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{AuditEntry, OrganizationChange, OrganizationProfile, SetSetting, Setting};

use crate::{
    call::{Ask, given},
    error::Result,
    list::List,
    session::part_of_session,
};

/// Which entries of the audit log are wanted; none is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditFilter {
    /// By this user; for the operator, by this operator too.
    pub actor_id: Option<Uuid>,
    /// About this kind of thing.
    pub entity_type: Option<String>,
    /// About this thing: its id, or a booking's reference.
    pub entity_id: Option<String>,
    /// This action.
    pub action: Option<String>,
    /// Not before this day in the organization's time zone.
    pub from: Option<NaiveDate>,
    /// Not after this day in the organization's time zone.
    pub to: Option<NaiveDate>,
}

impl AuditFilter {
    pub(crate) fn query(&self) -> Vec<(&'static str, String)> {
        let query = [
            given("actor_id", self.actor_id),
            given("entity_type", self.entity_type.as_ref()),
            given("entity_id", self.entity_id.as_ref()),
            given("action", self.action.as_ref()),
            given("from", self.from),
            given("to", self.to),
        ];
        query.into_iter().flatten().collect()
    }
}

part_of_session! {
    /// The organization, for its admins.
    Organization, organization
}

#[boxed]
impl Organization<'_> {
    /// `GET /org/profile`.
    pub async fn profile(&self) -> Result<OrganizationProfile> {
        self.0.data(Ask::get(&["org", "profile"])).await
    }

    /// `PUT /org/profile`.
    pub async fn change_profile(&self, change: &OrganizationChange) -> Result<()> {
        self.0.done(Ask::set(&["org", "profile"]).body(change)?).await
    }

    /// `GET /org/settings`.
    pub async fn settings(&self) -> Result<Vec<Setting>> {
        self.0.data(Ask::get(&["org", "settings"])).await
    }

    /// `PUT /org/settings`: sets one.
    pub async fn set(&self, key: &str, value: &str) -> Result<()> {
        let body = SetSetting { key: key.to_owned(), value: value.into() };
        self.0.done(Ask::set(&["org", "settings"]).body(&body)?).await
    }

    /// `GET /org/audit-logs`, newest first.
    pub fn audit_logs(&self, filter: &AuditFilter) -> List<AuditEntry> {
        List::of(self.0, &["org", "audit-logs"], filter.query())
    }
}
