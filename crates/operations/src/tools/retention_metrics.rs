//! What is counted of retention.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// What this process has removed since its start, and when all of it last went well.
#[derive(Default)]
pub(crate) struct RetentionMetrics(Mutex<State>);

#[derive(Default)]
struct State {
    rows: BTreeMap<&'static str, u64>,
    done_at: Option<Instant>,
}

impl RetentionMetrics {
    /// So many rows of a kind were worked off.
    pub(crate) fn count(&self, what: &'static str, rows: usize) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state.rows.entry(what).or_default() += u64::try_from(rows).unwrap_or(u64::MAX);
    }

    /// All that was due was worked off, here or by another server.
    pub(crate) fn done(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).done_at = Some(Instant::now());
    }

    /// The rows of each kind, and how long ago all was done.
    pub(crate) fn counted(&self) -> (BTreeMap<&'static str, u64>, Option<Duration>) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.rows.clone(), state.done_at.map(|at| at.elapsed()))
    }
}
