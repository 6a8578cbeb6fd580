//! LiteAPI's refusals: one envelope, and the codes that are known.

use std::fmt;
use std::io;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::orders::AddOrderError;

/// An answer that is not the one hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: u16,
    code: u32,
    message: &'static str,
    description: Option<String>,
}

/// What a handler answers.
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

/// The body of a call that wants one.
pub(super) fn json_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.is_empty() {
        return Err(ApiError::wrong_input("empty request body"));
    }
    serde_json::from_slice(body).map_err(|reason| ApiError::wrong_input(reason.to_string()))
}

impl ApiError {
    fn new(status: u16, code: u32, message: &'static str) -> Self {
        Self {
            status,
            code,
            message,
            description: None,
        }
    }

    fn about(self, description: impl Into<String>) -> Self {
        Self {
            description: Some(description.into()),
            ..self
        }
    }

    /// A field of a body is missing or wrong.
    pub(super) fn wrong_input(description: impl Into<String>) -> Self {
        Self::new(400, 4002, "required request field is missing or wrong input").about(description)
    }

    /// A request that makes no sense.
    pub(super) fn bad_request(description: impl Into<String>) -> Self {
        Self::new(400, 4000, "bad request").about(description)
    }

    /// Nothing is sold that answers a search. The specification has it under 204, which can carry no body; the vendor
    /// says that it comes as 200.
    pub(super) fn no_availability() -> Self {
        Self::new(200, 2001, "no availability found")
    }

    /// An offer whose time is over, or that is sold out.
    pub(super) fn outdated_offer() -> Self {
        let message = "this offer is marked as not valid, please refetch rates for this hotel";
        Self::new(408, 4040, message).about("outdated offerId")
    }

    /// The client's reference has been booked under.
    pub(super) fn duplicate_reference() -> Self {
        let message = "duplicate booking attempt with existing client reference";
        Self::new(400, 4005, message)
    }

    /// The hotel did not take the booking.
    pub(super) fn booking_failed() -> Self {
        Self::new(400, 2013, "booking failed").about("booking not confirmed")
    }

    /// Nobody paid.
    pub(super) fn booking_incomplete(description: &'static str) -> Self {
        Self::new(400, 2014, "booking incomplete").about(description)
    }

    /// No booking of that id. Its body never arrives: 204 has none.
    pub(super) fn booking_not_found() -> Self {
        Self::new(204, 204, "Booking Id not found")
    }

    /// A booking that cannot be cancelled. Its body never arrives: 304 has none.
    pub(super) fn not_cancellable() -> Self {
        Self::new(304, 304, "unable to process request")
    }

    /// What LiteAPI says with a status, whatever the reason.
    pub(super) fn of_status(status: u16) -> Self {
        let message = match status {
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "not found",
            429 => "Too Many Requests",
            500.. => "unable to process request",
            _ => "bad request",
        };
        Self::new(status, status.into(), message)
    }
}

impl From<io::Error> for ApiError {
    fn from(reason: io::Error) -> Self {
        tracing::error!(%reason, "the order log cannot be written");
        let message = "unable to process request";
        Self::new(500, 5000, message).about("booking initial save failed, please try again")
    }
}

impl From<AddOrderError> for ApiError {
    fn from(reason: AddOrderError) -> Self {
        match reason {
            AddOrderError::Claimed => Self::duplicate_reference(),
            AddOrderError::Unwritable(reason) => reason.into(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status, self.code, self.message)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        if matches!(self.status, 204 | 304) {
            return response.finish();
        }
        if self.status == 429 {
            response.insert_header((RETRY_AFTER, "1"));
        }
        let error = match &self.description {
            Some(description) => {
                json!({ "code": self.code, "description": description, "message": self.message })
            }
            None => json!({ "code": self.code, "message": self.message }),
        };
        response.json(json!({ "error": error }))
    }
}
