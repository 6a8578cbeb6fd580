//! Requests by route: how many, how they ended, how long they took. Labels name the route's template, never the path.

use std::time::Duration;

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
    web::Data,
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use tokio::time::Instant;

/// Upper bounds in seconds: a quick list, a search, a booking that waits for its supplier.
const BUCKETS: [f64; 13] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The route of a path that is none of ours, so that nobody makes series by asking for paths.
const NO_ROUTE: &str = "unmatched";

/// As a proxy's log has requests whose client went away before the answer.
const CLIENT_GONE: u16 = 499;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    http_request_method: &'static str,
    http_route: String,
    http_response_status_code: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BucketLabels {
    bucket: &'static str,
}

/// The kinds of buckets that may be empty.
const LIMITED: [&str; 4] = ["logins", "secrets", "searches", "requests"];

/// What one server counts of its requests.
#[derive(Clone, Debug)]
pub struct RequestMetrics {
    limited: Family<BucketLabels, Counter>,
    durations: Family<RequestLabels, Histogram, fn() -> Histogram>,
    active: Gauge,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let limited = Family::default();
        for bucket in LIMITED {
            // Printed also while nobody was refused.
            drop(limited.get_or_create(&BucketLabels { bucket }));
        }
        Self {
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            active: Gauge::default(),
            limited,
        }
    }
}

impl RequestMetrics {
    /// Adds them to what is printed.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "http_server_request_duration",
            "Requests, from their head to the head of their answer: a search stream goes on after it. Status 499: the client \
             went away first",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register(
            "http_server_active_requests",
            "Requests that are being answered now",
            self.active.clone(),
        );
        registry.register(
            "wayfare_rate_limited",
            "Requests that were refused by 429, by the bucket that was empty",
            self.limited.clone(),
        );
    }

    /// A request was refused, since this kind of bucket was empty.
    pub(crate) fn count_limited(&self, bucket: &'static str) {
        self.limited.get_or_create(&BucketLabels { bucket }).inc();
    }

    fn begin(&self, request: &ServiceRequest) -> ActiveRequest {
        self.active.inc();
        ActiveRequest {
            metrics: self.clone(),
            begun: Instant::now(),
            method: method(request.method()),
            route: request.match_pattern().unwrap_or_else(|| NO_ROUTE.to_owned()),
            status: CLIENT_GONE,
        }
    }
}

/// A request that is counted when it has ended, also when nobody waits for it any more.
struct ActiveRequest {
    metrics: RequestMetrics,
    begun: Instant,
    method: &'static str,
    route: String,
    status: u16,
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.metrics.active.dec();
        let labels = RequestLabels {
            http_request_method: self.method,
            http_route: std::mem::take(&mut self.route),
            http_response_status_code: self.status,
        };
        let took: Duration = self.begun.elapsed();
        self.metrics.durations.get_or_create(&labels).observe(took.as_secs_f64());
    }
}

/// The methods that HTTP has; a client may make up others.
fn method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        _ => "_OTHER",
    }
}

/// Middleware: counts the request.
///
/// # Errors
/// What the service behind it returns.
pub async fn measure(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let metrics = request.app_data::<Data<RequestMetrics>>();
    let mut active = metrics.map(|metrics| metrics.begin(&request));
    let ended = next.call(request).await;
    if let Some(active) = &mut active {
        active.status = match &ended {
            Ok(response) => response.status().as_u16(),
            Err(error) => error.as_response_error().status_code().as_u16(),
        };
    }
    ended
}
