//! What the operator sees and changes of the people of agencies.

use diesel_async::AsyncConnection;
use secrecy::{ExposeSecret, SecretString};
use wayfare_boxed::boxed;
use wayfare_contract::operator::AgencyUser;
use wayfare_domain::{Account, AccountStatus, AgencyCode, EventKind, Organization};

use super::{agency_of, user_of};
use crate::{
    Platform, Result,
    access::{
        operators::{By, ConfirmedAdmin},
        password,
        users::{self, Changes},
    },
    tools::audit_event,
};

/// The agency's people who are not deleted, in the order in which they came.
///
/// # Errors
/// [`Error::NotFound`](crate::Error::NotFound) for an unknown agency.
#[boxed]
pub async fn users(platform: &Platform, agency: &AgencyCode) -> Result<Vec<AgencyUser>> {
    let mut connection = platform.core.database.connection().await?;
    let organization = agency_of(&mut connection, agency).await?;
    let all = wayfare_store::access::users::all(&mut connection, &organization).await?;
    Ok(all.into_iter().map(shown).collect())
}

pub fn shown(account: Account) -> AgencyUser {
    AgencyUser {
        id: account.id.uuid(),
        username: account.username,
        email: account.email,
        name: account.name,
        phone: account.phone,
        role: account.role.as_ref().into(),
        status: account.status.as_ref().into(),
        org_id: account.organization.uuid(),
        sub_agent_id: account.sub_agent_id,
        created_at: account.created_at,
        last_login_at: account.last_login_at,
    }
}

/// Suspends or activates a user. Suspending ends their sessions: activated again, they log in anew.
///
/// # Errors
/// [`Error::NotFound`](crate::Error::NotFound) for an unknown agency or user, [`Error::LastAdmin`](crate::Error::LastAdmin).
#[boxed]
pub async fn set_user_status(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    agency: &AgencyCode,
    username: &str,
    status: AccountStatus,
) -> Result<()> {
    let (organization, user) = find(platform, agency, username).await?;
    let changes = Changes { status: Some(status), ..Changes::default() };
    users::change_account(&platform.core, &organization, by.actor(), user.id, changes).await?;
    Ok(())
}

/// Gives a user another password and ends their sessions. Until they have set one of their own they move no money and give no
/// power (D-611).
///
/// # Errors
/// [`Error::NotFound`](crate::Error::NotFound) for an unknown agency or user, [`Error::Invalid`](crate::Error::Invalid) for a password that can't be one.
#[boxed]
pub async fn reset_password(
    platform: &Platform,
    by: By<ConfirmedAdmin>,
    agency: &AgencyCode,
    username: &str,
    new: SecretString,
) -> Result<()> {
    let (_, user) = find(platform, agency, username).await?;
    password::check("password", new.expose_secret(), [&user.username, &user.email])?;
    // Hashing takes its time: not in the transaction.
    let hash = password::hash(&platform.access, new).await?;
    let mut connection = platform.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            wayfare_store::access::users::give_password(connection, &user, &hash, platform.core.clock.now())
                .await?;
            wayfare_store::access::users::end_sessions(connection, &user).await?;
            let event =
                users::event(&platform.core, by.actor(), &user, EventKind::UserPasswordReset, (None, None));
            audit_event::write(connection, &event).await
        })
        .await
}

async fn find(platform: &Platform, agency: &AgencyCode, username: &str) -> Result<(Organization, Account)> {
    let mut connection = platform.core.database.connection().await?;
    let organization = agency_of(&mut connection, agency).await?;
    let user = user_of(&mut connection, &organization, username).await?;
    Ok((organization, user))
}
