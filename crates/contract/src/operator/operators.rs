//! Operators, for those who look after them.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::vocabulary::{OperatorRole, Standing};

/// An operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Since when they are one.
    pub created_at: DateTime<Utc>,
    /// When they logged in last.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// An operator with the password that is told once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperatorWithPassword {
    /// Who.
    #[serde(flatten)]
    pub operator: Operator,
    /// Their password. It is told once: nobody can read it afterwards.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub password: SecretString,
}

/// An operator to add.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AddOperatorRequest"))]
pub struct NewOperator {
    /// With what they log in: letters, digits, dots, hyphens and underscores.
    pub username: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: OperatorRole,
}

/// What is to change of an operator. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangeOperatorRequest"))]
pub struct OperatorChange {
    /// What they may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<OperatorRole>,
    /// Whether they may act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Standing>,
}
body! { OperatorChange { role: OperatorRole, status: Standing } }
