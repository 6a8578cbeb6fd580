//! What is kept of searches and prices of stays for some minutes. Nothing of it is needed: what is gone is asked for again.

use std::{sync::Arc, time::Duration};

use moka::future::Cache;
use wayfare_client::hotels::HotelsFound;

use super::guests::HotelQuote;

/// What all searches together may take.
const SEARCHES: u64 = 256 << 20;
/// What one hotel takes, and each rate of it, roughly.
const HOTEL: usize = 2_000;
const RATE: usize = 1_200;
/// So many prices.
const QUOTES: u64 = 5_000;
/// As long as the service keeps searches unless it is told otherwise.
const LONGEST: Duration = Duration::from_secs(1_200);

pub struct HotelMemory {
    searches: Cache<String, Arc<HotelsFound>>,
    quotes: Cache<String, Arc<HotelQuote>>,
}

impl HotelMemory {
    pub fn new() -> Self {
        let weight = |key: &String, found: &Arc<HotelsFound>| {
            let of_hotels = found.hotels.iter().map(|hotel| HOTEL + hotel.rooms.len() * RATE);
            u32::try_from(key.len() + of_hotels.sum::<usize>()).unwrap_or(u32::MAX)
        };
        Self {
            searches: Cache::builder().max_capacity(SEARCHES).weigher(weight).time_to_live(LONGEST).build(),
            quotes: Cache::builder().max_capacity(QUOTES).time_to_live(LONGEST).build(),
        }
    }

    /// A search of a session, whose rates can still be priced.
    pub async fn search(&self, key: &str) -> Option<Arc<HotelsFound>> {
        let kept = self.searches.get(key).await?;
        let is_over = kept.expires_at.is_some_and(|at| at <= crate::day::now());
        (!is_over).then_some(kept)
    }

    /// Keeps a search in the place of what was kept of it before.
    pub async fn keep_search(&self, key: String, found: Arc<HotelsFound>) {
        self.searches.insert(key, found).await;
    }

    /// A price of a session that can still be booked.
    pub async fn quote(&self, key: &str) -> Option<Arc<HotelQuote>> {
        let kept = self.quotes.get(key).await?;
        (kept.price.expires_at > crate::day::now()).then_some(kept)
    }

    pub async fn keep_quote(&self, key: String, quote: Arc<HotelQuote>) {
        self.quotes.insert(key, quote).await;
    }

    /// A price that is not good any more.
    pub async fn forget_quote(&self, key: &str) {
        self.quotes.invalidate(key).await;
    }
}
