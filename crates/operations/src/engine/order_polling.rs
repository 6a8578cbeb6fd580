//! When orders are polled: holds that may lapse, tickets that are issued later.

use chrono::{DateTime, Duration, Utc};
use wayfare_domain::Awaited;

/// When an order of which this is awaited is polled first.
pub(crate) fn first_poll(awaited: Awaited, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    next_poll(awaited, 0, now)
}

/// When to poll again after so many polls.
pub(crate) fn next_poll(awaited: Awaited, polls: i32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match awaited {
        Awaited::Nothing => None,
        // Just after it, when the supplier has let it go.
        Awaited::Payment(Some(by)) if by > now => Some(by + Duration::seconds(5)),
        Awaited::Payment(Some(_)) => Some(now + Duration::minutes(1)),
        Awaited::Payment(None) => Some(now + Duration::minutes(10)),
        // After two days it is not a matter of waiting any more.
        Awaited::Documents if polls > 200 => None,
        Awaited::Documents => {
            let doubled = 5_i64 << polls.clamp(0, 8);
            Some(now + Duration::seconds(doubled.min(900)))
        }
    }
}
