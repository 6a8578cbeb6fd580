//! An operator's own sessions and password.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Operator;

/// A session that has begun.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BegunOperatorSession {
    /// Goes into `Authorization: Bearer …`.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub token: SecretString,
    /// When it ends unless it is used.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case.
    pub ends_at: DateTime<Utc>,
    /// Who is logged in.
    pub operator: Operator,
}

/// That the password was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConfirmedPassword {
    /// When it was given. For ten minutes from then on money may be moved and power given.
    pub confirmed_at: DateTime<Utc>,
}

/// One of the operator's sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OperatorSession"))]
pub struct OwnOperatorSession {
    /// Its id.
    pub id: Uuid,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// When it ends unless it is used.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case.
    pub ends_at: DateTime<Utc>,
    /// When the password was given last.
    pub confirmed_at: DateTime<Utc>,
    /// With which program; "" where it didn't say.
    pub user_agent: String,
    /// From which address; "" where nobody knows.
    pub ip_address: String,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

/// With what an operator logs in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OperatorLogInRequest"))]
pub struct OperatorLogIn {
    /// Their username.
    pub username: String,
    /// Their password.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}

/// The password, given once more.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ConfirmPasswordRequest"))]
pub struct ConfirmPassword {
    /// The password.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}
