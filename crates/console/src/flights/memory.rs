//! What is kept of searches and prices for some minutes. Nothing of it is needed: what is gone is asked for again.

use std::{sync::Arc, time::Duration};

use moka::future::Cache;
use wayfare_client::flights::{FlightPrice, FlightsFound};

/// What all searches together may take.
const SEARCHES: u64 = 256 << 20;
/// What one offer takes with its flights, roughly.
const OFFER: usize = 2_000;
/// So many prices.
const QUOTES: u64 = 5_000;
/// As long as the service keeps searches unless it is told otherwise.
const LONGEST: Duration = Duration::from_secs(1_200);

/// A search as far as suppliers have answered.
#[derive(Clone)]
pub struct FoundSearch {
    pub found: Arc<FlightsFound>,
    /// Whether every supplier has answered.
    pub is_complete: bool,
}

pub struct FlightMemory {
    searches: Cache<String, FoundSearch>,
    quotes: Cache<String, Arc<FlightPrice>>,
}

impl FlightMemory {
    pub fn new() -> Self {
        let weight = |key: &String, search: &FoundSearch| {
            let bytes = key.len() + search.found.offers.len() * OFFER;
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self {
            searches: Cache::builder().max_capacity(SEARCHES).weigher(weight).time_to_live(LONGEST).build(),
            quotes: Cache::builder().max_capacity(QUOTES).time_to_live(LONGEST).build(),
        }
    }

    /// A search of a session, whose offers can still be priced.
    pub async fn search(&self, key: &str) -> Option<FoundSearch> {
        let kept = self.searches.get(key).await?;
        (kept.found.search_meta.expires_at > crate::day::now()).then_some(kept)
    }

    /// Keeps a search in the place of what was kept of it before.
    pub async fn keep_search(&self, key: String, search: FoundSearch) {
        self.searches.insert(key, search).await;
    }

    /// A price of a session that can still be booked.
    pub async fn quote(&self, key: &str) -> Option<Arc<FlightPrice>> {
        let kept = self.quotes.get(key).await?;
        (kept.expires_at > crate::day::now()).then_some(kept)
    }

    pub async fn keep_quote(&self, key: String, price: Arc<FlightPrice>) {
        self.quotes.insert(key, price).await;
    }

    /// A price that was booked, or is not good any more.
    pub async fn forget_quote(&self, key: &str) {
        self.quotes.invalidate(key).await;
    }
}
