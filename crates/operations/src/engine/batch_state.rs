//! What the commands of one batch need to know, locked and loaded once.

use std::collections::{HashMap, HashSet};

use wayfare_domain::{BookingId, BookingRef, QuoteId, StepId};
use wayfare_store::booking::{
    bookings::Booking, duplicates::Duplicates, incidents::Incident, rulings::Ruling, steps::Step,
};

use crate::{engine::booking_state::BookingState, money::locked_wallets::LockedWallets};

/// What commands need to know, as it stands with those before them in the batch.
#[derive(Default)]
pub(crate) struct BatchState {
    pub money: LockedWallets,
    /// Quotes, and which booking uses them.
    pub quotes: HashMap<QuoteId, Option<UsedBy>>,
    /// Steps that nobody has completed.
    pub open: HashSet<StepId>,
    /// Bookings whose steps are to be completed.
    pub bookings: HashMap<BookingId, BookingState>,
    /// What is planned in the sagas of the steps that are to be completed.
    pub planned: HashMap<StepId, Vec<Step>>,
    /// Bookings like those that are to be opened.
    pub duplicates: Duplicates,
    /// Bookings that are to be replaced.
    pub originals: HashMap<BookingId, Replaced>,
    pub ruled: HashMap<BookingId, Ruled>,
}

#[derive(Clone, Debug)]
pub(crate) struct UsedBy {
    pub booking: BookingId,
    pub reference: BookingRef,
}

/// What was ruled about a booking, and what stands in the way of a ruling.
#[derive(Default)]
pub(crate) struct Ruled {
    /// In order of time; one under the key of a ruling that is asked for may be about another booking.
    pub rulings: Vec<Ruling>,
    pub incidents: Vec<Incident>,
    /// Steps that nobody has completed.
    pub under_way: Vec<Step>,
}

impl Ruled {
    /// What is ruled now counts for whatever is ruled next.
    pub(crate) fn note(&mut self, ruling: &Ruling) {
        self.rulings.retain(|known| known.id != ruling.id);
        self.rulings.push(ruling.clone());
        self.incidents.retain(|known| Some(known.id) != ruling.incident);
    }
}

impl BatchState {
    /// Of this saga these steps are under way since: who rules next in the same batch counts on it.
    pub(crate) fn note_saga(&mut self, saga: StepId, begun: &[Step], planned: &[Step]) {
        for (booking, ruled) in &mut self.ruled {
            ruled.under_way.retain(|known| known.saga != saga);
            let theirs = begun.iter().chain(planned).filter(|step| step.booking == *booking);
            ruled.under_way.extend(theirs.cloned());
        }
    }
}

/// A booking that is to be replaced.
pub(crate) struct Replaced {
    pub booking: Booking<()>,
    pub under_way: Vec<Step>,
    /// The numbers of its orders that stand, and how many parts of each have come back.
    pub live_orders: Vec<(u16, usize)>,
}
