//! Flights: search, price, book, what comes after the sale.

pub(crate) mod after_sales;
mod ancillaries;
mod book;
mod fare_rules;
pub(crate) mod holds;
mod order_supplier;
mod passengers;
mod price;
pub(crate) mod search;
mod trip_selection;

pub use after_sales::order::abilities::Can;
pub use after_sales::order::refunds::{RefundState, refund_state};
pub use after_sales::order::services::{Added, OrderServices, add_services, added, services};
pub use after_sales::order::ticket::{StatedFare, Ticketed, issue_ticket, ticket};
pub use after_sales::parts::{NamedPart, cancel_part, part_penalty};
pub use after_sales::polling::retrieve::{Retrieved, Tracked, retrieve, track};
pub use after_sales::reschedule::rebook::{Rebooking, rebook};
pub use after_sales::reschedule::{
    JourneyOffer, NewFlights, NewItinerary, NewJourney, OriginalState, RescheduleOrder, ReschedulePenalty,
    Rescheduled, SameTraveller, new_flights, original, reschedule, reschedule_penalty, rescheduled,
};
pub use after_sales::schedule_changes::decide::{
    Accepted, RefusalQuote, Refused, accept, acceptance, refusal, refusal_quote, refuse,
};
pub use after_sales::schedule_changes::{ShownBooking, ShownChange, changes, open_changes, shown};
pub use ancillaries::AncillaryRequest;
pub use book::{AgreedPrice, Bought, FlightOrder, Hold, OrderTerms, ReadOrder, book, read_order};
pub use fare_rules::{FareRulesRequest, RulesOfFare, fare_rules};
pub use holds::{BookingHold, hold, holds, set_auto_ticket};
pub use price::{BookingKey, FlightQuote, PriceChange, Priced, QuotedOrder, price};
pub use search::offer_cache::{CachedOffers, SupplierAnswer};
pub use search::priced::{DisplayedPrice, PricedSupplierResult, SearchContext};
pub use search::session::{SearchSession, SessionPart};
pub use search::{Search, SearchRequest};
pub use wayfare_store::booking::order_changes::{ListedChange, OrderChange};
pub use wayfare_store::booking::refunds::RefundRow;

use std::sync::Arc;

use crate::{
    Core, Engine,
    tools::search_memory::{SearchMemoryBounds, SearchMemoryUse},
};
use search::{offer_cache::OfferCache, session_cache::SearchSessions, session_redis::SessionRedis};

/// What flights need: to sell them, and to remember what was found.
pub struct Flights {
    pub(crate) core: Arc<Core>,
    pub(crate) engine: Arc<Engine>,
    offer_cache: Arc<OfferCache>,
    sessions: SearchSessions,
}

impl Flights {
    pub(crate) fn new(engine: Arc<Engine>, offer_cache: Arc<OfferCache>, bounds: SearchMemoryBounds) -> Self {
        let core = engine.core.clone();
        let (validity, cached) = (core.durations.offer_validity, core.durations.search_cache_ttl);
        let broadcast = &engine.suppliers.broadcast;
        let shared = core.redis.clone();
        let shared = shared.map(|redis| SessionRedis::new(redis, broadcast.clone(), validity, cached));
        let sessions = SearchSessions::new(validity, bounds, core.runtime.clone(), shared);
        Self { core, engine, offer_cache, sessions }
    }

    /// Forgets what has expired, and returns what is kept: answers, sessions, answers that are spent.
    pub(crate) fn remove_expired_searches(&self) -> [SearchMemoryUse; 3] {
        self.offer_cache.remove_expired();
        self.sessions.remove_expired();
        let [sessions, spent] = self.sessions.used();
        [self.offer_cache.used(), sessions, spent]
    }
}

pub type Booked = crate::bookings::Booked<wayfare_flights::Itinerary>;
