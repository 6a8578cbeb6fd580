//! The calls to one supplier, counted so that one count can be taken from a later one: what ended in between, how, and how fast.

use std::{collections::BTreeMap, time::Duration};

/// The longest time that is told, in milliseconds: no call may take as long.
const LONGEST_MS: u64 = (1 << 18) - 1;
/// Of a time's binary digits so many are kept.
const KEPT_DIGITS: u32 = 4;

/// How a call ended, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CallOutcome {
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
    pub(crate) fn label(self) -> &'static str {
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

    /// Whether whoever called did not get what they wanted. A refusal is an answer, and whoever hangs up wants nothing.
    pub(crate) fn is_error(self) -> bool {
        match self {
            Self::ServerError | Self::Limited | Self::Unreachable | Self::Unknown | Self::NotSent => true,
            Self::Answered | Self::Abandoned => false,
        }
    }

    /// Whether its time tells how quick the supplier is: it was sent, and its end was waited for.
    pub(crate) fn tells_time(self) -> bool {
        match self {
            Self::Answered | Self::ServerError | Self::Limited | Self::Unknown => true,
            Self::Unreachable | Self::NotSent | Self::Abandoned => false,
        }
    }
}

/// Calls by how they ended and by how long they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTally {
    by_outcome: BTreeMap<CallOutcome, u64>,
    /// By the longest time in milliseconds that is counted as the same.
    by_time: BTreeMap<u64, u64>,
}

impl CallTally {
    pub(crate) fn count(&mut self, outcome: CallOutcome, took: Duration) {
        *self.by_outcome.entry(outcome).or_default() += 1;
        if outcome.tells_time() {
            let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            *self.by_time.entry(longest_alike(took)).or_default() += 1;
        }
    }

    /// What was counted since this count was made of the same supplier.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            by_outcome: difference(&self.by_outcome, &before.by_outcome),
            by_time: difference(&self.by_time, &before.by_time),
        }
    }

    /// How many calls ended, those that were never sent included.
    pub fn calls(&self) -> u64 {
        self.by_outcome.values().sum()
    }

    /// How many of them brought nothing, by the word for how they ended.
    pub fn errors(&self) -> BTreeMap<&'static str, u64> {
        let errors = self.by_outcome.iter().filter(|(outcome, _)| outcome.is_error());
        errors.map(|(outcome, calls)| (outcome.label(), *calls)).collect()
    }

    /// The time in milliseconds within which so many of a hundred calls ended, of those that were sent and waited for: at most an
    /// eighth too much. None without any.
    pub fn within_ms(&self, of_hundred: u64) -> Option<u64> {
        let all: u64 = self.by_time.values().sum();
        let wanted = all.saturating_mul(of_hundred).div_ceil(100).max(1);
        let mut ended = 0;
        let mut times = self.by_time.iter();
        let found = times.find(|(_, calls)| {
            ended += **calls;
            ended >= wanted
        });
        found.map(|(longest, _)| *longest)
    }
}

/// The longest time that has the same first binary digits and as many of them.
fn longest_alike(ms: u64) -> u64 {
    let ms = ms.min(LONGEST_MS);
    let digits = ms.checked_ilog2().map_or(0, |digits| digits + 1);
    ms | ((1 << digits.saturating_sub(KEPT_DIGITS)) - 1)
}

fn difference<K: Ord + Copy>(all: &BTreeMap<K, u64>, before: &BTreeMap<K, u64>) -> BTreeMap<K, u64> {
    let left = all.iter().map(|(key, count)| {
        let earlier = before.get(key).copied().unwrap_or_default();
        (*key, count.saturating_sub(earlier))
    });
    left.filter(|(_, count)| *count > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(calls: &[(CallOutcome, u64)]) -> CallTally {
        let mut tally = CallTally::default();
        for (outcome, ms) in calls {
            tally.count(*outcome, Duration::from_millis(*ms));
        }
        tally
    }

    #[test]
    fn times_are_told_an_eighth_too_long_at_most_and_never_too_short() {
        for ms in (0..5_000).chain([9_999, 20_000, 130_000, 160_000]) {
            let told = longest_alike(ms);
            assert!(told >= ms && told - ms <= ms / 8, "{ms} is told as {told}");
        }
        assert_eq!((longest_alike(15), longest_alike(16), longest_alike(17)), (15, 17, 17));
        assert_eq!(longest_alike(u64::MAX), LONGEST_MS);
    }

    #[test]
    fn half_of_the_calls_and_nearly_all_of_them_end_in_time() {
        use CallOutcome::{Abandoned, Answered, NotSent, Unknown};
        assert_eq!(tally(&[]).within_ms(50), None);
        assert_eq!(tally(&[(NotSent, 1), (Abandoned, 9)]).within_ms(50), None);
        let mut calls = vec![(Answered, 10); 98];
        calls.extend([(Unknown, 20_000), (Answered, 12)]);
        let tally = tally(&calls);
        assert_eq!(tally.within_ms(50), Some(10));
        assert_eq!(tally.within_ms(99), Some(12));
        assert_eq!(tally.within_ms(100), Some(longest_alike(20_000)));
    }

    #[test]
    fn what_was_counted_before_is_taken_off() {
        use CallOutcome::{Answered, Limited, ServerError, Unknown};
        let before = tally(&[(Answered, 5), (Unknown, 900)]);
        let after = tally(&[
            (Answered, 5),
            (Unknown, 900),
            (Answered, 7),
            (Limited, 3),
            (ServerError, 3),
            (ServerError, 4),
        ]);
        let since = after.since(&before);
        assert_eq!(since.calls(), 4);
        assert_eq!(since.errors(), BTreeMap::from([("limited", 1), ("server_error", 2)]));
        assert_eq!(since.within_ms(100), Some(7));
        assert_eq!(after.since(&after), CallTally::default());
    }
}
