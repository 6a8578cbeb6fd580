//! Money through the store: what is written can be read, and an edit behind the ledger's back shows.

mod audit;
mod books;
mod money;
