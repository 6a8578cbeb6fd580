//! Where queued faults strike: between the door and the work.

use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::ContentType;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use rust_decimal::Decimal;

use crate::connection;
use crate::faults::{Call, Fault, Supplier};
use crate::server::World;

/// What the work itself must do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct InjectedFault {
    /// The price has moved by so many percent.
    pub(crate) price_changed: Option<Decimal>,
    pub(crate) sold_out: bool,
    /// A cancellation takes effect so many seconds later.
    pub(crate) refund_later: Option<u32>,
    /// A cancellation is rejected so many seconds later.
    pub(crate) rejected: Option<u32>,
    /// What was ordered is found only so many milliseconds later.
    pub(crate) appears_after: Option<u32>,
    /// An order or a payment is pending for so many seconds.
    pub(crate) pending: Option<u32>,
    /// An order is pending for so many seconds and given up then.
    pub(crate) aborted: Option<u32>,
    /// A hold lapses so many seconds later.
    pub(crate) lapses: Option<u32>,
}

impl InjectedFault {
    /// What strikes this request.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        request.extensions().get().copied().unwrap_or_default()
    }
}

/// What faults must know of a supplier's wire.
pub(crate) struct Wire {
    pub(crate) supplier: Supplier,
    /// What a caller asks for with a method and a path's pattern.
    pub(crate) call_of: fn(&Method, &str) -> Option<Call>,
    /// What the supplier answers with a status, whatever the reason.
    pub(crate) of_status: fn(u16) -> HttpResponse,
    /// The beginning of a success.
    pub(crate) cut_json: &'static str,
}

/// Lets the fault that waits for such a call happen to it.
pub(crate) async fn strike(
    wire: &Wire,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let call = request
        .match_pattern()
        .and_then(|pattern| (wire.call_of)(request.method(), &pattern));
    let world = request.app_data::<Data<World>>();
    let fault = world
        .zip(call)
        .and_then(|(world, call)| world.faults.strike(wire.supplier, call));
    let Some(fault) = fault else {
        return work(request, next).await;
    };
    tracing::info!(%fault, path = request.path(), "a fault strikes");
    let mut injected = InjectedFault::default();
    match fault {
        Fault::Slow(ms) => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            return work(request, next).await;
        }
        Fault::Status(502) => {
            let page = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
            let answer = HttpResponse::BadGateway()
                .content_type(ContentType::html())
                .body(page);
            return Ok(request.into_response(answer));
        }
        Fault::Status(status) => {
            return Ok(request.into_response((wire.of_status)(status)));
        }
        Fault::RateLimited => return Ok(request.into_response((wire.of_status)(429))),
        Fault::BrokenJson => {
            let answer = HttpResponse::Ok()
                .content_type(ContentType::json())
                .body(wire.cut_json);
            return Ok(request.into_response(answer));
        }
        Fault::DropBefore => {
            connection::cut(request.request());
            return Ok(request.into_response(HttpResponse::ServiceUnavailable()));
        }
        Fault::DropAfter => {}
        Fault::PriceChanged(percent) => injected.price_changed = Some(percent),
        Fault::SoldOut => injected.sold_out = true,
        Fault::RefundLater(seconds) => injected.refund_later = Some(seconds),
        Fault::Rejected(seconds) => injected.rejected = Some(seconds),
        Fault::AppearsAfter(ms) => injected.appears_after = Some(ms),
        Fault::Pending(seconds) => injected.pending = Some(seconds),
        Fault::Aborted(seconds) => injected.aborted = Some(seconds),
        Fault::Lapses(seconds) => injected.lapses = Some(seconds),
    }
    request.extensions_mut().insert(injected);
    let response = work(request, next).await?;
    if matches!(fault, Fault::DropAfter | Fault::AppearsAfter(_)) {
        connection::cut(response.request());
    }
    Ok(response)
}

async fn work(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}
