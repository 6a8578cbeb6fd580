//! Bookings as rows: quotes, steps, supplier orders, refunds, incidents.

pub mod booking_holds;
pub mod bookings;
pub mod desk;
pub mod duplicates;
pub mod hold_reminders;
pub mod incident_claims;
pub mod incidents;
pub mod known_orders;
pub mod later_moves;
pub mod listing;
pub mod order_changes;
pub mod order_holds;
pub mod orders_to_poll;
pub mod people;
pub mod people_keys;
pub mod quotes;
pub mod rechecks;
pub mod references;
pub mod refunds;
pub mod rulings;
pub mod sealing;
pub mod steps;
pub mod timeline;
