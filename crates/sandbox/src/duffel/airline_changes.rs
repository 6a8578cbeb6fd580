//! What an airline changes of an order's flights by itself: made at the control surface, sent with the order.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::bookings::{Action, AirlineChange, Booking, Taken, present};
use super::slice_body::Trip;
use super::{ids, webhooks, wire};
use crate::airline_delay::AirlineChangeError;
use crate::world::World;

/// Lets all flights of a slice leave so many minutes later; the id of the change.
pub(crate) fn delay(
    world: &World,
    order_id: &str,
    slice: usize,
    minutes: u32,
) -> Result<String, AirlineChangeError> {
    let now = world.clock.now();
    let id = ids::fresh("aic");
    let changed = world.orders.change(order_id, |booking: &mut Booking| {
        if booking.cancelled_at(now).is_some() {
            return Err(AirlineChangeError::Cancelled);
        }
        let sold = booking.bundle.journeys.get(slice).ok_or(AirlineChangeError::NoSlice(slice))?;
        let (before, _) = present(&booking.airline_changes, slice, sold);
        let (before, mut after) = (before.clone(), before.clone());
        let later = TimeDelta::minutes(minutes.into());
        after.put_off(later);
        booking.airline_changes.push(AirlineChange {
            id: id.clone(),
            created_at: now,
            slice,
            before,
            after,
            taken: None,
            is_wanted: false,
        });
        Ok(())
    })?;
    let missing = || AirlineChangeError::NoOrder(order_id.to_owned());
    changed.ok_or_else(missing)?;
    webhooks::tell(world, "order.airline_initiated_change_detected", order_id, &id);
    Ok(id)
}

/// All changes of an order, oldest first. Who cancels the order has cancelled what was changed.
pub(super) fn bodies(booking: &Booking, trip: &Trip<'_>, now: DateTime<Utc>) -> Vec<Value> {
    let cancelled_at = booking.cancelled_at(now);
    let changes = booking.airline_changes.iter().enumerate();
    changes
        .filter(|(_, change)| !change.is_wanted)
        .map(|(place, change)| {
            let earlier = booking.airline_changes.iter().take(place);
            let moves = earlier.filter(|earlier| earlier.slice == change.slice).count();
            let cancelled = cancelled_at.map(|at| Taken { action: Action::Cancelled, at });
            let taken = change.taken.or(cancelled);
            json!({
                "id": change.id,
                "order_id": trip.id,
                "created_at": wire::instant(change.created_at),
                "updated_at": wire::instant(taken.map_or(change.created_at, |taken| taken.at)),
                "action_taken": taken.map(|taken| taken.action),
                "action_taken_at": taken.map(|taken| wire::instant(taken.at)),
                "available_actions": match taken {
                    Some(_) => json!([]),
                    None => json!(["accept", "cancel", "change"]),
                },
                "removed": [trip.slice(change.slice, &change.before, moves)],
                "added": [trip.slice(change.slice, &change.after, moves + 1)],
                "travel_agent_ticket": null,
            })
        })
        .collect()
}
