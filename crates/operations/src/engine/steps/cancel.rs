//! Giving orders back: what is kept of a cancellation, whatever was bought.

use diesel_async::AsyncConnection;
use serde::{Deserialize, Serialize};
use wayfare_domain::{BookingRef, EffectKind, Money, ProductKind, RefundId, RefundStatus};
use wayfare_store::booking::{
    bookings::{self, Booking},
    refunds::{self, Refund},
    steps::{self, Effect},
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
    #[serde(default)]
    pub insists: bool,
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
            insists: false,
            replaced_by: None,
        }
    }

    /// One that has to be done.
    pub(crate) fn insisting(order_id: &str) -> Self {
        Self {
            insists: true,
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
    /// The effect as it was read.
    pub effect: Effect,
    /// With the supplier's quote.
    pub request: CancelRequest,
    /// What returns to the wallet; none of an order that nobody has paid for.
    pub terms: Option<RefundTerms>,
}

/// Writes what suppliers have quoted, before any is asked to carry it out.
///
/// # Errors
/// [`Error::SupplierUnavailable`] when an effect was given up or taken over meanwhile; nothing may be carried out then.
pub(crate) async fn note<P: Sync>(
    platform: &Platform,
    booking: &Booking<P>,
    quoted: Vec<Quoted>,
) -> Result<Vec<Effect>> {
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let written = connection.transaction(async |connection| {
        // As everybody does who writes on a booking: first the booking, then what belongs to it.
        bookings::lock(connection, booking.organization, booking.id).await?;
        let mut noted = Vec::new();
        for one in quoted {
            let effect = Effect {
                request: serde_json::to_value(&one.request)?,
                sent_at: now,
                due_at: due(now, platform.effect_deadline(&one.effect.supplier)),
                ..one.effect.clone()
            };
            if !steps::note(connection, &effect, &one.effect).await? {
                return Err(Error::SupplierUnavailable(None));
            }
            if let Some(terms) = one.terms {
                let refund = refund(platform, booking, &effect, &one.request, terms);
                refunds::put(connection, &refund).await?;
            }
            noted.push(effect);
        }
        Ok::<_, Error>(noted)
    });
    written.await
}

fn refund<P>(
    platform: &Platform,
    booking: &Booking<P>,
    effect: &Effect,
    request: &CancelRequest,
    terms: RefundTerms,
) -> Refund {
    Refund {
        id: RefundId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        number: effect.number,
        wallet: booking.wallet,
        // One that follows upon another waits for that one's supplier.
        status: match effect.planned {
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

/// An effect of this kind whose cancellation was carried out.
pub(crate) fn ended(effect: &Effect, given_back: GivenBack) -> Outcome {
    match effect.kind {
        EffectKind::Undo => Outcome::Undone(given_back),
        _ => Outcome::Cancelled(given_back),
    }
}

/// An effect of this kind whose cancellation was not carried out.
pub(crate) fn refused(effect: &Effect, reason: String) -> Outcome {
    match effect.kind {
        EffectKind::Undo => Outcome::NotUndone(reason),
        _ => Outcome::NotCancelled(reason),
    }
}
