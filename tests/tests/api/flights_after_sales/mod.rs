//! Flight bookings after the sale: tickets, services, changes, cancellations, refunds.

mod airline_changes;
mod auto_ticket;
mod cancellation_faults;
mod expired_holds;
mod hold_reminders;
mod hold_states;
mod holds;
mod journey_changes;
pub(crate) mod parts;
mod refunds;
mod reissues;
mod remarks;
mod rescheduling;
mod retrieve_and_track;
mod ssr;
mod stage;
mod ticketing;
mod unanswered_cancellations;
mod unclear_refunds;
