//! What happened, as rows: the audit log, the outbox and feed, notifications, webhooks.

pub mod audit_log;
pub mod feed;
pub mod notifications;
pub mod webhook_deliveries;
pub mod webhooks;
