//! Audit events: one for each write. The audit log reads them; notifications and integration events are made from them.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::{EventId, EventKind, OperatorId, OrganizationId, UserId};

crate::word_enum! {
    /// What kind of hand did it.
    pub enum ActorKind {
        /// A user of the agency.
        OrgUser,
        /// The company that runs the service.
        Operator,
        /// The service itself: recovery, expiry.
        System,
    }
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
    /// Which operator; none at the command line, for users and the service itself.
    pub operator: Option<OperatorId>,
    /// Address, program and request id that it came from.
    pub origin: Origin,
}

impl Actor {
    /// The operator at the command line.
    pub fn operator() -> Self {
        Self { kind: ActorKind::Operator, user: None, operator: None, origin: Origin::default() }
    }

    /// The service itself.
    pub fn system() -> Self {
        Self { kind: ActorKind::System, user: None, operator: None, origin: Origin::default() }
    }
}

/// One change, written in the change's own transaction. Secrets never stand in it.
#[derive(Clone, Debug)]
pub struct AuditEvent {
    /// Its id, which sorts by time.
    pub id: EventId,
    /// The agency it belongs to.
    pub organization: OrganizationId,
    /// Who did it: a user, an operator or the service.
    pub actor: Actor,
    /// What happened, and to what kind of thing.
    pub action: EventKind,
    /// The thing's id or public reference.
    pub entity_id: String,
    /// What it was, where it was something.
    pub old_value: Option<Value>,
    /// What it is now, where it still is.
    pub new_value: Option<Value>,
    /// The moment of its transaction, UTC.
    pub at: DateTime<Utc>,
}

impl AuditEvent {
    /// Says one thing more of what it is now; nothing of what is not any more.
    pub fn add(&mut self, name: &str, value: impl Into<Value>) {
        if let Some(Value::Object(values)) = &mut self.new_value {
            values.insert(name.to_owned(), value.into());
        }
    }
}

#[cfg(test)]
impl AuditEvent {
    /// An event of a booking that the service wrote.
    pub(crate) fn sample(action: EventKind, new_value: Value) -> Self {
        let at = "2026-03-01T00:00:00Z".parse().unwrap();
        Self {
            id: EventId::at(at),
            organization: OrganizationId::at(at),
            actor: Actor::system(),
            action,
            entity_id: "FA-7K2M9QX4".to_owned(),
            old_value: None,
            new_value: Some(new_value),
            at,
        }
    }
}
