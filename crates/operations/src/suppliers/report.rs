//! How each supplier's part of a search ended.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a supplier's part of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SupplierState {
    Success,
    /// It failed, refused or was silent.
    Error,
    /// It was not asked: not for this agency, or it never takes such a party or sells such a trip.
    Skipped,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplierReport {
    pub code: String,
    pub state: SupplierState,
    pub duration: Duration,
    pub results: usize,
    /// What went wrong, for `debug.provider_errors`.
    pub errors: Vec<String>,
    /// Where a city was spread, what was searched instead: of each search, the airports of its journeys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<Vec<[String; 2]>>,
}

impl SupplierReport {
    /// Of a supplier that was asked so long ago, before its answer is read.
    pub fn unanswered(code: &str, duration: Duration) -> Self {
        Self {
            code: code.to_owned(),
            state: SupplierState::Error,
            duration,
            results: 0,
            errors: Vec::new(),
            searched: Vec::new(),
        }
    }

    /// Of a supplier that was not asked, for this reason.
    pub(crate) fn skipped(code: &str, reason: String) -> Self {
        Self { state: SupplierState::Skipped, errors: vec![reason], ..Self::unanswered(code, Duration::ZERO) }
    }
}
