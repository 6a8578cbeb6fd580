//! Hotelbeds' errors: those of its API in one envelope, those of the gateway before it in another.

use std::fmt;

use actix_web::HttpResponse;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::Hotelbeds;
use super::audit::{self, Audit};
use crate::faults::Complaint;
use crate::supplier_api::{self, SupplierErrors};

pub(super) type ApiError = supplier_api::ApiError<Hotelbeds>;
pub(super) type ApiResult = Result<HttpResponse, ApiError>;

pub(super) fn json_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(ApiError::unreadable)
}

impl SupplierErrors for Hotelbeds {
    fn of_status(status: u16) -> ApiError {
        match status {
            401 => ApiError::gateway(status, "Request signature verification failed"),
            403 => ApiError::gateway(status, "Access to this API has been disallowed"),
            404 => ApiError::gateway(status, "Requested endpoint is forbidden"),
            429 => ApiError::gateway(status, "Rate limit exceeded"),
            500.. => ApiError::error(status, "SYSTEM_ERROR", "The service is not available at the moment"),
            _ => ApiError::error(status, "INVALID_REQUEST", "The request cannot be processed"),
        }
    }

    fn complaint(complaint: Complaint) -> ApiError {
        match complaint {
            Complaint::TravellerRefused => {
                ApiError::invalid("Holder surname has letters that are not allowed")
            }
            Complaint::Duplicate => ApiError::product("Duplicate booking"),
            Complaint::TooLate => ApiError::product("Cannot cancel a booking after the check-in"),
            Complaint::NotChangeable => ApiError::product("The rate does not allow cancellation"),
            Complaint::DepositEmpty => {
                ApiError::error(500, "CONFIGURATION_ERROR", "The credit of the agency is used up")
            }
            Complaint::Expired => ApiError::expired("…"),
            Complaint::PapersMissing
            | Complaint::PapersRefused
            | Complaint::NotCombinable
            | Complaint::ChangeStale
            | Complaint::Refused => ApiError::product("The hotel does not accept this"),
        }
    }

    fn not_played(what: &str) -> ApiError {
        ApiError::gateway(404, what)
    }

    fn no_rooms() -> ApiError {
        ApiError::product("Insufficient allotment")
    }
}

impl ApiError {
    fn error(status: u16, code: &str, message: impl fmt::Display) -> Self {
        let token = audit::token();
        let error = json!({ "code": format!("{code}-{token}"), "message": message.to_string() });
        let body = json!({ "auditData": Audit::of_refusal(&token), "error": error });
        Self::new(status, Some(body))
    }

    /// The gateway lets nobody through, and has no codes.
    pub(super) fn gateway(status: u16, message: &str) -> Self {
        Self::new(status, Some(json!({ "error": message })))
    }

    pub(super) fn unreadable(reason: impl fmt::Display) -> Self {
        let message = format!("The request is not compliant with the specified version of the API. {reason}");
        Self::error(400, "INVALID_REQUEST", message)
    }

    /// A request of the right form that says what cannot be.
    pub(super) fn invalid(message: impl fmt::Display) -> Self {
        Self::error(400, "INVALID_DATA", format!("Invalid data. {message}"))
    }

    /// A rate that is not sold, or not so: the way begins with a search again.
    pub(super) fn product(message: &str) -> Self {
        Self::error(500, "PRODUCT_ERROR", message)
    }

    /// A rate key that has expired, or never was.
    pub(super) fn expired(rate_key: &str) -> Self {
        Self::invalid(format!(
            "Invalid rateKey: The rateKey value that you have entered does not exist or it has expired (please note that \
             rateKeys only last 30 minutes): {rate_key}"
        ))
    }

    /// No booking under such a reference, or another client's.
    pub(super) fn no_booking() -> Self {
        let message = "Reservation does not exist or the agency does not access";
        Self::error(404, "INVALID_DATA", message)
    }
}
