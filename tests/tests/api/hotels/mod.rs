//! Stays, from search to refund.

mod amounts;
mod booking;
mod content;
mod duplicates;
mod guests;
mod names;
mod refusals;
mod search;
mod search_cache;
mod search_sessions;
mod supplier_faults;
mod terms;
