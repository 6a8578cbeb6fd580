//! Many requests at once.

mod contention;
mod group_commit;
mod same_booking;
