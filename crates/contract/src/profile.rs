//! The user who is logged in.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::Amount;

/// Another password of one's own.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangePasswordRequest"))]
pub struct ChangePassword {
    /// The password as it is now.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub current_password: SecretString,
    /// The password from now on: 8 to 128 characters.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub new_password: SecretString,
}

/// A user's own figures, in the currency of their wallet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OwnStats"))]
pub struct Stats {
    /// The caller's own bookings, in any status.
    pub total_bookings: i64,
    /// How many of them are confirmed.
    pub confirmed_bookings: i64,
    /// How many of them are cancelled.
    pub cancelled_bookings: i64,
    /// What was paid less what was refunded.
    pub total_spent: Amount,
    /// Of what was spent what is not fare: seats, bags, meals.
    #[serde(default)]
    pub total_ancillaries: Amount,
    /// What the caller earned.
    pub total_commissions: Amount,
    /// What the wallet that the caller pays from has.
    pub wallet_balance: Amount,
}
