//! Bookings as they are looked at and given back.

use std::sync::Arc;

use wayfare_domain::{
    BookingRef, BookingStatus, Currency, EffectKind, OrderStatus, Page, PageRequest, RefundStatus,
};
use wayfare_flights::{CancellationQuote, CancellationState, Itinerary, SupplierOrder};
use wayfare_store::{
    bookings::{self, Booking, Order},
    effects as rows,
    effects::Effect,
    refunds::{self, Refund},
};
use wayfare_supply::Answer;

use super::book::Booked;
use crate::{
    Caller, Error, Platform, RefundTerms, Result,
    cancel::{self, CancelRequest, Ending, REJECTED},
    effects,
    idempotency::IdempotencyKey,
    intent::{self, Wish, nothing_pending},
    purchase::standing,
    settlement::Returned,
    testing::moment,
    worker::LEASE,
};

/// A page of the caller's bookings, newest first: two statements.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(
    platform: &Platform,
    caller: &Caller,
    status: Option<BookingStatus>,
    request: PageRequest,
) -> Result<Page<Booking<Itinerary>>> {
    let mut connection = platform.database.connection().await?;
    Ok(bookings::list(&mut connection, caller.scope(), status, request).await?)
}

pub(super) async fn load(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Booked> {
    let mut connection = platform.database.connection().await?;
    let booking = bookings::find(&mut connection, caller.scope(), reference)
        .await?
        .ok_or(Error::NotFound)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    Ok(Booked { booking, orders })
}

/// The booking as it stands; a pending one is looked up at its supplier first.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn detail(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Booked> {
    let booked = load(platform, caller, reference).await?;
    if booked.booking.status != BookingStatus::Pending {
        return Ok(booked);
    }
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let open = rows::open_on(&mut connection, booked.booking.organization, booked.booking.id).await?;
    drop(connection);
    for effect in open {
        let taken = rows::take(
            &mut *platform.database.connection().await?,
            &effect,
            now,
            now + LEASE,
        )
        .await?;
        // What can't be looked up now is told as it stands; the worker goes on.
        if taken && let Err(error) = effects::recover(platform, &effect).await {
            tracing::warn!(%error, booking = %reference, "a pending booking could not be looked up");
            effects::postpone(platform, &effect, &error.to_string()).await?;
        }
    }
    load(platform, caller, reference).await
}

/// How the booking's cancellation stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn cancellation(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Cancelled> {
    let booked = load(platform, caller, reference).await?;
    let mut connection = platform.database.connection().await?;
    let refund = refunds::of(&mut connection, booked.booking.organization, booked.booking.id).await?;
    let refund = refund.filter(|refund| refund.status == RefundStatus::Refunded);
    Ok(refund.map_or(Cancelled::Pending, Cancelled::Done))
}

/// What cancelling would cost (contract, penalty).
#[derive(Clone, Debug)]
pub struct Penalty {
    /// The booking.
    pub booking: Booking<Itinerary>,
    /// What would come back.
    pub terms: RefundTerms,
}

/// Asks the supplier what cancelling would cost. The same question and the same sum as a cancellation's.
///
/// # Errors
/// The state's error (decisions, detail 18), the supplier's refusal or outage.
pub async fn penalty(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Penalty> {
    let booked = load(platform, caller, reference).await?;
    standing(&booked.booking)?;
    let mut connection = platform.database.connection().await?;
    let open = rows::open_on(&mut connection, booked.booking.organization, booked.booking.id).await?;
    drop(connection);
    // A new quote would make the one stale that is being carried out.
    nothing_pending(&open)?;
    let (_, terms) = quote(platform, &booked).await?;
    Ok(Penalty {
        booking: booked.booking,
        terms,
    })
}

/// The supplier's quote for the order and what it comes to for the wallet.
async fn quote(platform: &Platform, booked: &Booked) -> Result<(CancellationQuote, RefundTerms)> {
    let order = only_order(booked)?;
    let order_id = order_id(order)?;
    let supplier = platform.flight_supplier(&order.supplier)?;
    let quote = match supplier.quote_cancellation(order_id, order.status).await {
        Answer::Done(quote) => quote,
        Answer::Refused(refusal) => return Err(Error::SupplierRefused(refusal.text)),
        Answer::Unavailable(outage) => return Err(Error::SupplierUnavailable(outage.retry_after)),
        // Nothing that matters has changed there: it may be asked again.
        Answer::Unknown(reason) => {
            tracing::warn!(reason, "a supplier did not quote a cancellation");
            return Err(Error::SupplierUnavailable(None));
        }
    };
    let refund = quote.refund.ok_or_else(|| {
        Error::SupplierRefused("the supplier does not say what it would give back".to_owned())
    })?;
    let currency: Currency = booked.booking.amount.currency();
    let charged = order.content.as_ref().map_or(refund, |content| content.total);
    let terms = RefundTerms::of(
        &booked.booking.sales,
        &[Returned { charged, refund }],
        order.status == OrderStatus::Held,
        currency,
    )?;
    Ok((quote, terms))
}

pub(super) fn only_order(booked: &Booked) -> Result<&Order<SupplierOrder>> {
    match booked.orders.as_slice() {
        [order] => Ok(order),
        orders => Err(Error::Internal(format!(
            "{} has {} orders",
            booked.booking.reference,
            orders.len()
        ))),
    }
}

pub(super) fn order_id(order: &Order<SupplierOrder>) -> Result<&str> {
    let id = order.supplier_order_id.as_deref();
    id.ok_or_else(|| Error::Internal(format!("order {} has no id at its supplier", order.reference)))
}

/// How a cancellation stands when the call ends.
#[derive(Clone, Debug)]
pub enum Cancelled {
    /// Given back; the refund is in the wallet.
    Done(Refund),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Cancels: writes the intent, asks the supplier what it gives back, lets it carry that out, pays back.
///
/// # Errors
/// The state's error (decisions, detail 18), the supplier's refusal or outage; the booking stands then.
pub async fn cancel(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let booked = load(platform, caller, reference).await?;
    standing(&booked.booking)?;
    let order = only_order(&booked)?;
    let request = CancelRequest {
        order_id: order_id(order)?.to_owned(),
        cancellation_id: None,
        accepted: false,
    };
    let deadline = platform
        .flight_supplier(&order.supplier)?
        .config()
        .effect_deadline;
    let wish = Wish {
        booking: &booked.booking,
        order,
        kind: EffectKind::Cancel,
        action: "booking.cancel_requested",
        request: &request,
        deadline,
    };
    let effect = intent::open(platform, caller, wish, key).await?;
    let carried_out = {
        let (platform, caller) = (platform.clone(), caller.clone());
        async move { ask_and_close(&platform, &caller, &booked, effect, request).await }
    };
    effects::in_background(platform, reference, Cancelled::Pending, carried_out).await
}

async fn ask_and_close(
    platform: &Platform,
    caller: &Caller,
    booked: &Booked,
    effect: Effect,
    mut request: CancelRequest,
) -> Result<Cancelled> {
    let actor = caller.actor();
    moment("cancel:opened");
    let (cancellation, terms) = match quote(platform, booked).await {
        Ok(quoted) => quoted,
        Err(error) => {
            // Nothing that matters was asked for: the booking stands.
            let ending = Ending::Refused(error.to_string());
            cancel::close::<Itinerary>(platform, &actor, &effect, ending).await?;
            return Err(match error {
                Error::Store(_) | Error::Internal(_) => Error::SupplierUnavailable(None),
                decided => decided,
            });
        }
    };
    request.cancellation_id = Some(cancellation.id.clone());
    let supplier = platform.flight_supplier(&effect.supplier)?;
    let deadline = supplier.config().effect_deadline;
    let effect = cancel::quoted(platform, &booked.booking, &effect, &request, terms, deadline).await?;
    moment("cancel:quoted");
    let answer = supplier.cancel(&request.order_id, &cancellation.id).await;
    moment("cancel:answered");
    let (ending, error) = match answer {
        Answer::Done(cancellation) if cancellation.state == CancellationState::Confirmed => {
            (Ending::Done, None)
        }
        Answer::Done(cancellation) if cancellation.state == CancellationState::Rejected => (
            Ending::Refused(REJECTED.to_owned()),
            Some(Error::SupplierRefused(REJECTED.to_owned())),
        ),
        Answer::Done(accepted) => {
            request.accepted = true;
            // Some suppliers name a cancellation only when they have taken it.
            request.cancellation_id = Some(accepted.id);
            let accepted = Effect {
                request: serde_json::to_value(&request)?,
                ..effect
            };
            let mut connection = platform.database.connection().await?;
            rows::note(&mut connection, &accepted).await?;
            drop(connection);
            effects::postpone(platform, &accepted, "accepted, to be carried out later").await?;
            return Ok(Cancelled::Pending);
        }
        Answer::Refused(refusal) => (
            Ending::Refused(refusal.text.clone()),
            Some(Error::SupplierRefused(refusal.text)),
        ),
        Answer::Unavailable(outage) => (
            Ending::Refused(outage.reason),
            Some(Error::SupplierUnavailable(outage.retry_after)),
        ),
        Answer::Unknown(reason) => {
            tracing::warn!(effect = %effect.id, reason, "a supplier's answer to a cancellation is not known");
            effects::postpone(platform, &effect, &reason).await?;
            return Ok(Cancelled::Pending);
        }
    };
    match cancel::close::<Itinerary>(platform, &actor, &effect, ending).await? {
        Some(refund) if refund.status == RefundStatus::Refunded => Ok(Cancelled::Done(refund)),
        Some(_) => Ok(Cancelled::Pending),
        None => Err(error.unwrap_or(Error::EffectPending(EffectKind::Cancel))),
    }
}
