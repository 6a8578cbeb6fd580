//! Theirs to ours: the flights of an order, and what airlines have changed of them by themselves.

use serde_json::value::RawValue;
use wayfare_supply::{LossKind, lenient::parse_leniently, note_loss, reading::parse_if};

use super::journey::journey;
use super::parts::OFFERED;
use super::wire::{self, ShownFlights, Text};
use crate::{AirlineChange, Segment, shared_parts::SharedParts};

/// The changes that an order shows, oldest first. One that can't be read is left out with a warning: it must not cost the
/// order.
pub(super) fn airline_changes(order: &ShownFlights) -> Vec<AirlineChange> {
    let recorded = order.airline_initiated_changes.as_deref().map(RawValue::get);
    // What is no list has none.
    let recorded: Option<Vec<&RawValue>> = recorded.and_then(|list| parse_if(list.as_bytes()));
    let changes = recorded.unwrap_or_default().into_iter();
    let mut changes: Vec<AirlineChange> = changes
        .filter_map(|change| {
            read(change)
                .inspect_err(|error| {
                    tracing::warn!(error, order = order.id, "a schedule change of an order is left out")
                })
                .ok()
        })
        .collect();
    changes.sort_by_key(|change| change.told_at);
    changes
}

/// The flights of an order as it shows them; none where they can't be read, with a warning: they must not cost the order.
pub(super) fn flights(order: &ShownFlights) -> Vec<Segment> {
    let Some(slices) = &order.slices else { return Vec::new() };
    let theirs = parse_leniently::<Vec<wire::Slice<Text>>>(slices.get().as_bytes(), "order.slices", &OFFERED);
    let read = theirs.map_err(|error| error.to_string());
    read.and_then(|slices| segments(&slices))
        .inspect_err(|error| {
            note_loss(LossKind::LeftOut, "order.slices", "");
            tracing::warn!(error, order = order.id, "the flights of an order are left out");
        })
        .unwrap_or_default()
}

fn read(recorded: &RawValue) -> Result<AirlineChange, String> {
    let at = "order.airline_initiated_changes[]";
    let theirs = parse_leniently::<wire::AirlineChange<Text>>(recorded.get().as_bytes(), at, &OFFERED);
    theirs.map_err(|error| error.to_string()).and_then(change)
}

fn change(theirs: wire::AirlineChange<Text>) -> Result<AirlineChange, String> {
    Ok(AirlineChange {
        removed: segments(&theirs.removed).map_err(|reason| format!("removed: {reason}"))?,
        added: segments(&theirs.added).map_err(|reason| format!("added: {reason}"))?,
        id: theirs.id,
        action_taken: theirs.action_taken.map(word),
        available_actions: theirs.available_actions.unwrap_or_default().into_iter().map(word).collect(),
        told_at: theirs.created_at,
    })
}

/// Their words are written in small letters.
fn word(theirs: String) -> String {
    theirs.trim().to_ascii_lowercase()
}

/// The flights of these slices, in order.
fn segments(slices: &[wire::Slice<Text>]) -> Result<Vec<Segment>, String> {
    let (mut segments, mut parts) = (Vec::new(), SharedParts::default());
    for (index, slice) in slices.iter().enumerate() {
        segments.extend(journey(index, slice, &mut parts)?.segments);
    }
    Ok(segments)
}
