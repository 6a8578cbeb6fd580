//! One search session: whose it is, what was asked, and one part for each supplier that answered.

use std::sync::Arc;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{OrganizationId, SearchId, UserId};
use wayfare_flights::{Offer, Query};

use super::offer_cache::{CachedOffers, Reservation};
use crate::{
    Error, Result,
    tools::search_memory::{KeptSession, answer_cache::CachedAnswer, fair_store::KeptFor},
};

/// A search as its caller may come back to it. It grows by one part for each supplier that answers; an offer keeps its
/// place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchSession {
    pub(crate) id: SearchId,
    pub(crate) organization: OrganizationId,
    pub(crate) user: UserId,
    pub(crate) query: Arc<Query>,
    parts: Vec<Arc<SessionPart>>,
}

/// One supplier's answer, and what the caller was shown of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionPart {
    /// The place of its first offer among all of the search.
    pub(crate) first: usize,
    pub(crate) cached: Arc<CachedOffers>,
    /// One for each offer of the answer; none for one that was not shown.
    pub(crate) displayed: Vec<Option<DisplayedAmounts>>,
}

/// An offer's amounts as the search showed them, in the wallet's currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DisplayedAmounts {
    pub total: Decimal,
    pub agent_fare: Decimal,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionOffer<'a> {
    pub cached: &'a CachedOffers,
    pub offer: &'a Offer,
    pub displayed: DisplayedAmounts,
}

impl<'a> SessionOffer<'a> {
    pub(crate) fn supplier(&self) -> &'a str {
        &self.cached.supplier
    }
}

impl SearchSession {
    pub(crate) fn new(id: SearchId, organization: OrganizationId, user: UserId, query: Arc<Query>) -> Self {
        Self { id, organization, user, query, parts: Vec::new() }
    }

    /// How many offers it has, and where the next part's begin.
    pub fn offer_count(&self) -> usize {
        self.parts.iter().map(|part| part.displayed.len()).sum()
    }

    pub(crate) fn add_part(&mut self, part: Option<Arc<SessionPart>>) {
        self.parts.extend(part);
    }

    /// The offer at this place among all.
    ///
    /// # Errors
    /// [`Error::NotFound`] when none was shown there, [`Error::OfferExpired`] when that part of the search is lost.
    pub(crate) fn offer(&self, index: u32) -> Result<SessionOffer<'_>> {
        let index = usize::try_from(index).map_err(|_| Error::NotFound)?;
        for part in &self.parts {
            let place = index.checked_sub(part.first);
            if let Some((place, displayed)) =
                place.and_then(|place| Some((place, part.displayed.get(place)?)))
            {
                let offer = part.cached.found.offers.get(place).zip(*displayed);
                let (offer, displayed) = offer.ok_or(Error::NotFound)?;
                return Ok(SessionOffer { cached: &part.cached, offer, displayed });
            }
        }
        Err(Error::OfferExpired)
    }
}

impl KeptSession for SearchSession {
    /// Of each part: whatever becomes of the session, an answer is sold once.
    type Beside = Vec<Reservation>;

    fn owner(&self) -> KeptFor {
        KeptFor { organization: self.organization, user: self.user }
    }

    fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| {
            let displayed = part.displayed.capacity() * size_of::<Option<DisplayedAmounts>>();
            size_of::<SessionPart>() + displayed + part.cached.bytes()
        });
        size_of::<Self>() + parts.sum::<usize>()
    }

    fn beside(&self) -> Self::Beside {
        let parts = self.parts.iter();
        parts.map(|part| Arc::clone(part.cached.reservation())).collect()
    }

    fn restore(&mut self, beside: Self::Beside) {
        for (part, reservation) in self.parts.iter_mut().zip(beside) {
            // Nobody else has it yet.
            let cached = Arc::get_mut(part).and_then(|part| Arc::get_mut(&mut part.cached));
            if let Some(cached) = cached {
                cached.share_reservation(reservation);
            }
        }
    }
}
