//! TripJack's errors: one envelope, and the codes that are known.

use std::fmt;

use actix_web::HttpResponse;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Tripjack;
use crate::faults::Complaint;
use crate::json::insert;
use crate::supplier_api::{self, SupplierErrors};

pub(super) type ApiError = supplier_api::ApiError<Tripjack>;
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

/// A success: the body with its status.
pub(super) fn done(mut body: Value) -> HttpResponse {
    insert(&mut body, "status", json!({ "success": true, "httpStatus": 200 }));
    HttpResponse::Ok().json(body)
}

pub(super) fn json_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|reason| ApiError::refused(400, "Invalid request").about(reason))
}

impl SupplierErrors for Tripjack {
    fn of_status(status: u16) -> ApiError {
        let message = match status {
            401 | 403 => "Invalid or missing API key",
            404 => "Resource not found",
            429 => "Too many requests",
            500.. => "Something went wrong. Please try again later.",
            _ => "Bad request",
        };
        ApiError::error(status, status.into(), message)
    }

    fn complaint(complaint: Complaint) -> ApiError {
        match complaint {
            Complaint::PapersMissing => ApiError::refused(1066, "Passport details are mandatory"),
            Complaint::PapersRefused => ApiError::refused(1067, "Passport expiring within 6 months"),
            Complaint::TravellerRefused => {
                ApiError::refused(1068, "Passenger name has letters that are not allowed")
            }
            Complaint::Duplicate => ApiError::refused(816, "Duplicate request"),
            Complaint::NotCombinable => ApiError::refused(1080, "Selected fares can not be combined"),
            Complaint::TooLate => ApiError::refused(1073, "The flight has departed"),
            Complaint::NotChangeable => ApiError::refused(1072, "Cancellation is not available for this PNR"),
            Complaint::DepositEmpty => ApiError::refused(1016, "Insufficient balance in your account"),
            Complaint::Expired => ApiError::expired(),
            Complaint::ChangeStale | Complaint::Refused => {
                ApiError::refused(1999, "The airline does not accept this")
            }
        }
    }

    fn not_played(what: &str) -> ApiError {
        ApiError::error(404, 404, what)
    }

    fn already_booked() -> ApiError {
        ApiError::refused(400, "Duplicate booking: the booking id has been booked already")
    }
}

impl ApiError {
    fn error(status: u16, code: u32, message: &str) -> Self {
        let error = json!({ "errCode": code.to_string(), "message": message, "details": "" });
        let status_body = json!({ "success": false, "httpStatus": status });
        Self::new(status, Some(json!({ "status": status_body, "errors": [error] })))
    }

    pub(super) fn refused(code: u32, message: impl AsRef<str>) -> Self {
        Self::error(400, code, message.as_ref())
    }

    pub(super) fn about(mut self, details: impl fmt::Display) -> Self {
        if let Some(error) = self.body.as_mut().and_then(|body| body.pointer_mut("/errors/0/details")) {
            *error = details.to_string().into();
        }
        self
    }

    /// A price id, or the session of a review, that has expired or never was.
    pub(super) fn expired() -> Self {
        Self::refused(1071, "Keys Passed in the request is already expired. Please pass valid keys")
    }

    pub(super) fn sold_out() -> Self {
        Self::refused(1000, "The flight is no longer available. Please search again.")
    }
}
