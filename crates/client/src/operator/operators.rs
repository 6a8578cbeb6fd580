//! Operators, for those who look after them.

use reqwest::Method;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{NewOperator, Operator, OperatorChange, OperatorWithPassword};

use super::OperatorSession;
use crate::{call::Ask, error::Result, retries::Effort};

#[boxed]
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
