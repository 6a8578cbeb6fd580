//! The people of an agency.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::vocabulary::{Role, Standing};

/// A user in full, as admins see them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct User {
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
}

/// The own profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnProfile {
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

/// A user as a list shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UserRow {
    /// Their id.
    pub id: Uuid,
    /// With what they log in. Unique in the agency.
    pub username: String,
    /// Their e-mail address. Unique in the agency.
    pub email: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: Standing,
    /// When they were added.
    pub created_at: DateTime<Utc>,
}

/// The user who has logged in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SignedInUser"))]
pub struct SessionUser {
    /// Their id.
    pub id: Uuid,
    /// With what they log in. Unique in the agency.
    pub username: String,
    /// Their e-mail address. Unique in the agency.
    pub email: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: Standing,
    /// The agency's id.
    pub org_id: Uuid,
    /// Their short public code.
    pub sub_agent_id: String,
}

/// A user to be made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CreateUserRequest"))]
pub struct NewUser {
    /// With what they log in. Unique in the agency.
    pub username: String,
    /// Their e-mail address. Unique in the agency.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their password: 8 to 128 characters.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
    /// What they may do.
    pub role: Role,
    /// Their telephone number; may be empty.
    pub phone: String,
}
body! { NewUser of(username: &str, email: &str, name: &str, password: SecretString, role: Role) { phone: &str } }

/// What an admin changes of a user. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UpdateUserRequest"))]
pub struct UserChange {
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Their telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Whether they may act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Standing>,
}
body! { UserChange { name: &str, phone: &str, status: Standing } }

/// What a user changes of their own profile. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UpdateProfileRequest"))]
pub struct ProfileChange {
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Their telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
}
body! { ProfileChange { name: &str, phone: &str } }
