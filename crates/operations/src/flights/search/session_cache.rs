//! Search sessions of flights: what suppliers answered and what the caller was shown of it, so that offers can be priced
//! and booked.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::runtime::Handle;
use wayfare_domain::{AnswerId, SearchId};

use super::{
    offer_cache::CachedOffers,
    session::{SearchSession, SessionPart},
    session_redis::SessionRedis,
};
use crate::{
    Caller, Error, Result,
    tools::search_memory::{
        SearchMemoryBounds, SearchMemoryUse, SessionMemory,
        fair_store::{FairStore, Kept, KeptFor},
    },
};

/// Every search that can still be priced: in this process, and in Redis for the others.
pub(crate) struct SearchSessions {
    own: Arc<SessionMemory<SearchId, SearchSession>>,
    /// Single-use answers of which an order was made.
    spent: Mutex<FairStore<AnswerId, ()>>,
    validity: Duration,
    shared: Option<Arc<SessionRedis>>,
}

impl SearchSessions {
    /// Keeps each search for so long, all of them within these bounds, and for other servers where they are shared.
    pub(crate) fn new(
        validity: Duration,
        bounds: SearchMemoryBounds,
        runtime: Handle,
        shared: Option<SessionRedis>,
    ) -> Self {
        Self {
            shared: shared.map(Arc::new),
            own: SessionMemory::new("flight searches", bounds.flight_sessions(), validity, runtime),
            spent: Mutex::new(FairStore::new(bounds.spent_answers())),
            validity,
        }
    }

    /// Stores the search as it is now, with this newest part, in place of what it was before.
    pub(crate) async fn store(&self, session: &SearchSession, newest: &SessionPart) {
        self.own.store(session.id, Arc::new(session.clone())).await;
        if let Some(shared) = &self.shared {
            shared.add_part(session, newest).await;
        }
    }

    /// What is shared with other servers.
    pub(super) fn shared(&self) -> Option<&Arc<SessionRedis>> {
        self.shared.as_ref()
    }

    pub(crate) fn remove_expired(&self) {
        self.own.remove_expired();
        self.spent().remove_expired(Instant::now());
    }

    /// What is kept now: searches, and answers that were spent.
    pub(crate) fn used(&self) -> [SearchMemoryUse; 2] {
        [self.own.used(), self.spent().used("spent answers")]
    }

    fn spent(&self) -> MutexGuard<'_, FairStore<AnswerId, ()>> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that an order of this caller is made of the answer: nobody buys of it any more, nor does the search that has
    /// reserved it.
    pub(crate) async fn spend(&self, caller: &Caller, answer: AnswerId) {
        let spent = Kept {
            value: (),
            owner: KeptFor { organization: caller.organization(), user: caller.user() },
            bytes: size_of::<AnswerId>(),
            ends: Instant::now() + self.validity,
        };
        self.spent().insert(answer, spent);
        if let Some(shared) = &self.shared {
            shared.spend(answer).await;
        }
    }

    /// Whether this search is the first that wants to buy of the answer, and has not bought of it yet.
    pub(crate) async fn reserve_for(&self, cached: &CachedOffers, search: SearchId) -> bool {
        if self.spent().get(&cached.id).is_some() {
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
        let session = match (self.own.find(&id).await, &self.shared) {
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
