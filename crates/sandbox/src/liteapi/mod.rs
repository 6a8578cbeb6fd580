//! LiteAPI, version 3.0, below `/liteapi/v3.0`: its calls, its words and its refusals.

mod bookings;

pub(crate) use bookings::Booking;
