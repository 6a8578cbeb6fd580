//! The agency: its profile and settings, its users, its audit log.

mod audit_log;
mod own_profile;
mod people;
mod settings;
mod user_idempotency;
mod users;
