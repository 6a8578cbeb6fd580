//! Agencies, their settings and their audit log.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{
    AccountStatus, ActorKind, Amount, Currency, EventId, EventKind, OrganizationId, SettingId, Tier, WalletId,
};
use wayfare_operations::{Setting as StoredSetting, agency::profile::Profile};

use crate::resources::common::CurrencyCode;

/// The agency's profile.
#[derive(Serialize, JsonSchema)]
pub struct Organization {
    id: OrganizationId,
    agent_id: String,
    name: String,
    slug: String,
    email: String,
    phone: String,
    address: String,
    country: String,
    subscription_type: Tier,
    status: AccountStatus,
    ip_whitelist_enabled: bool,
    timezone: &'static str,
    wallet: Wallet,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OrganizationWallet")]
struct Wallet {
    id: WalletId,
    balance: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    credit_limit: Amount,
    is_active: bool,
}

impl From<Profile> for Organization {
    fn from(Profile { organization, wallet }: Profile) -> Self {
        let wallet = wallet.wallet;
        Self {
            id: organization.id,
            agent_id: organization.code.to_string(),
            name: organization.name,
            slug: organization.slug,
            email: organization.email,
            phone: organization.phone,
            address: organization.address,
            country: organization.country,
            subscription_type: organization.tier,
            status: organization.status,
            ip_whitelist_enabled: organization.ip_whitelist_enabled,
            timezone: organization.time_zone.name(),
            wallet: Wallet {
                id: wallet.id,
                balance: wallet.balance.number(),
                currency: wallet.balance.currency(),
                credit_limit: wallet.credit_limit.number(),
                is_active: wallet.is_active,
            },
        }
    }
}

/// A setting.
#[derive(Serialize, JsonSchema)]
pub struct Setting {
    id: SettingId,
    org_id: OrganizationId,
    key: String,
    value: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<StoredSetting> for Setting {
    fn from(setting: StoredSetting) -> Self {
        Self {
            id: setting.id,
            org_id: setting.organization,
            key: setting.key,
            value: setting.value,
            created_at: setting.created_at,
            updated_at: setting.updated_at,
        }
    }
}

/// An entry of the audit log.
#[derive(Serialize, JsonSchema)]
pub struct AuditEntry {
    id: EventId,
    actor_id: String,
    #[schemars(extend("enum" = ActorKind::WORDS))]
    actor_type: &'static str,
    actor_org_id: String,
    action: String,
    #[schemars(extend("enum" = EventKind::entities()))]
    entity_type: String,
    entity_id: String,
    #[schemars(with = "Option<Map<String, Value>>")]
    old_value: Option<Value>,
    #[schemars(with = "Option<Map<String, Value>>")]
    new_value: Option<Value>,
    ip_address: String,
    user_agent: String,
    created_at: DateTime<Utc>,
}

/// The operator and the service itself are of no agency and have no id (P-72).
impl From<wayfare_operations::AuditEntry> for AuditEntry {
    fn from(entry: wayfare_operations::AuditEntry) -> Self {
        let organization = match entry.actor {
            ActorKind::OrgUser => entry.organization.to_string(),
            ActorKind::Operator | ActorKind::System => String::new(),
        };
        Self {
            id: entry.id,
            actor_id: entry.user.map(|user| user.to_string()).unwrap_or_default(),
            actor_type: entry.actor.into(),
            actor_org_id: organization,
            action: entry.action,
            entity_type: entry.entity_type,
            entity_id: entry.entity_id,
            old_value: entry.old_value,
            new_value: entry.new_value,
            ip_address: entry.address.map(|address| address.to_string()).unwrap_or_default(),
            user_agent: entry.user_agent,
            created_at: entry.at,
        }
    }
}
