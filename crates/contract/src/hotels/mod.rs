//! Hotels: search, price, book and give back.

mod bookings;
mod cancellation;
mod details;
mod order;
mod price;
mod search;

pub use self::{bookings::*, cancellation::*, details::*, order::*, price::*, search::*};
