//! What the commands of one batch need to know, locked and loaded once.

use std::collections::{HashMap, HashSet};

use wayfare_domain::{BookingId, BookingRef, QuoteId, StepId};
use wayfare_store::booking::{bookings::Booking, duplicates::Duplicates, steps::Step};

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
}

/// The booking that uses a quote.
#[derive(Clone, Debug)]
pub(crate) struct UsedBy {
    pub booking: BookingId,
    pub reference: BookingRef,
}

/// A booking that is to be replaced.
pub(crate) struct Replaced {
    pub booking: Booking<()>,
    pub under_way: Vec<Step>,
    /// The numbers of its orders that stand.
    pub live_orders: Vec<u16>,
}
