//! The booking engine: a booking and its supplier steps, from the quote to the last refund. It knows neither flights nor
//! hotels; what a supplier is asked stands behind [`product::OrderSupplier`].
//!
//! # How it works
//!
//! A **booking** is bought with a **saga**: one **step** for each supplier order. A step is one call to a supplier that
//! changes something there. It is written, with the money that is set aside for it, before the supplier is asked
//! ([`purchase`] opens a booking, [`begin_step`] begins steps on one that stands), so that a crash leaves a trace of all
//! that may have been sent. At most one step of a saga is in flight; the others are planned.
//!
//! [`run`] sends a step ([`steps`]) and completes it with its outcome ([`complete`]): in one transaction the outcome is
//! written, the money moves and the next step begins. What is refused refuses the rest of its saga; orders that were made
//! already are given back by **compensations**, steps of their own. An outcome that is unknown completes nothing: the step
//! stays open, and [`recover`] looks it up until it is known, or an operator resolves its **incident** ([`resolution`]).
//!
//! Who completes a step first wins, whoever sent it, recovered it or resolved it: a second completion changes nothing. All
//! writes of money go through the [`commit`], which carries many commands in one transaction.

pub(crate) mod batch_state;
pub(crate) mod begin_step;
pub(crate) mod booking_state;
pub(crate) mod cancellation;
pub(crate) mod commit;
pub(crate) mod complete;
pub(crate) mod detached;
pub mod incidents;
pub(crate) mod open_booking;
pub(crate) mod order_polling;
pub(crate) mod postpone;
pub(crate) mod product;
pub(crate) mod purchase;
pub(crate) mod quotes;
pub(crate) mod recover;
pub mod resolution;
pub(crate) mod run;
#[cfg(feature = "failpoints")]
mod seeded_bugs;
pub(crate) mod step;
pub(crate) mod steps;
