//! An operator's own sessions, password and profile.

use chrono::{DateTime, Utc};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::{Operator, OperatorClient, OperatorSession, secret};
use crate::{
    call::Ask,
    error::{Error, Result},
    retries::Effort,
};

/// A session that has begun: its token is all that has to be kept of it.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct BegunOperatorSession {
    /// With what calls are made ([`OperatorClient::with_token`]).
    #[serde(deserialize_with = "secret")]
    pub token: SecretString,
    /// When it ends unless it is used, UTC.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case, UTC.
    pub ends_at: DateTime<Utc>,
    /// Who is logged in.
    pub operator: Operator,
}

/// One of the operator's own sessions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OwnOperatorSession {
    /// Its id.
    pub id: Uuid,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends unless it is used, UTC.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case, UTC.
    pub ends_at: DateTime<Utc>,
    /// When the password was given last, UTC.
    pub confirmed_at: DateTime<Utc>,
    /// What the program called itself.
    pub user_agent: String,
    /// From where.
    pub ip_address: String,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

impl OperatorClient {
    /// `POST /sessions`.
    ///
    /// # Errors
    /// 401 for wrong credentials or whoever is suspended; see [`Error`].
    pub async fn log_in(
        &self,
        username: &str,
        password: impl Into<SecretString>,
    ) -> Result<BegunOperatorSession> {
        let password = password.into();
        let body = json!({ "username": username, "password": password.expose_secret() });
        // A log-in that nobody heard of is a session that nobody uses.
        let ask = Ask::of(Method::POST, &["sessions"], Effort::Read).body(&body)?;
        self.0.tell(&ask).await
    }
}

impl OperatorSession {
    /// Ends the session.
    ///
    /// # Errors
    /// See [`Error`]; a session that had ended already is none.
    pub async fn log_out(self) -> Result<()> {
        match self.0.done(Ask::delete(&["sessions", "current"])).await {
            Err(Error::SessionEnded) => Ok(()),
            ended => ended,
        }
    }

    /// Confirms the password, so that money may be moved for ten minutes.
    ///
    /// # Errors
    /// 400 for a wrong one.
    pub async fn confirm(&self, password: &SecretString) -> Result<()> {
        let body = json!({ "password": password.expose_secret() });
        // To say it again does no harm.
        let ask = Ask::of(Method::POST, &["sessions", "current", "confirm"], Effort::Once).body(&body)?;
        self.0.done(ask).await
    }

    /// Who is logged in.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn me(&self) -> Result<Operator> {
        self.0.data(Ask::get(&["me"])).await
    }

    /// Changes the own password; every session ends.
    ///
    /// # Errors
    /// 400 for a wrong present one; 422.
    pub async fn change_password(&self, current: &SecretString, new: &SecretString) -> Result<()> {
        let body = json!({
            "current_password": current.expose_secret(),
            "new_password": new.expose_secret(),
        });
        let ask = Ask::of(Method::PUT, &["me", "password"], Effort::Once).body(&body)?;
        self.0.done(ask).await
    }

    /// The own sessions.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn own_sessions(&self) -> Result<Vec<OwnOperatorSession>> {
        self.0.data(Ask::get(&["me", "sessions"])).await
    }

    /// Ends one of the own sessions.
    ///
    /// # Errors
    /// 404.
    pub async fn end_session(&self, id: Uuid) -> Result<()> {
        let id = id.to_string();
        self.0.done(Ask::delete(&["me", "sessions", &id])).await
    }
}
