//! Duffel's refusals: one envelope, one list of codes.

use std::fmt;
use std::io;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::json;

use super::ids;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const DOCUMENTATION: &str = "https://duffel.com/docs/api/overview/errors";

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    code: Code,
    message: String,
    documentation_url: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
}

/// Nearly always a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Code {
    Word(String),
    Number(u16),
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// Where it is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Source {
    Field { field: String, pointer: String },
    Parameter { parameter: &'static str },
    Airline(String),
}

impl Problem {
    fn new(kind: &'static str, title: &str, code: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            title: title.to_owned(),
            code: Code::Word(code.to_owned()),
            message: message.into(),
            documentation_url: DOCUMENTATION,
            source: None,
        }
    }

    /// A field of the body that is not as it must be.
    pub(super) fn invalid(code: &str, pointer: &str, message: impl Into<String>) -> Self {
        let title = match code {
            "validation_required" => "Required field",
            "validation_type" => "Invalid type",
            "validation_format" => "Invalid format",
            "validation_inclusion" => "Value not allowed",
            "validation_length" => "Invalid length",
            "validation_unique" => "Value not unique",
            _ => "Invalid value",
        };
        let field = pointer
            .rsplit('/')
            .find(|part| part.parse::<usize>().is_err())
            .unwrap_or(pointer)
            .to_owned();
        let source = Source::Field {
            field,
            pointer: pointer.to_owned(),
        };
        Self {
            source: Some(source),
            ..Self::new("validation_error", title, code, message)
        }
    }

    /// A query parameter that is not as it must be.
    pub(super) fn bad_parameter(code: &str, parameter: &'static str, message: impl Into<String>) -> Self {
        let source = Some(Source::Parameter { parameter });
        Self {
            source,
            ..Self::new("validation_error", "Invalid parameter", code, message)
        }
    }
}

/// An answer that is not the one hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: u16,
    problems: Vec<Problem>,
}

/// What a handler answers.
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

impl From<Vec<Problem>> for ApiError {
    fn from(problems: Vec<Problem>) -> Self {
        Self {
            status: 422,
            problems,
        }
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self {
            status: 422,
            problems: vec![problem],
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(reason: io::Error) -> Self {
        tracing::error!(%reason, "the order log cannot be written");
        Self::of_status(500)
    }
}

impl ApiError {
    fn one(status: u16, kind: &'static str, title: &str, code: &str, message: &str) -> Self {
        Self {
            status,
            problems: vec![Problem::new(kind, title, code, message)],
        }
    }

    /// A request that cannot be understood, or one without the right to be made.
    pub(super) fn bad_request(code: &str, title: &str, message: &str) -> Self {
        Self::one(400, "invalid_request_error", title, code, message)
    }

    /// The airline can't do that. Duffel's code for it is the status.
    pub(super) fn unsupported_operation(message: &str) -> Self {
        let problem = Problem {
            code: Code::Number(400),
            ..Problem::new("invalid_request_error", "Unsupported operation", "", message)
        };
        Self {
            status: 400,
            problems: vec![problem],
        }
    }

    pub(super) fn unauthorized(code: &str, title: &str, message: &str) -> Self {
        Self::one(401, "authentication_error", title, code, message)
    }

    pub(super) fn unsupported_format() -> Self {
        let message =
            "The API does not support the format set in the 'Accept' header. Please use 'application/json'.";
        Self::one(
            406,
            "invalid_request_error",
            "Unsupported format",
            "unsupported_format",
            message,
        )
    }

    /// The path leads nowhere.
    pub(super) fn not_found() -> Self {
        let message = "The resource you are trying to access does not exist.";
        Self::one(404, "invalid_request_error", "Not found", "not_found", message)
    }

    /// The body names something that does not exist.
    pub(super) fn linked_record_not_found(pointer: &str) -> Self {
        let message = "The resource you are trying to access does not exist.";
        Problem {
            title: "Linked record not found".to_owned(),
            ..Problem::invalid("not_found", pointer, message)
        }
        .into()
    }

    /// A thing that can no longer, or not yet, be done.
    pub(super) fn invalid_state(code: &str, title: &str, message: &str) -> Self {
        Self::one(422, "invalid_state_error", title, code, message)
    }

    /// The airline refuses.
    pub(super) fn airline(status: u16, airline: &str, code: &str, title: &str, message: &str) -> Self {
        let source = Some(Source::Airline(airline.to_lowercase().replace(' ', "_")));
        let problem = Problem {
            source,
            ..Problem::new("airline_error", title, code, message)
        };
        Self {
            status,
            problems: vec![problem],
        }
    }

    pub(super) fn offer_no_longer_available(airline: &str) -> Self {
        let message = "The provided offer is no longer available. Please select another offer or create a new offer \
                       request to get the latest availability.";
        Self::airline(
            422,
            airline,
            "offer_no_longer_available",
            "Offer no longer available",
            message,
        )
    }

    /// What Duffel says with a status, whatever the reason.
    pub(super) fn of_status(status: u16) -> Self {
        let (kind, title, code, message) = match status {
            401 => (
                "authentication_error",
                "Access token not found",
                "access_token_not_found",
                "The access token is not known.",
            ),
            403 => (
                "authentication_error",
                "Insufficient permissions",
                "insufficient_permissions",
                "The access token does not have the permission for this action.",
            ),
            404 => return Self::not_found(),
            429 => (
                "rate_limit_error",
                "Rate limit exceeded",
                "rate_limit_exceeded",
                "Too many requests hit the API too quickly. Please retry after the time in the 'ratelimit-reset' header.",
            ),
            504 => (
                "api_error",
                "Gateway timeout",
                "gateway_timeout_error",
                "The airlines did not answer in time. Please try again.",
            ),
            503 => (
                "api_error",
                "Service unavailable",
                "service_unavailable",
                "The service is temporarily unavailable.",
            ),
            500.. => (
                "api_error",
                "Internal server error",
                "internal_server_error",
                "Something went wrong. An order may have been created at the airline all the same. Please contact \
                 support with the 'request_id'.",
            ),
            _ => (
                "invalid_request_error",
                "Bad request",
                "bad_request",
                "The request was unacceptable.",
            ),
        };
        Self::one(status, kind, title, code, message)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        self.problems
            .iter()
            .try_for_each(|problem| write!(f, " {}: {}", problem.code, problem.message))
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let request_id = ids::request_id();
        let meta = json!({ "status": self.status, "request_id": request_id });
        let mut response =
            HttpResponse::build(self.status_code()).json(json!({ "meta": meta, "errors": self.problems }));
        if let Ok(value) = HeaderValue::from_str(&request_id) {
            response.headers_mut().insert(REQUEST_ID, value);
        }
        response
    }
}
