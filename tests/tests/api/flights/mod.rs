//! Flights from the priced offer to the booking.

mod airline_locators;
mod ancillary_catalog;
mod booking;
mod booking_faults;
mod bought_ancillaries;
mod circuit_breaker;
mod duplicates;
mod fare_rules;
mod half_round_trips;
mod names;
mod nul_bytes;
mod papers;
mod passengers;
mod several_orders;
mod several_suppliers;
mod ticket_password;
