//! The state of a booking between two steps, and what may be done with it.

use wayfare_domain::{BookingStatus, OrderStatus, Product};
use wayfare_store::{
    JsonText,
    booking::{
        bookings::{Booking, Order},
        refunds::Refund,
        steps::Step,
    },
};

use crate::{Error, Result};

#[derive(Clone, Debug)]
pub struct Booked<P: Product> {
    pub booking: Booking<P>,
    /// Its supplier orders, in order of their numbers.
    pub orders: Vec<Order<P::Order>>,
}

#[derive(Clone, Debug)]
pub(crate) struct BookingState {
    pub booking: Booking<()>,
    pub orders: Vec<Order<JsonText>>,
    /// Those of a cancellation that are under way or done, and those that failed by this.
    pub refunds: Vec<Refund>,
    /// What is to be sent now, by whoever completed the step.
    pub begun: Vec<Step>,
}

/// That the booking is confirmed: something may be done with it.
///
/// # Errors
/// The error for each other state (P-18).
pub(crate) fn check_confirmed<P>(booking: &Booking<P>) -> Result<()> {
    match booking.status {
        BookingStatus::Confirmed => Ok(()),
        BookingStatus::Pending => Err(Error::BookingPending),
        BookingStatus::Cancelled => Err(Error::BookingCancelled),
        BookingStatus::Failed => Err(Error::BookingFailed),
    }
}

/// A live order: the supplier has it, and it was not given back.
pub(crate) fn is_live<O>(order: &Order<O>) -> bool {
    matches!(order.status, OrderStatus::Held | OrderStatus::Confirmed)
}

/// That nothing is under way on the booking whose steps these are.
///
/// # Errors
/// [`Error::StepPending`]; [`Error::ReschedulePending`] while no more is under way than another booking that is to take its
/// place.
pub(crate) fn nothing_pending(under_way: &[Step]) -> Result<()> {
    let begun = under_way.iter().find(|step| !step.planned);
    match begun.or(under_way.first()) {
        None => Ok(()),
        // It is given back when the other one stands, or not at all.
        Some(step) if step.planned => Err(Error::ReschedulePending),
        Some(step) => Err(Error::StepPending(step.kind)),
    }
}
