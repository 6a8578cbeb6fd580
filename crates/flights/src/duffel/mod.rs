//! Duffel Flights API v2.
