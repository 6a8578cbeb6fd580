//! Users as answers show them.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Account, AccountStatus, OrganizationId, Role, UserId};

/// What every short view of a user begins with.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "UserHead")]
struct Head {
    id: UserId,
    username: String,
    email: String,
    name: String,
    role: Role,
    status: AccountStatus,
}

#[derive(Serialize, JsonSchema)]
pub struct SignedInUser {
    #[serde(flatten)]
    head: Head,
    org_id: OrganizationId,
    sub_agent_id: String,
}

impl From<Account> for SignedInUser {
    fn from(account: Account) -> Self {
        Self {
            org_id: account.organization,
            sub_agent_id: account.sub_agent_id.clone(),
            head: account.into(),
        }
    }
}

impl From<Account> for Head {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            username: account.username,
            email: account.email,
            name: account.name,
            role: account.role,
            status: account.status,
        }
    }
}

/// The own profile.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OwnProfile")]
pub struct Profile {
    #[serde(flatten)]
    user: User,
    last_login_at: Option<DateTime<Utc>>,
}

impl From<Account> for Profile {
    fn from(account: Account) -> Self {
        Self { last_login_at: account.last_login_at, user: account.into() }
    }
}

/// A user as a list shows them.
#[derive(Serialize, JsonSchema)]
pub struct UserRow {
    #[serde(flatten)]
    head: Head,
    created_at: DateTime<Utc>,
}

impl From<Account> for UserRow {
    fn from(account: Account) -> Self {
        Self { created_at: account.created_at, head: account.into() }
    }
}

/// A user in full, as admins see them.
#[derive(Serialize, JsonSchema)]
pub struct User {
    id: UserId,
    username: String,
    email: String,
    name: String,
    phone: String,
    role: Role,
    status: AccountStatus,
    org_id: OrganizationId,
    sub_agent_id: String,
    created_at: DateTime<Utc>,
}

impl From<Account> for User {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            username: account.username,
            email: account.email,
            name: account.name,
            phone: account.phone,
            role: account.role,
            status: account.status,
            org_id: account.organization,
            sub_agent_id: account.sub_agent_id,
            created_at: account.created_at,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use serde_json::to_string;
    use wayfare_domain::{AgencyCode, Clock};

    use super::*;

    fn account() -> Account {
        let clock = Clock::frozen_at("2026-03-01T09:30:00Z".parse().unwrap());
        Account {
            id: UserId::from_uuid(uuid::Uuid::from_u128(2)),
            organization: OrganizationId::from_uuid(uuid::Uuid::from_u128(1)),
            agency_code: AgencyCode::random(),
            username: "asha".to_owned(),
            email: "asha@sunrise.example".to_owned(),
            name: "Asha Rao".to_owned(),
            phone: "+91".to_owned(),
            role: Role::Agent,
            status: AccountStatus::Active,
            sub_agent_id: "WF7K2M9Q-A0003".to_owned(),
            created_at: clock.now(),
            last_login_at: None,
        }
    }

    #[test]
    fn what_views_share_stands_where_it_always_stood() {
        let id = r#"{"id":"00000000-0000-0000-0000-000000000002","username":"asha","email":"asha@sunrise.example","name":"Asha Rao""#;
        let role = r#""role":"agent","status":"active""#;
        let agency = r#""org_id":"00000000-0000-0000-0000-000000000001","sub_agent_id":"WF7K2M9Q-A0003""#;
        let at = r#""created_at":"2026-03-01T09:30:00Z""#;
        assert_eq!(to_string(&SignedInUser::from(account())).unwrap(), format!("{id},{role},{agency}}}"));
        assert_eq!(to_string(&UserRow::from(account())).unwrap(), format!("{id},{role},{at}}}"));
        assert_eq!(
            to_string(&User::from(account())).unwrap(),
            format!(r#"{id},"phone":"+91",{role},{agency},{at}}}"#)
        );
        assert_eq!(
            to_string(&Profile::from(account())).unwrap(),
            format!(r#"{id},"phone":"+91",{role},{agency},{at},"last_login_at":null}}"#)
        );
    }
}
