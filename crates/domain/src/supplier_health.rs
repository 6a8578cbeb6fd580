//! What is said of how a supplier does.

crate::word_enum! {
    /// Whether a supplier's circuit breaker lets calls through.
    pub enum BreakerState {
        /// All of them.
        Closed,
        /// None for a while: the supplier fails again and again, or the probe that finds out whether it is back is on its way.
        Open,
        /// The next one, as the probe.
        HalfOpen,
    }
}

impl BreakerState {
    /// Whether all calls go through.
    pub fn lets_all_through(self) -> bool {
        self == Self::Closed
    }
}
