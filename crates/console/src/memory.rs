//! What is kept of searches and prices for some minutes. Nothing of it is needed: what is gone is asked for again.

use std::{any::Any, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use moka::future::{Cache, CacheBuilder};

/// What all searches together may take, in bytes.
const SEARCHES: u64 = 256 << 20;
/// So many prices.
const QUOTES: u64 = 5_000;
/// As long as the service keeps searches unless it is told otherwise.
const LONGEST: Duration = Duration::from_secs(1_200);

/// A search or a price.
pub trait Kept: Any + Send + Sync {
    /// When it is over; none where the service does not say.
    fn ends_at(&self) -> Option<DateTime<Utc>>;

    /// What it takes, roughly.
    fn bytes(&self) -> usize {
        0
    }
}

/// Any of them: the caches are of one type, and of one make.
#[derive(Clone)]
struct Entry {
    kept: Arc<dyn Any + Send + Sync>,
    ends_at: Option<DateTime<Utc>>,
    bytes: usize,
}

/// What is kept of one product.
pub struct Memory {
    searches: Cache<String, Entry>,
    quotes: Cache<String, Entry>,
}

impl Memory {
    pub fn new() -> Self {
        let weight = |key: &String, entry: &Entry| u32::try_from(key.len() + entry.bytes).unwrap_or(u32::MAX);
        let cache = |most: u64| CacheBuilder::new(most).time_to_live(LONGEST);
        Self { searches: cache(SEARCHES).weigher(weight).build(), quotes: cache(QUOTES).build() }
    }

    /// A search of a session, of which something can still be priced.
    pub async fn search<S: Kept>(&self, key: &str) -> Option<Arc<S>> {
        of_now(self.searches.get(key).await?)
    }

    /// Keeps a search in the place of what was kept of it before.
    pub async fn keep_search<S: Kept>(&self, key: String, search: Arc<S>) {
        self.searches.insert(key, entry(search)).await;
    }

    /// A price of a session that can still be booked.
    pub async fn quote<Q: Kept>(&self, key: &str) -> Option<Arc<Q>> {
        of_now(self.quotes.get(key).await?)
    }

    pub async fn keep_quote<Q: Kept>(&self, key: String, quote: Arc<Q>) {
        self.quotes.insert(key, entry(quote)).await;
    }

    /// A price that was booked, or is not good any more.
    pub async fn forget_quote(&self, key: &str) {
        self.quotes.invalidate(key).await;
    }
}

fn entry<K: Kept>(kept: Arc<K>) -> Entry {
    Entry { ends_at: kept.ends_at(), bytes: kept.bytes(), kept }
}

fn of_now<K: Kept>(entry: Entry) -> Option<Arc<K>> {
    let is_over = entry.ends_at.is_some_and(|at| at <= crate::day::now());
    entry.kept.downcast().ok().filter(|_| !is_over)
}
