//! What happened to a booking, as its agency reads it: each entry of its timeline in a sentence.

use wayfare_client::{
    TimelineEntry,
    enums::{RefundStatus, StepKind, TimelineKind, TimelineOutcome},
};

use crate::{day::Moment, failure::sentence, money::money};

pub struct Entry {
    pub at: Moment,
    /// `ok`, `warn`, `bad`, or nothing.
    pub tone: &'static str,
    pub title: String,
    /// Who it was, or where, and how much.
    pub about: String,
}

/// These entries, in the order in which they come.
pub fn entries(timeline: &[TimelineEntry]) -> Vec<Entry> {
    timeline.iter().map(entry).collect()
}

fn entry(entry: &TimelineEntry) -> Entry {
    let amount = entry.amount.zip(entry.currency.as_deref());
    let amount = amount.map(|(amount, currency)| money(amount, currency));
    let provider = entry.provider.as_deref().map(sentence);
    let order = entry.order.map(|number| format!("order {number}"));
    let place = [provider, order].into_iter().flatten().collect::<Vec<_>>();
    let by = entry.by.as_deref().and_then(hand).map(str::to_owned);
    let about = [Some(place.join(", ")), amount, by].into_iter().flatten();
    let about = about.filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let (tone, title) = said(entry);
    Entry { at: Moment::of(entry.at), tone, title, about: about.join(" · ") }
}

/// Whose hand it was, where it was not that of somebody of the agency.
fn hand(by: &str) -> Option<&'static str> {
    match by {
        "operator" => Some("by the operator"),
        "system" => Some("by itself"),
        _ => None,
    }
}

fn said(entry: &TimelineEntry) -> (&'static str, String) {
    let step = entry.step.as_ref().map_or("Something", step_name);
    match (&entry.what, &entry.outcome) {
        (TimelineKind::Priced, _) => ("", "Priced".to_owned()),
        (TimelineKind::Asked, _) => ("", format!("{step}: the supplier was asked")),
        (TimelineKind::Answered, Some(TimelineOutcome::Done)) => ("ok", format!("{step}: done")),
        (TimelineKind::Answered, _) => ("bad", format!("{step}: refused, nothing happened there")),
        (TimelineKind::Refund, _) => refund(entry.refund_status.as_ref()),
        (_, _) => {
            let action = entry.action.as_deref().unwrap_or_default();
            event(action).map_or_else(
                || ("", sentence(&action.replace(['.', '_'], " "))),
                |(tone, title)| (tone, title.to_owned()),
            )
        }
    }
}

pub fn step_name(step: &StepKind) -> &str {
    match step {
        StepKind::Book => "Order",
        StepKind::Cancel => "Cancellation",
        StepKind::Ticket => "Payment and tickets",
        StepKind::Compensate => "Giving an order back",
        StepKind::AddService => "Adding a service",
        StepKind::AcceptChange => "Accepting the schedule change",
        StepKind::Change => "Exchange of flights",
        other => other.as_str(),
    }
}

fn refund(status: Option<&RefundStatus>) -> (&'static str, String) {
    let (tone, text) = match status {
        Some(RefundStatus::Refunded) => ("ok", "Money asked back: it is in the wallet"),
        Some(RefundStatus::Failed) => ("bad", "Money asked back: refused"),
        _ => ("warn", "Money asked back: not here yet"),
    };
    (tone, text.to_owned())
}

/// What is said of an event; none of one that is newer than this.
pub fn event(action: &str) -> Option<(&'static str, &'static str)> {
    Some(match action {
        "booking.requested" => ("", "Booked; the money is held"),
        "booking.confirmed" => ("ok", "Confirmed"),
        "booking.failed" => ("bad", "Failed: nothing was bought and nothing charged"),
        "booking.order_undone" => ("", "An order of the failed booking was given back"),
        "booking.undo_refused" => ("warn", "The supplier did not take an order of the failed booking back"),
        "booking.cancel_requested" => ("", "Cancellation asked for"),
        "booking.cancelled" => ("warn", "Cancelled"),
        "booking.cancel_refused" => ("bad", "The supplier refused to cancel"),
        "booking.partly_cancelled" => ("warn", "A part of it is cancelled"),
        "booking.rescheduled" => ("warn", "Another booking takes its place"),
        "booking.lapsed" => ("bad", "The hold lapsed"),
        "booking.hold_expiring" => ("warn", "Reminder: the hold has to be paid soon"),
        "booking.hold_price_ending" => ("warn", "Reminder: the hold loses its price soon"),
        "booking.hold_paid" => ("ok", "The hold is paid"),
        "booking.auto_ticket_set" => ("", "Ticketing by itself switched on or off"),
        "booking.cancelled_by_supplier" => ("bad", "The supplier cancelled it by itself"),
        "booking.hotel_confirmed" => ("ok", "The hotel told its own number"),
        "booking.hotel_unconfirmed" => ("warn", "The hotel has not told its own number yet"),
        "booking.airline_changed" => ("warn", "The airline changed flights"),
        "booking.change_expiring" => ("warn", "Reminder: the schedule change has to be decided on soon"),
        "booking.change_accept_requested" => ("", "Acceptance of the schedule change asked for"),
        "booking.change_accepted" => ("ok", "The schedule change is accepted"),
        "booking.change_accept_refused" => ("bad", "The schedule change could not be accepted"),
        "booking.change_refused" => ("warn", "The schedule change is refused"),
        "booking.journey_change_requested" => ("", "Other flights asked for"),
        "booking.changed" => ("ok", "Other flights are flown"),
        "booking.journey_change_refused" => ("bad", "The flights were not changed"),
        "booking.service_requested" => ("", "Seats, bags or meals asked for"),
        "booking.service_added" => ("ok", "Seats, bags or meals added"),
        "booking.service_refused" => ("bad", "Seats, bags or meals refused"),
        "booking.debit_note" => ("warn", "The supplier charged later, and the wallet paid"),
        "booking.debit_due" => ("bad", "The supplier charged later; the wallet does not cover it yet"),
        "booking.debit_withdrawn" => ("ok", "What the supplier charged later is not due any more"),
        "booking.corrected" => ("", "A number was corrected"),
        "ticket.requested" => ("", "Tickets asked for"),
        "ticket.issued" => ("ok", "Tickets issued"),
        "ticket.refused" => ("bad", "Tickets refused"),
        "ticket.auto_refused" => ("bad", "Tickets were not issued by themselves"),
        "refund.completed" => ("ok", "Money came back to the wallet"),
        "refund.adjusted" => ("ok", "More money came back to the wallet"),
        "people.erased" => ("", "Whom it is for was erased"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn of(more: &Value) -> Entry {
        let mut all = json!({
            "at": "2027-01-19T08:05:00.123Z", "what": "event", "action": null, "by": null, "step": null, "outcome": null,
            "order": null, "provider": null, "amount": null, "currency": null, "refund_status": null,
        });
        for (name, value) in more.as_object().unwrap() {
            all[name] = value.clone();
        }
        entry(&serde_json::from_value(all).unwrap())
    }

    #[test]
    fn an_entry_becomes_a_sentence() {
        for (more, tone, title, about) in [
            (json!({ "what": "priced" }), "", "Priced", ""),
            (
                json!({ "action": "booking.confirmed", "by": "system", "amount": 12.5, "currency": "INR" }),
                "ok",
                "Confirmed",
                "₹12.50 · by itself",
            ),
            (
                json!({ "what": "asked", "step": "book", "order": 2, "provider": "duffel" }),
                "",
                "Order: the supplier was asked",
                "Duffel, order 2",
            ),
            (
                json!({ "what": "answered", "step": "cancel", "outcome": "refused", "order": 1 }),
                "bad",
                "Cancellation: refused, nothing happened there",
                "order 1",
            ),
            (
                json!({ "what": "refund", "refund_status": "refunded", "amount": 1, "currency": "INR" }),
                "ok",
                "Money asked back: it is in the wallet",
                "₹1.00",
            ),
            // Of a newer server.
            (json!({ "action": "booking.<b>sold" }), "", "Booking <b>sold", ""),
        ] {
            let shown = of(&more);
            assert_eq!((shown.tone, shown.title.as_str(), shown.about.as_str()), (tone, title, about));
            assert_eq!(shown.at.text, "19 Jan 2027, 08:05 UTC");
        }
    }
}
