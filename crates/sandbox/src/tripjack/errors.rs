//! TripJack's refusals: one envelope, and the codes that are known.

use std::fmt;
use std::io;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpResponse, ResponseError};
use serde_json::{Value, json};

/// An answer that is not the one hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: u16,
    code: String,
    message: String,
    details: String,
}

/// What a handler answers.
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

/// A success: the body, and TripJack's word for it.
pub(super) fn done(mut body: Value) -> HttpResponse {
    if let Value::Object(members) = &mut body {
        members.insert("status".to_owned(), json!({ "success": true, "httpStatus": 200 }));
    }
    HttpResponse::Ok().json(body)
}

impl ApiError {
    /// A refusal under one of TripJack's codes.
    pub(super) fn refused(code: u32, message: impl Into<String>) -> Self {
        Self {
            status: 400,
            code: code.to_string(),
            message: message.into(),
            details: String::new(),
        }
    }

    /// A refusal that says more of what it is about.
    pub(super) fn about(self, details: impl Into<String>) -> Self {
        Self {
            details: details.into(),
            ..self
        }
    }

    /// A body that cannot be understood.
    pub(super) fn unreadable(reason: impl fmt::Display) -> Self {
        Self::refused(400, "Invalid request").about(reason.to_string())
    }

    /// A price id, or the session of a review, whose time is over or that never was.
    pub(super) fn expired() -> Self {
        Self::refused(
            1071,
            "Keys Passed in the request is already expired. Please pass valid keys",
        )
    }

    /// The airline sells the fare no longer.
    pub(super) fn sold_out() -> Self {
        Self::refused(1000, "The flight is no longer available. Please search again.")
    }

    /// What TripJack says with a status, whatever the reason.
    pub(super) fn of_status(status: u16) -> Self {
        let message = match status {
            401 | 403 => "Invalid or missing API key",
            404 => "Resource not found",
            429 => "Too many requests",
            500.. => "Something went wrong. Please try again later.",
            _ => "Bad request",
        };
        Self {
            status,
            code: status.to_string(),
            message: message.to_owned(),
            details: String::new(),
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(reason: io::Error) -> Self {
        tracing::error!(%reason, "the order log cannot be written");
        Self::of_status(500)
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
        let error = json!({ "errCode": self.code, "message": self.message, "details": self.details });
        let status = json!({ "success": false, "httpStatus": self.status });
        let mut response = HttpResponse::build(self.status_code());
        if self.status == 429 {
            response.insert_header((RETRY_AFTER, "1"));
        }
        response.json(json!({ "status": status, "errors": [error] }))
    }
}
