//! The papers of bookings that are under way in this process: from the request that gives them to the orders that are made
//! with them. No table has them. An order that another process, or a later one, begins finds none, and is not made then.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wayfare_domain::{BookingId, BookingPapers};

type ByBooking = HashMap<BookingId, Arc<BookingPapers>>;

/// The papers by booking.
#[derive(Clone, Default)]
pub(crate) struct PapersInHand(Arc<Mutex<ByBooking>>);

impl PapersInHand {
    fn by_booking(&self) -> MutexGuard<'_, ByBooking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has these at hand until the guard is dropped.
    pub(crate) fn hold(&self, booking: BookingId, papers: BookingPapers) -> HeldPapers {
        self.by_booking().insert(booking, Arc::new(papers));
        HeldPapers {
            all: self.clone(),
            booking,
        }
    }

    /// Those of this booking, where they are at hand.
    pub(crate) fn of(&self, booking: BookingId) -> Option<Arc<BookingPapers>> {
        self.by_booking().get(&booking).cloned()
    }
}

/// Forgets a booking's papers when it is dropped.
pub(crate) struct HeldPapers {
    all: PapersInHand,
    booking: BookingId,
}

impl Drop for HeldPapers {
    fn drop(&mut self) {
        self.all.by_booking().remove(&self.booking);
    }
}

#[cfg(test)]
mod tests {
    use wayfare_domain::Clock;

    use super::*;

    #[test]
    fn papers_are_at_hand_as_long_as_somebody_holds_them() {
        let all = PapersInHand::default();
        let booking = BookingId::new(&Clock::system());
        let held = all.hold(booking, BookingPapers::default());
        assert!(all.of(booking).is_some());
        drop(held);
        assert!(all.of(booking).is_none());
    }
}
