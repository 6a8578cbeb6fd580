//! What hotels are, beside what a search tells of them: asked for in lists, and kept for a day.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{join3, ready};
use futures_util::stream::iter;
use moka::future::Cache;
use tokio::time::timeout;
use wayfare_supply::{Answer, Method, plain_text};

use super::errors::Call;
use super::send::Calls;
use super::wire::{Facts, Word};
use super::{hotel, read};
use crate::HotelResults;

/// Hotels change seldom.
const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// A hotel takes about half a kilobyte.
const MOST_HOTELS: u64 = 50_000;
/// A search waits so long for them at most, and goes without them then.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many hotels are asked for in one call: their list's own default.
const BATCH: usize = 200;
const CALLS_AT_ONCE: usize = 4;

/// Lists that hotels are described with by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Dictionary {
    HotelTypes,
    Facilities,
}

impl Dictionary {
    fn path(self) -> &'static str {
        match self {
            Self::HotelTypes => "/data/hotelTypes",
            Self::Facilities => "/data/facilities",
        }
    }
}

type Words = Arc<HashMap<u64, String>>;

/// The keeper of them.
#[derive(Clone, Debug)]
pub(super) struct KeptFacts {
    /// By the hotel's id. A hotel that their list does not know has an entry without facts.
    hotels: Cache<String, Arc<Facts>>,
    dictionaries: Cache<Dictionary, Words>,
}

impl KeptFacts {
    pub fn new() -> Self {
        let hotels = Cache::builder().time_to_live(KEPT_FOR).max_capacity(MOST_HOTELS);
        let dictionaries = Cache::builder().time_to_live(KEPT_FOR).max_capacity(2);
        Self { hotels: hotels.build(), dictionaries: dictionaries.build() }
    }

    /// Tells of the hotels what the search did not. What can't be had in time is not told.
    pub async fn tell(&self, calls: &Calls, found: &mut HotelResults) {
        let mut missing = Vec::new();
        for hotel in &found.hotels {
            if !self.hotels.contains_key(&hotel.id) {
                missing.push(hotel.id.as_str());
            }
        }
        if timeout(PATIENCE, self.ask(calls, &missing)).await.is_err() {
            tracing::warn!("hotels are told without all their facts: they take too long");
        }
        let types = self.dictionaries.get(&Dictionary::HotelTypes).await;
        let facilities = self.dictionaries.get(&Dictionary::Facilities).await;
        for found in &mut found.hotels {
            let Some(facts) = self.hotels.get(&found.id).await else { continue };
            hotel::tell(found, &facts);
            let kind = facts.hotel_type_id.and_then(|id| types.as_ref()?.get(&id));
            found.property_type = kind.and_then(|name| hotel::property_type(name));
            if let (Some(ids), Some(facilities)) = (&facts.facility_ids, &facilities) {
                found.amenities = ids.iter().filter_map(|id| facilities.get(id)).cloned().collect();
            }
        }
    }

    async fn ask(&self, calls: &Calls, missing: &[&str]) {
        let mut batches = Vec::new();
        for batch in missing.chunks(BATCH) {
            batches.push(self.ask_hotels(calls, batch));
        }
        let hotels = iter(batches).buffer_unordered(CALLS_AT_ONCE).for_each(|()| ready(()));
        let types = self.ask_words(calls, Dictionary::HotelTypes);
        join3(hotels, types, self.ask_words(calls, Dictionary::Facilities)).await;
    }

    async fn ask_hotels(&self, calls: &Calls, ids: &[&str]) {
        let request = calls
            .request(Method::GET, "/data/hotels")
            .query(&[("hotelIds", ids.join(",")), ("limit", ids.len().to_string())]);
        match calls.ask(request, Call::Facts).await.and_read(|body| read::facts(&body)) {
            Answer::Done(all) => {
                let mut by_id: HashMap<String, Facts> =
                    all.into_iter().map(|facts| (facts.id.clone(), facts)).collect();
                for &id in ids {
                    let facts = by_id.remove(id).unwrap_or_default();
                    self.hotels.insert(id.to_owned(), Arc::new(facts)).await;
                }
            }
            failed => note("/data/hotels", &failed),
        }
    }

    async fn ask_words(&self, calls: &Calls, dictionary: Dictionary) {
        if self.dictionaries.contains_key(&dictionary) {
            return;
        }
        let request = calls.request(Method::GET, dictionary.path());
        match calls.ask(request, Call::Facts).await.and_read(|body| read::words(&body)) {
            Answer::Done(all) => {
                let word = |Word { id, name }: Word| Some((id, plain_text::name(&name)?.into_owned()));
                let words = all.into_iter().filter_map(word).collect();
                self.dictionaries.insert(dictionary, Arc::new(words)).await;
            }
            failed => note(dictionary.path(), &failed),
        }
    }
}

fn note<T>(path: &str, failed: &Answer<T>) {
    let reason = failed.problem().unwrap_or_default();
    tracing::warn!(path, reason, "hotels are told without all their facts");
}
