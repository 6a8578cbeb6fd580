//! Flights: search, price, book and what comes after.

mod after_sales;
mod bookings;
mod cancellation;
mod changes;
mod fare_rules;
mod hold;
mod itinerary;
mod order;
mod papers;
mod places;
mod price;
mod reschedule;
mod search;

pub use self::{
    after_sales::*, bookings::*, cancellation::*, changes::*, fare_rules::*, hold::*, itinerary::*, order::*,
    papers::*, places::*, price::*, reschedule::*, search::*,
};
