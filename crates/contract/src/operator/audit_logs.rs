//! Who did what: in an agency, as its own audit log has it, and beside agencies.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;
use uuid::Uuid;

use crate::AuditEntry;

/// An entry of an agency's audit log with the name of whoever did it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedAuditEntry {
    /// The username of a user, an operator's name; null at the command line, for the service itself and whoever is gone.
    pub by: Option<String>,
    /// The entry.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

/// Something that was done about an operator, a supplier or an exchange rate, which are of no agency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperatorEvent {
    /// Its id.
    pub id: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// Who did it; null at the command line, and where nobody has proven to be one.
    pub by: Option<NamedOperator>,
    /// What: `supplier.closed`.
    pub action: String,
    /// About whom; null where it is about no operator.
    pub operator: Option<NamedOperator>,
    /// What became of it.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub details: Value,
    /// From where; empty where that is not written down.
    pub ip_address: String,
}

/// An operator, by the name that they have now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedOperator {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
}
