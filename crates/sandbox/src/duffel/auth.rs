//! The headers that every call must bring, and those that every answer carries.

use std::collections::HashMap;
use std::sync::PoisonError;

use actix_web::HttpRequest;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use super::World;
use super::errors::{ApiError, REQUEST_ID};
use super::{Duffel, ids};
use crate::supplier_api::{SupplierApi, header_text, key_name};

/// What Duffel allows a token in a minute. The sandbox counts and does not enforce: `rate_limited` is a fault.
const A_MINUTE: u32 = 4_000;

/// How often each token has called in the present minute.
#[derive(Debug, Default)]
pub(super) struct Minute {
    ends_at: DateTime<Utc>,
    calls: HashMap<String, u32>,
}

impl Minute {
    /// Counts a call; how many are left, and when the count starts again.
    fn count(&mut self, token: &str, now: DateTime<Utc>) -> (u32, DateTime<Utc>) {
        if now >= self.ends_at {
            let begun = now.duration_trunc(TimeDelta::minutes(1)).unwrap_or(now);
            self.ends_at = begun + TimeDelta::minutes(1);
            self.calls.clear();
        }
        let calls = self.calls.entry(token.to_owned()).or_default();
        *calls += 1;
        (A_MINUTE.saturating_sub(*calls).max(1), self.ends_at)
    }
}

/// Gives an answer its request id and the caller's allowance.
pub(super) fn label(world: &World, response: &mut ServiceResponse<BoxBody>) {
    let token = header_text(response.request(), Duffel::KEY.0).to_owned();
    let now = world.clock.now();
    let mut minute = world.state.minute.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut remaining, mut reset) = minute.count(&token, now);
    if response.status() == 429 {
        // A caller that is held up is let through again a second later: the sandbox does not mean it.
        (remaining, reset) = (0, now + TimeDelta::seconds(1));
    }
    let has_id = response.headers().contains_key(REQUEST_ID);
    let id = (!has_id).then(|| (REQUEST_ID, ids::request_id()));
    let allowance = [
        ("ratelimit-limit", A_MINUTE.to_string()),
        ("ratelimit-remaining", remaining.to_string()),
        ("ratelimit-reset", reset.format("%a, %d %b %Y %H:%M:%S GMT").to_string()),
    ];
    let allowance = allowance.map(|(name, value)| (HeaderName::from_static(name), value));
    for (name, value) in allowance.into_iter().chain(id) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
}

/// Lets in who brings a test token, names the version and accepts JSON.
pub(super) fn check(request: &HttpRequest) -> Result<(), ApiError> {
    let (header, prefix) = Duffel::KEY;
    let token = match header_text(request, header) {
        "" => {
            let message = "The 'Authorization' header needs to be set and contain a valid API token.";
            return Err(ApiError::unauthorized("missing_authorization_header", message));
        }
        authorization => authorization.strip_prefix("Bearer ").ok_or_else(|| {
            let message =
                "The 'Authorization' header must conform to the following format: Bearer API_TOKEN.";
            ApiError::unauthorized("invalid_authorization_header", message)
        })?,
    };
    if key_name(token, prefix).is_none() {
        return Err(ApiError::of_status(401));
    }
    let (code, message) = match header_text(request, "duffel-version") {
        "v2" => return check_format(header_text(request, "Accept")),
        "" => {
            ("missing_version_header", "The 'Duffel-Version' header needs to be set to a valid API version.")
        }
        "v1" | "beta" => (
            "unsupported_version",
            "The version set in the 'Duffel-Version' header is no longer supported. Please upgrade.",
        ),
        _ => ("invalid_version_header", "The 'Duffel-Version' header must be a known version of the API."),
    };
    Err(ApiError::bad_request(code, message))
}

fn check_format(accepts: &str) -> Result<(), ApiError> {
    let json = ["application/json", "application/*", "*/*"];
    match accepts.is_empty() || json.iter().any(|kind| accepts.contains(kind)) {
        true => Ok(()),
        false => Err(ApiError::unsupported_format()),
    }
}
