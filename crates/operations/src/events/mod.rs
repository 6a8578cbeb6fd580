//! What happened, for whom: audit events, notifications, the event feed, webhooks.

pub(crate) mod audit_event;
pub mod feed;
pub mod notifications;
pub mod webhooks;
