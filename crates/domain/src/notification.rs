//! Notifications: an audit event as people in the agency read it, and who they are (P-124).

use chrono::DateTime;
use serde_json::Value;

use crate::{AuditEvent, EventKind, UserId, integration_event::facts};

/// Stands in the values of the last reminder of a hold, which admins get, too.
pub const LAST_REMINDER: &str = "is_last_reminder";
/// Stands in the values of what an airline changed where people are to read of it.
pub const TELLS_PEOPLE: &str = "tells_people";
/// Stands in the values of what admins get, too.
pub const TELLS_ADMINS: &str = "tells_admins";

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
            EventKind::BookingFailed
                | EventKind::BookingCancelledBySupplier
                | EventKind::WalletLowBalance
                | EventKind::TicketAutoRefused
                | EventKind::BookingDebitNote
                | EventKind::BookingDebitDue
                | EventKind::BookingDebitWithdrawn
        ) || says(event, LAST_REMINDER)
            || says(event, TELLS_ADMINS);
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
    let texts = [booking_text, hold_text, change_text, money_text, user_text];
    texts.iter().find_map(|text| text(event))
}

fn booking_text(event: &AuditEvent) -> Option<Text> {
    let thing = event.entity_id.as_str();
    let (title, message) = match event.action {
        EventKind::BookingConfirmed => {
            ("Booking confirmed", format!("Booking {thing} is confirmed: {}.", money(event, "amount")))
        }
        EventKind::BookingFailed => (
            "Booking failed",
            match value(event, "failure") {
                Some(reason) => format!("Booking {thing} has failed, nothing was charged: {reason}"),
                None => format!("Booking {thing} has failed, nothing was charged."),
            },
        ),
        EventKind::BookingCancelled => ("Booking cancelled", format!("Booking {thing} is cancelled.")),
        EventKind::BookingCancelledBySupplier => (
            "Cancelled by the supplier",
            match value(event, "status") {
                Some("cancelled") => format!(
                    "The supplier of booking {thing} has cancelled it, which nobody here had asked for. What comes back is being settled."
                ),
                _ => format!(
                    "A supplier has cancelled a part of booking {thing}, which nobody here had asked for. What comes back is being settled."
                ),
            },
        ),
        EventKind::BookingHotelConfirmed => (
            "Confirmed by the hotel",
            format!("The hotel of booking {thing} has told its own number: it is on the voucher."),
        ),
        EventKind::BookingHotelUnconfirmed => (
            "Not confirmed by the hotel",
            format!(
                "The hotel of booking {thing} has not told its own number yet, and the guests arrive within 48 hours. Ask the hotel."
            ),
        ),
        EventKind::BookingRescheduled => {
            ("Booking rescheduled", format!("Another booking stands in the place of booking {thing}."))
        }
        EventKind::TicketIssued => ("Ticket issued", format!("The tickets of booking {thing} are issued.")),
        _ => return None,
    };
    Some(Text { title, message })
}

fn hold_text(event: &AuditEvent) -> Option<Text> {
    let thing = event.entity_id.as_str();
    let (title, message) = match event.action {
        EventKind::BookingHoldExpiring => (
            "Hold expires soon",
            format!(
                "Pay for booking {thing} until {}, or it lapses. {} minutes are left.",
                instant(event, "pay_by"),
                minutes(event)
            ),
        ),
        EventKind::BookingHoldPriceEnding => (
            "Price of a hold ends",
            format!(
                "The price of booking {thing} is guaranteed until {}. It may cost more after that.",
                instant(event, "price_guaranteed_until")
            ),
        ),
        EventKind::BookingHoldPaid => {
            ("Hold paid", format!("Booking {thing} is no longer held: it is paid."))
        }
        EventKind::BookingLapsed => (
            "Hold lapsed",
            format!(
                "Booking {thing} was not paid in time: its supplier has let it go. What it cost comes back."
            ),
        ),
        EventKind::TicketAutoRefused => (
            "Not ticketed",
            format!(
                "Booking {thing} could not be ticketed by itself. It is still held: issue its tickets, or cancel it."
            ),
        ),
        _ => return None,
    };
    Some(Text { title, message })
}

fn change_text(event: &AuditEvent) -> Option<Text> {
    let thing = event.entity_id.as_str();
    let (title, message) = match event.action {
        EventKind::BookingAirlineChanged if says(event, TELLS_PEOPLE) => {
            let what = match value(event, "kind") {
                Some("flight_cancelled") => "has cancelled a flight",
                Some("route") => "has changed the route",
                Some("flight_number") => "has changed the flight number",
                Some("cabin") => "has changed the class",
                Some("terminal") => "has changed the terminal",
                _ => "has changed the times",
            };
            let ask = match value(event, "state") {
                Some("open") => " Accept or refuse it.",
                _ => "",
            };
            ("Flights changed", format!("The airline {what} of booking {thing}.{ask}"))
        }
        EventKind::BookingChangeExpiring => (
            "Change waits for you",
            format!(
                "Accept or refuse what the airline has changed of booking {thing} until {}.",
                instant(event, "decide_by")
            ),
        ),
        _ => return None,
    };
    Some(Text { title, message })
}

fn money_text(event: &AuditEvent) -> Option<Text> {
    let thing = event.entity_id.as_str();
    let is_agents = value(event, "user_id").is_some();
    let (title, message) = match event.action {
        EventKind::RefundCompleted => {
            ("Refund completed", format!("{} came back from booking {thing}.", money(event, "amount")))
        }
        EventKind::RefundAdjusted => {
            ("Refund adjusted", format!("{} more came back from booking {thing}.", money(event, "amount")))
        }
        EventKind::BookingDebitNote => (
            "Debit note",
            format!("{} were charged for booking {thing} after the sale.", money(event, "amount")),
        ),
        EventKind::BookingDebitDue => (
            "Debit note due",
            format!(
                "{} are due for booking {thing}: the wallet does not cover them yet.",
                money(event, "amount")
            ),
        ),
        EventKind::BookingDebitWithdrawn => (
            "Debit note withdrawn",
            format!("{} that were due for booking {thing} are not charged any more.", money(event, "amount")),
        ),
        EventKind::WalletAllocated => {
            ("Money allocated", format!("{} were allocated to your wallet.", money(event, "amount")))
        }
        EventKind::WalletToppedUp => (
            "Wallet topped up",
            match is_agents {
                true => format!("{} were paid into your wallet.", money(event, "amount")),
                false => format!("{} were paid into the organization's wallet.", money(event, "amount")),
            },
        ),
        EventKind::WalletLowBalance => {
            let whose = match is_agents {
                true => "The agent's wallet",
                false => "The organization's wallet",
            };
            let (available, threshold) = (money(event, "available"), money(event, "threshold"));
            ("Low balance", format!("{whose} has {available} left, less than {threshold}."))
        }
        _ => return None,
    };
    Some(Text { title, message })
}

fn user_text(event: &AuditEvent) -> Option<Text> {
    let (title, message) = match event.action {
        EventKind::ReportReady => ("Report ready", "A report that you asked for is ready.".to_owned()),
        EventKind::ReportFailed => {
            ("Report failed", "A report that you asked for could not be made.".to_owned())
        }
        EventKind::UserPasswordChanged => ("Password changed", "Your password was changed.".to_owned()),
        EventKind::UserPasswordReset => {
            ("Password changed", "Your password was set anew by the operator.".to_owned())
        }
        _ => return None,
    };
    Some(Text { title, message })
}

fn says(event: &AuditEvent, field: &str) -> bool {
    let value = event.new_value.as_ref().and_then(|values| values.get(field));
    value == Some(&Value::Bool(true))
}

fn value<'a>(event: &'a AuditEvent, field: &str) -> Option<&'a str> {
    event.new_value.as_ref()?.get(field)?.as_str()
}

/// A time as people read it, UTC.
fn instant(event: &AuditEvent, field: &str) -> String {
    let at = value(event, field).and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    let at = at.map(|at| at.to_utc().format("%d %b %Y %H:%M UTC").to_string());
    at.unwrap_or_default()
}

fn minutes(event: &AuditEvent) -> i64 {
    let minutes = event.new_value.as_ref().and_then(|values| values.get("minutes_left"));
    minutes.and_then(Value::as_i64).unwrap_or_default()
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
    fn who_reads_what() {
        let user = UserId::at("2026-03-01T00:00:00Z".parse().unwrap());
        let agents = json!({ "user_id": user, "amount": 12, "currency": "INR", "failure": "sold out",
            "available": 3, "threshold": 5 });
        let everybodys = json!({ "amount": 12, "currency": "INR", "available": 3, "threshold": 5 });
        for (action, values, admins, message) in [
            (EventKind::BookingConfirmed, &agents, false, "Booking FA-7K2M9QX4 is confirmed: 12 INR."),
            (
                EventKind::BookingFailed,
                &agents,
                true,
                "Booking FA-7K2M9QX4 has failed, nothing was charged: sold out",
            ),
            (EventKind::RefundCompleted, &agents, false, "12 INR came back from booking FA-7K2M9QX4."),
            (EventKind::WalletToppedUp, &agents, false, "12 INR were paid into your wallet."),
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
            (EventKind::ReportReady, &agents, false, "A report that you asked for is ready."),
        ] {
            let notification = Notification::of(&AuditEvent::sample(action, values.clone())).unwrap();
            assert_eq!((notification.kind, notification.admins), (action.text(), admins));
            assert_eq!(notification.user, values.get("user_id").map(|_| user), "{action:?}");
            assert_eq!(notification.message, message);
        }
        let reset = Notification::of(&AuditEvent {
            entity_id: user.to_string(),
            new_value: None,
            ..AuditEvent::sample(EventKind::UserPasswordReset, json!(null))
        });
        let reset = reset.unwrap();
        assert_eq!((reset.kind, reset.user), ("security.password_changed", Some(user)));
        assert_eq!(Notification::of(&AuditEvent::sample(EventKind::BookingRequested, agents)), None);
    }
}
