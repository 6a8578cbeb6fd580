//! Flights.

pub mod after_sales;
pub mod airlines;
pub mod airports;
pub mod book;
pub mod bookings;
pub mod fare_rules;
pub mod price;
pub mod search;
