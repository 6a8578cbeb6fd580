//! Giving a booking back: the supplier's cancellation as an effect, the refund as money.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{
    Actor, BookingStatus, EffectId, EffectKind, Money, OrderStatus, Product, RefundId, RefundStatus,
    TransferId,
};
use wayfare_ledger::{Reason, Transfer};
use wayfare_pricing::Totals;
use wayfare_store::{
    bookings::{self, Booking, Order},
    effects::{self, Effect, Outcome},
    idempotency as keys, ledger,
    refunds::{self, Refund},
    wallets,
};

use crate::{
    Caller, Error, Platform, RefundTerms, Result,
    idempotency::{self, IdempotencyKey},
    purchase::{self, Fares, due},
    settlement,
};

/// What is kept of a cancellation's request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CancelRequest {
    pub order_id: String,
    /// The supplier's quote that is confirmed; none until it has given one.
    pub cancellation_id: Option<String>,
    /// The supplier has taken it and carries it out later: it is never taken for refused.
    pub accepted: bool,
}

/// That the booking can be cancelled now.
///
/// # Errors
/// The decided error for each state in which it can't (decisions, detail 18).
pub(crate) fn cancellable<P>(booking: &Booking<P>) -> Result<()> {
    match booking.status {
        BookingStatus::Confirmed => Ok(()),
        BookingStatus::Pending => Err(Error::BookingPending),
        BookingStatus::Cancelled => Err(Error::BookingCancelled),
        BookingStatus::Failed => Err(Error::BookingFailed),
    }
}

/// Writes the intended cancellation, before the supplier is asked for anything: of many at once one goes on, and
/// no later quote makes its own stale.
///
/// # Errors
/// The state's error, or [`Error::CancellationPending`] when one is under way.
pub(crate) async fn open<P: Product>(
    platform: &Platform,
    caller: &Caller,
    booking: &Booking<P>,
    order: &Order<P::Order>,
    request: &CancelRequest,
    deadline: std::time::Duration,
    key: Option<&IdempotencyKey>,
) -> Result<Effect> {
    let now = platform.clock.now();
    let effect = Effect {
        id: EffectId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        number: order.number,
        kind: EffectKind::Cancel,
        supplier: order.supplier.clone(),
        requested_by: Some(caller.user()),
        request: serde_json::to_value(request)?,
        sent_at: now,
        due_at: due(now, deadline),
        attempts: 0,
        problem: None,
    };
    let mut connection = platform.database.connection().await?;
    let opened = connection.transaction(async |connection| {
        let booking: Booking<P> = bookings::lock(connection, booking.organization, booking.id).await?;
        cancellable(&booking)?;
        if !effects::open_on(connection, booking.organization, booking.id)
            .await?
            .is_empty()
        {
            return Err(Error::CancellationPending);
        }
        effects::insert(connection, &effect).await?;
        idempotency::tie(platform, connection, caller, key, &booking.reference, &effect).await?;
        let actor = caller.actor();
        purchase::changed(
            platform,
            connection,
            &actor,
            &booking,
            "booking.cancel_requested",
            None,
        )
        .await
    });
    opened.await?;
    Ok(effect)
}

/// Writes what the supplier has quoted, before it is asked to carry it out.
///
/// # Errors
/// [`Error::SupplierUnavailable`] when the effect was given up meanwhile; nothing may be carried out then.
pub(crate) async fn quoted<P>(
    platform: &Platform,
    booking: &Booking<P>,
    effect: &Effect,
    request: &CancelRequest,
    terms: RefundTerms,
    deadline: std::time::Duration,
) -> Result<Effect> {
    let refund = Refund {
        id: RefundId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        wallet: booking.wallet,
        status: RefundStatus::Processing,
        cancellation_charge: terms.cancellation_charge,
        provider_refund_amount: terms.provider_refund_amount,
        platform_charges: terms.platform_charges,
        refund_to_wallet: terms.refund_to_wallet,
        provider_refund_id: request.cancellation_id.clone(),
        requested_at: platform.clock.now(),
        refunded_at: None,
    };
    let now = platform.clock.now();
    let noted = Effect {
        request: serde_json::to_value(request)?,
        sent_at: now,
        due_at: due(now, deadline),
        ..effect.clone()
    };
    let mut connection = platform.database.connection().await?;
    let written = connection.transaction(async |connection| {
        if !effects::note(connection, &noted).await? {
            // It took so long that it was given up: nothing was carried out, and nothing will be.
            return Err(Error::SupplierUnavailable(None));
        }
        Ok::<_, Error>(refunds::insert(connection, &refund).await?)
    });
    written.await?;
    Ok(noted)
}

/// What became of a cancellation.
pub(crate) enum Ending {
    /// The supplier carried it out.
    Done,
    /// It did not, and why.
    Refused(String),
}

/// Closes a cancellation: the refund goes to the wallet that paid, or the booking stands as before and there is
/// none. A second close of the same effect changes nothing.
///
/// # Errors
/// When the database can't be asked: the effect stays open and the worker closes it later.
pub(crate) async fn close<P: Product>(
    platform: &Platform,
    actor: &Actor,
    effect: &Effect,
    ending: Ending,
) -> Result<Option<Refund>> {
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let closed = connection.transaction(async |connection| {
        let mut booking: Booking<P> = bookings::lock(connection, effect.organization, effect.booking).await?;
        let refund = refunds::of(connection, booking.organization, booking.id).await?;
        let (outcome, problem) = match &ending {
            Ending::Done => (Outcome::Done, None),
            Ending::Refused(reason) => (Outcome::Refused, Some(reason.as_str())),
        };
        if !effects::close(connection, effect, outcome, problem, now).await? {
            return Ok(refund);
        }
        match ending {
            Ending::Refused(_) => {
                keys::free(connection, booking.organization, effect.id).await?;
                if let Some(refund) = refund {
                    refunds::save(
                        connection,
                        &Refund {
                            status: RefundStatus::Failed,
                            ..refund
                        },
                    )
                    .await?;
                }
                let action = "booking.cancel_refused";
                purchase::changed(platform, connection, actor, &booking, action, None).await?;
                Ok(None)
            }
            Ending::Done => {
                let mut refund =
                    refund.ok_or_else(|| Error::Internal(format!("{} has no refund", booking.reference)))?;
                give_back(platform, connection, effect, &mut booking, &mut refund).await?;
                let before = Some(BookingStatus::Confirmed);
                purchase::changed(platform, connection, actor, &booking, "booking.cancelled", before).await?;
                Ok(Some(refund))
            }
        }
    });
    closed.await
}

async fn give_back<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    effect: &Effect,
    booking: &mut Booking<P>,
    refund: &mut Refund,
) -> Result<()> {
    let now = platform.clock.now();
    let mut orders = bookings::orders(connection, booking).await?;
    for order in orders.iter_mut().filter(|order| order.number == effect.number) {
        order.status = OrderStatus::Cancelled;
        if let Some(content) = &mut order.content {
            P::give_back(content);
        }
        bookings::save_order(connection, booking, order, now).await?;
    }
    pay_back(platform, connection, effect, booking, refund).await?;
    refund.status = RefundStatus::Refunded;
    refund.refunded_at = Some(now);
    refunds::save(connection, refund).await?;
    booking.status = BookingStatus::Cancelled;
    booking.cancelled_at = Some(now);
    bookings::save(connection, booking).await?;
    let fares = taken_back(booking, refund)?;
    purchase::fare_row(platform, connection, booking, fares).await
}

async fn pay_back<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    effect: &Effect,
    booking: &Booking<P>,
    refund: &Refund,
) -> Result<()> {
    let terms = RefundTerms {
        cancellation_charge: refund.cancellation_charge,
        provider_refund_amount: refund.provider_refund_amount,
        platform_charges: refund.platform_charges,
        refund_to_wallet: refund.refund_to_wallet,
    };
    let legs = settlement::refund_legs(refund.wallet, &booking.sales, &terms, booking.amount.currency())?;
    if legs.is_empty() {
        return Ok(());
    }
    let transfer = Transfer::new(
        TransferId::new(&platform.clock),
        format!("refund:{}", refund.id),
        Reason::Refund,
        Some(booking.reference.to_string()),
        format!("refund of booking {}", booking.reference),
        effect.requested_by,
        legs,
        platform.clock.now(),
    )?;
    let mut wallet = wallets::lock_by_id(connection, booking.organization, refund.wallet).await?;
    let entry = wallet.apply(&transfer, &platform.secrets.chain)?;
    wallets::save(connection, booking.organization, &wallet).await?;
    Ok(ledger::record(connection, booking.organization, &transfer, &[entry]).await?)
}

/// The fare ledger's negative row: commission and public fare go back in the share that the supplier gives
/// back of T (decisions, details 24 and 84).
fn taken_back<P>(booking: &Booking<P>, refund: &Refund) -> Result<Fares> {
    let currency = booking.amount.currency();
    let totals = Totals::of(&booking.sales, currency)?;
    let share = |part: Money| -> Result<Money> {
        let returned = refund.provider_refund_amount;
        if totals.total.is_zero() || returned == totals.total {
            return Ok(part.negated());
        }
        let ratio = returned
            .amount()
            .checked_div(totals.total.amount())
            .unwrap_or(Decimal::ZERO);
        Ok(part.times(ratio)?.negated())
    };
    Ok(Fares {
        public_fare: share(totals.public_fare)?,
        agent_fare: refund.refund_to_wallet.negated(),
        agent_commission: share(totals.agent_commission.unwrap_or(Money::zero(currency)))?,
        markup: share(totals.markup)?,
    })
}
