//! Token buckets per user, and per address where nobody is known yet (P-29): of this process, or shared
//! by all.

mod log_ins;
mod own;
mod shared;

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
    http::{
        Method,
        header::{HeaderName, HeaderValue},
    },
    middleware::Next,
    web::Data,
};
use wayfare_domain::{OperatorId, UserId};

pub use self::log_ins::LogInName;
use self::{log_ins::KnownLogIns, own::OwnBuckets, shared::SharedBuckets};
use crate::http::{refusal::Refusal, request_metrics::RequestMetrics};

static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// How many requests a minute; as many may come at once.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Log-ins and refreshes of one address, log-ins with one name, and requests of one user with a secret that may be guessed.
    pub logins: NonZeroU32,
    /// Searches of one user.
    pub searches: NonZeroU32,
    /// Everything else of one user.
    pub requests: NonZeroU32,
}

/// What the requests of a route take from; its row in the table of routes says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// The log-ins of an address.
    Logins,
    /// The searches of a user.
    Searches,
    /// Everything else of a user.
    Requests,
    /// Nothing.
    Unlimited,
}

/// The bucket of each method of a path.
#[derive(Clone, Default)]
pub struct Buckets(pub Vec<(Method, Bucket)>);

impl Buckets {
    /// The bucket of requests with this method.
    pub fn of(&self, method: &Method) -> Option<Bucket> {
        let row = self.0.iter().find(|(known, _)| known == method)?;
        Some(row.1)
    }
}

/// Whose bucket a request takes from.
#[derive(Clone, Copy, Debug)]
pub enum Limited {
    /// A log-in or refresh from this address.
    Address(Option<IpAddr>),
    /// A log-in with this name from wherever nobody has logged in with it lately.
    Name(LogInName),
    /// A log-in with this name from an address from which somebody has.
    NameFrom(LogInName, IpAddr),
    /// A request of this user with a secret that may be guessed: a ticket password, their own old password.
    Secret(UserId),
    /// A search of this user.
    Search(UserId),
    /// Anything else of this user.
    User(UserId),
    /// A request of this operator with their password.
    OperatorSecret(OperatorId),
    /// Anything else of this operator.
    Operator(OperatorId),
}

impl Limited {
    fn size(self, thresholds: &Thresholds) -> NonZeroU32 {
        match self {
            Self::Address(_)
            | Self::Name(_)
            | Self::NameFrom(..)
            | Self::Secret(_)
            | Self::OperatorSecret(_) => thresholds.logins,
            Self::Search(_) => thresholds.searches,
            Self::User(_) | Self::Operator(_) => thresholds.requests,
        }
    }

    /// Its kind, as metrics have it.
    fn kind(self) -> &'static str {
        match self {
            Self::Address(_) | Self::Name(_) | Self::NameFrom(..) => "logins",
            Self::Secret(_) | Self::OperatorSecret(_) => "secrets",
            Self::Search(_) => "searches",
            Self::User(_) | Self::Operator(_) => "requests",
        }
    }

    /// The bucket's name among all processes.
    fn name(self) -> String {
        match self {
            Self::Address(Some(address)) => format!("login:{address}"),
            Self::Address(None) => "login:unknown".to_owned(),
            Self::Name(name) => format!("login-name:{}", name.text()),
            Self::NameFrom(name, address) => format!("login-name:{}:{address}", name.text()),
            Self::Secret(user) => format!("secret:{user}"),
            Self::Search(user) => format!("search:{user}"),
            Self::User(user) => format!("user:{user}"),
            Self::OperatorSecret(operator) => format!("operator-secret:{operator}"),
            Self::Operator(operator) => format!("operator:{operator}"),
        }
    }
}

struct AllBuckets {
    thresholds: Thresholds,
    own: OwnBuckets,
    shared: Option<Arc<SharedBuckets>>,
    known: KnownLogIns,
}

impl AllBuckets {
    async fn take(&self, limited: Limited) -> Taken {
        if let Some(shared) = &self.shared {
            let (name, size) = (limited.name(), limited.size(&self.thresholds));
            if let Some(taken) = shared.take(&name, size).await {
                return taken;
            }
        }
        self.own.take(limited)
    }
}

/// The buckets, or none when limits are off.
#[derive(Clone, Default)]
pub struct RateLimits(Option<Arc<AllBuckets>>);

impl RateLimits {
    /// Buckets of these sizes, of this process alone.
    pub fn on(thresholds: Thresholds) -> Self {
        Self(Some(Arc::new(AllBuckets {
            thresholds,
            own: OwnBuckets::new(thresholds),
            shared: None,
            known: KnownLogIns::default(),
        })))
    }

    /// Buckets of these sizes that all processes share through the Redis at this URL. A request waits no longer for it
    /// than `patience`; while it does not answer, buckets of this process decide. Call it in the runtime that lives as
    /// long as the process: the connection is kept there.
    ///
    /// # Errors
    /// What is wrong with the URL, without it. A Redis that is away is no error.
    pub async fn shared(thresholds: Thresholds, url: &str, patience: Duration) -> Result<Self, String> {
        let shared = SharedBuckets::open(url, patience).await;
        Ok(Self(Some(Arc::new(AllBuckets {
            thresholds,
            own: OwnBuckets::new(thresholds),
            shared: Some(shared.map_err(|error| error.to_string())?),
            known: KnownLogIns::default(),
        }))))
    }

    /// No limits: for tests and load on loopback.
    pub fn off() -> Self {
        Self(None)
    }

    /// Takes one from the bucket, and notes for `add_headers` what is left in it.
    ///
    /// # Errors
    /// 429 with the time to wait when it is empty.
    pub async fn check(&self, request: &HttpRequest, limited: Limited) -> Result<(), Refusal> {
        let Some(buckets) = &self.0 else { return Ok(()) };
        let limited = match limited {
            Limited::Address(address) => Limited::Address(address.map(subscriber)),
            user => user,
        };
        let taken = buckets.take(limited).await;
        request.extensions_mut().insert(taken);
        refuse(request, limited, taken)
    }

    /// Takes a log-in with this name out of its bucket, whatever the address has left (D-617). Whoever guesses from many addresses
    /// empties the one for all of them; from where somebody has logged in with the name lately it has one of its own.
    ///
    /// # Errors
    /// 429 with the time to wait when it is empty.
    pub async fn check_log_in(
        &self,
        request: &HttpRequest,
        name: LogInName,
        address: Option<IpAddr>,
    ) -> Result<(), Refusal> {
        let Some(buckets) = &self.0 else { return Ok(()) };
        let known = address.map(subscriber).filter(|address| buckets.known.knows(name, *address));
        let limited = known.map_or(Limited::Name(name), |address| Limited::NameFrom(name, address));
        let taken = buckets.take(limited).await;
        if taken.wait.is_some() {
            // What is left of the address is not why.
            request.extensions_mut().insert(taken);
        }
        refuse(request, limited, taken)
    }

    /// Somebody has logged in with this name from there.
    pub fn logged_in(&self, name: LogInName, address: Option<IpAddr>) {
        if let (Some(buckets), Some(address)) = (&self.0, address) {
            buckets.known.remember(name, subscriber(address));
        }
    }

    /// Forgets full buckets of this process; Redis forgets its own.
    pub fn remove_full(&self) {
        if let Some(buckets) = &self.0 {
            buckets.own.remove_full();
        }
    }
}

/// 429 where there was none to take.
fn refuse(request: &HttpRequest, limited: Limited, taken: Taken) -> Result<(), Refusal> {
    let Some(wait) = taken.wait else { return Ok(()) };
    if let Some(metrics) = request.app_data::<Data<RequestMetrics>>() {
        metrics.count_limited(limited.kind());
    }
    Err(Refusal::too_many(wait))
}

/// What became of the wish to take one from a bucket.
#[derive(Clone, Copy)]
struct Taken {
    /// How many the bucket holds.
    size: u32,
    /// How many are in it now.
    remaining: u32,
    /// When there was none: how long until there is.
    wait: Option<Duration>,
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
pub async fn add_headers(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    let taken = response.request().extensions().get::<Taken>().copied();
    if let Some(Taken { size, remaining, .. }) = taken {
        let missing = u64::from(size.saturating_sub(remaining));
        let reset = (missing * 60).div_ceil(u64::from(size.max(1)));
        let headers = response.headers_mut();
        headers.insert(LIMIT.clone(), HeaderValue::from(size));
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
