//! Proofs of the ledger.

crate::word_enum! {
    /// How far a ledger verification is.
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
