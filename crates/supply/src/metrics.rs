//! What is counted of the calls to one supplier.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use prometheus_client::metrics::histogram::Histogram;
use tokio::time::Instant;

use crate::{PermitUse, Purpose};

/// Upper bounds in seconds: up to the longest time that a supplier may take for an effect.
const BUCKETS: [f64; 13] = [
    0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0,
];

/// How long calls took, by their purpose and outcome.
#[derive(Debug, Default)]
pub(crate) struct CallDurations(Mutex<BTreeMap<(&'static str, &'static str), Histogram>>);

impl CallDurations {
    fn count(&self, purpose: Purpose, outcome: CallOutcome, seconds: f64) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let histogram = calls.entry((purpose.label(), outcome.label()));
        histogram
            .or_insert_with(|| Histogram::new(BUCKETS))
            .observe(seconds);
    }

    pub fn all(&self) -> Vec<CountedCalls> {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = calls.iter();
        let all = all.map(|((purpose, outcome), seconds)| CountedCalls {
            purpose,
            outcome,
            seconds: seconds.clone(),
        });
        all.collect()
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

/// How a supplier is just now, and what has been counted of it since the start.
#[derive(Clone, Debug)]
pub struct SupplierMetrics {
    /// Each call once.
    pub calls: Vec<CountedCalls>,
    /// Its permits.
    pub permits: PermitUse,
    /// How many permits it has.
    pub permits_in_all: u32,
    /// Whether its circuit breaker lets nothing through.
    pub breaker_is_open: bool,
    /// Whether it asked to be left alone, and is.
    pub is_paused: bool,
}

/// How a call ended, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// It answered, be it with a refusal.
    Answered,
    /// It answered 5xx, of a kind whose refusals come so.
    ServerError,
    /// It wants to be left alone.
    Limited,
    /// The connection was refused: nothing was sent.
    Unreachable,
    /// Nobody knows what became of it; 5xx too.
    Unknown,
    /// No permit, or an open breaker: nothing was sent.
    NotSent,
    /// Nobody waits for it any more.
    Abandoned,
}

impl CallOutcome {
    fn label(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::ServerError => "server_error",
            Self::Limited => "limited",
            Self::Unreachable => "unreachable",
            Self::Unknown => "unknown",
            Self::NotSent => "not_sent",
            Self::Abandoned => "abandoned",
        }
    }
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
        Self {
            durations,
            purpose,
            begun: Instant::now(),
            outcome: CallOutcome::Abandoned,
        }
    }

    /// It ended so.
    pub fn ended(mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for CountedCall<'_> {
    fn drop(&mut self) {
        let took = self.begun.elapsed();
        self.durations
            .count(self.purpose, self.outcome, took.as_secs_f64());
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
