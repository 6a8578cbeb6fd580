//! An organization's users (docs/API.md, Users).

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use crate::{
    Keyed,
    call::Ask,
    enums::{Role, Standing},
    error::Result,
    list::List,
    profile::User,
    session::part_of_session,
};

/// A user in the list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct UserRow {
    /// Their id.
    pub id: Uuid,
    /// Unique in the organization.
    pub username: String,
    /// Unique in the organization.
    pub email: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: Standing,
    /// When they were made, UTC.
    pub created_at: DateTime<Utc>,
}

/// A user to be made.
#[derive(Clone, Debug, Serialize)]
pub struct NewUser {
    /// Unique in the organization.
    pub username: String,
    /// Unique in the organization.
    pub email: String,
    /// Their name.
    pub name: String,
    /// 8 to 128 characters.
    #[serde(serialize_with = "exposed")]
    pub password: SecretString,
    /// What they may do.
    pub role: Role,
    /// May be empty.
    pub phone: String,
}

/// What an admin changes of a user; what is none stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UserChange {
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Their telephone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Whether they may act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Standing>,
}

/// Which users are wanted; none is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserFilter {
    /// With this role.
    pub role: Option<Role>,
    /// In this standing.
    pub status: Option<Standing>,
}

/// A secret in a request's body, where it has to be told.
pub(crate) fn exposed<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

/// The same of a secret that may be missing.
pub(crate) fn exposed_if_any<S: Serializer>(
    secret: &Option<SecretString>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => exposed(secret, serializer),
        None => serializer.serialize_none(),
    }
}

part_of_session! {
    /// The organization's users, for its admins.
    Users, users
}

impl Users<'_> {
    /// `GET /org/users`, newest first.
    pub fn list(&self, filter: &UserFilter) -> List<UserRow> {
        let role = filter.role.as_ref().map(|role| ("role", role.to_string()));
        let status = filter.status.as_ref().map(|status| ("status", status.to_string()));
        List::of(self.0, &["org", "users"], role.into_iter().chain(status).collect())
    }

    /// `POST /org/users`. 409 when the username or the e-mail address is taken.
    pub async fn create(&self, new: &NewUser) -> Result<Keyed<User>> {
        self.0.keyed_data(self.0.effect(&["org", "users"]).body(new)?).await
    }

    /// `GET /org/users/{id}`.
    pub async fn read(&self, id: Uuid) -> Result<User> {
        self.0.data(Ask::get(&["org", "users", &id.to_string()])).await
    }

    /// `PUT /org/users/{id}`.
    pub async fn change(&self, id: Uuid, change: &UserChange) -> Result<User> {
        let ask = Ask::set(&["org", "users", &id.to_string()]);
        self.0.data(ask.body(change)?).await
    }

    /// `DELETE /org/users/{id}`: what is in their wallet goes back to the organization's. 400 while money is held for
    /// them. It is only sent again when it surely did nothing, since a second time is answered 404.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::delete(&["org", "users", &id.to_string()])).await
    }

    /// `PUT /org/users/{id}/suspend`: they are out at once.
    pub async fn suspend(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::set(&["org", "users", &id.to_string(), "suspend"])).await
    }

    /// `PUT /org/users/{id}/activate`.
    pub async fn activate(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::set(&["org", "users", &id.to_string(), "activate"])).await
    }
}
