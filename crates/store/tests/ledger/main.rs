//! Money through the store: what is written can be read, and an edit behind the ledger's back shows.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

mod audit;
mod books;
mod money;
