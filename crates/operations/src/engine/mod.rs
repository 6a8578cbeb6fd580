//! The booking engine: a booking and its supplier steps, from the quote to the last refund.

pub(crate) mod begin_step;
pub(crate) mod commit;
pub(crate) mod complete;
pub mod incidents;
pub(crate) mod open_booking;
pub(crate) mod order_polling;
pub(crate) mod product;
pub(crate) mod purchase;
pub(crate) mod quotes;
pub(crate) mod run;
pub mod steps;
