//! Many requests at once.

mod contention;
mod group_commit;
mod leases;
mod same_booking;
