//! The classes of travel.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, VariantNames};

/// The class of travel.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    AsRefStr,
    EnumString,
    VariantNames,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Cabin {
    /// Economy.
    Economy,
    /// Premium economy.
    PremiumEconomy,
    /// Business.
    Business,
    /// First.
    First,
}
