//! Flights after their sale.
//!
//! | room | what it is about |
//! | --- | --- |
//! | `order` | one supplier order: what can be done with it, its tickets, added services, refunds |
//! | `schedule_changes` | what airlines change by themselves: found, accepted, refused, followed up |
//! | `polling` | what suppliers show of orders: read when due or when asked, and kept |
//! | `parts` | parts of bookings that are given back |
//! | `reschedule` | other flights in the place of those that are booked: by an exchange at the supplier, or by another booking |

pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod polling;
pub(crate) mod reschedule;
pub(crate) mod schedule_changes;
