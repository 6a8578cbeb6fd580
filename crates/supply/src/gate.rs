//! The gate before a supplier: a seat for each call, and the breaker. Without both nothing is sent.

use std::time::Duration;

use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};
use tokio::time::timeout;
use wayfare_domain::Clock;

use crate::breaker::{Breaker, Pass};
use crate::{Limits, Outage};

/// Why a supplier is called: it decides how long the call may take and how many may be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// What can be asked again by whoever wants to know: a search, a price, a cancellation's quote.
    Question,
    /// A question whose answer can be done without: that it is given, or isn't, says nothing of the supplier's health.
    Aside,
    /// What became of an effect.
    LookUp,
    /// Something is to change there.
    Effect,
}

/// How long a call may wait for its seat. It is short, since an effect must not be sent late, whose sender counts the
/// supplier's processing time from before that; and a question that waited has less time left for its answer.
pub(crate) const SEAT_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Gate {
    seats: Semaphore,
    /// Of the seats, those that questions may take.
    question_seats: Semaphore,
    breaker: Breaker,
}

/// The right to send one call, and its seat until it has ended.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub pass: Pass<'a>,
    _seat: Seat<'a>,
}

type Seat<'a> = (Option<SemaphorePermit<'a>>, SemaphorePermit<'a>);

impl Gate {
    pub fn new(supplier: &str, limits: Limits, clock: Clock) -> Self {
        let seats = usize::try_from(limits.calls_at_once).unwrap_or(Semaphore::MAX_PERMITS);
        Self {
            seats: Semaphore::new(seats),
            question_seats: Semaphore::new((seats * 3 / 4).max(1)),
            breaker: Breaker::new(supplier, limits, clock),
        }
    }

    /// Waits for a seat: at most for [`SEAT_WAIT`], and for half of what the whole call may take. An outage means that
    /// nothing was sent and nothing will be.
    pub async fn enter(&self, purpose: Purpose, patience: Duration) -> Result<Entry<'_>, Outage> {
        // Nobody waits for a seat only to be turned away.
        self.breaker.check()?;
        let Ok(Ok(seat)) = timeout(SEAT_WAIT.min(patience / 2), self.seat(purpose)).await else {
            return Err(Outage {
                reason: "too many calls to the supplier are under way".to_owned(),
                retry_after: Some(Duration::from_secs(1)),
            });
        };
        Ok(Entry {
            pass: self.breaker.admit()?,
            _seat: seat,
        })
    }

    async fn seat(&self, purpose: Purpose) -> Result<Seat<'_>, AcquireError> {
        let among_questions = match purpose {
            Purpose::Question | Purpose::Aside => Some(self.question_seats.acquire().await?),
            Purpose::LookUp | Purpose::Effect => None,
        };
        Ok((among_questions, self.seats.acquire().await?))
    }
}
