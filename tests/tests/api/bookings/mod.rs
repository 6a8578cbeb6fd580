//! What bookings of flights and of stays have in common: timelines, and lists with their filters and counts.

mod lists;
mod timeline;
