//! Hotels: search, price, book. Reading bookings and giving them back is the same for all products:
//! [`crate::bookings`], [`crate::bookings::cancel`].

pub(crate) mod after_sales;
mod book;
pub(crate) mod content;
mod deadline_fees;
mod details;
mod hotel_id;
mod order_supplier;
mod price;
pub(crate) mod search;

pub use book::{AgreedFare, HotelOrder, RoomOrder, book};
pub use deadline_fees::{DeadlineFees, deadline_fees};
pub use details::{DetailsOfSupplier, MOST_HOTELS, details};
pub use hotel_id::HotelId;
pub use price::{HotelQuote, Priced, QuotedRate, price};
pub use search::criteria::{Criteria, Location, MOST_ROOMS, check_days};
pub use search::hotel_cache::CachedHotels;
pub use search::rates::Breakdown;
pub use search::session::{
    Filters, ListedHotel, RatePrice, SearchSession, SessionHotel, SortField, SortOrder,
};
pub use search::{SupplierHotels, search};

use std::sync::Arc;

use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, ListRequest, Page};
use wayfare_hotels::Stay;
use wayfare_store::booking::{
    bookings::{Booking, orders_of},
    steps::under_way_on,
};

use crate::{
    Caller, Core, Engine, Result,
    bookings::{self, BookingSearch},
    engine::booking_state::{check_confirmed, nothing_pending},
    tools::search_memory::{SearchMemoryBounds, SearchMemoryUse},
};
use content::ContentMemory;
use search::{hotel_cache::HotelCache, session_cache::SearchSessions};

/// What hotels need: to sell stays, and to remember what was found.
pub struct Hotels {
    pub(crate) core: Arc<Core>,
    pub(crate) engine: Arc<Engine>,
    cache: Arc<HotelCache>,
    content: ContentMemory,
    sessions: SearchSessions,
}

impl Hotels {
    pub(crate) fn new(engine: Arc<Engine>, cache: Arc<HotelCache>, bounds: SearchMemoryBounds) -> Self {
        let core = engine.core.clone();
        let (validity, runtime) = (core.durations.offer_validity, core.runtime.clone());
        let sessions = SearchSessions::new(validity, bounds, runtime, core.clock.clone(), core.redis.clone());
        Self { core, engine, cache, content: ContentMemory::default(), sessions }
    }

    /// Forgets what has expired, and returns what is kept: answers, sessions, names of searches.
    pub(crate) fn remove_expired_searches(&self) -> [SearchMemoryUse; 3] {
        self.cache.remove_expired();
        self.sessions.remove_expired();
        let [sessions, names] = self.sessions.used();
        [self.cache.used(), sessions, names]
    }
}

pub type Booked = bookings::Booked<Stay>;

/// The booking that a voucher is made of: one that stands (D-86).
///
/// # Errors
/// [`crate::Error::NotFound`] for another's booking too, the error of a booking that does not stand,
/// [`crate::Error::StepPending`] for one that is being cancelled.
#[boxed]
pub async fn vouched(engine: &Arc<Engine>, caller: &Caller, reference: &BookingRef) -> Result<Booked> {
    let booked: Booked = bookings::detail(engine, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = engine.core.database.connection().await?;
    nothing_pending(&under_way_on(&mut connection, organization, id).await?)?;
    Ok(booked)
}

/// A page of the caller's hotel bookings, newest first, each with the supplier's id of it: one statement more than
/// [`bookings::list`].
#[boxed]
pub async fn list(
    engine: &Engine,
    caller: &Caller,
    search: &BookingSearch,
    request: impl Into<ListRequest>,
) -> Result<Page<(Booking<Stay>, Option<String>)>> {
    let page: Page<Booking<Stay>> = bookings::list(engine, caller, search, request).await?;
    let connection = engine.core.database.connection().await?;
    let of: Vec<_> = page.items.iter().map(|booking| (booking.organization, booking.id)).collect();
    let mut orders = orders_of(&connection, &of).await?;
    Ok(page.map(|booking| {
        let orders = orders.remove(&booking.id).unwrap_or_default();
        let id = orders.into_iter().find_map(|order| order.supplier_order_id);
        (booking, id)
    }))
}
