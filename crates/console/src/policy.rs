//! What every answer carries: what the browser may do with it; and what failed, as a page or a part of one.

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
    web::Data,
};

use crate::{Console, failed, failure::Failure};

/// No script, style or connection but our own; pictures of hotels come from their suppliers.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; \
                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// Middleware: adds the headers, and makes a page of what failed.
pub async fn apply(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let console = request.app_data::<Data<Console>>().cloned();
    // The request is nobody else's until it is routed.
    let response = next.call(request).await?;
    let error = response.response().error();
    let failure = error.and_then(|error| error.as_error::<Failure>()).cloned();
    let mut response = match failure {
        Some(failure) => {
            let asked = response.request().clone();
            let answer = failed::answer(&failure, &asked);
            ServiceResponse::new(asked, answer)
        }
        None => response.map_into_boxed_body(),
    };
    let is_secure = console.is_some_and(|console| console.is_secure());
    add(response.headers_mut(), is_secure);
    Ok(response)
}

fn add(headers: &mut HeaderMap, is_secure: bool) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if is_secure {
        let lasting = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, lasting);
    }
}
