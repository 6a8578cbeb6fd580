//! An organization's users (docs/API.md, Users).

use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{NewUser, User, UserChange, UserRow};

use crate::{
    Keyed,
    call::Ask,
    enums::{Role, Standing},
    error::Result,
    list::List,
    session::part_of_session,
};

/// Which users are wanted; none is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserFilter {
    /// With this role.
    pub role: Option<Role>,
    /// In this standing.
    pub status: Option<Standing>,
}

part_of_session! {
    /// The organization's users, for its admins.
    Users, users
}

#[boxed]
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
