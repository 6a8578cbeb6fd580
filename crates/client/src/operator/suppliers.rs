//! Suppliers: how servers see them, our accounts there, whether anything new is sold of them, and look-to-book.

use reqwest::Method;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{
    CloseSupplier, LookToBook, OpenSupplier, StateSupplierBalance, Supplier, SupplierDetail, SupplierLimits,
};

use super::OperatorSession;
use crate::{Amount, call::Ask, error::Result, retries::Effort};

#[boxed]
impl OperatorSession {
    /// `GET /suppliers`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn suppliers(&self) -> Result<Vec<Supplier>> {
        self.0.data(Ask::get(&["suppliers"])).await
    }

    /// `GET /suppliers/{code}`.
    ///
    /// # Errors
    /// 404.
    pub async fn supplier(&self, code: &str) -> Result<SupplierDetail> {
        self.0.data(Ask::get(&["suppliers", code])).await
    }

    /// `POST /suppliers/{code}/close`: nothing new is sold of it, until somebody opens it.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn close_supplier(&self, code: &str, reason: &str) -> Result<()> {
        // To say it again does no harm.
        let ask = Ask::of(Method::POST, &["suppliers", code, "close"], Effort::Set);
        self.0.done(ask.body(&CloseSupplier { reason: reason.to_owned() })?).await
    }

    /// `POST /suppliers/{code}/open`: it is sold again, and alarms of our account and our credentials are closed.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn open_supplier(&self, code: &str, note: Option<&str>) -> Result<()> {
        let ask = Ask::of(Method::POST, &["suppliers", code, "open"], Effort::Set);
        self.0.done(ask.body(&OpenSupplier { note: note.map(str::to_owned) })?).await
    }

    /// `PUT /suppliers/{code}/balance`: what our account there holds now, where the supplier does not tell.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn state_supplier_balance(&self, code: &str, balance: Amount, currency: &str) -> Result<()> {
        // What was ordered since it was said would be forgotten if it were said again.
        let ask = Ask::of(Method::PUT, &["suppliers", code, "balance"], Effort::Once);
        let body = StateSupplierBalance { balance, currency: currency.to_owned() };
        self.0.done(ask.body(&body)?).await
    }

    /// `PUT /suppliers/{code}/limits`.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn set_supplier_limits(&self, code: &str, limits: &SupplierLimits) -> Result<()> {
        self.0.done(Ask::set(&["suppliers", code, "limits"]).body(limits)?).await
    }

    /// `GET /look-to-book`, of the last so many days, today included.
    ///
    /// # Errors
    /// 422 for more than 366.
    pub async fn look_to_book(&self, days: u32) -> Result<LookToBook> {
        let ask = Ask::get(&["look-to-book"]);
        self.0.data(ask.query(vec![("days", days.to_string())])).await
    }
}
