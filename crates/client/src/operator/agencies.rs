//! Agencies and their people, for those who look after them.

use reqwest::Method;
use wayfare_boxed::boxed;
use wayfare_contract::{
    NewUser,
    operator::{Agency, AgencyChange, AgencyRow, AgencyUser, NewAgency, NewAgencyMade, NewPassword},
};

use super::OperatorSession;
use crate::{call::Ask, error::Result, retries::Effort};

#[boxed]
impl OperatorSession {
    /// `GET /agencies`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn agencies(&self) -> Result<Vec<AgencyRow>> {
        self.0.data(Ask::get(&["agencies"])).await
    }

    /// `GET /agencies/{code}`.
    ///
    /// # Errors
    /// 404.
    pub async fn agency(&self, code: &str) -> Result<Agency> {
        self.0.data(Ask::get(&["agencies", code])).await
    }

    /// `POST /agencies`. Of admins.
    ///
    /// # Errors
    /// 422.
    pub async fn create_agency(&self, new: &NewAgency) -> Result<NewAgencyMade> {
        let ask = Ask::of(Method::POST, &["agencies"], Effort::Once);
        self.0.data(ask.body(new)?).await
    }

    /// `PUT /agencies/{code}`. Of admins. It is sent once: what is put on a whitelist twice is there, what is taken off twice is
    /// refused.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn change_agency(&self, code: &str, change: &AgencyChange) -> Result<Agency> {
        let ask = Ask::of(Method::PUT, &["agencies", code], Effort::Once);
        self.0.data(ask.body(change)?).await
    }

    /// `POST /agencies/{code}/suspend`: its people are out from their very next request. Of admins.
    ///
    /// # Errors
    /// 404.
    pub async fn suspend_agency(&self, code: &str) -> Result<()> {
        self.0.done(stand(&["agencies", code, "suspend"])).await
    }

    /// `POST /agencies/{code}/activate`. Of admins.
    ///
    /// # Errors
    /// 404.
    pub async fn activate_agency(&self, code: &str) -> Result<()> {
        self.0.done(stand(&["agencies", code, "activate"])).await
    }

    /// `GET /agencies/{code}/users`.
    ///
    /// # Errors
    /// 404.
    pub async fn agency_users(&self, code: &str) -> Result<Vec<AgencyUser>> {
        self.0.data(Ask::get(&["agencies", code, "users"])).await
    }

    /// `POST /agencies/{code}/users`. Of admins.
    ///
    /// # Errors
    /// 404; 409 for a name that is taken; 422.
    pub async fn add_agency_user(&self, code: &str, new: &NewUser) -> Result<AgencyUser> {
        let ask = Ask::of(Method::POST, &["agencies", code, "users"], Effort::Once);
        self.0.data(ask.body(new)?).await
    }

    /// `POST /agencies/{code}/users/{username}/suspend`. Of admins.
    ///
    /// # Errors
    /// 404; 400 for the last admin.
    pub async fn suspend_agency_user(&self, code: &str, username: &str) -> Result<()> {
        let ask = stand(&["agencies", code, "users", username, "suspend"]);
        self.0.done(ask).await
    }

    /// `POST /agencies/{code}/users/{username}/activate`. Of admins.
    ///
    /// # Errors
    /// 404.
    pub async fn activate_agency_user(&self, code: &str, username: &str) -> Result<()> {
        let ask = stand(&["agencies", code, "users", username, "activate"]);
        self.0.done(ask).await
    }

    /// `POST /agencies/{code}/users/{username}/reset-password`: ends their sessions. Of admins.
    ///
    /// # Errors
    /// 404.
    pub async fn reset_agency_user_password(&self, code: &str, username: &str) -> Result<NewPassword> {
        let path = ["agencies", code, "users", username, "reset-password"];
        self.0.data(Ask::of(Method::POST, &path, Effort::Once)).await
    }
}

/// To say it again does no harm.
fn stand(path: &[&str]) -> Ask {
    Ask::of(Method::POST, path, Effort::Set)
}
