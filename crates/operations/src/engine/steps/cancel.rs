//! Giving orders back: what is kept of a cancellation, whatever was bought.

use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use wayfare_domain::{BookingRef, Money, ProductKind, RefundId, RefundStatus, StepKind};
use wayfare_store::booking::{
    bookings::{self, Booking},
    refunds::{self, Refund},
    steps::{self, Step},
};

use crate::{
    Error, Platform, RefundTerms, Result,
    engine::{
        product::mark_given_back,
        purchase::{GivenBack, Outcome, due},
    },
};

/// What is kept of a cancellation's request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CancelRequest {
    pub order_id: String,
    /// The supplier's quote that is confirmed; none until it has given one.
    pub cancellation_id: Option<String>,
    /// The supplier has taken it and carries it out later: it is never taken for refused.
    pub accepted: bool,
    /// It was held and not paid at the supplier when the quote was given.
    #[serde(default)]
    pub held: bool,
    /// What the supplier has quoted that it would give back.
    #[serde(default)]
    pub quoted: Option<Money>,
    /// The supplier has given the order back by itself: there is nothing to be asked.
    #[serde(default)]
    pub lapsed: bool,
    /// Nobody waits for it and it has to be done: it is quoted by whoever carries it out, and again when a quote lapses.
    #[serde(default, rename = "insists")]
    pub requote_until_done: bool,
    /// The booking that has taken the place of the one whose order it is.
    #[serde(default)]
    pub replaced_by: Option<BookingRef>,
}

impl CancelRequest {
    /// One that somebody waits for.
    pub(crate) fn of(order_id: &str) -> Self {
        Self {
            order_id: order_id.to_owned(),
            cancellation_id: None,
            accepted: false,
            held: false,
            quoted: None,
            lapsed: false,
            requote_until_done: false,
            replaced_by: None,
        }
    }

    /// One that has to be done.
    pub(crate) fn requoting(order_id: &str) -> Self {
        Self {
            requote_until_done: true,
            ..Self::of(order_id)
        }
    }

    /// Of an order that its supplier does not hold any more.
    pub(crate) fn of_lapsed(order_id: &str) -> Self {
        Self {
            lapsed: true,
            held: true,
            ..Self::of(order_id)
        }
    }
}

/// What is to be written before a supplier is asked to carry a cancellation out.
pub(crate) struct Quoted {
    /// The step as it was read.
    pub step: Step,
    /// With the supplier's quote.
    pub request: CancelRequest,
    /// What returns to the wallet; none of an order that nobody has paid for.
    pub terms: Option<RefundTerms>,
}

/// Writes what suppliers have quoted, before any is asked to carry it out.
///
/// # Errors
/// [`Error::SupplierUnavailable`] when a step was given up or taken over meanwhile; nothing may be carried out then.
pub(crate) async fn note<P: Sync>(
    platform: &Platform,
    booking: &Booking<P>,
    quoted: Vec<Quoted>,
) -> Result<Vec<Step>> {
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let written = connection.transaction(async |connection| {
        // As everybody does who writes on a booking: first the booking, then what belongs to it.
        bookings::lock(connection, booking.organization, booking.id).await?;
        let mut written_steps = Vec::new();
        for one in quoted {
            let step = Step {
                request: serde_json::to_value(&one.request)?,
                sent_at: now,
                due_at: due(now, platform.step_deadline(&one.step.supplier)),
                ..one.step.clone()
            };
            if !steps::note(connection, &step, &one.step).await? {
                return Err(Error::SupplierUnavailable(None));
            }
            if let Some(terms) = one.terms {
                let refund = refund(platform, booking, &step, &one.request, terms);
                refunds::put(connection, &refund).await?;
            }
            written_steps.push(step);
        }
        Ok::<_, Error>(written_steps)
    });
    written.await
}

fn refund<P>(
    platform: &Platform,
    booking: &Booking<P>,
    step: &Step,
    request: &CancelRequest,
    terms: RefundTerms,
) -> Refund {
    Refund {
        id: RefundId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        number: step.number,
        wallet: booking.wallet,
        // One that follows upon another waits for that one's supplier.
        status: match step.planned {
            true => RefundStatus::Pending,
            false => RefundStatus::Processing,
        },
        cancellation_charge: terms.cancellation_charge,
        provider_refund_amount: terms.provider_refund_amount,
        platform_charges: terms.platform_charges,
        refund_to_wallet: terms.refund_to_wallet,
        provider_refund_id: request.cancellation_id.clone(),
        requested_at: platform.clock.now(),
        refunded_at: None,
    }
}

/// Why a cancellation that its supplier had taken was not carried out.
pub(crate) const REJECTED: &str = "the supplier has rejected the cancellation";

/// That the order was given back, whose supplier may have told at last under which id, and what it gave.
pub(crate) fn done(
    kind: ProductKind,
    request: &CancelRequest,
    id: Option<String>,
    settled: Option<Money>,
) -> GivenBack {
    GivenBack {
        mark: mark_given_back(kind),
        id: id.or_else(|| request.cancellation_id.clone()),
        quoted: request.quoted,
        settled,
    }
}

/// A step of this kind whose cancellation was carried out.
pub(crate) fn ended(step: &Step, given_back: GivenBack) -> Outcome {
    match step.kind {
        StepKind::Compensate => Outcome::Compensated(given_back),
        _ => Outcome::Cancelled(given_back),
    }
}

/// A step of this kind whose cancellation was not carried out.
pub(crate) fn refused(step: &Step, reason: String) -> Outcome {
    match step.kind {
        StepKind::Compensate => Outcome::NotCompensated(reason),
        _ => Outcome::NotCancelled(reason),
    }
}
