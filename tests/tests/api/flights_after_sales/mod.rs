//! Flight bookings after the sale: tickets, services, changes, cancellations, refunds.

mod cancellation_faults;
mod expired_holds;
mod holds;
mod refunds;
mod remarks;
mod rescheduling;
mod retrieve_and_track;
mod ssr;
mod ticketing;
mod unanswered_cancellations;
