//! Who an agency's people are and what its subscription gives them.

use chrono::{DateTime, Utc};

use crate::{AgencyCode, Currency, Network, OrganizationId, UserId, Zone};

crate::word_enum! {
    /// What a user may do in the agency.
    pub enum Role {
        /// Sees and manages the whole organization and pays from its wallet.
        OrgAdmin,
        /// Limited to own bookings, own wallet, own profile.
        Agent,
    }

    /// The organization's subscription (P-120).
    pub enum Tier {
        /// API and portal.
        Full,
        /// API and self-service only.
        ApiOnly,
    }

    /// Whether a user or an organization may act.
    pub enum AccountStatus {
        /// May act.
        Active,
        /// May not log in; tokens are dead.
        Suspended,
    }
}

impl Role {
    /// Whether users of this role manage their agency, and are told what concerns all of it: one of them at least has to stay.
    pub fn is_admin(self) -> bool {
        match self {
            Self::OrgAdmin => true,
            Self::Agent => false,
        }
    }

    /// Whether users of this role have a wallet of their own (P-5). Those who have none and buy pay from the organization's.
    pub fn has_own_wallet(self) -> bool {
        match self {
            Self::Agent => true,
            Self::OrgAdmin => false,
        }
    }
}

/// Whether it looks like an e-mail address: one at-sign with something on both sides and a dot behind it. The rest is
/// for the mail server to say.
pub fn is_email(text: &str) -> bool {
    let plain = text.is_ascii() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    plain
        && text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.contains('@')
                && host.split('.').count() >= 2
                && host.split('.').all(|p| !p.is_empty())
        })
}

/// A person of an agency, as the database knows them, without their secrets.
#[derive(Clone, Debug)]
pub struct Account {
    /// The user's id.
    pub id: UserId,
    /// The agency's id.
    pub organization: OrganizationId,
    /// The agency's public code.
    pub agency_code: AgencyCode,
    /// Unique in the agency without regard to case.
    pub username: String,
    /// Unique in the agency without regard to case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// May be empty.
    pub phone: String,
    /// What they may do.
    pub role: Role,
    /// Whether they may act.
    pub status: AccountStatus,
    /// The human-readable agent code.
    pub sub_agent_id: String,
    /// When the account was made, UTC.
    pub created_at: DateTime<Utc>,
    /// The last log-in, UTC.
    pub last_login_at: Option<DateTime<Utc>>,
}

/// An agency.
#[derive(Clone, Debug)]
pub struct Organization {
    /// The tenant that each of its rows names.
    pub id: OrganizationId,
    /// Its public code, the `agent_id` of a log-in.
    pub code: AgencyCode,
    /// As its people and the operator read it.
    pub name: String,
    /// Its name, URL-friendly and unique.
    pub slug: String,
    /// Its e-mail address.
    pub email: String,
    /// May be empty.
    pub phone: String,
    /// May be empty.
    pub address: String,
    /// ISO 3166 alpha-2.
    pub country: String,
    /// Its subscription.
    pub tier: Tier,
    /// Whether it may act.
    pub status: AccountStatus,
    /// Whether only whitelisted addresses are accepted.
    pub ip_whitelist_enabled: bool,
    /// The whitelisted addresses.
    pub whitelist: Vec<Network>,
    /// The codes of the suppliers it may buy from; none when it may buy from all.
    pub suppliers: Option<Vec<String>>,
    /// The currency of its wallets.
    pub currency: Currency,
    /// Its calendar.
    pub time_zone: Zone,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
}
