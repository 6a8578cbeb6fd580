//! Flights.

pub mod after_sales;
pub mod airlines;
pub mod airports;
pub mod book;
pub mod bookings;
pub mod fare_rules;
mod papers;
pub mod price;
mod refund_amounts;
pub mod search;
mod ticket_password;
