//! An operator's own sessions, password and profile.

use reqwest::Method;
use secrecy::SecretString;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{
    ChangePassword,
    operator::{BegunOperatorSession, ConfirmPassword, Operator, OperatorLogIn, OwnOperatorSession},
};

use super::{OperatorClient, OperatorSession};
use crate::{
    call::Ask,
    error::{Error, Result},
    retries::Effort,
};

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
        let body = OperatorLogIn { username: username.to_owned(), password: password.into() };
        // A log-in that nobody heard of is a session that nobody uses.
        let ask = Ask::of(Method::POST, &["sessions"], Effort::Read).body(&body)?;
        self.0.tell(&ask).await
    }
}

#[boxed]
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
        let body = ConfirmPassword { password: password.clone() };
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
        let body = ChangePassword { current_password: current.clone(), new_password: new.clone() };
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
