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
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency, Faults, Money, ReasonCode, Retry};
use wayfare_operations::{ChangedFare, Error, OrderJourneys, Reason};

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

/// The error envelope.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ApiError"))]
pub struct Envelope<'a> {
    /// Never true.
    #[cfg_attr(test, schemars(extend("const" = false)))]
    success: bool,
    /// What is wrong; of fields at fault `code=422, message=[{field reason} …]`.
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Concerned>,
}

/// What a refusal is about.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Concerned {
    /// A booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<wayfare_contract::schema::BookingRef>"))]
    booking_ref: Option<BookingRef>,
    /// Orders of a booking that can't be given back in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    orders: Option<Vec<WholeOrder>>,
    /// What the fare was and what it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    price_change: Option<ChangedFareView>,
    /// Why, where a supplier or the time of an offer is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonView>,
}

impl Concerned {
    fn booking(reference: BookingRef) -> Self {
        Self { booking_ref: Some(reference), ..Self::default() }
    }

    fn fare(changed: ChangedFare) -> Self {
        Self { price_change: Some(ChangedFareView::from(changed)), ..Self::default() }
    }

    fn orders(orders: Vec<OrderJourneys>) -> Self {
        Self { orders: Some(orders.into_iter().map(WholeOrder::from).collect()), ..Self::default() }
    }
}

/// What the fare was and what it is now, in the wallet's currency; null where that is not known.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ChangedFare"))]
struct ChangedFareView {
    /// T as it was agreed to.
    #[cfg_attr(test, schemars(with = "Option<wayfare_contract::Amount>"))]
    old_total: Option<Amount>,
    /// T now.
    #[cfg_attr(test, schemars(with = "Option<wayfare_contract::Amount>"))]
    new_total: Option<Amount>,
    /// The agent fare as it was agreed to.
    #[cfg_attr(test, schemars(with = "Option<wayfare_contract::Amount>"))]
    old_agent_fare: Option<Amount>,
    /// The agent fare now.
    #[cfg_attr(test, schemars(with = "Option<wayfare_contract::Amount>"))]
    new_agent_fare: Option<Amount>,
    /// The wallet's currency.
    #[cfg_attr(test, schemars(with = "String"))]
    currency: Currency,
}

impl From<ChangedFare> for ChangedFareView {
    fn from(changed: ChangedFare) -> Self {
        let number = |amount: Option<Money>| amount.map(Money::number);
        Self {
            old_total: number(changed.old_total),
            new_total: number(changed.new_total),
            old_agent_fare: number(changed.old_agent_fare),
            new_agent_fare: number(changed.new_agent_fare),
            currency: changed.currency,
        }
    }
}

/// Why a supplier was asked in vain.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RefusalReason"))]
struct ReasonView {
    /// In a word; there may be more of them one day.
    #[cfg_attr(test, schemars(with = "wayfare_contract::ReasonCode"))]
    code: ReasonCode,
    /// In a sentence.
    text: &'static str,
    /// The supplier, where it is one supplier's doing.
    supplier: Option<String>,
    /// The field of the request that is at fault, where the supplier says so; `passengers` count from 0 in the order of
    /// their `pax_index`.
    field: Option<String>,
    /// What helps.
    #[cfg_attr(test, schemars(with = "wayfare_contract::Retry"))]
    retry: Retry,
    /// The supplier's own words, where they are short and name nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    supplier_text: Option<String>,
}

impl From<Reason> for ReasonView {
    fn from(reason: Reason) -> Self {
        Self {
            code: reason.code,
            text: reason.code.text(),
            supplier: reason.supplier,
            field: reason.field,
            retry: reason.retry,
            supplier_text: reason.supplier_text,
        }
    }
}

/// A supplier order with all of its journeys.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WholeOrder {
    /// Its number within the booking, from 1.
    order: u16,
    /// `leg_index` of each of its journeys.
    journeys: Vec<usize>,
}

impl From<OrderJourneys> for WholeOrder {
    fn from(OrderJourneys { order, journeys }: OrderJourneys) -> Self {
        Self { order, journeys }
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

    fn envelope(&self) -> Envelope<'_> {
        Envelope { success: false, error: &self.text, data: self.data.as_deref() }
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
        let reason = error.reason().map(ReasonView::from);
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
            | Error::DuplicateStay(reference) => Self::conflict_with(Concerned::booking(reference), text),
            Error::FareChanged(changed) | Error::HeldFareChanged(changed) => Self {
                data: changed.map(|changed| Box::new(Concerned::fare(*changed))),
                ..Self::new(StatusCode::BAD_REQUEST, text)
            },
            Error::PartOfOrder(orders) => Self::conflict_with(Concerned::orders(orders), text),
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
