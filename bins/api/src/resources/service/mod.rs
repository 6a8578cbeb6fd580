//! What concerns the service, and no agency.

pub mod document;
pub mod health;
