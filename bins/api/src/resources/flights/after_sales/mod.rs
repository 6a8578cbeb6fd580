//! Flights after they were booked: a file or folder a subject, with its handlers, bodies and views.

pub mod changes;
pub mod refunds;
pub mod reschedule;
pub mod retrieve;
pub mod services;
