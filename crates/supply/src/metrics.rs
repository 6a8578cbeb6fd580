//! What is counted of the calls to one supplier.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use prometheus_client::metrics::histogram::Histogram;
use tokio::time::Instant;

use crate::{
    CountedLoss, PermitUse, PresentBreaker, Purpose,
    tally::{CallOutcome, CallTally},
};

/// Upper bounds in seconds: up to the longest time that a supplier may take for an effect.
const BUCKETS: [f64; 13] = [0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0];

/// How long calls took, by their purpose and outcome, and all of them in one tally: what [`SupplierMetrics`] tell of them.
#[derive(Debug, Default)]
pub struct CallDurations(Mutex<Durations>);

#[derive(Debug, Default)]
struct Durations {
    histograms: BTreeMap<(&'static str, &'static str), Histogram>,
    tally: CallTally,
}

impl CallDurations {
    /// Counts a call that has ended.
    pub fn count(&self, purpose: Purpose, outcome: CallOutcome, took: Duration) {
        let mut durations = self.durations();
        let histogram = durations.histograms.entry((purpose.label(), outcome.label()));
        histogram.or_insert_with(|| Histogram::new(BUCKETS)).observe(took.as_secs_f64());
        durations.tally.count(outcome, took);
    }

    /// [`SupplierMetrics::calls`].
    pub fn all(&self) -> Vec<CountedCalls> {
        let durations = self.durations();
        let all = durations.histograms.iter();
        let all = all.map(|((purpose, outcome), seconds)| CountedCalls {
            purpose,
            outcome,
            seconds: seconds.clone(),
        });
        all.collect()
    }

    /// [`SupplierMetrics::tally`].
    pub fn tally(&self) -> CallTally {
        self.durations().tally.clone()
    }

    fn durations(&self) -> MutexGuard<'_, Durations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls of one purpose that ended in one way.
#[derive(Clone, Debug)]
pub struct CountedCalls {
    /// Why the supplier was called, in a word.
    pub purpose: &'static str,
    /// How it ended, in a word.
    pub outcome: &'static str,
    /// How long they took, with the wait for a permit.
    pub seconds: Histogram,
}

/// How a supplier is just now, and what has been counted of it since the start; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct SupplierMetrics {
    /// Each call once.
    pub calls: Vec<CountedCalls>,
    /// All of them together.
    pub tally: CallTally,
    /// Calls that run and wait just now, and those that were turned away.
    pub permits: PermitUse,
    /// How many permits it has.
    pub permits_in_all: u32,
    /// What was lost where its answers were read.
    pub losses: Vec<CountedLoss>,
    /// Whether its circuit breaker lets anything through, and whether it asked to be left alone.
    pub breaker: PresentBreaker,
}

impl Purpose {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::BestEffort => "best_effort",
            Self::LookUp => "look_up",
            Self::Watch => "watch",
            Self::Effect => "step",
        }
    }
}

/// A call that is counted and logged when it ends, also when whoever wanted it hangs up.
#[derive(Debug)]
pub(crate) struct CountedCall<'a> {
    durations: &'a CallDurations,
    purpose: Purpose,
    begun: Instant,
    outcome: CallOutcome,
}

impl<'a> CountedCall<'a> {
    pub fn begin(durations: &'a CallDurations, purpose: Purpose) -> Self {
        Self { durations, purpose, begun: Instant::now(), outcome: CallOutcome::Abandoned }
    }

    pub fn ended(mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for CountedCall<'_> {
    fn drop(&mut self) {
        let took = self.begun.elapsed();
        self.durations.count(self.purpose, self.outcome, took);
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let outcome = self.outcome.label();
        match self.purpose {
            Purpose::LookUp | Purpose::Effect => tracing::info!(outcome, duration_ms, "called a supplier"),
            // A search asks many.
            Purpose::Question | Purpose::BestEffort | Purpose::Watch => {
                tracing::debug!(outcome, duration_ms, "called a supplier");
            }
        }
    }
}
