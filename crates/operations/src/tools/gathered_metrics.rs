//! What waits in the database, for metrics.

use std::{
    sync::{Mutex, PoisonError},
    time::Instant,
};

use wayfare_store::service::metrics::Waiting;

use crate::Result;

/// What waits in the database, as it was counted last.
#[derive(Default)]
pub(crate) struct Gathered(Mutex<GatheredState>);

#[derive(Clone, Default)]
pub(crate) struct GatheredState {
    pub waiting: Vec<Waiting>,
    pub counted_at: Option<Instant>,
    pub has_failed: bool,
}

impl Gathered {
    pub(crate) fn state(&self) -> GatheredState {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn take(&self, counted: Result<Vec<Waiting>>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.has_failed = counted.is_err();
        match counted {
            Ok(waiting) => {
                state.waiting = waiting;
                state.counted_at = Some(Instant::now());
            }
            // Prometheus shows it; the log has the reason from whoever needed the database.
            Err(error) => tracing::debug!(%error, "what waits could not be counted for metrics"),
        }
    }
}
