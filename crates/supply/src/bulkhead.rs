//! The bulkhead before a supplier: a permit for each call, and the circuit breaker. Without both nothing is sent.

use std::time::Duration;

use tokio::time::timeout;
use wayfare_domain::Clock;

use crate::breaker::{Breaker, CallPermit};
use crate::permits::{Call, Kind, Permit, PermitUse, Permits, asking_agency};
use crate::{Limits, Outage, OutageKind};

/// Why a supplier is called: it decides how long the call may take and how many may be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Purpose {
    /// What can be asked again by whoever wants to know: a search, a price, a cancellation's quote.
    Question,
    /// A question whose answer can be done without: that it is given, or isn't, says nothing of the supplier's health.
    BestEffort,
    /// What became of an effect.
    LookUp,
    /// How an order stands, asked because its travel is not over; nobody waits for it.
    Watch,
    /// Something is to change there.
    Effect,
}

/// How long a call may wait for its permit. It is short: the sender of an effect counts the supplier's processing time
/// from before the wait, and a question that waited has less time left for its answer.
pub(crate) const PERMIT_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Bulkhead {
    permits: Permits,
    breaker: Breaker,
}

/// A call that may be sent, with its permit until it has ended.
#[derive(Debug)]
pub(crate) struct AdmittedCall<'a> {
    pub permit: CallPermit<'a>,
    _permit: Permit<'a>,
}

impl Bulkhead {
    pub fn new(supplier: &str, limits: Limits, clock: Clock) -> Self {
        Self { permits: Permits::new(limits), breaker: Breaker::new(supplier, limits, clock) }
    }

    /// Waits for a permit: at most for [`PERMIT_WAIT`], and for half of what the whole call may take. An outage means that
    /// nothing was sent and nothing will be.
    pub async fn enter(&self, purpose: Purpose, patience: Duration) -> Result<AdmittedCall<'_>, Outage> {
        // Nobody waits for a permit only to be turned away.
        self.breaker.check()?;
        let call = Call {
            agency: asking_agency(),
            kind: match purpose {
                Purpose::Question | Purpose::BestEffort => Kind::Question,
                Purpose::Watch => Kind::Watch,
                Purpose::LookUp | Purpose::Effect => Kind::Needed,
            },
        };
        let Ok(Some(permit)) = timeout(PERMIT_WAIT.min(patience / 2), self.permits.take(call)).await else {
            let whose = match self.permits.is_beyond_share(call) {
                true => "too many calls of this agency to the supplier are under way",
                false => "too many calls to the supplier are under way",
            };
            return Err(Outage {
                kind: OutageKind::Busy,
                reason: whose.to_owned(),
                retry_after: Some(Duration::from_secs(1)),
            });
        };
        Ok(AdmittedCall { permit: self.breaker.admit()?, _permit: permit })
    }

    pub fn permit_use(&self) -> PermitUse {
        self.permits.in_use()
    }

    /// The circuit breaker.
    pub fn breaker(&self) -> &Breaker {
        &self.breaker
    }
}
