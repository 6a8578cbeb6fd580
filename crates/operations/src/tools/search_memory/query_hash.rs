//! The name of a query to a supplier, the same at every server.

use std::fmt;

use secrecy::ExposeSecret;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use wayfare_supply::SupplierConfig;

use crate::{Result, Secrets};

/// A keyed hash of what a supplier is asked and how it is reached: servers that are set otherwise, and other installations
/// that use the same Redis, don't take each other's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QueryHash(u128);

impl QueryHash {
    /// Of this query to this supplier.
    ///
    /// # Errors
    /// When the query can't be written as JSON.
    pub(crate) fn of(secrets: &Secrets, supplier: &SupplierConfig, query: &impl Serialize) -> Result<Self> {
        let content = serde_json::to_vec(&(
            &supplier.code,
            &supplier.base_url,
            supplier.token.expose_secret(),
            supplier.currency.map(|currency| currency.to_string()),
            format!("{:?}", supplier.city_codes),
            query,
        ))?;
        let hash = secrets.mac("supplier query", &content);
        let first = hash.iter().take(16);
        Ok(Self(first.fold(0, |number, byte| number << 8 | u128::from(*byte))))
    }

    /// Where Redis has the name of the answer.
    pub(crate) fn answer_key(self) -> String {
        format!("wayfare:query:{self}")
    }

    /// Where Redis has the lease of whoever asks.
    pub(crate) fn lease_key(self) -> String {
        format!("wayfare:query-lease:{self}")
    }
}

impl fmt::Display for QueryHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

impl Serialize for QueryHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for QueryHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = u128::from_str_radix(&text, 16);
        number.map(Self).map_err(de::Error::custom)
    }
}

/// A cache of suppliers' answers.
pub(crate) trait Forgets: Send + Sync {
    /// Forgets the answer to this query, where it has one.
    fn forget(&self, query: QueryHash);
}
