//! Retries: which failures are met with another try, and how long is waited before it.

use std::time::{Duration, Instant};

use crate::error::{Cause, Error};

/// How often and how long a call is tried before it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// Tries in all, the first included.
    pub attempts: u32,
    /// The longest pause before the second try; it doubles with each further one. Pauses are drawn from zero up
    /// (full jitter), so that callers who failed together don't come back together.
    pub first_pause: Duration,
    /// No pause is longer, but where the service asks for it (`Retry-After`).
    pub longest_pause: Duration,
    /// No try begins later than so long after the first one.
    pub patience: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(5),
            patience: Duration::from_secs(120),
        }
    }
}

impl Retries {
    /// Every call is tried once.
    pub fn none() -> Self {
        Self::default().attempts(1).patience(Duration::ZERO)
    }

    /// With so many tries in all.
    #[must_use]
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// With pauses that begin with this one, and none of which is longer than that one.
    #[must_use]
    pub fn pauses(self, first_pause: Duration, longest_pause: Duration) -> Self {
        Self { first_pause, longest_pause, ..self }
    }

    /// With no try that begins later than so long after the first one.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The longest pause after this try, counted from 1.
    pub(crate) fn ceiling(&self, attempt: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1));
        self.first_pause.saturating_mul(doubled).min(self.longest_pause)
    }
}

/// What sending a request twice would do, and thus after which failures it is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Nothing is changed by it.
    Read,
    /// It sets something to what it says: the second time changes nothing.
    Set,
    /// The second time would be refused or do it again: it is only sent again when the first surely did nothing.
    Once,
    /// It is carried out once, however often it is sent under this key.
    Keyed(String),
}

/// Why a try brought nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was not sent.
    NotSent(Cause),
    /// It was sent, and no whole answer came.
    NoAnswer(Cause),
    /// It was refused.
    Refused {
        /// The [`Error::Refused`].
        error: Error,
        /// Whether the service itself spoke, and not somebody on the way to it.
        by_service: bool,
    },
}

/// What the service says to a key whose first request it is still at (docs/API.md, errors).
const STILL_RUNNING: &str = "a request with this idempotency key is still running";

/// What the service says of a change when its database was lost while it was carried out (docs/ERRORS.md).
const PERHAPS_DONE: &str = "temporarily unavailable, please try again with the same Idempotency-Key";

impl Failure {
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { error, .. } => error.status(),
            _ => None,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { error: Error::Refused { retry_after, .. }, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the same request is at work there already.
    fn is_running(&self) -> bool {
        matches!(self, Self::Refused { error: Error::Refused { status: 409, text, .. }, .. } if text == STILL_RUNNING)
    }

    /// Whether the service does not know itself what became of the request.
    fn is_perhaps_done(&self) -> bool {
        matches!(self, Self::Refused { error: Error::Refused { status: 503, text, .. }, .. } if text == PERHAPS_DONE)
    }

    /// Whether the request may have been carried out.
    fn leaves_doubt(&self) -> bool {
        match self {
            Self::NotSent(_) => false,
            Self::NoAnswer(_) => true,
            Self::Refused { by_service, .. } => match self.status() {
                Some(503) => !by_service || self.is_perhaps_done(),
                Some(status) => status >= 500 || self.is_running(),
                None => false,
            },
        }
    }

    /// Whether it says that an earlier try was not carried out either: the service itself has looked at the request, and
    /// would have known the earlier one by their key.
    fn settles(&self, effort: &Effort) -> bool {
        let has_looked = !matches!(self.status(), Some(401 | 403 | 429));
        matches!(self, Self::Refused { by_service: true, .. })
            && has_looked
            && matches!(effort, Effort::Keyed(_))
    }

    fn is_worth_another_try(&self, effort: &Effort) -> bool {
        match self {
            Self::NotSent(_) => true,
            Self::NoAnswer(_) => *effort != Effort::Once,
            Self::Refused { by_service, .. } => match (self.status(), effort) {
                (Some(429), _) => true,
                (Some(500 | 502..=504), Effort::Read | Effort::Set) => true,
                // Surely nothing was done: whoever wants it decides.
                (Some(503), Effort::Keyed(_)) => !by_service || self.is_perhaps_done(),
                (Some(500 | 502 | 504), Effort::Keyed(_)) => true,
                (Some(409), Effort::Keyed(_)) => self.is_running(),
                _ => false,
            },
        }
    }
}

/// One call over all its tries.
#[derive(Debug)]
pub(crate) struct Trial {
    begun: Instant,
    failed: u32,
    waited_for_itself: u32,
    /// Whether an earlier try may have been carried out.
    in_doubt: bool,
}

impl Trial {
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now(), failed: 0, waited_for_itself: 0, in_doubt: false }
    }

    /// Notes a failure; how long to wait before the next try, none when there is to be none.
    pub(crate) fn after(
        &mut self,
        failure: &Failure,
        effort: &Effort,
        retries: &Retries,
    ) -> Option<Duration> {
        if failure.leaves_doubt() {
            self.in_doubt = true;
        } else if failure.settles(effort) {
            self.in_doubt = false;
        }
        if !failure.is_worth_another_try(effort) {
            return None;
        }
        let pause = if failure.is_running() {
            // It waits for an earlier try of its own, which takes the time that it takes.
            self.waited_for_itself += 1;
            let ceiling = retries.ceiling(self.waited_for_itself);
            drawn(ceiling / 2, ceiling)
        } else {
            self.failed += 1;
            if self.failed >= retries.attempts {
                return None;
            }
            match failure.retry_after() {
                Some(wish) => drawn(wish, wish.saturating_add(retries.first_pause)),
                None => drawn(Duration::ZERO, retries.ceiling(self.failed)),
            }
        };
        (self.begun.elapsed().saturating_add(pause) <= retries.patience).then_some(pause)
    }

    /// What is said of the call when it ends with this.
    pub(crate) fn last_word(&self, error: impl Into<Error>, effort: &Effort) -> Error {
        match self.in_doubt {
            true => effort.in_doubt(error.into()),
            false => error.into(),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSent(cause) | Failure::NoAnswer(cause) => Self::Unreachable { cause },
            Failure::Refused { error, .. } => error,
        }
    }
}

impl Effort {
    /// The error when it may have been carried out.
    pub(crate) fn in_doubt(&self, error: Error) -> Error {
        let idempotency_key = match self {
            Self::Read => return error,
            Self::Set | Self::Once => None,
            Self::Keyed(key) => Some(key.clone()),
        };
        Error::Unknown { idempotency_key, because: Box::new(error) }
    }
}

fn drawn(least: Duration, most: Duration) -> Duration {
    rand::random_range(least..=most.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::cause;

    fn refused(status: u16, text: &str, by_service: bool) -> Failure {
        Failure::Refused {
            error: Error::Refused {
                status,
                text: text.to_owned(),
                data: None,
                request_id: None,
                retry_after: None,
            },
            by_service,
        }
    }

    fn keyed() -> Effort {
        Effort::Keyed("k".to_owned())
    }

    #[test]
    fn what_is_sent_again_after_what() {
        let efforts = [Effort::Read, Effort::Set, Effort::Once, keyed()];
        for (failure, expected) in [
            (Failure::NotSent(cause("refused")), [true, true, true, true]),
            (Failure::NoAnswer(cause("cut")), [true, true, false, true]),
            (refused(429, "", true), [true, true, true, true]),
            (refused(500, "", true), [true, true, false, true]),
            (refused(502, "", false), [true, true, false, true]),
            (refused(503, "", true), [true, true, false, false]),
            (refused(503, "", false), [true, true, false, true]),
            (refused(503, PERHAPS_DONE, true), [true, true, false, true]),
            (refused(409, STILL_RUNNING, true), [false, false, false, true]),
            (refused(409, "no", true), [false; 4]),
            (refused(400, "", true), [false; 4]),
            (refused(401, "", true), [false; 4]),
        ] {
            let again = efforts.each_ref().map(|effort| failure.is_worth_another_try(effort));
            assert_eq!(again, expected, "{failure:?}");
        }
    }

    #[test]
    fn doubt_stays_until_the_service_has_looked_at_the_request() {
        let retries = Retries::default();
        let mut trial = Trial::begin();
        let mut doubt = |failure: Failure| {
            trial.after(&failure, &keyed(), &retries);
            trial.in_doubt
        };
        assert!(!doubt(refused(429, "", true)));
        assert!(doubt(Failure::NoAnswer(cause("cut"))));
        assert!(doubt(refused(429, "", true)));
        assert!(doubt(refused(401, "", true)));
        assert!(doubt(Failure::NotSent(cause("refused"))));
        assert!(doubt(refused(409, STILL_RUNNING, true)));
        assert!(!doubt(refused(402, "", true)));
        assert!(doubt(refused(503, "", false)));
        assert!(doubt(refused(503, PERHAPS_DONE, true)));
        // Whoever stands in between says nothing of the request before.
        for status in [302, 400, 404, 408, 409, 451] {
            assert!(doubt(refused(status, "", false)), "{status}");
        }
        assert!(!doubt(refused(503, "", true)));
    }

    #[test]
    fn only_a_key_tells_the_service_what_was_sent_before() {
        for (effort, stays) in [(Effort::Set, true), (keyed(), false)] {
            let mut trial = Trial::begin();
            trial.after(&Failure::NoAnswer(cause("cut")), &effort, &Retries::default());
            trial.after(&refused(404, "", true), &effort, &Retries::default());
            assert_eq!(trial.in_doubt, stays, "{effort:?}");
        }
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_end_with_patience() {
        let retries = Retries {
            attempts: 9,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(5),
            patience: Duration::from_secs(60),
        };
        let ceilings: Vec<u64> = (1..=5).map(|attempt| retries.ceiling(attempt).as_secs()).collect();
        assert_eq!(ceilings, [1, 2, 4, 5, 5]);
        let asked_to_wait = |seconds| Failure::Refused {
            error: Error::Refused {
                status: 429,
                text: String::new(),
                data: None,
                request_id: None,
                retry_after: Some(Duration::from_secs(seconds)),
            },
            by_service: true,
        };
        let pause = Trial::begin().after(&asked_to_wait(30), &Effort::Read, &retries);
        let pause = pause.unwrap_or_default().as_millis();
        assert!((30_000..=31_000).contains(&pause), "{pause}");
        assert_eq!(Trial::begin().after(&asked_to_wait(61), &Effort::Read, &retries), None);
        // What can't be counted is longer than any patience but the one without an end.
        let endless = Retries { patience: Duration::MAX, ..retries };
        for (retries, pause) in [(&retries, None), (&endless, Some(Duration::MAX.as_secs()))] {
            let failure = asked_to_wait(u64::MAX);
            let drawn = Trial::begin().after(&failure, &Effort::Read, retries);
            assert_eq!(drawn.map(|pause| pause.as_secs()), pause);
        }
        let one = Retries::none();
        let cut = Failure::NoAnswer(cause("cut"));
        assert_eq!(Trial::begin().after(&cut, &Effort::Read, &one), None);
    }

    #[test]
    fn only_what_may_have_happened_is_unknown() {
        let mut trial = Trial::begin();
        let cut = || Failure::NoAnswer(cause("cut"));
        let retries = Retries::default();
        trial.after(&cut(), &keyed(), &retries);
        assert!(matches!(
            trial.last_word(cut(), &keyed()),
            Error::Unknown { idempotency_key: Some(key), .. } if key == "k"
        ));
        assert!(matches!(trial.last_word(cut(), &Effort::Read), Error::Unreachable { .. }));
        assert!(matches!(
            Trial::begin().last_word(Failure::NotSent(cause("refused")), &keyed()),
            Error::Unreachable { .. }
        ));
    }
}
