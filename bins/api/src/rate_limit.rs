//! Token buckets per user, and per address where nobody is known yet (decisions, detail 29).

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use actix_web::{
    Error, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderName, HeaderValue},
    middleware::Next,
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use wayfare_domain::UserId;

use crate::refusal::Refusal;

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// How many requests a minute; as many may come at once.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Log-ins and refreshes of one address, and bookings of one user that need a ticket password.
    pub logins: NonZeroU32,
    /// Searches of one user.
    pub searches: NonZeroU32,
    /// Everything else of one user.
    pub requests: NonZeroU32,
}

/// Whose bucket a request takes from.
#[derive(Clone, Copy, Debug)]
pub enum Limited {
    /// A log-in or refresh from this address.
    Address(Option<IpAddr>),
    /// A booking of this user that needs a ticket password, which may be guessed.
    TicketPassword(UserId),
    /// A search of this user.
    Search(UserId),
    /// Anything else of this user.
    User(UserId),
}

type Buckets<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

struct AllBuckets {
    addresses: Buckets<Option<IpAddr>>,
    ticket_passwords: Buckets<UserId>,
    searches: Buckets<UserId>,
    users: Buckets<UserId>,
}

/// The process's buckets, or none when limits are off.
#[derive(Clone, Default)]
pub struct RateLimits(Option<Arc<AllBuckets>>);

impl RateLimits {
    /// Buckets of these sizes.
    pub fn on(thresholds: Thresholds) -> Self {
        let minute = Quota::per_minute;
        Self(Some(Arc::new(AllBuckets {
            addresses: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            ticket_passwords: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            searches: RateLimiter::keyed(minute(thresholds.searches)).with_middleware(),
            users: RateLimiter::keyed(minute(thresholds.requests)).with_middleware(),
        })))
    }

    /// No limits: for tests and load on loopback.
    pub fn off() -> Self {
        Self(None)
    }

    /// Takes one from the bucket, and notes for `tell` what is left in it.
    ///
    /// # Errors
    /// 429 with the time to wait when it is empty.
    pub fn check(&self, request: &HttpRequest, limited: Limited) -> Result<(), Refusal> {
        let Some(buckets) = &self.0 else { return Ok(()) };
        let (allowance, wait) = match limited {
            Limited::Address(address) => take(&buckets.addresses, &address.map(subscriber)),
            Limited::TicketPassword(user) => take(&buckets.ticket_passwords, &user),
            Limited::Search(user) => take(&buckets.searches, &user),
            Limited::User(user) => take(&buckets.users, &user),
        };
        request.extensions_mut().insert(allowance);
        wait.map_or(Ok(()), |wait| Err(Refusal::too_many(wait)))
    }

    /// Forgets full buckets, so that memory follows the users who are there.
    pub fn sweep(&self) {
        if let Some(buckets) = &self.0 {
            buckets.addresses.retain_recent();
            buckets.ticket_passwords.retain_recent();
            buckets.searches.retain_recent();
            buckets.users.retain_recent();
        }
    }
}

/// What a bucket holds after a request.
#[derive(Clone, Copy)]
struct Allowance {
    limit: u32,
    remaining: u32,
}

/// What is left in the bucket; when nothing was, how long until there is.
fn take<K: std::hash::Hash + Eq + Clone>(buckets: &Buckets<K>, key: &K) -> (Allowance, Option<Duration>) {
    match buckets.check_key(key) {
        Ok(state) => {
            let allowance = Allowance {
                limit: state.quota().burst_size().get(),
                remaining: state.remaining_burst_capacity(),
            };
            (allowance, None)
        }
        Err(empty) => {
            let allowance = Allowance {
                limit: empty.quota().burst_size().get(),
                remaining: 0,
            };
            let now = DefaultClock::default().now();
            (allowance, Some(empty.wait_time_from(now)))
        }
    }
}

/// A subscriber has a /64 of IPv6 at least: whoever walks through it is one and the same.
fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Middleware: tells what is left, in the headers that clients read today (draft-ietf-httpapi-ratelimit-headers, up to
/// its 7th version): the size of the bucket, what is in it, and the seconds until it is full again.
///
/// # Errors
/// What the service behind it returns.
pub async fn tell(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    let allowance = response.request().extensions().get::<Allowance>().copied();
    if let Some(Allowance { limit, remaining }) = allowance {
        let taken = u64::from(limit.saturating_sub(remaining));
        let reset = (taken * 60).div_ceil(u64::from(limit.max(1)));
        let headers = response.headers_mut();
        headers.insert(LIMIT.clone(), HeaderValue::from(limit));
        headers.insert(REMAINING.clone(), HeaderValue::from(remaining));
        headers.insert(RESET.clone(), HeaderValue::from(reset));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscriber_of_ipv6_is_one_however_many_addresses_they_have() {
        for (address, expected) in [
            ("203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2::", "2001:db8:1:2::"),
        ] {
            assert_eq!(subscriber(address.parse().unwrap()).to_string(), expected);
        }
    }
}
