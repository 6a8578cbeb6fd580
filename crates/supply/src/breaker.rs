//! The circuit breaker: stops all calls to a supplier that keeps failing, or that asked to be left alone.
//!
//! It opens after some failures in a row. When its time is over one call, the probe, finds out whether the
//! supplier is back, while the others are still turned away. A probe that takes as long as the breaker stays
//! open, or that nobody waits for any more, makes room for the next one.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;
use wayfare_domain::{BreakerState, Clock};

use crate::{Limits, Outage, OutageKind};

/// One supplier's circuit breaker.
#[derive(Debug)]
pub(crate) struct Breaker {
    supplier: String,
    failures_to_open: u32,
    open_for: Duration,
    clock: Clock,
    state: Mutex<State>,
    /// Until when the supplier itself has asked this process to leave it alone.
    asked_pause: watch::Sender<Option<DateTime<Utc>>>,
}

#[derive(Debug, Default)]
struct State {
    /// In a row, while it is closed.
    failures: u32,
    /// It is open, or half-open: then this is the probe's time. When it is over the next call is the probe.
    open: Option<Window>,
    /// The supplier is rate limiting.
    paused: Option<Window>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    since: DateTime<Utc>,
    until: DateTime<Utc>,
}

impl Window {
    fn of(length: Duration, since: DateTime<Utc>) -> Self {
        let length = TimeDelta::from_std(length).unwrap_or(TimeDelta::MAX);
        let until = since.checked_add_signed(length).unwrap_or(DateTime::<Utc>::MAX_UTC);
        Self { since, until }
    }

    /// None when it is over, or when the machine's clock was set back to before it.
    fn left(self, now: DateTime<Utc>) -> Option<Duration> {
        let left = (self.until - now).to_std().ok()?;
        (self.since <= now && !left.is_zero()).then_some(left)
    }
}

/// How a circuit breaker is at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentBreaker {
    /// Whether it lets calls through.
    pub state: BreakerState,
    /// How much longer it turns calls away, while it does.
    pub open_for: Option<Duration>,
    /// How much longer the supplier is left alone because it asked for that, while it is.
    pub paused_for: Option<Duration>,
}

impl Default for PresentBreaker {
    /// It lets everything through.
    fn default() -> Self {
        Self { state: BreakerState::Closed, open_for: None, paused_for: None }
    }
}

/// How a call that was let through ended, as far as the supplier's health goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The supplier answered, be it with a refusal.
    Answered,
    /// It wants to be left alone for this long.
    Limited(Duration),
    /// Nobody was there, or the outcome is unknown; why, for the log.
    Failed(String),
}

/// The right to send one call.
#[derive(Debug)]
#[must_use]
pub(crate) struct CallPermit<'a> {
    breaker: &'a Breaker,
    /// The probe's time, where the call is one.
    probe: Option<Window>,
}

impl Breaker {
    pub fn new(supplier: &str, limits: Limits, clock: Clock) -> Self {
        Self {
            supplier: supplier.to_owned(),
            failures_to_open: limits.failures_to_open,
            open_for: limits.open_for,
            clock,
            state: Mutex::default(),
            asked_pause: watch::Sender::new(None),
        }
    }

    /// Until when the supplier has asked this process to leave it alone, each time that it is later than before. Pauses that
    /// others have told of are not told again.
    pub fn asked_pauses(&self) -> watch::Receiver<Option<DateTime<Utc>>> {
        self.asked_pause.subscribe()
    }

    /// Leaves the supplier alone for so long, as it has asked another process.
    pub fn heed(&self, pause: Duration) {
        self.pause(&mut self.state(), pause, "a supplier is rate limiting another server: it is left alone");
    }

    /// Whether a call would be let through now.
    pub fn check(&self) -> Result<(), Outage> {
        self.state().check(self.clock.now())
    }

    /// How it is now, how much longer it turns calls away, and how much longer the supplier is left alone because it is rate
    /// limiting. One whose time is over is half open until the probe has come back.
    pub fn present(&self) -> PresentBreaker {
        let now = self.clock.now();
        let state = self.state();
        let left = |window: Option<Window>| window.and_then(|window| window.left(now));
        let open_for = left(state.open);
        PresentBreaker {
            state: match (state.open, open_for) {
                (None, _) => BreakerState::Closed,
                (Some(_), Some(_)) => BreakerState::Open,
                (Some(_), None) => BreakerState::HalfOpen,
            },
            open_for,
            paused_for: left(state.paused),
        }
    }

    /// Lets a call through, to be sent at once, or says why not and when to come back.
    pub fn admit(&self) -> Result<CallPermit<'_>, Outage> {
        let now = self.clock.now();
        let mut state = self.state();
        state.check(now)?;
        let probe = state.open.map(|_| Window::of(self.open_for, now));
        state.open = probe;
        Ok(CallPermit { breaker: self, probe })
    }

    fn answered(&self, state: &mut State, is_probe: bool) {
        match state.open {
            None => state.failures = 0,
            Some(_) if is_probe => {
                *state = State { paused: state.paused, ..State::default() };
                tracing::info!(supplier = self.supplier, "a supplier is back: the breaker closes");
            }
            // It was sent before the breaker opened: old news.
            Some(_) => {}
        }
    }

    fn failed(&self, state: &mut State, is_probe: bool, reason: &str) {
        match state.open {
            None => state.failures = state.failures.saturating_add(1),
            Some(_) if is_probe => state.open = Some(Window::of(self.open_for, self.clock.now())),
            Some(_) => {}
        }
        if state.open.is_none() && state.failures >= self.failures_to_open {
            state.open = Some(Window::of(self.open_for, self.clock.now()));
            tracing::warn!(
                supplier = self.supplier,
                failures = state.failures,
                open_for_ms = self.open_for.as_millis(),
                reason,
                "a supplier fails again and again: the breaker opens"
            );
        }
    }

    fn limited(&self, state: &mut State, pause: Duration) {
        let told = "a supplier is rate limiting: it is left alone";
        if let Some(until) = self.pause(state, pause, told) {
            self.asked_pause.send_replace(Some(until));
        }
    }

    /// Until when it is left alone now; none when it was left alone for longer already.
    fn pause(&self, state: &mut State, pause: Duration, told: &str) -> Option<DateTime<Utc>> {
        let now = self.clock.now();
        let asked = Window::of(pause, now);
        match state.paused.filter(|running| running.left(now).is_some()) {
            // Calls that were under way together are told the same.
            Some(running) if running.until >= asked.until => return None,
            Some(running) => state.paused = Some(Window { since: running.since, ..asked }),
            None => {
                state.paused = Some(asked);
                tracing::warn!(supplier = self.supplier, pause_ms = pause.as_millis(), "{told}");
            }
        }
        Some(asked.until)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn check(&self, now: DateTime<Utc>) -> Result<(), Outage> {
        let left = |window: Option<Window>| window.and_then(|window| window.left(now));
        let (kind, reason, retry_after) = match (left(self.paused), left(self.open)) {
            (None, None) => return Ok(()),
            (Some(pause), open) => (
                OutageKind::Busy,
                "the supplier is rate limiting",
                open.map_or(pause, |open| open.max(pause)),
            ),
            (None, Some(open)) => {
                (OutageKind::Down, "the supplier keeps failing and is left alone for a while", open)
            }
        };
        Err(Outage { kind, reason: reason.to_owned(), retry_after: Some(retry_after) })
    }
}

impl CallPermit<'_> {
    /// Says how the call ended. A permit that is dropped instead says nothing of the supplier's health.
    pub fn ended(mut self, verdict: Verdict) {
        let is_probe = self.probe.take().is_some();
        let mut state = self.breaker.state();
        match verdict {
            Verdict::Answered => self.breaker.answered(&mut state, is_probe),
            Verdict::Failed(reason) => self.breaker.failed(&mut state, is_probe, &reason),
            Verdict::Limited(pause) => {
                self.breaker.answered(&mut state, is_probe);
                self.breaker.limited(&mut state, pause);
            }
        }
    }
}

impl Drop for CallPermit<'_> {
    fn drop(&mut self) {
        let Some(probe) = self.probe else { return };
        let mut state = self.breaker.state();
        // Nobody waits for this probe any more: its time ends, so that the next call is one.
        if state.open == Some(probe) {
            state.open = Some(Window { until: probe.since, ..probe });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker() -> (Breaker, Clock) {
        let clock = Clock::frozen_at("2026-03-01T12:00:00Z".parse().unwrap());
        let limits = Limits { failures_to_open: 3, open_for: Duration::from_secs(10), ..Limits::default() };
        (Breaker::new("duffel", limits, clock.clone()), clock)
    }

    /// What happens to a breaker, step by step: a call that is let through is answered (`ok`), fails, or is asked for a pause of so
    /// many seconds (`limited`); a call is turned away and told to come back after so many (`away`); so many pass (`wait`).
    const STORIES: &str = "\
failures in a row open it | fails, fails, fails, away 10
an answer in between starts the row anew | fails, fails, ok, fails, fails, ok
being limited is an answer too | fails, fails, limited 1, wait 1, fails, fails, ok
it says how long it stays open, and no call is let through until then | fails, fails, fails, wait 4, away 6, wait 5, away 1, wait 1, ok, ok
a probe that fails opens it anew, from then on | fails, fails, fails, wait 25, fails, away 10, wait 10, ok, ok
after it closed it takes the whole row again | fails, fails, fails, wait 10, ok, fails, fails, ok
a pause lasts as long as the supplier said | limited 7, away 7, wait 7, ok
a probe that is limited closes it: somebody is there | fails, fails, fails, wait 10, limited 3, away 3, wait 3, ok, ok
a clock that is set back does not keep it open | fails, fails, fails, away 10, wait -3600, ok, limited 5, wait -1, ok";

    #[test]
    fn it_opens_and_heals_as_the_table_says() {
        for line in STORIES.lines() {
            let (name, steps) = line.split_once(" | ").unwrap();
            let (breaker, clock) = breaker();
            for (number, step) in steps.split(", ").enumerate() {
                let when = format!("{name}, step {number}: {step}");
                let (word, seconds) = step.split_once(' ').unwrap_or((step, "0"));
                let seconds: i64 = seconds.parse().unwrap();
                let told = Duration::from_secs(seconds.unsigned_abs());
                let ended = |verdict| match breaker.admit() {
                    Ok(permit) => permit.ended(verdict),
                    Err(outage) => panic!("{when}: {outage:?}"),
                };
                match word {
                    "ok" => ended(Verdict::Answered),
                    "fails" => ended(Verdict::Failed("no answer".to_owned())),
                    "limited" => ended(Verdict::Limited(told)),
                    "wait" => clock.advance(TimeDelta::seconds(seconds)),
                    "away" => {
                        let Err(outage) = breaker.admit() else { panic!("{when}: let through") };
                        assert_eq!(outage.retry_after, Some(told), "{when}");
                        assert_eq!(breaker.check().unwrap_err(), outage, "{when}");
                    }
                    _ => panic!("{when}"),
                }
            }
        }
    }

    fn opened() -> (Breaker, Clock) {
        let (breaker, clock) = breaker();
        for _ in 0..3 {
            breaker.admit().unwrap().ended(Verdict::Failed(String::new()));
        }
        clock.advance(TimeDelta::seconds(10));
        (breaker, clock)
    }

    #[test]
    fn it_tells_how_it_is_and_until_when() {
        let (breaker, clock) = breaker();
        let is = |state, open_for: Option<u64>, paused_for: Option<u64>| {
            let expected = PresentBreaker {
                state,
                open_for: open_for.map(Duration::from_secs),
                paused_for: paused_for.map(Duration::from_secs),
            };
            assert_eq!(breaker.present(), expected);
        };
        is(BreakerState::Closed, None, None);
        let last = breaker.admit().unwrap();
        for _ in 0..3 {
            breaker.admit().unwrap().ended(Verdict::Failed(String::new()));
        }
        is(BreakerState::Open, Some(10), None);
        clock.advance(TimeDelta::seconds(4));
        last.ended(Verdict::Limited(Duration::from_secs(2)));
        is(BreakerState::Open, Some(6), Some(2));
        clock.advance(TimeDelta::seconds(6));
        is(BreakerState::HalfOpen, None, None);
        // While the probe is away the others are turned away.
        let probe = breaker.admit().unwrap();
        is(BreakerState::Open, Some(10), None);
        probe.ended(Verdict::Answered);
        is(BreakerState::Closed, None, None);
    }

    #[test]
    fn one_probe_goes_through_and_the_others_are_turned_away() {
        let (breaker, clock) = opened();
        let probe = breaker.admit().unwrap();
        assert!(breaker.admit().is_err());
        clock.advance(TimeDelta::seconds(4));
        let retry_after = breaker.admit().unwrap_err().retry_after;
        assert_eq!(retry_after, Some(Duration::from_secs(6)));
        probe.ended(Verdict::Answered);
        assert!(breaker.admit().is_ok() && breaker.admit().is_ok());
    }

    #[test]
    fn a_probe_that_nobody_waits_for_makes_room_for_the_next() {
        let (breaker, _clock) = opened();
        drop(breaker.admit().unwrap());
        let next = breaker.admit().unwrap();
        assert!(breaker.admit().is_err());
        next.ended(Verdict::Answered);
        assert!(breaker.admit().is_ok());
    }

    #[test]
    fn a_probe_that_never_ends_does_not_wedge_it() {
        let (breaker, clock) = opened();
        let endless = breaker.admit().unwrap();
        clock.advance(TimeDelta::seconds(10));
        let next = breaker.admit().unwrap();
        // The first one's end makes no room beside the second.
        drop(endless);
        assert!(breaker.admit().is_err());
        next.ended(Verdict::Answered);
        assert!(breaker.admit().is_ok());
    }

    #[test]
    fn calls_sent_before_it_opened_say_nothing_new_about_the_supplier() {
        let (breaker, clock) = breaker();
        let passes: Vec<_> = (0..5).map(|_| breaker.admit().unwrap()).collect();
        for _ in 0..3 {
            breaker.admit().unwrap().ended(Verdict::Failed(String::new()));
        }
        clock.advance(TimeDelta::seconds(4));
        for (pass, verdict) in passes.into_iter().zip([
            Verdict::Answered,
            Verdict::Failed(String::new()),
            Verdict::Answered,
            Verdict::Failed(String::new()),
            Verdict::Answered,
        ]) {
            pass.ended(verdict);
        }
        let left = breaker.admit().unwrap_err().retry_after;
        assert_eq!(left, Some(Duration::from_secs(6)), "neither closed nor prolonged");
    }

    #[test]
    fn the_longest_pause_of_several_counts() {
        let (breaker, _clock) = breaker();
        let passes: Vec<_> = (0..3).map(|_| breaker.admit().unwrap()).collect();
        for (pass, seconds) in passes.into_iter().zip([2, 9, 4]) {
            pass.ended(Verdict::Limited(Duration::from_secs(seconds)));
        }
        let outage = breaker.check().unwrap_err();
        assert_eq!(outage.retry_after, Some(Duration::from_secs(9)));
        assert_eq!(outage.reason, "the supplier is rate limiting");
    }

    #[test]
    fn what_another_server_was_told_is_heeded_and_not_told_again() {
        let (breaker, clock) = breaker();
        let mut told = breaker.asked_pauses();
        breaker.heed(Duration::from_secs(7));
        breaker.heed(Duration::from_secs(3));
        let left = breaker.admit().unwrap_err().retry_after;
        assert_eq!(left, Some(Duration::from_secs(7)), "doubled or shorter ones change nothing");
        assert!(!told.has_changed().unwrap());
        clock.advance(TimeDelta::seconds(7));
        breaker.admit().unwrap().ended(Verdict::Limited(Duration::from_secs(2)));
        assert!(told.has_changed().unwrap());
        let until = *told.borrow_and_update();
        assert_eq!(until, Some(clock.now() + TimeDelta::seconds(2)));
    }

    #[test]
    fn a_pause_that_is_heeded_says_nothing_of_the_suppliers_health() {
        let (breaker, clock) = opened();
        breaker.heed(Duration::from_secs(5));
        assert!(breaker.admit().is_err());
        clock.advance(TimeDelta::seconds(5));
        let probe = breaker.admit().unwrap();
        assert!(breaker.admit().is_err(), "it is open until the probe has come back");
        probe.ended(Verdict::Answered);
        assert!(breaker.admit().is_ok());
    }
}
