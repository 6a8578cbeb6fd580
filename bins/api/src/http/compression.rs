//! Compression of answers, where it is worth its time.

use actix_web::{
    Error,
    body::{BodySize, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{CONTENT_ENCODING, HeaderValue},
    middleware::Next,
};

/// So many bytes a server may send before it hears of the client (ten packets of 1,460): an answer that fits is there no
/// sooner for being smaller.
const WORTH_IT: u64 = 14_600;

const UNCHANGED: HeaderValue = HeaderValue::from_static("identity");

/// Middleware, inside of the one that compresses: keeps it from small answers.
///
/// # Errors
/// What the service behind it returns.
pub async fn spare_small(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    if is_small(&response) && !response.headers().contains_key(CONTENT_ENCODING) {
        response.headers_mut().insert(CONTENT_ENCODING, UNCHANGED);
    }
    Ok(response)
}

/// Middleware, around the one that compresses: that nothing was done to a small answer nobody needs to be told.
///
/// # Errors
/// What the service behind it returns.
pub async fn tell_no_identity(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    if is_small(&response) && response.headers().get(CONTENT_ENCODING) == Some(&UNCHANGED) {
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    Ok(response)
}

fn is_small(response: &ServiceResponse<impl MessageBody>) -> bool {
    matches!(response.response().body().size(), BodySize::Sized(size) if size < WORTH_IT)
}
