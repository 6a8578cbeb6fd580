//! What needs a person, over all agencies.

use wayfare_boxed::boxed;
use wayfare_contract::operator::Overview;

use super::OperatorSession;
use crate::{call::Ask, error::Result};

#[boxed]
impl OperatorSession {
    /// `GET /overview`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn overview(&self) -> Result<Overview> {
        self.0.data(Ask::get(&["overview"])).await
    }
}
