//! The one place that time comes from, so that tests can freeze and move it.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, Utc};

/// A source of the present instant, in UTC.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    frozen: Option<Arc<Mutex<DateTime<Utc>>>>,
    /// By how much it is ahead of the machine's.
    ahead: Duration,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// The machine's clock, wrong by so much: for tests of several servers.
    pub fn ahead_by(ahead: Duration) -> Self {
        Self { frozen: None, ahead }
    }

    /// A clock that stands still until it is moved; its clones move with it.
    pub fn frozen_at(instant: DateTime<Utc>) -> Self {
        Self { frozen: Some(Arc::new(Mutex::new(instant))), ahead: Duration::zero() }
    }

    /// Whether it stands still until it is moved.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// The present, to the microsecond, which is what PostgreSQL keeps.
    #[allow(clippy::disallowed_methods, reason = "this is the one place")]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match &self.frozen {
            None => Utc::now() + self.ahead,
            Some(instant) => *instant.lock().unwrap_or_else(PoisonError::into_inner),
        };
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }

    /// Moves a frozen clock; the machine's clock moves by itself and ignores this.
    pub fn advance(&self, by: Duration) {
        if let Some(instant) = &self.frozen {
            *instant.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}
