//! The agency: its profile and settings, its users, its audit log.

mod audit_log;
pub mod marks;
mod notes;
mod own_profile;
mod people;
mod people_elsewhere;
mod settings;
mod unreadable_people;
mod user_idempotency;
mod users;
