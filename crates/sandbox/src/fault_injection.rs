//! What a fault lets a handler do wrong.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

/// What a handler must do wrong. Seconds and milliseconds count from the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct InjectedFault {
    /// By so many percent.
    pub(crate) price_changed: Option<Decimal>,
    pub(crate) sold_out: bool,
    pub(crate) refund_later_s: Option<u32>,
    /// A cancellation gives so many percent of the price back.
    pub(crate) gives_back: Option<Decimal>,
    /// It does not say what comes back.
    pub(crate) refund_untold: bool,
    pub(crate) rejected_s: Option<u32>,
    pub(crate) appears_after_ms: u32,
    pub(crate) pending_s: Option<u32>,
    /// Pending for so long, then given up.
    pub(crate) aborted_s: Option<u32>,
    pub(crate) hold_expires_s: Option<u32>,
    pub(crate) fare_stale: bool,
    /// After so long a hold tells until when it must be paid.
    pub(crate) limit_later_s: Option<u32>,
}

impl FromRequest for InjectedFault {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get().copied().unwrap_or_default()))
    }
}

impl InjectedFault {
    /// From when on look-ups find what is ordered now.
    pub(crate) fn visible_from(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::milliseconds(self.appears_after_ms.into())
    }

    /// Until when nobody knows what becomes of an order that is made now.
    pub(crate) fn pending_until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        after(now, self.pending_s.or(self.aborted_s))
    }

    /// When a cancellation takes effect, or is rejected.
    pub(crate) fn cancelled_from(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        after(now, self.refund_later_s.or(self.rejected_s))
    }
}

pub(crate) fn after(now: DateTime<Utc>, seconds: Option<u32>) -> DateTime<Utc> {
    now + TimeDelta::seconds(seconds.unwrap_or_default().into())
}
