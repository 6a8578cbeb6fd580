//! Token buckets per user, and per address where nobody is known yet (decisions, detail 29).

use std::{net::IpAddr, num::NonZeroU32, sync::Arc};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock as _, clock::DefaultClock};
use wayfare_domain::UserId;

use crate::refusal::Refusal;

const LOGINS_A_MINUTE: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
const SEARCHES_A_MINUTE: NonZeroU32 = NonZeroU32::new(60).expect("not zero");
const REQUESTS_A_MINUTE: NonZeroU32 = NonZeroU32::new(600).expect("not zero");

/// Whose bucket a request takes from.
#[derive(Clone, Copy, Debug)]
pub enum Limited {
    /// A log-in from this address.
    Address(IpAddr),
    /// A search of this user.
    Search(UserId),
    /// Anything else of this user.
    User(UserId),
}

struct Buckets {
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    searches: DefaultKeyedRateLimiter<UserId>,
    users: DefaultKeyedRateLimiter<UserId>,
}

/// The process's buckets, or none when limits are off.
#[derive(Clone, Default)]
pub struct RateLimits(Option<Arc<Buckets>>);

impl RateLimits {
    /// The decided thresholds.
    pub fn on() -> Self {
        Self(Some(Arc::new(Buckets {
            addresses: RateLimiter::keyed(Quota::per_minute(LOGINS_A_MINUTE)),
            searches: RateLimiter::keyed(Quota::per_minute(SEARCHES_A_MINUTE)),
            users: RateLimiter::keyed(Quota::per_minute(REQUESTS_A_MINUTE)),
        })))
    }

    /// No limits: for tests and load on loopback.
    pub fn off() -> Self {
        Self(None)
    }

    /// Takes one from the bucket.
    ///
    /// # Errors
    /// 429 with the time to wait when it is empty.
    pub fn check(&self, limited: Limited) -> Result<(), Refusal> {
        let Some(buckets) = &self.0 else { return Ok(()) };
        let taken = match limited {
            Limited::Address(address) => buckets.addresses.check_key(&address),
            Limited::Search(user) => buckets.searches.check_key(&user),
            Limited::User(user) => buckets.users.check_key(&user),
        };
        taken.map_err(|not_until| Refusal::too_many(not_until.wait_time_from(DefaultClock::default().now())))
    }

    /// Forgets full buckets, so that memory follows the users who are there.
    pub fn sweep(&self) {
        if let Some(buckets) = &self.0 {
            buckets.addresses.retain_recent();
            buckets.searches.retain_recent();
            buckets.users.retain_recent();
        }
    }
}
