//! What the ledger's audit reads: the chains, and what each transfer was for.

pub mod chain;
pub mod purpose;
