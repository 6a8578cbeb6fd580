//! LiteAPI's errors: one envelope, and the codes that are known.

use actix_web::web::Query;
use actix_web::{HttpRequest, HttpResponse};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::Liteapi;
use crate::faults::Complaint;
use crate::supplier_api::{self, SupplierErrors};

pub(super) type ApiError = supplier_api::ApiError<Liteapi>;
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

pub(super) fn json_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.is_empty() {
        return Err(ApiError::wrong_input("empty request body"));
    }
    serde_json::from_slice(body).map_err(|reason| ApiError::wrong_input(reason.to_string()))
}

pub(super) fn parameters<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, ApiError> {
    let parameters = Query::<T>::from_query(request.query_string());
    parameters.map(Query::into_inner).map_err(|reason| ApiError::bad_request(reason.to_string()))
}

impl SupplierErrors for Liteapi {
    fn of_status(status: u16) -> ApiError {
        let message = match status {
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "not found",
            429 => "Too Many Requests",
            500.. => "unable to process request",
            _ => "bad request",
        };
        ApiError::error(status, status.into(), message)
    }

    fn complaint(complaint: Complaint) -> ApiError {
        match complaint {
            Complaint::TravellerRefused => ApiError::wrong_input("guests are missing or invalid"),
            Complaint::Duplicate => ApiError::already_booked(),
            Complaint::NotChangeable => ApiError::not_cancellable(),
            Complaint::DepositEmpty => ApiError::payment_failed(),
            Complaint::Expired => ApiError::outdated_offer(),
            Complaint::PapersMissing
            | Complaint::PapersRefused
            | Complaint::NotCombinable
            | Complaint::ChangeStale
            | Complaint::TooLate
            | Complaint::Refused => ApiError::bad_request("the hotel does not accept this"),
        }
    }

    fn not_played(what: &str) -> ApiError {
        ApiError::described(404, 404, "not found", what)
    }

    fn unwritable() -> ApiError {
        let description = "booking initial save failed, please try again";
        ApiError::described(500, 5000, "unable to process request", description)
    }

    fn no_rooms() -> ApiError {
        ApiError::described(400, 2013, "booking failed", "booking not confirmed")
    }

    fn already_booked() -> ApiError {
        ApiError::error(400, 4005, "duplicate booking attempt with existing client reference")
    }
}

impl ApiError {
    fn error(status: u16, code: u32, message: &str) -> Self {
        Self::new(status, Some(json!({ "error": { "code": code, "message": message } })))
    }

    fn described(status: u16, code: u32, message: &str, description: impl AsRef<str>) -> Self {
        let error = json!({ "code": code, "description": description.as_ref(), "message": message });
        Self::new(status, Some(json!({ "error": error })))
    }

    pub(super) fn wrong_input(description: impl AsRef<str>) -> Self {
        let message = "required request field is missing or wrong input";
        Self::described(400, 4002, message, description)
    }

    pub(super) fn bad_request(description: impl AsRef<str>) -> Self {
        Self::described(400, 4000, "bad request", description)
    }

    /// Nothing is sold that answers a search. The specification has it under 204, which can carry no body; the vendor says
    /// that it comes as 200.
    pub(super) fn no_availability() -> Self {
        Self::error(200, 2001, "no availability found")
    }

    pub(super) fn outdated_offer() -> Self {
        let message = "this offer is marked as not valid, please refetch rates for this hotel";
        Self::described(408, 4040, message, "outdated offerId")
    }

    /// Nobody paid.
    pub(super) fn booking_incomplete(description: &str) -> Self {
        Self::described(400, 2014, "booking incomplete", description)
    }

    /// The specification has this and the next one under 204 and 304, with a body. HTTP lets neither carry one, and the
    /// vendor's own client reads one of every answer: they come as the vendor says of 204 at a search.
    pub(super) fn booking_not_found() -> Self {
        Self::error(200, 204, "Booking Id not found")
    }

    pub(super) fn not_cancellable() -> Self {
        Self::error(200, 304, "unable to process request")
    }

    /// The way to pay that was named is not ours, or has no money.
    pub(super) fn payment_failed() -> Self {
        Self::bad_request("missing or not supported payment method")
    }
}
