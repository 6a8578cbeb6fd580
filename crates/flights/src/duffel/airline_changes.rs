//! Theirs to ours: the flights of an order, and what airlines have changed of them by themselves.

use serde_json::Value;

use super::journey::journey;
use super::wire::{self, Text};
use crate::{AirlineChange, Segment, shared_parts::SharedParts};

/// The changes that an order shows, oldest first. One that can't be read is left out with a warning: it must not cost the
/// order.
pub(super) fn airline_changes(order: &Value) -> Vec<AirlineChange> {
    let recorded = order.get("airline_initiated_changes").and_then(Value::as_array);
    let mut changes: Vec<AirlineChange> = recorded.into_iter().flatten().filter_map(read).collect();
    changes.sort_by_key(|change| change.told_at);
    changes
}

/// The flights of an order as it shows them; none where they can't be read, with a warning: they must not cost the order.
pub(super) fn flights(order: &Value) -> Vec<Segment> {
    let Some(slices) = order.get("slices") else {
        return Vec::new();
    };
    let theirs: Result<Vec<wire::Slice<Text>>, _> = serde_path_to_error::deserialize(slices);
    let read = theirs.map_err(|error| error.to_string());
    read.and_then(|slices| segments(&slices))
        .inspect_err(
            |error| tracing::warn!(error, id = ?order.get("id"), "the flights of an order are left out"),
        )
        .unwrap_or_default()
}

fn read(recorded: &Value) -> Option<AirlineChange> {
    let theirs: Result<wire::AirlineChange<Text>, _> = serde_path_to_error::deserialize(recorded);
    let change = theirs.map_err(|error| error.to_string()).and_then(change);
    change
        .inspect_err(|error| tracing::warn!(error, id = ?recorded.get("id"), "an airline's change of an order is left out"))
        .ok()
}

fn change(theirs: wire::AirlineChange<Text>) -> Result<AirlineChange, String> {
    Ok(AirlineChange {
        removed: segments(&theirs.removed).map_err(|reason| format!("removed: {reason}"))?,
        added: segments(&theirs.added).map_err(|reason| format!("added: {reason}"))?,
        id: theirs.id,
        action_taken: theirs.action_taken,
        available_actions: theirs.available_actions.unwrap_or_default(),
        told_at: theirs.created_at,
    })
}

/// The flights of these slices, in order.
fn segments(slices: &[wire::Slice<Text>]) -> Result<Vec<Segment>, String> {
    let (mut segments, mut parts) = (Vec::new(), SharedParts::default());
    for (index, slice) in slices.iter().enumerate() {
        segments.extend(journey(index, slice, &mut parts)?.segments);
    }
    Ok(segments)
}
