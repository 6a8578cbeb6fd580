//! Notices: what an event is told to people as, and to whom (P-124).

use serde_json::Value;

use crate::{Event, UserId, publication::facts};

/// What some people of the agency are told of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The kind of notification.
    pub kind: &'static str,
    /// Whom it concerns.
    pub user: Option<UserId>,
    /// Whether all admins of the agency are told too.
    pub admins: bool,
    /// What it is, in two words.
    pub title: &'static str,
    /// A sentence.
    pub message: String,
    /// The same for programs.
    pub data: Value,
}

impl Notice {
    /// What is told of this event, if anything.
    pub fn of(event: &Event) -> Option<Self> {
        let Told {
            kind,
            title,
            message,
            admins,
        } = told(event)?;
        let concerned = match event.entity_type {
            "user" => Some(event.entity_id.as_str()),
            _ => text(event, "user_id"),
        };
        let user = concerned.and_then(|id| id.parse().ok());
        Some(Self {
            kind,
            user,
            // What concerns nobody in particular concerns who runs the agency.
            admins: admins || user.is_none(),
            title,
            message,
            data: Value::Object(facts(event)),
        })
    }
}

struct Told {
    kind: &'static str,
    title: &'static str,
    message: String,
    admins: bool,
}

fn told(event: &Event) -> Option<Told> {
    let thing = event.entity_id.as_str();
    let is_agents = text(event, "user_id").is_some();
    let (kind, title, message) = match event.action {
        "booking.confirmed" => (
            "booking.confirmed",
            "Booking confirmed",
            format!("Booking {thing} is confirmed: {}.", money(event, "amount")),
        ),
        "booking.failed" => (
            "booking.failed",
            "Booking failed",
            match text(event, "failure") {
                Some(reason) => format!("Booking {thing} has failed, nothing was charged: {reason}"),
                None => format!("Booking {thing} has failed, nothing was charged."),
            },
        ),
        "booking.cancelled" => (
            "booking.cancelled",
            "Booking cancelled",
            format!("Booking {thing} is cancelled."),
        ),
        "booking.rescheduled" => (
            "booking.rescheduled",
            "Booking rescheduled",
            format!("Another booking stands in the place of booking {thing}."),
        ),
        "ticket.issued" => (
            "ticket.issued",
            "Ticket issued",
            format!("The tickets of booking {thing} are issued."),
        ),
        "refund.completed" => (
            "refund.completed",
            "Refund completed",
            format!("{} came back from booking {thing}.", money(event, "amount")),
        ),
        "wallet.allocated" => (
            "wallet.allocated",
            "Money allocated",
            format!("{} were allocated to your wallet.", money(event, "amount")),
        ),
        "wallet.topped_up" => (
            "wallet.topped_up",
            "Wallet topped up",
            match is_agents {
                true => format!("{} were paid into your wallet.", money(event, "amount")),
                false => format!(
                    "{} were paid into the organization's wallet.",
                    money(event, "amount")
                ),
            },
        ),
        "wallet.low_balance" => {
            let whose = match is_agents {
                true => "The agent's wallet",
                false => "The organization's wallet",
            };
            (
                "wallet.low_balance",
                "Low balance",
                format!(
                    "{whose} has {} left, less than {}.",
                    money(event, "available"),
                    money(event, "threshold")
                ),
            )
        }
        "report.ready" => (
            "report.ready",
            "Report ready",
            "A report that you asked for is ready.".to_owned(),
        ),
        "report.failed" => (
            "report.failed",
            "Report failed",
            "A report that you asked for could not be made.".to_owned(),
        ),
        "user.password_changed" | "user.password_reset" => (
            "security.password_changed",
            "Password changed",
            match event.action {
                "user.password_reset" => "Your password was set anew by the operator.".to_owned(),
                _ => "Your password was changed.".to_owned(),
            },
        ),
        _ => return None,
    };
    Some(Told {
        kind,
        title,
        message,
        admins: matches!(kind, "booking.failed" | "wallet.low_balance"),
    })
}

fn text<'a>(event: &'a Event, field: &str) -> Option<&'a str> {
    event.new_value.as_ref()?.get(field)?.as_str()
}

fn money(event: &Event, field: &str) -> String {
    let amount = event.new_value.as_ref().and_then(|values| values.get(field));
    let amount = amount.map(Value::to_string).unwrap_or_default();
    format!("{amount} {}", text(event, "currency").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Actor, EventId, OrganizationId, UserId};

    fn event(action: &'static str, entity_type: &'static str, new_value: Value) -> Event {
        let at = "2026-03-01T00:00:00Z".parse().unwrap();
        Event {
            id: EventId::at(at),
            organization: OrganizationId::at(at),
            actor: Actor::system(),
            action,
            entity_type,
            entity_id: "FA-7K2M9QX4".to_owned(),
            old_value: None,
            new_value: Some(new_value),
            at,
        }
    }

    #[test]
    fn who_is_told_what() {
        let user = UserId::at("2026-03-01T00:00:00Z".parse().unwrap());
        let agents = json!({ "user_id": user, "amount": 12, "currency": "INR", "failure": "sold out",
            "available": 3, "threshold": 5 });
        let everybodys = json!({ "amount": 12, "currency": "INR", "available": 3, "threshold": 5 });
        for (action, entity, values, admins, message) in [
            (
                "booking.confirmed",
                "booking",
                &agents,
                false,
                "Booking FA-7K2M9QX4 is confirmed: 12 INR.",
            ),
            (
                "booking.failed",
                "booking",
                &agents,
                true,
                "Booking FA-7K2M9QX4 has failed, nothing was charged: sold out",
            ),
            (
                "refund.completed",
                "booking",
                &agents,
                false,
                "12 INR came back from booking FA-7K2M9QX4.",
            ),
            (
                "wallet.topped_up",
                "wallet",
                &agents,
                false,
                "12 INR were paid into your wallet.",
            ),
            (
                "wallet.low_balance",
                "wallet",
                &agents,
                true,
                "The agent's wallet has 3 INR left, less than 5 INR.",
            ),
            (
                "wallet.low_balance",
                "wallet",
                &everybodys,
                true,
                "The organization's wallet has 3 INR left, less than 5 INR.",
            ),
            (
                "report.ready",
                "report",
                &agents,
                false,
                "A report that you asked for is ready.",
            ),
        ] {
            let notice = Notice::of(&event(action, entity, values.clone())).unwrap();
            assert_eq!((notice.kind, notice.admins), (action, admins));
            assert_eq!(notice.user, values.get("user_id").map(|_| user), "{action}");
            assert_eq!(notice.message, message);
        }
        let reset = Notice::of(&Event {
            entity_id: user.to_string(),
            new_value: None,
            ..event("user.password_reset", "user", json!(null))
        });
        let reset = reset.unwrap();
        assert_eq!(
            (reset.kind, reset.user),
            ("security.password_changed", Some(user))
        );
        assert_eq!(Notice::of(&event("booking.requested", "booking", agents)), None);
    }
}
