//! Agencies and their people, for those who look after them.

use chrono::{DateTime, Utc};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use super::{OperatorSession, secret};
use crate::{
    Amount, NewUser,
    call::Ask,
    enums::{Role, Standing},
    error::Result,
    retries::Effort,
};

/// An agency in the list of all. Amounts are none where its wallet can't be read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgencyRow {
    /// Its code.
    pub agent_id: String,
    /// Its name.
    pub name: String,
    /// `full` or `api_only`.
    pub subscription_type: String,
    /// Whether it may act.
    pub status: Standing,
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// What is in the organization's wallet.
    pub balance: Option<Amount>,
    /// What is set aside there.
    pub held: Option<Amount>,
    /// What it may spend beyond its balance.
    pub credit_limit: Option<Amount>,
    /// What is in its users' wallets together.
    pub users_balance: Amount,
    /// What is set aside there.
    pub users_held: Amount,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
}

/// An agency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Agency {
    /// Its code.
    pub agent_id: String,
    /// Its id.
    pub org_id: Uuid,
    /// Its name.
    pub name: String,
    /// Its e-mail address.
    pub email: String,
    /// May be empty.
    pub phone: String,
    /// May be empty.
    pub address: String,
    /// ISO 3166 alpha-2.
    pub country: String,
    /// Its calendar.
    pub timezone: String,
    /// `full` or `api_only`.
    pub subscription_type: String,
    /// Whether it may act.
    pub status: Standing,
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// What is in the organization's wallet.
    pub balance: Amount,
    /// What is set aside there.
    pub held: Amount,
    /// What it may spend beyond its balance.
    pub credit_limit: Amount,
    /// What is in its users' wallets together.
    pub users_balance: Amount,
    /// What is set aside there.
    pub users_held: Amount,
    /// Whether that wallet pays for bookings.
    pub wallet_is_active: bool,
    /// Whether only whitelisted addresses are accepted.
    pub ip_whitelist_enabled: bool,
    /// The whitelisted addresses.
    pub whitelist: Vec<String>,
    /// The suppliers it may buy from; none: all.
    pub suppliers: Option<Vec<String>>,
    /// Whether a flight booking asks for the ticket password.
    pub ticket_password_enabled: bool,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
}

/// An agency to be made, with its first user.
#[derive(Clone, Debug, Serialize)]
pub struct NewAgency {
    /// Its name.
    pub name: String,
    /// Its e-mail address.
    pub email: String,
    /// ISO 3166 alpha-2.
    pub country: String,
    /// `full` or `api_only`.
    pub subscription_type: String,
    /// Of its wallets, ISO 4217.
    pub currency: String,
    /// Its calendar.
    pub timezone: String,
    /// Its first user.
    pub admin: FirstAdmin,
}

/// The first user of an agency, an admin.
#[derive(Clone, Debug, Serialize)]
pub struct FirstAdmin {
    /// With what they log in.
    pub username: String,
    /// Their e-mail address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their telephone number; may be empty.
    pub phone: String,
    /// Their password.
    #[serde(serialize_with = "exposed")]
    pub password: SecretString,
}

fn exposed<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

/// An agency that was made.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewAgencyMade {
    /// It.
    pub agency: Agency,
    /// Its first user.
    pub admin: crate::User,
}

/// What is to change of an agency; what is none or empty stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgencyChange {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `full` or `api_only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscription_type: Option<String>,
    /// Its calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The currency of its wallets, while nothing was moved in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Whether only whitelisted addresses are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_whitelist_enabled: Option<bool>,
    /// Put on the whitelist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub whitelist_add: Vec<String>,
    /// Taken off it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub whitelist_remove: Vec<String>,
    /// The only suppliers it may buy from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppliers: Option<Vec<String>>,
    /// It may buy from all suppliers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_suppliers: Option<bool>,
}

/// A user of an agency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgencyUser {
    /// Their id.
    pub id: Uuid,
    /// With what they log in.
    pub username: String,
    /// Their e-mail address.
    pub email: String,
    /// Their name.
    pub name: String,
    /// Their telephone number; may be empty.
    pub phone: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: Standing,
    /// The agency's id.
    pub org_id: Uuid,
    /// Their human-readable code.
    pub sub_agent_id: String,
    /// When they were added, UTC.
    pub created_at: DateTime<Utc>,
    /// Their last log-in, UTC.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// A password that is told once.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct NewPassword {
    /// It.
    #[serde(deserialize_with = "secret")]
    pub password: SecretString,
}

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
