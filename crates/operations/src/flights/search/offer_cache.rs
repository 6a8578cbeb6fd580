//! The offer cache: suppliers' offers, for everybody who searches the same. They carry nobody's prices.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use wayfare_domain::{AnswerId, SearchId};
use wayfare_flights::Offers;
use wayfare_supply::{Answer, HeldBytes};

use crate::tools::search_memory::answer_cache::{AnswerCache, CachedAnswer};

/// A supplier's usable answer to a search.
#[derive(Debug, Serialize, Deserialize)]
pub struct CachedOffers {
    pub id: AnswerId,
    pub supplier: String,
    pub found: Offers,
    /// The search that buys of it, where the supplier's offers are single-use. All copies of the answer have the same one.
    #[serde(skip)]
    reservation: Reservation,
    /// Whether it was written to Redis, or comes from there.
    #[serde(skip)]
    in_redis: OnceCell<()>,
    /// Until when it may be cached, where it comes from another server.
    #[serde(skip)]
    ends: Option<Instant>,
    bytes: usize,
}

pub(super) type Reservation = Arc<OnceLock<SearchId>>;

impl CachedOffers {
    /// What the supplier of this code answered.
    pub fn new(id: AnswerId, supplier: String, found: Offers) -> Self {
        Self {
            bytes: size_of::<Self>() + supplier.held_bytes() + found.held_bytes(),
            id,
            supplier,
            found,
            reservation: Reservation::default(),
            in_redis: OnceCell::new(),
            ends: None,
        }
    }

    /// What Redis has under this name, to be cached until then.
    pub(super) fn from_redis(id: AnswerId, supplier: String, found: Offers, ends: Instant) -> Self {
        Self { in_redis: OnceCell::new_with(Some(())), ends: Some(ends), ..Self::new(id, supplier, found) }
    }

    pub(super) fn in_redis(&self) -> &OnceCell<()> {
        &self.in_redis
    }

    pub(super) fn reservation(&self) -> &Reservation {
        &self.reservation
    }

    /// Makes this a copy of the answer that has this reservation.
    pub(super) fn share_reservation(&mut self, reservation: Reservation) {
        self.reservation = reservation;
    }

    /// Whether this search is the first in this process that wants to buy of it.
    pub(super) fn reserve_for(&self, search: SearchId) -> bool {
        *self.reservation.get_or_init(|| search) == search
    }
}

/// What a supplier answered, for everybody who asked the same.
pub type SupplierAnswer = Answer<Arc<CachedOffers>>;

pub(crate) type OfferCache = AnswerCache<CachedOffers>;

impl CachedAnswer for CachedOffers {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn ends(&self) -> Option<Instant> {
        self.ends
    }
}
