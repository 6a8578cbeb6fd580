//! Hotels.

pub mod book;
pub mod bookings;
mod common;
pub mod details;
pub mod price;
pub mod search;
