//! Events: one for each write, from which the audit log, notifications and webhooks are made.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde_json::Value;
use strum::{AsRefStr, EnumString, IntoStaticStr};

use crate::{EventId, OrganizationId, UserId};

/// What kind of hand did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ActorKind {
    /// A user of the agency.
    OrgUser,
    /// The company that runs the service.
    Operator,
    /// The service itself: recovery, expiry.
    System,
}

/// Where a request came from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The client's address; none for the operator and the service itself.
    pub address: Option<IpAddr>,
    /// The client's user agent, cut to 512 characters.
    pub user_agent: String,
    /// The `X-Request-Id`.
    pub request_id: String,
}

/// Who did it, from where.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The kind of hand.
    pub kind: ActorKind,
    /// The user; none for the operator and the service itself.
    pub user: Option<UserId>,
    /// From where.
    pub origin: Origin,
}

impl Actor {
    /// The operator at the command line.
    pub fn operator() -> Self {
        Self {
            kind: ActorKind::Operator,
            user: None,
            origin: Origin::default(),
        }
    }

    /// The service itself.
    pub fn system() -> Self {
        Self {
            kind: ActorKind::System,
            user: None,
            origin: Origin::default(),
        }
    }
}

/// One change, written in the change's own transaction. Secrets never stand in it.
#[derive(Clone, Debug)]
pub struct AuditEvent {
    /// Its id, which sorts by time.
    pub id: EventId,
    /// The agency it belongs to.
    pub organization: OrganizationId,
    /// Who did it.
    pub actor: Actor,
    /// A dotted name such as `booking.confirmed`; the list stands in `docs/API.md`.
    pub action: &'static str,
    /// What kind of thing changed, such as `booking`.
    pub entity_type: &'static str,
    /// The thing's id or public reference.
    pub entity_id: String,
    /// What it was, where it was something.
    pub old_value: Option<Value>,
    /// What it is now, where it still is.
    pub new_value: Option<Value>,
    /// When, UTC.
    pub at: DateTime<Utc>,
}
