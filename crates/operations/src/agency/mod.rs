//! An agency's own affairs: profile, settings, audit log.

pub mod audit_log;
pub mod profile;
pub mod settings;
