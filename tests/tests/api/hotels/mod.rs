//! Stays, from search to refund.

mod amounts;
mod booking;
mod guests;
mod refusals;
mod search;
mod search_sessions;
mod supplier_faults;
