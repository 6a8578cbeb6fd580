//! The one place that time comes from, so that tests can freeze and move it.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, Utc};

/// A source of the present instant, in UTC.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    frozen: Option<Arc<Mutex<DateTime<Utc>>>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self { frozen: None }
    }

    /// A clock that stands still until it is moved; its clones move with it.
    pub fn frozen_at(instant: DateTime<Utc>) -> Self {
        Self {
            frozen: Some(Arc::new(Mutex::new(instant))),
        }
    }

    /// The present, to the microsecond, which is what PostgreSQL keeps.
    #[allow(clippy::disallowed_methods, reason = "this is the one place")]
    pub fn now(&self) -> DateTime<Utc> {
        let now = match &self.frozen {
            None => Utc::now(),
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
