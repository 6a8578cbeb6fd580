//! What has happened to rates since they were found. Lost with the process, as prices are.

use std::collections::HashMap;
use std::sync::PoisonError;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::rate_keys::RateRef;
use crate::fault_injection::InjectedFault;
use crate::server::World;

const MOST: usize = 20_000;

/// Every rate that something has happened to, by its origin.
#[derive(Debug, Default)]
pub(super) struct Moves {
    by_origin: HashMap<Vec<u8>, Moved>,
}

/// What has happened to one rate.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    /// By how many percent its price moved, one after the other.
    pub(super) percents: Vec<Decimal>,
    pub(super) is_gone: bool,
    /// Not of interest from then on.
    expires_at: DateTime<Utc>,
}

/// What has happened to a rate by now, a fault that strikes it included.
pub(super) fn moved(world: &World, reference: &RateRef, injected: InjectedFault) -> Moved {
    let mut moves = world
        .hotelbeds
        .moves
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let origin = reference.origin();
    if injected.price_changed.is_none() && !injected.sold_out {
        return moves.by_origin.get(&origin).cloned().unwrap_or_default();
    }
    let now = world.clock.now();
    if moves.by_origin.len() >= MOST {
        moves.by_origin.retain(|_, moved| moved.expires_at > now);
    }
    let moved = moves.by_origin.entry(origin).or_default();
    moved.percents.extend(injected.price_changed);
    moved.is_gone |= injected.sold_out;
    // The key that tells of this is given now or soon, and lasts half an hour.
    moved.expires_at = now + TimeDelta::hours(1);
    moved.clone()
}
