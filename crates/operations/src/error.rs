//! Everything that can end an operation, composed once. `bins/api` matches it exhaustively to status and text.

use std::time::Duration;

use thiserror::Error;
use wayfare_contract::WholeOrder;
use wayfare_domain::{
    BookingRef, BookingStatus, ClosedBy, Faults, MOST_PACKAGES, MOST_UNFINISHED_REPORTS, MOST_WEBHOOKS,
    Money, MoneyError, OperatorRole, ReasonCode, Retry, StepKind,
};
use wayfare_ledger::{Unbalanced, WalletError, WalletFull};
use wayfare_pricing::NoRate;
use wayfare_store::StoreError;

use crate::{ChangedFare, Reason};

/// Why an operation ended without doing what was asked. Unless a variant says otherwise, nothing changed.
#[derive(Debug, Error)]
pub enum Error {
    /// Bad credentials, a missing, expired or revoked token.
    #[error("invalid credentials")]
    Unauthenticated,
    /// The agency's subscription does not include the portal.
    #[error("your organization subscription (API only) does not include portal access to this feature")]
    NoPortal,
    /// Not for this role, or not from this address.
    #[error("access denied")]
    AccessDenied,
    /// An operator of another role is needed.
    #[error("this needs the role {}", .0.as_ref())]
    OperatorRole(OperatorRole),
    /// Somebody else knows the password that they were given: whoever has it might be somebody else.
    #[error("set your own password first")]
    OwnPassword,
    /// An operator moves money and gives power only shortly after they gave their password.
    #[error("confirm your password")]
    NotConfirmed,
    /// Nobody would be left to look after operators.
    #[error("one active operator with the role admin has to stay")]
    LastOperatorAdmin,
    /// Another operator works on the incident.
    #[error("{0} works on this exception")]
    Claimed(String),
    /// There is no such thing for this caller.
    #[error("resource not found")]
    NotFound,
    /// Fields at fault.
    #[error("{0}")]
    Invalid(#[from] Faults),
    /// The payer's wallet can't cover the agent fare.
    #[error(
        "insufficient wallet balance to proceed — available: {available}, required: {required} (agent fare)"
    )]
    InsufficientFunds {
        /// What can be spent now, net of holds.
        available: Money,
        required: Money,
    },
    /// The offer's time is over.
    #[error("offer has expired, please search again")]
    OfferExpired,
    /// The booking key's time is over.
    #[error("booking key has expired, please price the itinerary again")]
    KeyExpired,
    /// A quote books once; this is the booking that used it.
    #[error("booking key has already been used")]
    KeyUsed(BookingRef),
    /// A hotel price's time is over.
    #[error("hotel price has expired, please search again")]
    HotelPriceExpired,
    /// A hotel price books once; this is the booking that used it (P-19).
    #[error("hotel price has already been used")]
    HotelPriceUsed(BookingRef),
    /// The same people have just been booked on the same flights by the agency, and this is that booking (P-20).
    #[error(
        "the same passengers were booked on the same flights within the last 10 minutes; send allow_duplicate to book again"
    )]
    DuplicateBooking(BookingRef),
    /// The same people have just been booked in the same hotel by the agency, and this is that booking.
    #[error(
        "the same guests were booked in the same hotel on the same days within the last 10 minutes; send allow_duplicate to book again"
    )]
    DuplicateStay(BookingRef),
    /// The client agreed to another price than the quote's, or the supplier's price moved.
    #[error("fare has changed, please price again")]
    FareChanged(Option<Box<ChangedFare>>),
    /// The supplier no longer sells the offer, or not to this agency.
    #[error("offer is no longer available, please search again")]
    OfferGone,
    /// One of the others, with the reason that its supplier gave for it.
    #[error("{0}")]
    Explained(Box<Error>, Box<Reason>),
    /// The supplier said no, in its own words.
    #[error("{0}")]
    SupplierRefused(String),
    /// The supplier can't be asked now; surely nothing happened there, or nothing that matters.
    #[error("supplier is temporarily unavailable, please try again")]
    SupplierUnavailable(Option<Duration>),
    /// The supplier's currency can't be converted into the wallet's.
    #[error("{0}")]
    NoRate(#[from] NoRate),
    /// Its outcome at the supplier isn't known yet.
    #[error("booking is still pending")]
    BookingPending,
    #[error("booking is already cancelled")]
    BookingCancelled,
    /// It never came to be.
    #[error("booking has failed")]
    BookingFailed,
    /// Something else is under way on the booking.
    #[error("{}", pending(*.0))]
    StepPending(StepKind),
    /// Another booking that takes its place, or the place of a part of it, is not made yet.
    #[error("booking reschedule is pending")]
    ReschedulePending,
    /// Journeys were named, and others of the same orders were not: these are all of each.
    #[error("the supplier does not change a part of this order")]
    PartOfOrder(Vec<WholeOrder>),
    /// A newer change of the airline's has taken the place of the one that was to be accepted.
    #[error("a newer change is there")]
    NewerChange,
    /// The price of a held order rose after its guarantee had ended (P-83).
    #[error("fare has changed, please cancel and book again")]
    HeldFareChanged(Option<Box<ChangedFare>>),
    /// The agency would be left without anybody to manage it (P-46).
    #[error("an organization keeps at least one active org_admin")]
    LastAdmin,
    /// The user's money can't be settled yet (P-8).
    #[error("user has pending bookings")]
    PendingBookings,
    /// The organization's wallet does not cover it from its balance.
    #[error("insufficient org wallet balance (available: {0})")]
    InsufficientOrganizationFunds(Money),
    /// A wallet would hold more than wallets may.
    #[error(transparent)]
    WalletFull(#[from] WalletFull),
    /// The password that should be changed is another.
    #[error("current password is incorrect")]
    WrongPassword,
    /// Too many log in at once: their passwords can't be hashed in a time that anybody would wait.
    #[error("too many log-ins at once, please try again")]
    Busy,
    /// A name that must be unique is in use.
    #[error("{0} is already taken")]
    Taken(&'static str),
    /// Nothing is sent to a webhook that is switched off.
    #[error("webhook is not active")]
    WebhookOff,
    /// The agency has as many webhooks as it may have.
    #[error("an organization has at most {} webhooks", MOST_WEBHOOKS)]
    TooManyWebhooks,
    /// The feed has no longer what follows upon the place from which it should be read; it has what follows upon this one.
    #[error("events up to {0} are no longer kept, read on after it")]
    FeedDropped(i64),
    /// The agency has as many packages as it may have.
    #[error("an organization has at most {} packages", MOST_PACKAGES)]
    TooManyPackages,
    /// The report has no file yet, or never will have one.
    #[error("report is not ready")]
    ReportNotReady,
    /// The agency has as many reports to be made as it may have.
    #[error("an organization has at most {} unfinished reports", MOST_UNFINISHED_REPORTS)]
    TooManyReports,
    /// The supplier's orders take nothing more, or tell nothing of it (P-61).
    #[error("{0}")]
    NotSupported(&'static str),
    /// It can't be erased yet whom a booking is for, and why.
    #[error("the people of this booking can't be erased yet: {0}")]
    NotErasable(&'static str),
    /// Another request was made under the same Idempotency-Key.
    #[error("idempotency key was used with a different request")]
    KeyMismatch,
    /// The first request under this Idempotency-Key has not ended.
    #[error("a request with this idempotency key is still running")]
    KeyRunning,
    /// An exception is closed: by the operator before, or by itself meanwhile.
    #[error("exception is closed already by {by}, booking {booking} is {status}", by = .by.as_ref(), status = .status.as_ref())]
    IncidentClosed { by: ClosedBy, booking: BookingRef, status: BookingStatus },
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A promise between our own parts is broken.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    pub(crate) fn because(self, reason: Reason) -> Self {
        Self::Explained(Box::new(self), Box::new(reason))
    }

    /// The same with the supplier's texts in it as `scrub` leaves them; one that stands beside our own is left out instead.
    pub(crate) fn scrubbed(self, scrub: &impl Fn(String) -> String) -> Self {
        match self {
            Self::SupplierRefused(text) => Self::SupplierRefused(scrub(text)),
            Self::Explained(error, reason) => {
                let supplier_text = reason.supplier_text.clone();
                let supplier_text = supplier_text.filter(|text| scrub(text.clone()) == *text);
                let reason = Reason { supplier_text, ..*reason };
                error.scrubbed(scrub).because(reason)
            }
            error => error,
        }
    }

    /// The error without its reason.
    pub fn plain(&self) -> &Self {
        match self {
            Self::Explained(error, _) => error.plain(),
            error => error,
        }
    }

    /// Why, where a supplier or the time of an offer is the reason. What we refuse by ourselves says all in its text.
    pub fn reason(&self) -> Option<Reason> {
        let code = match self {
            Self::Explained(_, reason) => return Some((**reason).clone()),
            Self::OfferExpired | Self::HotelPriceExpired => ReasonCode::OfferExpired,
            Self::KeyExpired => {
                // The offer may outlive its price.
                return Some(Reason { retry: Retry::Price, ..Reason::of(ReasonCode::OfferExpired) });
            }
            Self::OfferGone => ReasonCode::SoldOut,
            Self::FareChanged(_) | Self::HeldFareChanged(_) => ReasonCode::PriceChanged,
            Self::SupplierRefused(_) => ReasonCode::Refused,
            Self::NoRate(_) => ReasonCode::NotForSale,
            Self::NotSupported(_) | Self::PartOfOrder(_) | Self::NewerChange => ReasonCode::NotChangeable,
            Self::SupplierUnavailable(_) => ReasonCode::Unavailable,
            Self::Unauthenticated
            | Self::NoPortal
            | Self::AccessDenied
            | Self::OperatorRole(_)
            | Self::OwnPassword
            | Self::NotConfirmed
            | Self::LastOperatorAdmin
            | Self::Claimed(_)
            | Self::NotFound
            | Self::Invalid(_)
            | Self::InsufficientFunds { .. }
            | Self::KeyUsed(_)
            | Self::HotelPriceUsed(_)
            | Self::DuplicateBooking(_)
            | Self::DuplicateStay(_)
            | Self::BookingPending
            | Self::BookingCancelled
            | Self::BookingFailed
            | Self::NotErasable(_)
            | Self::StepPending(_)
            | Self::ReschedulePending
            | Self::LastAdmin
            | Self::PendingBookings
            | Self::InsufficientOrganizationFunds(_)
            | Self::WalletFull(_)
            | Self::WrongPassword
            | Self::Busy
            | Self::Taken(_)
            | Self::WebhookOff
            | Self::TooManyWebhooks
            | Self::FeedDropped(_)
            | Self::TooManyPackages
            | Self::ReportNotReady
            | Self::TooManyReports
            | Self::KeyMismatch
            | Self::KeyRunning
            | Self::IncidentClosed { .. }
            | Self::Store(_)
            | Self::Internal(_) => return None,
        };
        Some(Reason::of(code))
    }
}

/// What is said while a step of this kind is under way.
fn pending(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Book => "booking is still pending",
        StepKind::Cancel => "booking cancellation is pending",
        StepKind::Ticket => "ticket issue is pending",
        StepKind::Compensate => "booking has failed",
        StepKind::AddService => "adding of services is pending",
        StepKind::AcceptChange => "accepting of a change is pending",
        StepKind::Change => "a change of flights is pending",
    }
}

impl From<WalletError> for Error {
    fn from(error: WalletError) -> Self {
        match error {
            WalletError::Refused(refused) => {
                Self::InsufficientFunds { available: refused.available, required: refused.required }
            }
            WalletError::Full(full) => full.into(),
            WalletError::NoLeg(_) | WalletError::NotHeld(_) | WalletError::Money(_) => {
                Self::Internal(error.to_string())
            }
        }
    }
}

impl From<ChangedFare> for Error {
    fn from(changed: ChangedFare) -> Self {
        Self::FareChanged(Some(Box::new(changed)))
    }
}

impl From<MoneyError> for Error {
    fn from(error: MoneyError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<Unbalanced> for Error {
    fn from(error: Unbalanced) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

/// What a failed transaction statement comes to: diesel asks for this to begin and commit.
impl From<wayfare_store::DieselError> for Error {
    fn from(error: wayfare_store::DieselError) -> Self {
        Self::Store(error.into())
    }
}
