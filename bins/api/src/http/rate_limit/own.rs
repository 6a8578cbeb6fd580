//! The buckets of this process alone.

use std::{hash::Hash, net::IpAddr};

use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use wayfare_domain::{OperatorId, UserId};

use super::{Limited, LogInName, Taken, Thresholds};

type Buckets<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// One bucket for each who came by, of each kind.
pub(super) struct OwnBuckets {
    addresses: Buckets<Option<IpAddr>>,
    names: Buckets<(LogInName, Option<IpAddr>)>,
    secrets: Buckets<UserId>,
    searches: Buckets<UserId>,
    users: Buckets<UserId>,
    operator_secrets: Buckets<OperatorId>,
    operators: Buckets<OperatorId>,
}

impl OwnBuckets {
    /// Buckets of these sizes, all of them full.
    pub(super) fn new(thresholds: Thresholds) -> Self {
        let minute = Quota::per_minute;
        Self {
            addresses: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            names: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            secrets: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            searches: RateLimiter::keyed(minute(thresholds.searches)).with_middleware(),
            users: RateLimiter::keyed(minute(thresholds.requests)).with_middleware(),
            operator_secrets: RateLimiter::keyed(minute(thresholds.logins)).with_middleware(),
            operators: RateLimiter::keyed(minute(thresholds.requests)).with_middleware(),
        }
    }

    /// Takes one, if there is one.
    pub(super) fn take(&self, limited: Limited) -> Taken {
        match limited {
            Limited::Address(address) => take(&self.addresses, &address),
            Limited::Name(name) => take(&self.names, &(name, None)),
            Limited::NameFrom(name, address) => take(&self.names, &(name, Some(address))),
            Limited::Secret(user) => take(&self.secrets, &user),
            Limited::Search(user) => take(&self.searches, &user),
            Limited::User(user) => take(&self.users, &user),
            Limited::OperatorSecret(operator) => take(&self.operator_secrets, &operator),
            Limited::Operator(operator) => take(&self.operators, &operator),
        }
    }

    /// Forgets full buckets, so that memory follows the users who are there.
    pub(super) fn remove_full(&self) {
        self.addresses.retain_recent();
        self.names.retain_recent();
        self.secrets.retain_recent();
        self.searches.retain_recent();
        self.users.retain_recent();
        self.operator_secrets.retain_recent();
        self.operators.retain_recent();
    }
}

fn take<K: Hash + Eq + Clone>(buckets: &Buckets<K>, key: &K) -> Taken {
    match buckets.check_key(key) {
        Ok(state) => Taken {
            size: state.quota().burst_size().get(),
            remaining: state.remaining_burst_capacity(),
            wait: None,
        },
        Err(empty) => Taken {
            size: empty.quota().burst_size().get(),
            remaining: 0,
            wait: Some(empty.wait_time_from(DefaultClock::default().now())),
        },
    }
}
