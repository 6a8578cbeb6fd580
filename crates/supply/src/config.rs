//! A supplier instance is configuration.

use std::time::Duration;

use secrecy::SecretString;

/// How one supplier is reached and how long it may think.
#[derive(Clone, Debug)]
pub struct SupplierConfig {
    /// The opaque provider code that clients see (`duffel`).
    pub code: String,
    /// Where its API answers, without a trailing slash.
    pub base_url: String,
    /// What proves us to it.
    pub token: SecretString,
    /// How long a call that only reads may take.
    pub read_deadline: Duration,
    /// How long a call that changes something may take.
    pub effect_deadline: Duration,
    /// The supplier's longest processing time: until then a look-up that finds nothing means "not yet".
    pub processing_time: Duration,
}
