//! The organization: its profile, its settings, what was done in it (docs/API.md, Settings and Events).

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::AuditEntry;

use crate::{
    Amount,
    call::{Ask, given},
    enums::{Standing, Subscription},
    error::Result,
    list::List,
    session::part_of_session,
};

/// An organization.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OrganizationProfile {
    /// Its id.
    pub id: Uuid,
    /// Its public code, with which its people log in.
    pub agent_id: String,
    /// Its name.
    pub name: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its e-mail address.
    pub email: String,
    /// Its telephone.
    pub phone: String,
    /// Where it is.
    pub address: String,
    /// ISO 3166-1, two letters.
    pub country: String,
    /// What it has subscribed to.
    pub subscription_type: Subscription,
    /// Whether its people may act.
    pub status: Standing,
    /// Whether only whitelisted addresses come in.
    pub ip_whitelist_enabled: bool,
    /// Its time zone (IANA), in which its days begin; Wayfare's addition.
    pub timezone: Option<String>,
    /// Its wallet.
    pub wallet: OrganizationFunds,
}

/// The wallet in an organization's profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OrganizationFunds {
    /// Its id.
    pub id: Uuid,
    /// What is in it.
    pub balance: Amount,
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// What may be spent beyond the balance; 0 = no credit line.
    pub credit_limit: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
}

/// What an admin changes of the organization's profile; what is none stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OrganizationChange {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Its telephone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// ISO 3166-1, two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Setting {
    /// Its id.
    pub id: Uuid,
    /// The organization.
    pub org_id: Uuid,
    /// Its name.
    pub key: String,
    /// What it is set to; a secret reads `********`.
    pub value: String,
    /// When it was set first, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was set last, UTC.
    pub updated_at: DateTime<Utc>,
}

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
        let body = json!({ "key": key, "value": value });
        self.0.done(Ask::set(&["org", "settings"]).body(&body)?).await
    }

    /// `GET /org/audit-logs`, newest first.
    pub fn audit_logs(&self, filter: &AuditFilter) -> List<AuditEntry> {
        List::of(self.0, &["org", "audit-logs"], filter.query())
    }
}
