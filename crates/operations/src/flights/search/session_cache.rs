//! Searches as they are kept, so that their offers can be priced and booked: what suppliers said, and what of it the
//! caller was shown.

use std::{sync::Arc, time::Duration};

use moka::{future::Cache, policy::EvictionPolicy};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{OrganizationId, SearchId, UserId};
use wayfare_flights::{FoundOffer, Query};

use super::{offer_cache::Heard, session_redis::SharedSearches};
use crate::{Caller, Error, Redis, Result};

/// Offers that are kept in memory at most, over all searches.
const KEPT_OFFERS: u64 = 200_000;

/// A search as it is kept. It grows by one part for each supplier that answers; an offer keeps its place.
#[derive(Clone, Debug)]
pub struct KeptSearch {
    pub(crate) id: SearchId,
    pub(crate) organization: OrganizationId,
    pub(crate) user: UserId,
    pub(crate) query: Arc<Query>,
    parts: Vec<Arc<KeptPart>>,
}

/// What one supplier said, and what the caller was shown of it.
#[derive(Debug)]
pub struct KeptPart {
    /// The place of its first offer among all of the search.
    pub(crate) first: usize,
    pub(crate) heard: Arc<Heard>,
    /// One for each offer of the answer; none for one that was not shown.
    pub(crate) shown: Vec<Option<Shown>>,
}

/// An offer's amounts as the search showed them, in the wallet's currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// T.
    pub total: Decimal,
    pub agent_fare: Decimal,
}

/// One offer that was shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptOffer<'a> {
    pub heard: &'a Heard,
    pub offer: &'a FoundOffer,
    pub shown: Shown,
}

impl<'a> KeptOffer<'a> {
    /// The supplier's code.
    pub(crate) fn supplier(&self) -> &'a str {
        &self.heard.supplier
    }
}

impl KeptSearch {
    pub(crate) fn new(id: SearchId, organization: OrganizationId, user: UserId, query: Arc<Query>) -> Self {
        Self {
            id,
            organization,
            user,
            query,
            parts: Vec::new(),
        }
    }

    /// How many offers it keeps, and where the next part's begin.
    pub fn offers(&self) -> usize {
        self.parts.iter().map(|part| part.shown.len()).sum()
    }

    pub(crate) fn extend(&mut self, part: Option<Arc<KeptPart>>) {
        self.parts.extend(part);
    }

    /// The offer at this place among all.
    ///
    /// # Errors
    /// [`Error::NotFound`] when none was shown there, [`Error::OfferExpired`] when that part of the search is lost.
    pub(crate) fn offer(&self, index: u32) -> Result<KeptOffer<'_>> {
        let index = usize::try_from(index).map_err(|_| Error::NotFound)?;
        for part in &self.parts {
            let place = index.checked_sub(part.first);
            if let Some((place, shown)) = place.and_then(|place| Some((place, part.shown.get(place)?))) {
                let offer = part.heard.found.offers.get(place).zip(*shown);
                let (offer, shown) = offer.ok_or(Error::NotFound)?;
                return Ok(KeptOffer {
                    heard: &part.heard,
                    offer,
                    shown,
                });
            }
        }
        Err(Error::OfferExpired)
    }
}

/// Every search that can still be priced.
pub(crate) struct Searches {
    own: Cache<SearchId, Arc<KeptSearch>>,
    shared: Option<SharedSearches>,
}

impl Searches {
    /// Keeps searches for so long: in this process, and where other processes find them.
    pub(crate) fn new(validity: Duration, redis: Option<Arc<Redis>>) -> Self {
        Self {
            shared: redis.map(|redis| SharedSearches::new(redis, validity)),
            own: Cache::builder()
                .weigher(|_, kept: &Arc<KeptSearch>| u32::try_from(kept.offers().max(1)).unwrap_or(u32::MAX))
                .max_capacity(KEPT_OFFERS)
                // The usual policy keeps what was asked for often and would turn a new search away at once.
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(validity)
                .build(),
        }
    }

    /// Keeps the search as it stands now, with this newest part, in place of what it was before.
    pub(crate) async fn keep(&self, search: &KeptSearch, newest: &KeptPart) {
        self.own.insert(search.id, Arc::new(search.clone())).await;
        if let Some(shared) = &self.shared {
            shared.add(search, newest).await;
        }
    }

    /// Whether this search is the first that wants to buy of the answer.
    pub(crate) async fn is_claimed_by(&self, heard: &Heard, search: SearchId) -> bool {
        let shared = match &self.shared {
            Some(shared) => shared.is_claimed_by(heard.id, search).await,
            None => None,
        };
        // In both books: Redis may go and come between two buyers.
        heard.is_claimed_by(search) && shared.unwrap_or(true)
    }

    /// The search of this id, if it is this caller's.
    ///
    /// # Errors
    /// [`Error::OfferExpired`] for one that is no longer kept, [`Error::NotFound`] for somebody else's.
    pub(crate) async fn of(&self, caller: &Caller, id: SearchId) -> Result<Arc<KeptSearch>> {
        let kept = match (self.own.get(&id).await, &self.shared) {
            (Some(own), _) => Some(own),
            (None, Some(shared)) => shared.find(id).await.map(Arc::new),
            (None, None) => None,
        };
        // An unexpired id whose search is gone: the process was restarted or had to make room.
        let kept = kept.ok_or(Error::OfferExpired)?;
        if (kept.organization, kept.user) != (caller.organization(), caller.user()) {
            return Err(Error::NotFound);
        }
        Ok(kept)
    }
}
