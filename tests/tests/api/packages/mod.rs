//! Packages: an agency's markup rules for flights and hotels, and who has which.

mod assignments;
mod flight_packages;
mod hotel_packages;
mod preview;
