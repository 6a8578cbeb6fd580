//! What the suppliers' APIs share: a table of endpoints, a key that lets callers in, errors in an envelope.

use std::fmt;
use std::io;
use std::marker::PhantomData;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{HeaderName, RETRY_AFTER};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError, Route};
use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::faults::{Call, Complaint, Supplier};
use crate::orders::AddOrderError;
use crate::world::Hosted;

/// Method, path below the supplier's base, the call that faults are queued for, and the handler.
pub(crate) type Endpoint = (Method, &'static str, Option<Call>, fn() -> Route);

/// How a supplier words its errors.
pub(crate) trait SupplierErrors: Sized {
    fn of_status(status: u16) -> ApiError<Self>;

    /// Its error for this, where it has one.
    fn complaint(complaint: Complaint) -> ApiError<Self>;

    /// The error for a call that the supplier may have and the sandbox has not.
    fn not_played(what: &str) -> ApiError<Self>;

    /// The error for an order log that cannot be written.
    fn unwritable() -> ApiError<Self> {
        Self::of_status(500)
    }

    /// The error for a second order under the same claim.
    fn already_booked() -> ApiError<Self> {
        Self::of_status(500)
    }

    /// The error for rooms that are not left.
    fn no_rooms() -> ApiError<Self> {
        Self::of_status(500)
    }
}

pub(crate) trait SupplierApi: SupplierErrors + fmt::Debug + 'static {
    /// What it has in memory besides its orders; all of it may be lost.
    type State: Default + 'static;
    const SUPPLIER: Supplier;
    const BASE: &'static str;
    const ENDPOINTS: &'static [Endpoint];
    /// The header with the caller's key, and what test keys begin with.
    const KEY: (&'static str, &'static str);
    /// The beginning of a success, for the fault `broken_json`.
    const CUT_JSON: &'static str;

    fn authenticate(request: &HttpRequest, _now: DateTime<Utc>) -> Result<(), ApiError<Self>> {
        let (header, prefix) = Self::KEY;
        match key_name(header_text(request, header), prefix) {
            Some(_) => Ok(()),
            None => Err(Self::of_status(401)),
        }
    }

    /// The call of a request, where the query decides, too.
    fn refine(call: Call, _query: &str) -> Call {
        call
    }

    fn label(_world: &Hosted<Self::State>, _response: &mut ServiceResponse<BoxBody>) {}
}

pub(crate) fn header_text<'a>(request: &'a HttpRequest, name: &str) -> &'a str {
    let value = request.headers().get(name);
    value.and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub(crate) fn key_name<'a>(key: &'a str, prefix: &str) -> Option<&'a str> {
    key.strip_prefix(prefix).filter(|name| !name.is_empty())
}

#[derive(Debug)]
pub(crate) struct ApiError<S> {
    pub(crate) status: u16,
    /// None where the status allows no body.
    pub(crate) body: Option<Value>,
    pub(crate) header: Option<(HeaderName, String)>,
    supplier: PhantomData<S>,
}

impl<S> ApiError<S> {
    pub(crate) fn new(status: u16, body: Option<Value>) -> Self {
        Self { status, body, header: None, supplier: PhantomData }
    }
}

impl<S: SupplierErrors> ApiError<S> {
    pub(crate) fn of_status(status: u16) -> Self {
        S::of_status(status)
    }

    pub(crate) fn complaint(complaint: Complaint) -> Self {
        S::complaint(complaint)
    }

    pub(crate) fn already_booked() -> Self {
        S::already_booked()
    }

    pub(crate) fn no_rooms() -> Self {
        S::no_rooms()
    }
}

impl<S: SupplierErrors> From<io::Error> for ApiError<S> {
    fn from(reason: io::Error) -> Self {
        tracing::error!(%reason, "the order log cannot be written");
        S::unwritable()
    }
}

impl<S: SupplierErrors> From<AddOrderError> for ApiError<S> {
    fn from(error: AddOrderError) -> Self {
        match error {
            AddOrderError::Claimed => S::already_booked(),
            AddOrderError::NoRooms => S::no_rooms(),
            AddOrderError::Unwritable(reason) => reason.into(),
        }
    }
}

impl<S> fmt::Display for ApiError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.body.as_ref().unwrap_or(&Value::Null))
    }
}

impl<S: SupplierApi> ResponseError for ApiError<S> {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        if self.status == 429 {
            response.insert_header((RETRY_AFTER, "1"));
        }
        if let Some((name, value)) = &self.header {
            response.insert_header((name.clone(), value.as_str()));
        }
        match &self.body {
            Some(body) => response.json(body),
            None => response.finish(),
        }
    }
}
