//! Operators, for those who look after them.

use chrono::{DateTime, Utc};
use reqwest::Method;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{OperatorSession, secret};
use crate::{
    call::Ask,
    enums::{OperatorRole, Standing},
    error::Result,
    retries::Effort,
};

/// Somebody who works for the platform.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Operator {
    /// Their id.
    pub id: Uuid,
    /// Their username.
    pub username: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: OperatorRole,
    /// Whether they may act.
    pub status: Standing,
    /// Since when they are one, UTC.
    pub created_at: DateTime<Utc>,
    /// When they logged in last, UTC.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// An operator to add.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewOperator {
    /// Their username.
    pub username: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: OperatorRole,
}

/// What is to change of an operator.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OperatorChange {
    /// What they may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<OperatorRole>,
    /// Whether they may act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Standing>,
}

/// An operator with a password that is told once.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct OperatorWithPassword {
    /// Who.
    #[serde(flatten)]
    pub operator: Operator,
    /// Their password.
    #[serde(deserialize_with = "secret")]
    pub password: SecretString,
}

impl OperatorSession {
    /// All operators. Of admins.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn operators(&self) -> Result<Vec<Operator>> {
        self.0.data(Ask::get(&["operators"])).await
    }

    /// Adds one. Of admins.
    ///
    /// # Errors
    /// 409 for a username that is taken; 422.
    pub async fn add_operator(&self, new: &NewOperator) -> Result<OperatorWithPassword> {
        let ask = Ask::of(Method::POST, &["operators"], Effort::Once).body(new)?;
        self.0.data(ask).await
    }

    /// Changes what one may do. Of admins.
    ///
    /// # Errors
    /// 404; 400 for the last admin.
    pub async fn change_operator(&self, id: Uuid, change: &OperatorChange) -> Result<Operator> {
        let id = id.to_string();
        self.0.data(Ask::set(&["operators", &id]).body(change)?).await
    }

    /// Gives one another password; their sessions end. Of admins.
    ///
    /// # Errors
    /// 404.
    pub async fn reset_operator_password(&self, id: Uuid) -> Result<OperatorWithPassword> {
        let id = id.to_string();
        let ask = Ask::of(Method::POST, &["operators", &id, "reset-password"], Effort::Once);
        self.0.data(ask).await
    }
}
