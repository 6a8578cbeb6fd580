//! Calls of Hotelbeds' content API: how many there were, and which belong to somebody's search. The vendor forbids those, and blocks who makes
//! them.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Who asks so soon after a search what its hotels are does it for whoever waits for the search.
const APART: Duration = Duration::from_millis(250);

/// Calls until now.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) asked: u64,
    pub(crate) refused: u64,
}

/// Whose hotels were found when, and how often anybody asked what they are.
#[derive(Debug, Default)]
pub(crate) struct ContentCalls(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    counts: Counts,
    found: Vec<Found>,
}

#[derive(Debug)]
struct Found {
    key: String,
    at: Instant,
    hotels: HashSet<u32>,
}

impl ContentCalls {
    pub(crate) fn counts(&self) -> Counts {
        self.calls().counts
    }

    /// A search of this key finds these hotels now.
    pub(crate) fn found(&self, key: &str, hotels: HashSet<u32>) {
        let at = Instant::now();
        let mut calls = self.calls();
        calls.found.retain(|found| found.at.elapsed() < APART);
        calls.found.push(Found { key: key.to_owned(), at, hotels });
    }

    /// Counts a call about these hotels, about none of them where it is about words. Whether it is let through: it does not belong to
    /// a search.
    pub(crate) fn ask(&self, key: &str, hotels: &[u32]) -> bool {
        let mut calls = self.calls();
        calls.counts.asked += 1;
        let belongs = |found: &Found| {
            let is_of_it = hotels.is_empty() || hotels.iter().any(|code| found.hotels.contains(code));
            found.key == key && found.at.elapsed() < APART && is_of_it
        };
        let is_let_through = !calls.found.iter().any(belongs);
        calls.counts.refused += u64::from(!is_let_through);
        is_let_through
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
