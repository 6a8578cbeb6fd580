//! Reports: files that are made of what the database knows.

crate::word_enum! {
    /// What a report tells (P-36).
    pub enum ReportKind {
        /// Each movement of money for a booking.
        Sales,
        /// What each agent booked, paid and earned.
        AgentActivity,
        /// Each booking.
        Booking,
        /// Each transaction of a wallet.
        Wallet,
    }

    /// How far a report is (P-123).
    pub enum ReportStatus {
        /// Nobody has begun it.
        Queued,
        /// Somebody is at it, or was and will be again.
        Processing,
        /// Its file is there, or has been.
        Ready,
        /// It was given up.
        Failed,
    }
}

impl ReportKind {
    /// Whether it is about one wallet: then an agent who is asked about needs to have one.
    pub fn is_of_a_wallet(self) -> bool {
        match self {
            Self::Wallet => true,
            Self::Sales | Self::AgentActivity | Self::Booking => false,
        }
    }
}
