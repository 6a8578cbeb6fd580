//! Log-ins, their tokens, and sessions.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::SessionUser;

/// Who logs in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LogInRequest"))]
pub struct Credentials {
    /// The agency's public code, such as `WF7K2M9Q`.
    pub agent_id: String,
    /// The name with which the user logs in.
    pub username: String,
    /// The password.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}

/// The token that a session is renewed or ended with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RefreshTokenRequest"))]
pub struct RefreshToken {
    /// The refresh token of the latest log-in or refresh.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub refresh_token: SecretString,
}

/// A log-in's answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogIn {
    /// The user.
    pub user: SessionUser,
    /// The pair of tokens.
    pub tokens: Tokens,
    /// The agency's public code.
    pub agent_id: String,
}

/// The answer of a refresh: it names nobody.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refreshed {
    /// The user: null.
    pub user: Option<SessionUser>,
    /// The pair of tokens.
    pub tokens: Tokens,
}

/// A pair of tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tokens {
    /// Goes into `Authorization: Bearer …`.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub access_token: SecretString,
    /// Is used once, for the next pair of tokens.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub refresh_token: SecretString,
    /// How long the access token lasts.
    pub expires_in_seconds: i64,
}

/// A session of a browser: its token is all that has to be kept of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrowserSession {
    /// Goes into `Authorization: Bearer …`.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub token: SecretString,
    /// When it ends unless it is used, UTC; each use moves it on, at most once a minute.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case, UTC.
    pub ends_at: DateTime<Utc>,
    /// The user.
    pub user: SessionUser,
    /// The agency's public code.
    pub agent_id: String,
}

/// One of the caller's sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnSession {
    /// Its id.
    pub id: Uuid,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends, UTC; a refresh moves it on.
    pub ends_at: DateTime<Utc>,
    /// When it ends unless it is used, UTC; null for one of a log-in with a pair of tokens.
    pub idle_until: Option<DateTime<Utc>>,
    /// With which program it was begun; "" where it didn't say.
    pub user_agent: String,
    /// From which address it was begun; "" for older ones.
    pub ip_address: String,
    /// Whether it is the one whose token is shown.
    pub is_current: bool,
}
