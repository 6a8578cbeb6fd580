//! The time that all servers of a database share: PostgreSQL's. Leases, due times and "too late" go by it, so that a server
//! whose own clock is wrong neither takes what another one holds nor gives up what may still be done.
//!
//! It is read again and again and goes on with the machine's steady clock in between, so that no statement is sent to learn
//! what time it is.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use wayfare_domain::Clock;
use wayfare_store::shared_time;

use crate::{Error, Platform, Result};

/// How often it is read.
pub(crate) const READ_EVERY: Duration = Duration::from_secs(1);
/// What came more slowly tells the time less well than what was read before.
const SLOW: Duration = Duration::from_millis(250);
/// An own clock that is wrong by more is named in the log.
const WRONG: TimeDelta = TimeDelta::seconds(5);

/// The shared time, as it was read last.
pub(crate) struct SharedTime {
    own: Clock,
    read: Mutex<Option<Reading>>,
}

#[derive(Clone, Copy)]
struct Reading {
    shared: DateTime<Utc>,
    at: Instant,
    is_own_wrong: bool,
}

impl SharedTime {
    /// Not read yet: the own clock's until then.
    pub(crate) fn new(own: Clock) -> Self {
        Self {
            own,
            read: Mutex::default(),
        }
    }

    /// The present. A test's time that stands still is everybody's.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        let reading = *self.reading();
        match reading.filter(|_| !self.own.is_frozen()) {
            Some(reading) => reading.shared + micros(reading.at.elapsed()),
            None => self.own.now(),
        }
    }

    /// Takes what was read between these moments for the middle of them.
    fn take(&self, shared: DateTime<Utc>, asked: Instant, took: Duration) {
        let mut reading = self.reading();
        if took > SLOW && reading.is_some() {
            return;
        }
        let shared = shared + micros(took / 2);
        let wrong_by = self.own.now() - shared;
        let is_own_wrong = wrong_by.abs() > WRONG && !self.own.is_frozen();
        if is_own_wrong && !reading.is_some_and(|reading| reading.is_own_wrong) {
            let seconds = wrong_by.num_seconds();
            tracing::warn!(
                seconds,
                "this machine's clock is not PostgreSQL's: log-ins and offers go by it"
            );
        }
        *reading = Some(Reading {
            shared,
            at: asked + took,
            is_own_wrong,
        });
    }

    fn reading(&self) -> MutexGuard<'_, Option<Reading>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn micros(span: Duration) -> TimeDelta {
    TimeDelta::microseconds(i64::try_from(span.as_micros()).unwrap_or(i64::MAX))
}

/// Reads the shared time. To be called before a server begins to work; its worker goes on with it.
///
/// # Errors
/// When the database can't be asked: what was read before goes on.
pub async fn read(platform: &Platform) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    let asked = Instant::now();
    let shared = shared_time::read(&mut connection).await?;
    platform.shared_time.take(shared, asked, asked.elapsed());
    Ok(())
}

/// Refuses a database whose time a test has moved.
///
/// # Errors
/// When it has, or the database can't be asked.
pub async fn is_real(platform: &Platform) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    match shared_time::ahead(&mut connection).await? {
        None => Ok(()),
        Some(ahead) => Err(Error::Internal(format!(
            "table test_clock moves the time of this database by {ahead}: remove its row, or set WAYFARE_TEST_CLOCK=on in a test"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noon() -> DateTime<Utc> {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_wrong_clock_changes_nothing_once_the_shared_time_was_read() {
        for wrong in [-300, 300] {
            let time = SharedTime::new(Clock::ahead_by(TimeDelta::seconds(wrong)));
            time.take(noon(), Instant::now(), Duration::from_millis(10));
            let passed = time.now() - noon();
            assert!(passed >= TimeDelta::milliseconds(5), "{passed}");
            assert!(passed < TimeDelta::seconds(5), "{passed}");
        }
    }

    #[test]
    fn a_slow_answer_does_not_replace_a_quick_one() {
        let time = SharedTime::new(Clock::system());
        time.take(noon(), Instant::now(), Duration::from_millis(1));
        time.take(
            noon() - TimeDelta::hours(1),
            Instant::now(),
            Duration::from_secs(3),
        );
        assert!(time.now() >= noon());
    }

    #[test]
    fn time_that_stands_still_is_everybodys() {
        let time = SharedTime::new(Clock::frozen_at(noon()));
        time.take(noon() + TimeDelta::hours(1), Instant::now(), Duration::ZERO);
        assert_eq!(time.now(), noon());
    }
}
