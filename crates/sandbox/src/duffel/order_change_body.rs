//! Duffel's words for a change of dates.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::bookings::{Booking, OrderChange, Replaced};
use super::slice_body::Trip;
use super::wire;
use crate::itinerary::Journey;

/// The slices that go and those that come, with the ids that they have and would have.
pub(super) fn slices(booking: &Booking, trip: &Trip<'_>, replaced: &[Replaced]) -> Value {
    let moves = |slice: usize, before: &Journey| {
        let earlier = booking.airline_changes.iter().filter(|change| change.slice == slice);
        // How often it had been changed when this was flown.
        let known = earlier.clone().position(|change| change.before == *before);
        known.unwrap_or_else(|| earlier.count())
    };
    let removed =
        replaced.iter().map(|each| trip.slice(each.slice, &each.before, moves(each.slice, &each.before)));
    let added =
        replaced.iter().map(|each| trip.slice(each.slice, &each.after, moves(each.slice, &each.before) + 1));
    json!({ "remove": removed.collect::<Vec<_>>(), "add": added.collect::<Vec<_>>() })
}

pub(super) fn amounts(
    trip: &Trip<'_>,
    new_total: Decimal,
    penalty: Decimal,
    change_total: Decimal,
) -> serde_json::Map<String, Value> {
    let amount = |value: Decimal| Value::from(value.to_string());
    [
        ("change_total_amount", amount(change_total)),
        ("change_total_currency", trip.currency.into()),
        ("new_total_amount", amount(new_total)),
        ("new_total_currency", trip.currency.into()),
        ("penalty_total_amount", amount(penalty)),
        ("penalty_total_currency", trip.currency.into()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

pub(super) fn body(order_id: &str, booking: &Booking, trip: &Trip<'_>, change: &OrderChange) -> Value {
    let mut body = amounts(trip, booking.total_with(&change.fare), change.penalty, change.change_total);
    body.extend([
        ("id".to_owned(), change.id.clone().into()),
        ("live_mode".to_owned(), false.into()),
        ("order_id".to_owned(), order_id.into()),
        ("available_payment_types".to_owned(), json!(["balance"])),
        ("refund_to".to_owned(), change.refund_to.clone().into()),
        ("created_at".to_owned(), wire::instant(change.created_at).into()),
        ("updated_at".to_owned(), wire::instant(change.confirmed_at.unwrap_or(change.created_at)).into()),
        ("expires_at".to_owned(), wire::deadline(change.expires_at).into()),
        ("confirmed_at".to_owned(), change.confirmed_at.map(wire::instant).into()),
        ("slices".to_owned(), slices(booking, trip, &change.replaced)),
    ]);
    Value::Object(body)
}

/// The changes of an order that were confirmed, oldest first.
pub(super) fn confirmed(order_id: &str, booking: &Booking, trip: &Trip<'_>) -> Vec<Value> {
    let confirmed = booking.order_changes.iter().filter(|change| change.confirmed_at.is_some());
    confirmed.map(|change| body(order_id, booking, trip, change)).collect()
}
