//! The gateway: whose key it is, and whether the signature is fresh.

use actix_web::HttpRequest;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use super::Hotelbeds;
use super::errors::ApiError;
use crate::supplier_api::{SupplierApi, header_text, key_name};

/// The secret of every test key.
const SECRET: &str = "sandbox";
/// How far the caller's clock may be off, in seconds: the vendor says a few minutes, and five are assumed.
const TOLERANCE: i64 = 300;

pub(super) fn key(request: &HttpRequest) -> &str {
    header_text(request, Hotelbeds::KEY.0)
}

/// Lets in who brings a test key, and a signature of about now.
pub(super) fn check(request: &HttpRequest, now: DateTime<Utc>) -> Result<(), ApiError> {
    let key = key(request);
    if key.is_empty() {
        return Err(ApiError::gateway(401, "Authorization field missing"));
    }
    if key_name(key, Hotelbeds::KEY.1).is_none() {
        return Err(ApiError::of_status(403));
    }
    match is_signed_about(key, header_text(request, "X-Signature"), now) {
        true => Ok(()),
        false => Err(ApiError::of_status(401)),
    }
}

/// Whether a signature was made with a second near this instant. The second itself is not sent, so each is tried, the
/// nearest first.
fn is_signed_about(key: &str, signature: &str, now: DateTime<Utc>) -> bool {
    let mut offsets = (0..=TOLERANCE).flat_map(|away| [away, -away]);
    offsets.any(|offset| {
        let second = (now + TimeDelta::seconds(offset)).timestamp();
        let expected = Sha256::digest(format!("{key}{SECRET}{second}"));
        let expected: String = expected.iter().map(|byte| format!("{byte:02x}")).collect();
        expected.eq_ignore_ascii_case(signature)
    })
}
