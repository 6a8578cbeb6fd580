//! When a hold is reminded of, and the event of it.

use chrono::{DateTime, Duration, Utc};
use serde_json::json;
use wayfare_domain::{Actor, AuditEvent, EventKind, LAST_REMINDER, ReminderKind};
use wayfare_store::booking::{
    booking_holds::{BookingHold, Limits},
    bookings::Booking,
    hold_reminders::Reminder,
};

use crate::{Core, tools::audit_event};

/// A hold that lasts no longer is reminded of once, at half its time.
const SHORT: Duration = Duration::hours(2);
/// So long before its price ends that is told.
const PRICE_WARNING: Duration = Duration::hours(1);

/// The reminders of a hold with these limits that are still ahead, in order; `hours` are the agency's. They are numbered
/// after those that were told.
pub(super) fn plan(
    hold: &BookingHold,
    limits: Limits,
    hours: &[u32],
    past: &[Reminder],
    now: DateTime<Utc>,
) -> Vec<Reminder> {
    let mut times: Vec<(DateTime<Utc>, ReminderKind)> = match limits.pay_by {
        Some(pay_by) => expiring(hold.held_at.unwrap_or(now), pay_by, hours)
            .into_iter()
            .filter(|at| *at > now)
            .map(|at| (at, ReminderKind::Expiring))
            .collect(),
        None => Vec::new(),
    };
    times.extend(price_ending(limits, now).map(|at| (at, ReminderKind::PriceEnding)));
    times.sort_by_key(|(at, _)| *at);
    let first = past.iter().map(|reminder| reminder.number).max().unwrap_or(0) + 1;
    let reminder = |(number, (due_at, kind))| Reminder { number, kind, due_at, told_at: None };
    (first..).zip(times).map(reminder).collect()
}

fn expiring(held_at: DateTime<Utc>, pay_by: DateTime<Utc>, hours: &[u32]) -> Vec<DateTime<Utc>> {
    if hours.is_empty() {
        return Vec::new();
    }
    let lasts = pay_by - held_at;
    if lasts < SHORT {
        return vec![held_at + lasts / 2];
    }
    let before = |hours: &u32| pay_by - Duration::hours((*hours).into());
    hours.iter().map(before).collect()
}

/// An hour before, or now where that has passed; not where the hold ends no later.
fn price_ending(limits: Limits, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let ends = limits.price_guaranteed_until?;
    let is_earlier = limits.pay_by.is_none_or(|pay_by| ends < pay_by);
    is_earlier.then(|| (ends - PRICE_WARNING).max(now))
}

/// The events of what is due now: of several reminders of one kind, which a server that was down has missed, one.
pub(super) fn due_events(
    core: &Core,
    booking: &Booking<()>,
    limits: Limits,
    reminders: &[Reminder],
    now: DateTime<Utc>,
) -> Vec<AuditEvent> {
    let untold = |kind| {
        let of_kind = move |reminder: &&Reminder| reminder.kind == kind && reminder.told_at.is_none();
        reminders.iter().filter(of_kind)
    };
    let mut events = Vec::new();
    if untold(ReminderKind::PriceEnding).any(|reminder| reminder.due_at <= now) {
        let until = limits.price_guaranteed_until;
        events.push(event(core, booking, EventKind::BookingHoldPriceEnding, limits, until, now));
    }
    if untold(ReminderKind::Expiring).any(|reminder| reminder.due_at <= now) {
        let mut expiring = event(core, booking, EventKind::BookingHoldExpiring, limits, limits.pay_by, now);
        let is_last = untold(ReminderKind::Expiring).all(|reminder| reminder.due_at <= now);
        expiring.add(LAST_REMINDER, is_last);
        events.push(expiring);
    }
    events
}

/// An event of a hold, with its limits and the minutes until this one.
pub(crate) fn event(
    core: &Core,
    booking: &Booking<()>,
    action: EventKind,
    limits: Limits,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> AuditEvent {
    let mut event = audit_event::of_booking(core, &Actor::system(), booking, action, None);
    event.add("pay_by", json!(limits.pay_by));
    event.add("price_guaranteed_until", json!(limits.price_guaranteed_until));
    event.add("minutes_left", until.map(|until| (until - now).num_minutes().max(0)));
    event
}

#[cfg(test)]
mod tests {
    use wayfare_domain::{BookingId, OrganizationId};

    use super::*;

    /// Minutes after the hold.
    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + 60 * minutes, 0).unwrap_or_default()
    }

    fn hold() -> BookingHold {
        BookingHold {
            organization: OrganizationId::at(at(0)),
            booking: BookingId::at(at(0)),
            auto_ticket_since: None,
            auto_ticket_at: None,
            held_at: Some(at(0)),
            planned: None,
            due_at: None,
        }
    }

    #[test]
    fn reminders_come_at_the_hours_that_are_still_ahead() {
        use ReminderKind::{Expiring, PriceEnding};
        let usual: &[u32] = &[24, 6, 1];
        let day = 24 * 60;
        for (pay_by, price, hours, now, expected) in [
            (
                Some(3 * day),
                None,
                usual,
                0,
                vec![(2 * day, Expiring), (3 * day - 360, Expiring), (3 * day - 60, Expiring)],
            ),
            (Some(day), None, usual, 0, vec![(day - 360, Expiring), (day - 60, Expiring)]),
            (Some(300), None, usual, 0, vec![(240, Expiring)]),
            (Some(300), None, usual, 240, vec![]),
            (Some(119), None, usual, 0, vec![(59, Expiring)]),
            (Some(60), None, usual, 31, vec![]),
            (Some(120), None, usual, 0, vec![(60, Expiring)]),
            (Some(300), None, &[], 0, vec![]),
            (Some(300), Some(200), usual, 0, vec![(140, PriceEnding), (240, Expiring)]),
            (Some(300), Some(300), usual, 0, vec![(240, Expiring)]),
            (Some(300), Some(30), usual, 0, vec![(0, PriceEnding), (240, Expiring)]),
            (None, Some(200), usual, 0, vec![(140, PriceEnding)]),
            (None, None, usual, 0, vec![]),
        ] {
            let limits = Limits { pay_by: pay_by.map(at), price_guaranteed_until: price.map(at) };
            let planned = plan(&hold(), limits, hours, &[], at(now));
            let times: Vec<_> = planned.iter().map(|one| (one.due_at, one.kind)).collect();
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(minutes, kind)| {
                    let half = pay_by == Some(119) && kind == Expiring;
                    (at(minutes) + Duration::seconds(if half { 30 } else { 0 }), kind)
                })
                .collect();
            assert_eq!(times, expected, "{pay_by:?} {price:?} {now}");
        }
    }

    #[test]
    fn those_that_were_told_keep_their_numbers() {
        let past = Reminder { number: 2, kind: ReminderKind::Expiring, due_at: at(0), told_at: Some(at(0)) };
        let limits = Limits { pay_by: Some(at(300)), price_guaranteed_until: None };
        let planned = plan(&hold(), limits, &[1], &[past], at(0));
        assert_eq!(planned.iter().map(|one| one.number).collect::<Vec<_>>(), [3]);
    }
}
