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
use wayfare_boxed::boxed;
use wayfare_domain::Clock;
use wayfare_store::service::shared_time::{self, Present};

use crate::{Core, Error, Result};

pub(crate) const READ_EVERY: Duration = Duration::from_secs(1);
/// What came more slowly tells the time less well than what was read before.
const SLOW: Duration = Duration::from_millis(250);
/// An own clock that is wrong by more is named in the log, and its server is not ready. A second makes "too late" of what was
/// in time, and tokens of one server are of the future at another.
const WRONG: TimeDelta = TimeDelta::milliseconds(500);
/// So many readings in a row must say so: one alone may have been slow on one way only.
const WRONG_READINGS: u32 = 3;

/// The shared time, as it was read last.
pub(crate) struct SharedTime {
    own: Clock,
    read: Mutex<Option<Reading>>,
}

#[derive(Clone, Copy)]
struct Reading {
    shared: DateTime<Utc>,
    at: Instant,
    /// By how much the own clock is ahead.
    ahead: TimeDelta,
    /// How many readings in a row have found it wrong.
    wrong: u32,
}

impl SharedTime {
    /// Not read yet: the own clock's until then.
    pub(crate) fn new(own: Clock) -> Self {
        Self { own, read: Mutex::default() }
    }

    /// The present. A test's time that stands still is everybody's.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        let reading = *self.reading();
        match reading.filter(|_| !self.own.is_frozen()) {
            Some(reading) => reading.shared + micros(reading.at.elapsed()),
            None => self.own.now(),
        }
    }

    /// By how much this machine's clock is ahead of PostgreSQL's, as it was found last; below zero: behind.
    pub(crate) fn own_clock_ahead(&self) -> TimeDelta {
        self.reading().map_or(TimeDelta::zero(), |reading| reading.ahead)
    }

    /// Whether nothing speaks against this machine's clock.
    ///
    /// # Errors
    /// By how much it is wrong.
    pub(crate) fn check_own_clock(&self) -> Result<()> {
        match *self.reading() {
            Some(reading) if reading.wrong >= WRONG_READINGS => Err(Error::Internal(format!(
                "this machine's clock is {} ms ahead of PostgreSQL's",
                reading.ahead.num_milliseconds()
            ))),
            _ => Ok(()),
        }
    }

    /// Takes what was read between these moments for the middle of them.
    fn take(&self, present: Present, asked: Instant, took: Duration) {
        let mut reading = self.reading();
        if took > SLOW && reading.is_some() {
            return;
        }
        let half = micros(took / 2);
        let ahead = self.ahead_of(present, half);
        let wrong = match ahead.abs() - half > WRONG {
            true => reading.map_or(0, |reading| reading.wrong).saturating_add(1),
            false => 0,
        };
        if wrong == WRONG_READINGS {
            let ahead_ms = ahead.num_milliseconds();
            tracing::warn!(ahead_ms, "this machine's clock is not PostgreSQL's: the server is not ready");
        }
        *reading = Some(Reading { shared: present.shared + half, at: asked + took, ahead, wrong });
    }

    /// A test may have moved both clocks.
    fn ahead_of(&self, present: Present, half: TimeDelta) -> TimeDelta {
        if self.own.is_frozen() {
            return TimeDelta::zero();
        }
        let now = self.own.now();
        let (of_real, of_shared) = (now - (present.real + half), now - (present.shared + half));
        match of_real.abs() < of_shared.abs() {
            true => of_real,
            false => of_shared,
        }
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
#[boxed]
pub async fn read(core: &Core) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let asked = Instant::now();
    let present = shared_time::read(&mut connection).await?;
    core.shared_time.take(present, asked, asked.elapsed());
    Ok(())
}

/// Refuses a database whose time a test has moved.
///
/// # Errors
/// When it has, or the database can't be asked.
#[boxed]
pub async fn is_real(core: &Core) -> Result<()> {
    let mut connection = core.database.connection().await?;
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

    fn present(real: DateTime<Utc>) -> Present {
        Present { real, shared: real }
    }

    #[test]
    fn a_wrong_clock_changes_nothing_once_the_shared_time_was_read() {
        for wrong in [-300, 300] {
            let time = SharedTime::new(Clock::ahead_by(TimeDelta::seconds(wrong)));
            time.take(present(noon()), Instant::now(), Duration::from_millis(10));
            let passed = time.now() - noon();
            assert!(passed >= TimeDelta::milliseconds(5), "{passed}");
            assert!(passed < TimeDelta::seconds(5), "{passed}");
        }
    }

    #[test]
    fn a_slow_answer_does_not_replace_a_quick_one() {
        let time = SharedTime::new(Clock::system());
        time.take(present(noon()), Instant::now(), Duration::from_millis(1));
        time.take(present(noon() - TimeDelta::hours(1)), Instant::now(), Duration::from_secs(3));
        assert!(time.now() >= noon());
    }

    #[test]
    fn time_that_stands_still_is_everybodys() {
        let time = SharedTime::new(Clock::frozen_at(noon()));
        time.take(present(noon() + TimeDelta::hours(1)), Instant::now(), Duration::ZERO);
        assert_eq!(time.now(), noon());
    }

    #[test]
    fn a_wrong_clock_is_told_after_three_readings_and_forgiven_by_one() {
        let (wrong, right) = (Clock::ahead_by(TimeDelta::milliseconds(900)), Clock::system());
        let time = SharedTime::new(wrong);
        let reads = |took| time.take(present(right.now()), Instant::now(), Duration::from_millis(took));
        for _ in 0..2 {
            reads(1);
            time.check_own_clock().unwrap();
        }
        reads(1);
        let error = time.check_own_clock().unwrap_err().to_string();
        assert!(error.contains("ms ahead of PostgreSQL's"), "{error}");
        assert!((time.own_clock_ahead() - TimeDelta::milliseconds(900)).abs() < TimeDelta::milliseconds(100));
        let all_is_well = present(right.now() + TimeDelta::milliseconds(900));
        time.take(all_is_well, Instant::now(), Duration::from_millis(1));
        time.check_own_clock().unwrap();
    }

    #[test]
    fn a_clock_that_a_test_has_moved_for_all_is_right() {
        let time = SharedTime::new(Clock::system());
        let real = Clock::system().now();
        let moved = Present { real, shared: real + TimeDelta::days(3) };
        for _ in 0..5 {
            time.take(moved, Instant::now(), Duration::from_millis(1));
        }
        time.check_own_clock().unwrap();
        assert!(time.now() >= moved.shared);
    }
}
