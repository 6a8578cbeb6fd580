//! The agency itself: its profile, its settings, and whom its bookings are for.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{ProductKind, Standing, Subscription},
};

/// The agency's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Organization"))]
pub struct OrganizationProfile {
    /// Its id.
    pub id: Uuid,
    /// The agency's public code, which its people log in with.
    pub agent_id: String,
    /// The name.
    pub name: String,
    /// The agency's name as part of an address.
    pub slug: String,
    /// E-mail address.
    pub email: String,
    /// Phone number.
    pub phone: String,
    /// The agency's postal address.
    pub address: String,
    /// ISO 3166 code of the agency's country: two letters.
    pub country: String,
    /// The agency's subscription.
    pub subscription_type: Subscription,
    /// Whether its people may act.
    pub status: Standing,
    /// Whether only listed addresses may call.
    pub ip_whitelist_enabled: bool,
    /// The time zone in which its days begin, such as `Asia/Kolkata`.
    #[serde(default)]
    pub timezone: String,
    /// The organization's wallet.
    pub wallet: OrganizationFunds,
}

/// The wallet in an agency's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OrganizationWallet"))]
pub struct OrganizationFunds {
    /// Its id.
    pub id: Uuid,
    /// What the wallet has, holds included.
    pub balance: Amount,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// How far below zero the wallet may go; 0: no credit line.
    pub credit_limit: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
}

/// What an admin changes of the agency's profile. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UpdateOrganizationRequest"))]
pub struct OrganizationChange {
    /// The name; its slug stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// E-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Phone number; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// The agency's postal address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// ISO 3166 code of the agency's country: two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}
body! { OrganizationChange { name: &str, email: &str, phone: &str, address: &str, country: &str } }

/// A setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// Its id.
    pub id: Uuid,
    /// The agency's id.
    pub org_id: Uuid,
    /// The setting's name: 1 to 64 lower case letters, digits, dots and underscores.
    pub key: String,
    /// The setting's value; `********` for secrets.
    pub value: String,
    /// When it was set first, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was set last, UTC.
    pub updated_at: DateTime<Utc>,
}

/// A setting to be set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetSettingRequest"))]
pub struct SetSetting {
    /// The setting's name: 1 to 64 lower case letters, digits, dots and underscores.
    pub key: String,
    /// What it becomes: text of 1 to 4,000 characters.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub value: SecretString,
}

/// All that is stored of whom a booking is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookingPeople {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// Whether it is a booking of flights or of a stay.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub product: ProductKind,
    /// Who travels or stays, and how they are reached; null when that is erased.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    pub people: Value,
    /// Their papers; empty when they gave none, or these are erased.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub papers: Value,
    /// What suppliers said of the booking's orders, in order of time.
    pub supplier_answers: Vec<StoredSupplierAnswer>,
}

/// What a supplier said of an order of the booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoredSupplierAnswer {
    /// The number of the booking's supplier order, from 1.
    pub order_number: u16,
    /// The step that it was the answer to; null where the order was only looked at.
    pub step_id: Option<Uuid>,
    /// When the supplier said so.
    pub received_at: DateTime<Utc>,
    /// What the supplier said, as it came.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub answer: Value,
}
