//! An agency's audit log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;
use uuid::Uuid;

/// Who does things: a user of the agency, the operator, the service itself.
pub const ACTOR_TYPES: &[&str] = &["org_user", "operator", "system"];

/// Kinds of things that something is done to.
pub const ENTITY_TYPES: &[&str] = &[
    "booking",
    "contract",
    "exception",
    "hotel_package",
    "organization",
    "package",
    "report",
    "session",
    "setting",
    "terms",
    "user",
    "wallet",
    "webhook",
];

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditEntry {
    /// The entry's id.
    pub id: Uuid,
    /// The user who did it; "" for the operator and the service itself.
    pub actor_id: String,
    /// Who did it: a user of the agency, the operator, or the service itself.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ACTOR_TYPES)))]
    pub actor_type: String,
    /// The user's agency; "" for the operator and the service itself.
    pub actor_org_id: String,
    /// What happened: a dotted name such as `booking.confirmed`.
    pub action: String,
    /// The kind of thing that was changed.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ENTITY_TYPES)))]
    pub entity_type: String,
    /// The thing that was changed, by its id or public reference.
    pub entity_id: String,
    /// What it was before; null where there was nothing.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    pub old_value: Option<Value>,
    /// What it is now, or what happened; null where nothing is to be said.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    pub new_value: Option<Value>,
    /// From which address; "" where nobody called.
    pub ip_address: String,
    /// With which program; "" where it didn't say.
    pub user_agent: String,
    /// When it happened.
    pub created_at: DateTime<Utc>,
}
