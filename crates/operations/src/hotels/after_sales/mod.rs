//! Hotel bookings as their suppliers show them.

pub(crate) mod hotel_numbers;
pub(crate) mod poll;
