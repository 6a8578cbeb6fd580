//! Search sessions of flights: what suppliers answered and what the caller was shown of it, so that offers can be priced
//! and booked.

use std::{sync::Arc, time::Duration};

use moka::{future::Cache, policy::EvictionPolicy};
use wayfare_domain::{AnswerId, SearchId};

use super::{
    offer_cache::CachedOffers,
    session::{SearchSession, SessionPart},
    session_redis::SessionRedis,
};
use crate::{Caller, Error, Redis, Result};

/// Offers that are kept in memory at most, over all searches.
const MOST_OFFERS: u64 = 200_000;

/// Answers of which an order was made that are remembered at most: more than bookings in the time that searches live.
const MOST_SPENT: u64 = 100_000;

/// Every search that can still be priced: in this process, and in Redis for the others.
pub(crate) struct SearchSessions {
    own: Cache<SearchId, Arc<SearchSession>>,
    /// Single-use answers of which an order was made.
    spent: Cache<AnswerId, ()>,
    shared: Option<SessionRedis>,
}

impl SearchSessions {
    /// Keeps each search for so long.
    pub(crate) fn new(validity: Duration, redis: Option<Arc<Redis>>) -> Self {
        Self {
            shared: redis.map(|redis| SessionRedis::new(redis, validity)),
            spent: Cache::builder()
                .max_capacity(MOST_SPENT)
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(validity)
                .build(),
            own: Cache::builder()
                .weigher(|_, session: &Arc<SearchSession>| {
                    u32::try_from(session.offer_count().max(1)).unwrap_or(u32::MAX)
                })
                .max_capacity(MOST_OFFERS)
                // The usual policy keeps what was asked for often and would turn a new search away at once.
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(validity)
                .build(),
        }
    }

    /// Stores the search as it is now, with this newest part, in place of what it was before.
    pub(crate) async fn store(&self, session: &SearchSession, newest: &SessionPart) {
        self.own.insert(session.id, Arc::new(session.clone())).await;
        if let Some(shared) = &self.shared {
            shared.add_part(session, newest).await;
        }
    }

    /// Says that an order is made of this answer: nobody buys of it any more, nor does the search that has reserved it.
    pub(crate) async fn spend(&self, answer: AnswerId) {
        self.spent.insert(answer, ()).await;
        if let Some(shared) = &self.shared {
            shared.spend(answer).await;
        }
    }

    /// Whether this search is the first that wants to buy of the answer, and has not bought of it yet.
    pub(crate) async fn reserve_for(&self, cached: &CachedOffers, search: SearchId) -> bool {
        if self.spent.contains_key(&cached.id) {
            return false;
        }
        let shared = match &self.shared {
            Some(shared) => shared.reserve_for(cached.id, search).await,
            None => None,
        };
        // Reserved in both places: Redis may go and come between two buyers.
        cached.reserve_for(search) && shared.unwrap_or(true)
    }

    /// The search of this id, if it is this caller's.
    ///
    /// # Errors
    /// [`Error::OfferExpired`] for one that is no longer kept, [`Error::NotFound`] for somebody else's.
    pub(crate) async fn find(&self, caller: &Caller, id: SearchId) -> Result<Arc<SearchSession>> {
        let session = match (self.own.get(&id).await, &self.shared) {
            (Some(own), _) => Some(own),
            (None, Some(shared)) => shared.find(id).await.map(Arc::new),
            (None, None) => None,
        };
        // An unexpired id whose search is gone: the process was restarted or had to make room.
        let session = session.ok_or(Error::OfferExpired)?;
        if (session.organization, session.user) != (caller.organization(), caller.user()) {
            return Err(Error::NotFound);
        }
        Ok(session)
    }
}
