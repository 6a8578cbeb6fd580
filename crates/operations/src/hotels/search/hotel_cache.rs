//! The hotel cache: suppliers' hotels and rates, for everybody who searches the same. They carry nobody's prices.

use std::sync::Arc;

use wayfare_hotels::{HotelResult, HotelResults};
use wayfare_supply::HeldBytes;

use crate::tools::search_memory::answer_cache::{AnswerCache, CachedAnswer};

pub(crate) type HotelCache = AnswerCache<CachedHotels>;

/// A supplier's usable answer to a search.
#[derive(Debug)]
pub struct CachedHotels {
    pub hotels: Vec<Arc<HotelResult>>,
    /// Hotels and rates that could not be used, and why.
    pub unusable: Vec<String>,
    bytes: usize,
}

impl From<HotelResults> for CachedHotels {
    fn from(found: HotelResults) -> Self {
        let hotels = found.hotels.into_iter().map(|mut hotel| {
            hotel.rates.iter_mut().for_each(|rate| rate.shrink_to_fit());
            hotel.rates.shrink_to_fit();
            Arc::new(hotel)
        });
        let hotels: Vec<Arc<HotelResult>> = hotels.collect();
        let held = hotels.iter().map(|hotel| size_of::<HotelResult>() + hotel.held_bytes());
        Self { bytes: held.sum::<usize>() + found.unusable.held_bytes(), hotels, unusable: found.unusable }
    }
}

impl CachedAnswer for CachedHotels {
    fn bytes(&self) -> usize {
        self.bytes
    }
}
