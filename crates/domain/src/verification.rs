//! Proofs of the ledger.

use schemars::JsonSchema;

crate::word_enum! {
    /// How far a ledger verification is.
    #[derive(JsonSchema)]
    pub enum VerificationState {
        /// A server is at it.
        Running,
        /// It came to its end, whatever it found.
        Done,
        /// It broke off; the log of its server says why.
        Failed,
        /// Its server died or was stopped.
        Lost,
    }
}
