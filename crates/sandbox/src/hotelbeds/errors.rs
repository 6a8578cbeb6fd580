//! Hotelbeds' refusals: those of its API in one envelope, those of the gateway before it in another.

use std::fmt;
use std::io;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, ResponseError};
use serde_json::json;

use super::audit::{self, Audit};
use crate::orders::AddOrderError;

/// An answer that is not the one hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: u16,
    /// The gateway has no codes.
    code: Option<&'static str>,
    message: String,
}

/// What a handler answers.
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

impl ApiError {
    fn coded(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: Some(code),
            message: message.into(),
        }
    }

    /// The gateway lets nobody through.
    pub(super) fn gateway(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            code: None,
            message: message.into(),
        }
    }

    /// A request that is not of the API's form.
    pub(super) fn unreadable(reason: impl fmt::Display) -> Self {
        let message = format!("The request is not compliant with the specified version of the API. {reason}");
        Self::coded(400, "INVALID_REQUEST", message)
    }

    /// A request of the right form that says what cannot be.
    pub(super) fn invalid(message: impl fmt::Display) -> Self {
        Self::coded(400, "INVALID_DATA", format!("Invalid data. {message}"))
    }

    /// A rate that is not sold, or not so: the way begins with a search again.
    pub(super) fn product(message: impl Into<String>) -> Self {
        Self::coded(500, "PRODUCT_ERROR", message)
    }

    /// There are not so many rooms left.
    pub(super) fn sold_out() -> Self {
        Self::product("Insufficient allotment")
    }

    /// A rate key whose time is over, or that never was.
    pub(super) fn expired(rate_key: &str) -> Self {
        Self::invalid(format!(
            "Invalid rateKey: The rateKey value that you have entered does not exist or it has expired (please note \
             that rateKeys only last 30 minutes): {rate_key}"
        ))
    }

    /// No booking under such a reference, or another client's.
    pub(super) fn no_booking() -> Self {
        let message = "Reservation does not exist or the agency does not access";
        Self::coded(404, "INVALID_DATA", message)
    }

    /// What is answered with a status, whatever the reason.
    pub(super) fn of_status(status: u16) -> Self {
        match status {
            401 => Self::gateway(status, "Request signature verification failed"),
            403 => Self::gateway(status, "Access to this API has been disallowed"),
            404 => Self::gateway(status, "Requested endpoint is forbidden"),
            429 => Self::gateway(status, "Rate limit exceeded"),
            500.. => Self::coded(
                status,
                "SYSTEM_ERROR",
                "The service is not available at the moment",
            ),
            _ => Self::coded(status, "INVALID_REQUEST", "The request cannot be processed"),
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(reason: io::Error) -> Self {
        tracing::error!(%reason, "the order log cannot be written");
        Self::of_status(500)
    }
}

impl From<AddOrderError> for ApiError {
    fn from(reason: AddOrderError) -> Self {
        match reason {
            AddOrderError::Claimed => Self::of_status(500),
            AddOrderError::Unwritable(reason) => reason.into(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.unwrap_or("gateway");
        write!(f, "{} {code}: {}", self.status, self.message)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        if self.status == 429 {
            response.insert_header((RETRY_AFTER, "1"));
        }
        let Some(code) = self.code else {
            return response.json(json!({ "error": self.message }));
        };
        let token = audit::token();
        let error = json!({ "code": format!("{code}-{token}"), "message": self.message });
        response.json(json!({ "auditData": Audit::of_refusal(&token), "error": error }))
    }
}
