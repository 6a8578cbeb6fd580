//! Notifications: an audit event as people in the agency read it, and who they are (P-124).

use serde_json::Value;

use crate::{AuditEvent, EventKind, UserId, integration_event::facts};

/// What people of the agency read about an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// The kind of notification.
    pub kind: &'static str,
    /// Whom it concerns.
    pub user: Option<UserId>,
    /// Whether all admins of the agency read it too.
    pub admins: bool,
    /// The heading.
    pub title: &'static str,
    /// A sentence.
    pub message: String,
    /// The same for programs.
    pub data: Value,
}

impl Notification {
    /// The notification of this event, if it has one.
    pub fn of(event: &AuditEvent) -> Option<Self> {
        let Text { title, message } = text_of(event)?;
        let kind = match event.action {
            EventKind::UserPasswordChanged | EventKind::UserPasswordReset => "security.password_changed",
            other => other.text(),
        };
        let for_admins = matches!(
            event.action,
            EventKind::BookingFailed | EventKind::WalletLowBalance
        );
        let concerned = match event.action.entity() {
            "user" => Some(event.entity_id.as_str()),
            _ => value(event, "user_id"),
        };
        let user = concerned.and_then(|id| id.parse().ok());
        Some(Self {
            kind,
            user,
            // An event about no user is for the admins.
            admins: for_admins || user.is_none(),
            title,
            message,
            data: Value::Object(facts(event)),
        })
    }
}

struct Text {
    title: &'static str,
    message: String,
}

fn text_of(event: &AuditEvent) -> Option<Text> {
    let thing = event.entity_id.as_str();
    let is_agents = value(event, "user_id").is_some();
    let (title, message) = match event.action {
        EventKind::BookingConfirmed => (
            "Booking confirmed",
            format!("Booking {thing} is confirmed: {}.", money(event, "amount")),
        ),
        EventKind::BookingFailed => (
            "Booking failed",
            match value(event, "failure") {
                Some(reason) => format!("Booking {thing} has failed, nothing was charged: {reason}"),
                None => format!("Booking {thing} has failed, nothing was charged."),
            },
        ),
        EventKind::BookingCancelled => ("Booking cancelled", format!("Booking {thing} is cancelled.")),
        EventKind::BookingRescheduled => (
            "Booking rescheduled",
            format!("Another booking stands in the place of booking {thing}."),
        ),
        EventKind::TicketIssued => (
            "Ticket issued",
            format!("The tickets of booking {thing} are issued."),
        ),
        EventKind::RefundCompleted => (
            "Refund completed",
            format!("{} came back from booking {thing}.", money(event, "amount")),
        ),
        EventKind::WalletAllocated => (
            "Money allocated",
            format!("{} were allocated to your wallet.", money(event, "amount")),
        ),
        EventKind::WalletToppedUp => (
            "Wallet topped up",
            match is_agents {
                true => format!("{} were paid into your wallet.", money(event, "amount")),
                false => format!(
                    "{} were paid into the organization's wallet.",
                    money(event, "amount")
                ),
            },
        ),
        EventKind::WalletLowBalance => {
            let whose = match is_agents {
                true => "The agent's wallet",
                false => "The organization's wallet",
            };
            let (available, threshold) = (money(event, "available"), money(event, "threshold"));
            (
                "Low balance",
                format!("{whose} has {available} left, less than {threshold}."),
            )
        }
        EventKind::ReportReady => ("Report ready", "A report that you asked for is ready.".to_owned()),
        EventKind::ReportFailed => (
            "Report failed",
            "A report that you asked for could not be made.".to_owned(),
        ),
        EventKind::UserPasswordChanged => ("Password changed", "Your password was changed.".to_owned()),
        EventKind::UserPasswordReset => (
            "Password changed",
            "Your password was set anew by the operator.".to_owned(),
        ),
        _ => return None,
    };
    Some(Text { title, message })
}

fn value<'a>(event: &'a AuditEvent, field: &str) -> Option<&'a str> {
    event.new_value.as_ref()?.get(field)?.as_str()
}

fn money(event: &AuditEvent, field: &str) -> String {
    let amount = event.new_value.as_ref().and_then(|values| values.get(field));
    let amount = amount.map(Value::to_string).unwrap_or_default();
    format!("{amount} {}", value(event, "currency").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::UserId;

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn who_reads_what() {
        let user = UserId::at("2026-03-01T00:00:00Z".parse().unwrap());
        let agents = json!({ "user_id": user, "amount": 12, "currency": "INR", "failure": "sold out",
            "available": 3, "threshold": 5 });
        let everybodys = json!({ "amount": 12, "currency": "INR", "available": 3, "threshold": 5 });
        for (action, values, admins, message) in [
            (
                EventKind::BookingConfirmed,
                &agents,
                false,
                "Booking FA-7K2M9QX4 is confirmed: 12 INR.",
            ),
            (
                EventKind::BookingFailed,
                &agents,
                true,
                "Booking FA-7K2M9QX4 has failed, nothing was charged: sold out",
            ),
            (
                EventKind::RefundCompleted,
                &agents,
                false,
                "12 INR came back from booking FA-7K2M9QX4.",
            ),
            (
                EventKind::WalletToppedUp,
                &agents,
                false,
                "12 INR were paid into your wallet.",
            ),
            (
                EventKind::WalletLowBalance,
                &agents,
                true,
                "The agent's wallet has 3 INR left, less than 5 INR.",
            ),
            (
                EventKind::WalletLowBalance,
                &everybodys,
                true,
                "The organization's wallet has 3 INR left, less than 5 INR.",
            ),
            (
                EventKind::ReportReady,
                &agents,
                false,
                "A report that you asked for is ready.",
            ),
        ] {
            let notification = Notification::of(&AuditEvent::sample(action, values.clone())).unwrap();
            assert_eq!((notification.kind, notification.admins), (action.text(), admins));
            assert_eq!(
                notification.user,
                values.get("user_id").map(|_| user),
                "{action:?}"
            );
            assert_eq!(notification.message, message);
        }
        let reset = Notification::of(&AuditEvent {
            entity_id: user.to_string(),
            new_value: None,
            ..AuditEvent::sample(EventKind::UserPasswordReset, json!(null))
        });
        let reset = reset.unwrap();
        assert_eq!(
            (reset.kind, reset.user),
            ("security.password_changed", Some(user))
        );
        assert_eq!(
            Notification::of(&AuditEvent::sample(EventKind::BookingRequested, agents)),
            None
        );
    }
}
