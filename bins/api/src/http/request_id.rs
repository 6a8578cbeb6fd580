//! `X-Request-Id` on every answer: the client's own if it is printable and at most 128 characters, else ours. The request's
//! log lines have it, and the id of its trace: that of `traceparent`, or a new one.

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
};
use tracing::{Instrument, field::Empty};
use wayfare_domain::{Clock, EventId};
use wayfare_trace::TraceParent;

static HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request that is being served.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

fn usable(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok().filter(|text| {
        (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
    })
}

/// Middleware: gives the request its id, its log span and one log line.
///
/// # Errors
/// What the service behind it returns.
pub async fn identify(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let given = request.headers().get(&HEADER).and_then(usable).map(str::to_owned);
    let id = given.unwrap_or_else(|| EventId::new(&Clock::system()).to_string());
    request.extensions_mut().insert(RequestId(id.clone()));
    // Of the highest level, so that errors have their request also where nothing else is logged.
    let span = tracing::error_span!(
        "request",
        request_id = id,
        trace_id = Empty,
        method = %request.method(),
        path = logged(request.path()),
        booking = booking(request.path())
    );
    wayfare_trace::begin(&span, caller_trace(request.headers()));
    async move {
        let started = tokio::time::Instant::now();
        let mut response = next.call(request).await?;
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let status = response.status().as_u16();
        // Probes ask every few seconds for ever.
        match response.request().path().starts_with("/health/") {
            true => tracing::debug!(status, duration_ms, "served"),
            false => tracing::info!(status, duration_ms, "served"),
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(HEADER.clone(), value);
        }
        Ok(response)
    }
    .instrument(span)
    .await
}

/// The trace that the client names. Several are none, as the standard has it.
fn caller_trace(headers: &HeaderMap) -> Option<TraceParent> {
    let mut given = headers.get_all(wayfare_trace::HEADER);
    let only = given.next().filter(|_| given.next().is_none());
    TraceParent::read(only?.to_str().ok()?)
}

/// A path as it is logged: what comes after the code in the address of a supplier's hooks is a secret.
fn logged(path: &str) -> &str {
    let token = path.strip_prefix("/hooks/").and_then(|rest| Some(rest.len() - rest.find('/')?));
    let end = path.len() - token.unwrap_or_default();
    path.get(..end).unwrap_or_default()
}

/// The reference of the booking that a path names.
fn booking(path: &str) -> Option<&str> {
    let (_, named) = path.split_once("/bookings/")?;
    named.split('/').next().filter(|reference| !reference.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_a_suppliers_address_is_not_logged() {
        for (path, expected) in [
            ("/hooks/hotelbeds/abc", "/hooks/hotelbeds"),
            ("/hooks/hotelbeds/abc/d", "/hooks/hotelbeds"),
            ("/hooks/duffel", "/hooks/duffel"),
            ("/api/v1/me", "/api/v1/me"),
        ] {
            assert_eq!(logged(path), expected);
        }
    }

    #[test]
    fn the_booking_of_a_path_is_logged() {
        for (path, expected) in [
            ("/api/v1/flights/bookings/FA-7K2M9QX4/cancel", Some("FA-7K2M9QX4")),
            ("/api/v1/hotels/bookings/HA-7K2M9QX4", Some("HA-7K2M9QX4")),
            ("/api/v1/flights/bookings/", None),
            ("/api/v1/flights/bookings", None),
            ("/api/v1/me", None),
        ] {
            assert_eq!(booking(path), expected, "{path}");
        }
    }
}
