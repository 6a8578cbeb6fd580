//! Duffel's errors: one envelope, one list of codes.

use actix_web::HttpResponse;
use actix_web::http::header::HeaderName;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Duffel, ids};
use crate::faults::Complaint;
use crate::json::insert;
use crate::supplier_api::{self, SupplierErrors};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) const REQUIRED: &str = "validation_required";
pub(super) const TYPE: &str = "validation_type";
pub(super) const FORMAT: &str = "validation_format";
pub(super) const INCLUSION: &str = "validation_inclusion";
pub(super) const LENGTH: &str = "validation_length";
pub(super) const UNIQUE: &str = "validation_unique";

pub(super) type ApiError = supplier_api::ApiError<Duffel>;
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

#[derive(Debug, Clone, Serialize)]
pub(super) struct Problem(Value);

/// `Already paid` of `already_paid`.
fn title_of(code: &str) -> String {
    let mut letters = code.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect::<String>().replace('_', " ")
}

impl Problem {
    fn new(kind: &str, code: &str, message: &str) -> Self {
        Self(json!({
            "type": kind,
            "title": title_of(code),
            "code": code,
            "message": message,
            "documentation_url": "https://duffel.com/docs/api/overview/errors",
        }))
    }

    fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        insert(&mut self.0, member, value);
        self
    }

    /// A field of the body that is not as it must be.
    pub(super) fn invalid(code: &str, pointer: &str, message: impl AsRef<str>) -> Self {
        let title = match code {
            REQUIRED => "Required field",
            TYPE => "Invalid type",
            FORMAT => "Invalid format",
            INCLUSION => "Value not allowed",
            LENGTH => "Invalid length",
            UNIQUE => "Value not unique",
            _ => "Invalid value",
        };
        let mut parts = pointer.rsplit('/');
        let field = parts.find(|part| part.parse::<usize>().is_err()).unwrap_or(pointer);
        Self::new("validation_error", code, message.as_ref())
            .with("title", title)
            .with("source", json!({ "field": field, "pointer": pointer }))
    }

    /// A query parameter that is not as it must be.
    pub(super) fn bad_parameter(code: &str, parameter: &str, message: impl AsRef<str>) -> Self {
        Self::new("validation_error", code, message.as_ref())
            .with("title", "Invalid parameter")
            .with("source", json!({ "parameter": parameter }))
    }
}

impl From<Vec<Problem>> for ApiError {
    fn from(problems: Vec<Problem>) -> Self {
        Self::of(422, &problems)
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self::of(422, &[problem])
    }
}

impl SupplierErrors for Duffel {
    #[rustfmt::skip]
    fn of_status(status: u16) -> ApiError {
        let (kind, code, message) = match status {
            401 => ("authentication_error", "access_token_not_found", "The access token is not known."),
            403 => ("authentication_error", "insufficient_permissions",
                "The access token does not have the permission for this action."),
            404 => return ApiError::not_found(),
            429 => ("rate_limit_error", "rate_limit_exceeded",
                "Too many requests hit the API too quickly. Please retry after the time in the 'ratelimit-reset' header."),
            503 => ("api_error", "service_unavailable", "The service is temporarily unavailable."),
            504 => ("api_error", "gateway_timeout_error", "The airlines did not answer in time. Please try again."),
            500.. => ("api_error", "internal_server_error",
                "Something went wrong. An order may have been created at the airline all the same. Please contact \
                 support with the 'request_id'."),
            _ => ("invalid_request_error", "bad_request", "The request was unacceptable."),
        };
        let error = ApiError::one(status, kind, code, message);
        if status == 504 { error.titled("Gateway timeout") } else { error }
    }

    fn complaint(complaint: Complaint) -> ApiError {
        let papers = "/passengers/0/identity_documents";
        let problem = match complaint {
            Complaint::PapersMissing => {
                Problem::invalid(REQUIRED, papers, "Field 'identity_documents' can't be blank")
            }
            Complaint::PapersRefused => {
                let message = "Field 'expires_on' must be after the last flight";
                Problem::invalid(FORMAT, &format!("{papers}/0/expires_on"), message)
            }
            Complaint::TravellerRefused => {
                let message = "Field 'given_name' has characters that the airline does not take";
                Problem::invalid(FORMAT, "/passengers/0/given_name", message)
            }
            Complaint::Expired => Problem::invalid(
                "offer_expired",
                "/selected_offers",
                "The selected offer has expired. Please select another offer or create a new offer request.",
            ),
            Complaint::Duplicate => {
                let message = "The airline has such a booking already.";
                return ApiError::airline(422, "Duffel Airways", "duplicate_booking", message);
            }
            Complaint::TooLate => {
                let message = "The time to pay for this order is over.";
                return ApiError::invalid_state("past_payment_required_by_date", message);
            }
            Complaint::NotChangeable => {
                let message = "The airline does not support this action for the order.";
                return ApiError::invalid_state("unsupported_action", message);
            }
            Complaint::ChangeStale => return ApiError::stale_change(),
            Complaint::DepositEmpty => return ApiError::insufficient_balance(),
            Complaint::NotCombinable | Complaint::Refused => {
                return ApiError::invalid_state("order_not_possible", "The airline does not accept this.");
            }
        };
        problem.into()
    }

    fn not_played(what: &str) -> ApiError {
        ApiError::one(404, "invalid_request_error", "not_found", what)
    }

    fn already_booked() -> ApiError {
        let message =
            "An offer from this offer request has already been booked. Please perform a new search.";
        Problem::invalid("offer_request_already_booked", "/selected_offers", message).into()
    }
}

impl ApiError {
    fn of(status: u16, problems: &[Problem]) -> Self {
        let request_id = ids::request_id();
        let meta = json!({ "status": status, "request_id": request_id });
        let mut error = Self::new(status, Some(json!({ "meta": meta, "errors": problems })));
        error.header = Some((REQUEST_ID, request_id));
        error
    }

    fn one(status: u16, kind: &str, code: &str, message: &str) -> Self {
        Self::of(status, &[Problem::new(kind, code, message)])
    }

    /// The error under a title that does not follow from its code.
    pub(super) fn titled(mut self, title: &str) -> Self {
        let found = self.body.as_mut().and_then(|body| body.pointer_mut("/errors/0/title"));
        if let Some(found) = found {
            *found = title.into();
        }
        self
    }

    pub(super) fn bad_request(code: &str, message: &str) -> Self {
        Self::one(400, "invalid_request_error", code, message)
    }

    /// The airline can't do that. Duffel's code for it is the status.
    pub(super) fn unsupported_operation(message: &str) -> Self {
        let problem = Problem::new("invalid_request_error", "unsupported_operation", message);
        Self::of(400, &[problem.with("code", 400)])
    }

    pub(super) fn unauthorized(code: &str, message: &str) -> Self {
        Self::one(401, "authentication_error", code, message)
    }

    pub(super) fn unsupported_format() -> Self {
        let message =
            "The API does not support the format set in the 'Accept' header. Please use 'application/json'.";
        Self::one(406, "invalid_request_error", "unsupported_format", message)
    }

    pub(super) fn not_found() -> Self {
        let message = "The resource you are trying to access does not exist.";
        Self::one(404, "invalid_request_error", "not_found", message)
    }

    pub(super) fn linked_record_not_found(pointer: &str) -> Self {
        let message = "The resource you are trying to access does not exist.";
        let problem = Problem::invalid("not_found", pointer, message);
        problem.with("title", "Linked record not found").into()
    }

    /// A thing that can no longer, or not yet, be done.
    pub(super) fn invalid_state(code: &str, message: &str) -> Self {
        Self::one(422, "invalid_state_error", code, message)
    }

    pub(super) fn airline(status: u16, airline: &str, code: &str, message: &str) -> Self {
        let source = airline.to_lowercase().replace(' ', "_");
        let problem = Problem::new("airline_error", code, message);
        Self::of(status, &[problem.with("source", source)])
    }

    pub(super) fn offer_no_longer_available(airline: &str) -> Self {
        let message = "The provided offer is no longer available. Please select another offer or create a new offer \
                       request to get the latest availability.";
        Self::airline(422, airline, "offer_no_longer_available", message)
    }

    /// A change of the airline's that a newer one has replaced.
    pub(super) fn stale_change() -> Self {
        let message = "A newer change of the airline has replaced this one.";
        Self::invalid_state("stale_airline_initiated_change_accept", message)
    }

    pub(super) fn insufficient_balance() -> Self {
        let message = "There isn't enough balance in the wallet for this operation.";
        Self::invalid_state("insufficient_balance", message)
    }
}
