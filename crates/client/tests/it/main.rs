//! The client before a far end that does what servers and networks do on bad days.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic, and so may its helpers"
)]

mod retrying;
mod streams;
mod stub;
mod tokens;
