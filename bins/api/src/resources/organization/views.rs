//! Agencies and their settings.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{AccountStatus, Amount, Currency, OrganizationId, SettingId, Tier, WalletId};
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
