//! What needs a person, over all agencies.

use wayfare_contract::operator::Overview;

use super::OperatorSession;
use crate::{call::Ask, error::Result};

impl OperatorSession {
    /// `GET /overview`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn overview(&self) -> Result<Overview> {
        self.0.data(Ask::get(&["overview"])).await
    }
}
