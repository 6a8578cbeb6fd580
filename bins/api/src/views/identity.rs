//! Users and tokens.

use chrono::{DateTime, Utc};
use serde::Serialize;
use wayfare_domain::{Account, Amount, OrganizationId, Role, Standing, UserId};
use wayfare_operations::{
    identity::{self, SignedIn},
    profile,
};

/// A log-in's answer.
#[derive(Serialize)]
pub struct LogIn {
    user: SignedInUser,
    tokens: Tokens,
    agent_id: String,
}

#[derive(Serialize)]
struct SignedInUser {
    id: UserId,
    username: String,
    email: String,
    name: String,
    role: Role,
    status: Standing,
    org_id: OrganizationId,
    sub_agent_id: String,
}

#[derive(Serialize)]
struct Tokens {
    access_token: String,
    refresh_token: String,
    expires_in_seconds: i64,
}

impl From<identity::Tokens> for Tokens {
    fn from(tokens: identity::Tokens) -> Self {
        Self {
            access_token: tokens.access,
            refresh_token: tokens.refresh,
            expires_in_seconds: tokens.expires_in_seconds,
        }
    }
}

/// The answer of a refresh: it names nobody (contract, authentication endpoints).
#[derive(Serialize)]
pub struct Refreshed {
    user: Option<SignedInUser>,
    tokens: Tokens,
}

impl From<identity::Tokens> for Refreshed {
    fn from(tokens: identity::Tokens) -> Self {
        Self {
            user: None,
            tokens: tokens.into(),
        }
    }
}

impl From<SignedIn> for LogIn {
    fn from(SignedIn { account, tokens }: SignedIn) -> Self {
        Self {
            agent_id: account.agency_code.to_string(),
            user: SignedInUser {
                id: account.id,
                username: account.username,
                email: account.email,
                name: account.name,
                role: account.role,
                status: account.standing,
                org_id: account.organization,
                sub_agent_id: account.sub_agent_id,
            },
            tokens: tokens.into(),
        }
    }
}

/// The own profile.
#[derive(Serialize)]
pub struct Profile<'a> {
    id: UserId,
    username: &'a str,
    email: &'a str,
    name: &'a str,
    phone: &'a str,
    role: Role,
    status: Standing,
    org_id: OrganizationId,
    sub_agent_id: &'a str,
    created_at: DateTime<Utc>,
    last_login_at: Option<DateTime<Utc>>,
}

impl<'a> From<&'a Account> for Profile<'a> {
    fn from(account: &'a Account) -> Self {
        Self {
            id: account.id,
            username: &account.username,
            email: &account.email,
            name: &account.name,
            phone: &account.phone,
            role: account.role,
            status: account.standing,
            org_id: account.organization,
            sub_agent_id: &account.sub_agent_id,
            created_at: account.created_at,
            last_login_at: account.last_login_at,
        }
    }
}

/// A user as a list shows them.
#[derive(Serialize)]
pub struct UserRow {
    id: UserId,
    username: String,
    email: String,
    name: String,
    role: Role,
    status: Standing,
    created_at: DateTime<Utc>,
}

impl From<Account> for UserRow {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            username: account.username,
            email: account.email,
            name: account.name,
            role: account.role,
            status: account.standing,
            created_at: account.created_at,
        }
    }
}

/// A user in full, as admins see them.
#[derive(Serialize)]
pub struct User {
    id: UserId,
    username: String,
    email: String,
    name: String,
    phone: String,
    role: Role,
    status: Standing,
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
            status: account.standing,
            org_id: account.organization,
            sub_agent_id: account.sub_agent_id,
            created_at: account.created_at,
        }
    }
}

/// A user's own figures, in the currency of their wallet.
#[derive(Serialize)]
pub struct Stats {
    total_bookings: i64,
    confirmed_bookings: i64,
    cancelled_bookings: i64,
    total_spent: Amount,
    total_commissions: Amount,
    wallet_balance: Amount,
}

impl From<profile::Stats> for Stats {
    fn from(stats: profile::Stats) -> Self {
        let profile::Stats {
            activity,
            wallet_balance,
        } = stats;
        Self {
            total_bookings: activity.bookings,
            confirmed_bookings: activity.confirmed,
            cancelled_bookings: activity.cancelled,
            total_spent: activity.spent.number(),
            total_commissions: activity.commissions.number(),
            wallet_balance: wallet_balance.number(),
        }
    }
}
