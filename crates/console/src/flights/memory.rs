//! A search of flights as it is kept.

use chrono::{DateTime, Utc};
use wayfare_client::flights::{FlightPrice, FlightsFound};

use crate::memory::Kept;

/// What one offer takes with its flights, roughly.
const OFFER: usize = 2_000;

/// A search as far as suppliers have answered.
pub struct FoundSearch {
    pub found: FlightsFound,
    /// Whether every supplier has answered.
    pub is_complete: bool,
}

impl Kept for FoundSearch {
    fn ends_at(&self) -> Option<DateTime<Utc>> {
        Some(self.found.search_meta.expires_at)
    }

    fn bytes(&self) -> usize {
        self.found.offers.len() * OFFER
    }
}

impl Kept for FlightPrice {
    fn ends_at(&self) -> Option<DateTime<Utc>> {
        Some(self.expires_at)
    }
}
