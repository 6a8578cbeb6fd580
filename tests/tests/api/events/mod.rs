//! Notifications, the event feed and webhooks.

mod notifications;
mod webhooks;
