//! What concerns the service, and no agency.

pub mod docs_page;
pub mod document;
pub mod health;
