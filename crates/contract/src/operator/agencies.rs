//! Agencies and their people, for those who look after them.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount, User,
    vocabulary::{Role, Standing, Subscription},
};

/// An agency in the list of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgencyRow {
    /// Its public code.
    pub agent_id: String,
    /// Its name.
    pub name: String,
    /// What it has subscribed to.
    pub subscription_type: Subscription,
    /// Whether it may act.
    pub status: Standing,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What is in the organization's wallet; null where the wallet can't be read.
    pub balance: Option<Amount>,
    /// What is set aside there; null where the wallet can't be read.
    pub held: Option<Amount>,
    /// What it may spend beyond its balance; null where the wallet can't be read.
    pub credit_limit: Option<Amount>,
    /// What is in its users' wallets together.
    pub users_balance: Amount,
    /// What is set aside there.
    pub users_held: Amount,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// An agency as the operator sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agency {
    /// Its public code.
    pub agent_id: String,
    /// Its id.
    pub org_id: Uuid,
    /// Its name.
    pub name: String,
    /// Its e-mail address.
    pub email: String,
    /// Its telephone number; may be empty.
    pub phone: String,
    /// Its postal address; may be empty.
    pub address: String,
    /// The code of its country, ISO 3166 alpha-2.
    pub country: String,
    /// The time zone of its calendar, such as `Asia/Kolkata`.
    pub timezone: String,
    /// What it has subscribed to.
    pub subscription_type: Subscription,
    /// Whether it may act.
    pub status: Standing,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What is in the organization's wallet.
    pub balance: Amount,
    /// What is set aside there.
    pub held: Amount,
    /// What it may spend beyond its balance.
    pub credit_limit: Amount,
    /// What is in its users' wallets together.
    pub users_balance: Amount,
    /// What is set aside there.
    pub users_held: Amount,
    /// Whether that wallet pays for bookings.
    pub wallet_is_active: bool,
    /// Whether only whitelisted addresses are accepted.
    pub ip_whitelist_enabled: bool,
    /// The whitelisted addresses.
    pub whitelist: Vec<String>,
    /// The codes of the suppliers it may buy from; null: all of them.
    pub suppliers: Option<Vec<String>>,
    /// Whether a flight booking asks for the ticket password.
    pub ticket_password_enabled: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// A new agency with its first user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NewAgency"))]
pub struct NewAgencyMade {
    /// The agency.
    pub agency: Agency,
    /// Its first user.
    pub admin: User,
}

/// A user of an agency as the operator sees them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgencyUser {
    /// Their id.
    pub id: Uuid,
    /// With what they log in. Unique in the agency.
    pub username: String,
    /// Their e-mail address. Unique in the agency.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their telephone number; may be empty.
    pub phone: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: Standing,
    /// The agency's id.
    pub org_id: Uuid,
    /// Their short public code.
    pub sub_agent_id: String,
    /// When they were added.
    pub created_at: DateTime<Utc>,
    /// When they last logged in; null: never.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// A password that is told once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewPassword {
    /// It is told once: nobody can read it afterwards.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}

/// An agency to be made, with its first user.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CreateAgencyRequest"))]
pub struct NewAgency {
    /// Its name.
    pub name: String,
    /// Its e-mail address.
    pub email: String,
    /// The code of its country, ISO 3166 alpha-2.
    pub country: String,
    /// What it subscribes to.
    pub subscription_type: Subscription,
    /// The currency of its wallets, ISO 4217.
    pub currency: String,
    /// The time zone of its calendar, such as `Asia/Kolkata`.
    pub timezone: String,
    /// Its first user.
    pub admin: FirstAdmin,
}

/// The first user of an agency, an admin.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstAdmin {
    /// With what they log in.
    pub username: String,
    /// Their e-mail address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their telephone number; may be empty.
    pub phone: String,
    /// Their password: 8 to 128 characters.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}

/// What is to change of an agency. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangeAgencyRequest"))]
pub struct AgencyChange {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it subscribes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscription_type: Option<Subscription>,
    /// The time zone of its calendar, such as `Asia/Kolkata`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The currency of its wallets, ISO 4217. It changes only while nothing was ever held or moved in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Whether only whitelisted addresses may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_whitelist_enabled: Option<bool>,
    /// Addresses and networks to put on the whitelist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub whitelist_add: Vec<String>,
    /// Addresses and networks to take off the whitelist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub whitelist_remove: Vec<String>,
    /// The codes of the only suppliers it may buy from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppliers: Option<Vec<String>>,
    /// True: it may buy from all suppliers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_suppliers: Option<bool>,
}
body! { AgencyChange {
    name: &str, subscription_type: Subscription, timezone: &str, currency: &str, ip_whitelist_enabled: bool,
    whitelist_add: Vec<String>, whitelist_remove: Vec<String>, suppliers: Vec<String>, all_suppliers: bool,
} }
