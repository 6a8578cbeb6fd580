//! Where queued faults happen: between the login and the handler.

use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::ContentType;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use crate::connection;
use crate::faults::{Call, Fault};
use crate::server::World;
use crate::supplier_api::SupplierApi;

const BAD_GATEWAY_PAGE: &str =
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/// What a handler must do wrong. Seconds and milliseconds count from the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct InjectedFault {
    /// By so many percent.
    pub(crate) price_changed: Option<Decimal>,
    pub(crate) sold_out: bool,
    pub(crate) refund_later_s: Option<u32>,
    pub(crate) rejected_s: Option<u32>,
    appears_after_ms: u32,
    pub(crate) pending_s: Option<u32>,
    /// Pending for so long, then given up.
    pub(crate) aborted_s: Option<u32>,
    pub(crate) hold_expires_s: Option<u32>,
}

impl InjectedFault {
    pub(crate) fn of(request: &HttpRequest) -> Self {
        request.extensions().get().copied().unwrap_or_default()
    }

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

/// Lets the fault that is queued for such a call happen to it.
pub(crate) async fn inject<S: SupplierApi>(
    world: &World,
    call: Option<Call>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(fault) = call.and_then(|call| world.faults.take(S::SUPPLIER, call)) else {
        return handle(request, next).await;
    };
    tracing::info!(%fault, path = request.path(), "a fault is injected");
    let mut injected = InjectedFault::default();
    match fault {
        Fault::Slow(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
        Fault::Status(502) => {
            let mut page = HttpResponse::BadGateway();
            let page = page.content_type(ContentType::html()).body(BAD_GATEWAY_PAGE);
            return Ok(request.into_response(page));
        }
        Fault::Status(status) => return Ok(request.into_response(S::of_status(status).error_response())),
        Fault::RateLimited => return Ok(request.into_response(S::of_status(429).error_response())),
        Fault::BrokenJson => {
            let mut cut = HttpResponse::Ok();
            let cut = cut.content_type(ContentType::json()).body(S::CUT_JSON);
            return Ok(request.into_response(cut));
        }
        Fault::DropBefore => {
            connection::cut(request.request());
            return Ok(request.into_response(HttpResponse::ServiceUnavailable()));
        }
        Fault::DropAfter => {}
        Fault::PriceChanged(percent) => injected.price_changed = Some(percent),
        Fault::SoldOut => injected.sold_out = true,
        Fault::RefundLater(seconds) => injected.refund_later_s = Some(seconds),
        Fault::Rejected(seconds) => injected.rejected_s = Some(seconds),
        Fault::AppearsAfter(ms) => injected.appears_after_ms = ms,
        Fault::Pending(seconds) => injected.pending_s = Some(seconds),
        Fault::Aborted(seconds) => injected.aborted_s = Some(seconds),
        Fault::Lapses(seconds) => injected.hold_expires_s = Some(seconds),
    }
    request.extensions_mut().insert(injected);
    let response = handle(request, next).await?;
    if matches!(fault, Fault::DropAfter | Fault::AppearsAfter(_)) {
        connection::cut(response.request());
    }
    Ok(response)
}

async fn handle(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}
