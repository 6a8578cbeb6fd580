//! At the gateway: whose key it is, whether the signature is fresh, and which paths lead nowhere.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest, ResponseError};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use super::errors::{ApiError, ApiResult};
use crate::server::World;

/// The secret of every test key.
const SECRET: &str = "sandbox";
/// How far the caller's clock may be off, in seconds: the vendor says a few minutes, and five are assumed.
const TOLERANCE: i64 = 300;

/// A path that leads nowhere.
pub(super) async fn nowhere() -> ApiResult {
    Err(ApiError::of_status(404))
}

/// The key of a request that was let in.
pub(super) fn key(request: &HttpRequest) -> &str {
    let key = request.headers().get("Api-key");
    key.and_then(|key| key.to_str().ok()).unwrap_or_default()
}

/// Lets in who brings a test key, and a signature of about now.
pub(super) async fn admit(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let now = request
        .app_data::<Data<World>>()
        .map(|world| world.clock.now())
        .unwrap_or_default();
    match refusal(request.request(), now) {
        None => Ok(next.call(request).await?.map_into_right_body()),
        Some(refusal) => {
            let answer = refusal.error_response();
            Ok(request.into_response(answer).map_into_left_body())
        }
    }
}

/// Why a request is not let in, in the gateway's words.
fn refusal(request: &HttpRequest, now: DateTime<Utc>) -> Option<ApiError> {
    let key = key(request);
    if key.is_empty() {
        return Some(ApiError::gateway(401, "Authorization field missing"));
    }
    let is_test_key = key
        .strip_prefix("hotelbeds_test_")
        .is_some_and(|name| !name.is_empty());
    if !is_test_key {
        return Some(ApiError::of_status(403));
    }
    let signature = request.headers().get("X-Signature");
    let is_signed = signature
        .and_then(|signature| signature.to_str().ok())
        .is_some_and(|signature| is_signed_about(key, signature, now));
    (!is_signed).then(|| ApiError::gateway(401, "Request signature verification failed"))
}

/// Whether a signature was made with a second near this instant. The second itself is not sent, so each is tried, the
/// nearest first.
fn is_signed_about(key: &str, signature: &str, now: DateTime<Utc>) -> bool {
    let mut offsets = (0..=TOLERANCE).flat_map(|away| [away, -away]);
    offsets.any(|offset| {
        let second = (now + TimeDelta::seconds(offset)).timestamp();
        let expected = Sha256::digest(format!("{key}{SECRET}{second}"));
        format!("{expected:x}").eq_ignore_ascii_case(signature)
    })
}
