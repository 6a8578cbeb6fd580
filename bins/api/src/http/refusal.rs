//! The error table: each error of an operation to its status and text (P-76; docs/API.md, Errors).

use std::{fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    dev::ServiceResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
    middleware::ErrorHandlerResponse,
};
use wayfare_contract::{self as contract, ApiError, Concerned, RefusalReason};
use wayfare_domain::Faults;
use wayfare_operations::{ChangedFare, Error, Reason};
use wayfare_search_response::{amount, code};

/// An answer in the API's error envelope.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    text: String,
    data: Option<Box<Concerned>>,
    retry_after: Option<Duration>,
    closing: bool,
    lost_connection: bool,
}

fn shown_fare(changed: &ChangedFare) -> Concerned {
    let price_change = contract::ChangedFare {
        old_total: changed.old_total.map(amount),
        new_total: changed.new_total.map(amount),
        old_agent_fare: changed.old_agent_fare.map(amount),
        new_agent_fare: changed.new_agent_fare.map(amount),
        currency: code(changed.currency),
    };
    Concerned { price_change: Some(price_change), ..Concerned::default() }
}

fn shown_reason(reason: Reason) -> RefusalReason {
    RefusalReason {
        code: reason.code.as_ref().into(),
        text: reason.code.text().to_owned(),
        supplier: reason.supplier,
        field: reason.field,
        retry: reason.retry.as_ref().into(),
        supplier_text: reason.supplier_text,
    }
}

impl Refusal {
    /// A refusal with this status and text.
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self {
            status,
            text: text.into(),
            data: None,
            retry_after: None,
            closing: false,
            lost_connection: false,
        }
    }

    /// A refusal of a request that was not read to its end: nothing more is taken from this connection.
    pub fn closing(status: StatusCode, text: impl Into<String>) -> Self {
        Self { closing: true, ..Self::new(status, text) }
    }

    /// Whether a connection to the database broke: on another one it may succeed at once.
    pub fn lost_connection(&self) -> bool {
        self.lost_connection
    }

    /// 503: whether it was carried out may be unknown.
    pub fn without_database() -> Self {
        Self::unavailable(TRY_AGAIN.to_owned(), None)
    }

    /// 500: what broke is told to the log alone.
    pub fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal server error, please try again later")
    }

    /// Its body, for the document.
    #[cfg(test)]
    pub fn example(&self) -> serde_json::Value {
        serde_json::json!(self.envelope())
    }

    fn envelope(&self) -> ApiError<&Concerned> {
        ApiError { success: false, error: self.text.clone(), data: self.data.as_deref() }
    }

    /// 503: the process lives and can't work yet.
    pub fn not_ready() -> Self {
        Self {
            retry_after: Some(Duration::from_secs(5)),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "not ready")
        }
    }

    /// 503, to be tried again after this time, or after some seconds.
    fn unavailable(text: String, retry_after: Option<Duration>) -> Self {
        Self {
            retry_after: Some(retry_after.unwrap_or(Duration::from_secs(5))),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, text)
        }
    }

    /// 429, to be tried again after this time.
    pub fn too_many(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too many requests")
        }
    }
}

impl From<Faults> for Refusal {
    fn from(faults: Faults) -> Self {
        Self::from(Error::Invalid(faults))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let reason = error.reason().map(shown_reason);
        let mut refusal = Self::without_reason(error);
        if reason.is_some() {
            refusal.data.get_or_insert_default().reason = reason;
        }
        refusal
    }
}

/// What is said when the database can't be used.
const TRY_AGAIN: &str = "temporarily unavailable, please try again with the same Idempotency-Key";

impl Refusal {
    fn without_reason(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Explained(error, _) => Self::without_reason(*error),
            Error::Unauthenticated => Self::new(StatusCode::UNAUTHORIZED, text),
            Error::AccessDenied
            | Error::NoPortal
            | Error::OperatorRole(_)
            | Error::OwnPassword
            | Error::NotConfirmed => Self::new(StatusCode::FORBIDDEN, text),
            Error::NotFound => Self::new(StatusCode::NOT_FOUND, text),
            Error::FeedDropped(_) => Self::new(StatusCode::GONE, text),
            Error::Invalid(faults) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, format!("code=422, message=[{faults}]"))
            }
            Error::KeyMismatch => Self::new(StatusCode::UNPROCESSABLE_ENTITY, text),
            Error::InsufficientFunds { .. } => Self::new(StatusCode::PAYMENT_REQUIRED, text),
            Error::NotSupported(_)
            | Error::LastAdmin
            | Error::LastOperatorAdmin
            | Error::PendingBookings
            | Error::InsufficientOrganizationFunds(_)
            | Error::WalletFull(_)
            | Error::WrongPassword
            | Error::OfferExpired
            | Error::KeyExpired
            | Error::HotelPriceExpired
            | Error::BookingCancelled
            | Error::BookingFailed
            | Error::ReportNotReady => Self::new(StatusCode::BAD_REQUEST, text),
            Error::KeyUsed(reference)
            | Error::HotelPriceUsed(reference)
            | Error::DuplicateBooking(reference)
            | Error::DuplicateStay(reference) => {
                let booking_ref = Some(reference.to_string());
                Self::conflict_with(Concerned { booking_ref, ..Concerned::default() }, text)
            }
            Error::FareChanged(changed) | Error::HeldFareChanged(changed) => Self {
                data: changed.map(|changed| Box::new(shown_fare(&changed))),
                ..Self::new(StatusCode::BAD_REQUEST, text)
            },
            Error::PartOfOrder(orders) => {
                Self::conflict_with(Concerned { orders: Some(orders), ..Concerned::default() }, text)
            }
            Error::OfferGone
            | Error::NewerChange
            | Error::SupplierRefused(_)
            | Error::NoRate(_)
            | Error::BookingPending
            | Error::StepPending(_)
            | Error::ReschedulePending
            | Error::NotErasable(_)
            | Error::KeyRunning
            | Error::IncidentClosed { .. }
            | Error::Claimed(_)
            | Error::Taken(_)
            | Error::TooManyPackages
            | Error::WebhookOff
            | Error::TooManyWebhooks
            | Error::TooManyReports => Self::new(StatusCode::CONFLICT, text),
            Error::SupplierUnavailable(retry_after) => Self::unavailable(text, retry_after),
            // A full queue of log-ins is worked off by then.
            Error::Busy => Self::unavailable(text, None),
            // Whether it was carried out may be unknown: under its Idempotency-Key it is safe to ask again.
            Error::Store(error) if error.is_unavailable() => {
                Self::of_database(&text, error.is_lost_connection())
            }
            Error::Store(_) | Error::Internal(_) => {
                tracing::error!(error = text, "an operation broke");
                Self::broken()
            }
        }
    }

    fn conflict_with(concerned: Concerned, text: String) -> Self {
        Self { data: Some(Box::new(concerned)), ..Self::new(StatusCode::CONFLICT, text) }
    }

    fn of_database(error: &str, lost_connection: bool) -> Self {
        tracing::error!(error, "PostgreSQL can't be used");
        Self { lost_connection, ..Self::without_database() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.insert_header((header::RETRY_AFTER, seconds.max(1).to_string()));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if self.closing {
            response.force_close();
        }
        response.json(self.envelope())
    }
}

/// Puts the router's bare answer to a wrong method into the envelope; its `Allow` stays.
///
/// # Errors
/// When the envelope can't be written.
pub fn wrong_method<B: 'static>(answer: ServiceResponse<B>) -> actix_web::Result<ErrorHandlerResponse<B>> {
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed");
    let body = serde_json::to_string(&refusal.envelope())?;
    let (request, answer) = answer.into_parts();
    let mut answer = answer.set_body(body);
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    let answer = ServiceResponse::new(request, answer).map_into_boxed_body();
    Ok(ErrorHandlerResponse::Response(answer.map_into_right_body()))
}
