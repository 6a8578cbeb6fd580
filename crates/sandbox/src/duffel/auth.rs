//! At the door: the headers every call must bring, and those every answer carries.

use std::collections::HashMap;
use std::sync::PoisonError;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError};
use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use super::errors::{ApiError, ApiResult, REQUEST_ID};
use super::ids;
use crate::server::World;

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
            *self = Self {
                ends_at: begun + TimeDelta::minutes(1),
                calls: HashMap::new(),
            };
        }
        let calls = self.calls.entry(token.to_owned()).or_default();
        *calls += 1;
        (A_MINUTE.saturating_sub(*calls).max(1), self.ends_at)
    }
}

/// A path that leads nowhere.
pub(super) async fn nowhere() -> ApiResult {
    Err(ApiError::not_found())
}

/// Gives every answer its request id and the caller's allowance.
pub(super) async fn label(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let allowance = request.app_data::<Data<World>>().map(|world| {
        let now = world.clock.now();
        let token = header(request.headers(), AUTHORIZATION)
            .unwrap_or_default()
            .to_owned();
        let mut minute = world.duffel.minute.lock().unwrap_or_else(PoisonError::into_inner);
        (minute.count(&token, now), now)
    });
    let mut response = next.call(request).await?;
    let limited = response.status() == 429;
    let headers = response.headers_mut();
    if !headers.contains_key(REQUEST_ID) {
        set(headers, REQUEST_ID, &ids::request_id());
    }
    if let Some(((remaining, ends_at), now)) = allowance {
        // A caller that is held up is let through again a second later: the sandbox does not mean it.
        let (remaining, reset) = if limited {
            (0, now + TimeDelta::seconds(1))
        } else {
            (remaining, ends_at)
        };
        set(
            headers,
            HeaderName::from_static("ratelimit-limit"),
            &A_MINUTE.to_string(),
        );
        set(
            headers,
            HeaderName::from_static("ratelimit-remaining"),
            &remaining.to_string(),
        );
        let reset = reset.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        set(headers, HeaderName::from_static("ratelimit-reset"), &reset);
        if limited {
            set(headers, RETRY_AFTER, "1");
        }
    }
    Ok(response)
}

/// Lets in who brings a test token, names the version and accepts JSON.
pub(super) async fn admit(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    match refusal(request.headers()) {
        Some(error) => {
            let response = error.error_response();
            Ok(request.into_response(response).map_into_left_body())
        }
        None => Ok(next.call(request).await?.map_into_right_body()),
    }
}

fn refusal(headers: &HeaderMap) -> Option<ApiError> {
    let Some(authorization) = header(headers, AUTHORIZATION) else {
        let message = "The 'Authorization' header needs to be set and contain a valid API token.";
        return Some(ApiError::unauthorized(
            "missing_authorization_header",
            "Missing authorization header",
            message,
        ));
    };
    let Some(token) = authorization.strip_prefix("Bearer ") else {
        let message = "The 'Authorization' header must conform to the following format: Bearer API_TOKEN.";
        return Some(ApiError::unauthorized(
            "invalid_authorization_header",
            "Invalid authorization header",
            message,
        ));
    };
    if token.strip_prefix("duffel_test_").is_none_or(str::is_empty) {
        return Some(ApiError::of_status(401));
    }
    match header(headers, HeaderName::from_static("duffel-version")) {
        Some("v2") => {}
        None => {
            let message = "The 'Duffel-Version' header needs to be set to a valid API version.";
            return Some(ApiError::bad_request(
                "missing_version_header",
                "Missing version header",
                message,
            ));
        }
        Some("v1" | "beta") => {
            let message =
                "The version set in the 'Duffel-Version' header is no longer supported. Please upgrade.";
            return Some(ApiError::bad_request(
                "unsupported_version",
                "Unsupported version",
                message,
            ));
        }
        Some(_) => {
            let message = "The 'Duffel-Version' header must be a known version of the API.";
            return Some(ApiError::bad_request(
                "invalid_version_header",
                "Invalid version header",
                message,
            ));
        }
    }
    let accepts = header(headers, ACCEPT).unwrap_or("*/*");
    let accepts_json = ["application/json", "application/*", "*/*"]
        .iter()
        .any(|kind| accepts.contains(kind));
    (!accepts_json).then(ApiError::unsupported_format)
}

fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .filter(|value| !value.is_empty())
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
