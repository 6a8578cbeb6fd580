//! What answers look like: the contract's field names, nothing else.

pub mod booking;
pub mod identity;
pub mod itinerary;
pub mod price;
pub mod search;
pub mod wallet;

use chrono::NaiveDateTime;

/// A local time without zone, as the contract prints it.
pub fn local(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%dT%H:%M:%S").to_string()
}
