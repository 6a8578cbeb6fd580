//! Orders that stand here and that their suppliers have cancelled by themselves.
//!
//! One is believed when it was seen twice. Then it is cancelled here, and told; after that its supplier is asked what comes
//! back, and the operator has an incident of it. Each of these is one transaction, and the order's own clock leads from one to
//! the next: whoever dies in between, another server goes on.

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_domain::{
    Actor, BookingStatus, EventKind, IncidentId, IncidentKind, Money, OrderStatus, Product, RefundId,
    RefundStatus, SupplierCancellation,
};
use wayfare_store::{
    JsonText, StoreError,
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Order},
        orders_to_poll::{self, OrderToPoll},
        people::NewSupplierAnswer,
        refunds::{self, Refund},
        steps::under_way_on,
    },
};
use wayfare_supply::{Answer, UnaskedRefund, watching};

use crate::{
    Core, Engine, Error, RefundTerms, Result, Returned,
    engine::{
        booking_state::{Booked, is_live},
        cancellation::sale_of,
        incidents,
        order_watch::{self, Seen},
        ruling,
    },
    order_content::{OrderContent, order_content},
    people::sealed,
    tools::{audit_event, failpoints::moment},
};

/// From one poll that shows an order as cancelled to the next.
const AGAIN: Duration = Duration::minutes(5);
/// That it is shown so again counts from so long after the first time.
const APART: Duration = Duration::minutes(1);
/// What comes back is asked so long after the order was cancelled here.
const MONEY_AFTER: Duration = Duration::seconds(10);
/// After so many questions without an answer the operator asks what comes back.
const MOST_QUESTIONS: i16 = 8;

/// Notes that the supplier shows an order as cancelled that stands here. When it was shown so before, the order is cancelled
/// here, and the booking with its last one.
pub(crate) async fn seen<P: Product>(
    core: &Core,
    booked: &Booked<P>,
    order: &Order<P::Order>,
    mut found: P::Order,
) -> Result<Seen<P::Order>> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let people = sealed::load(core, organization, id).await?;
    let answer = people.seal_answer(core, &P::take_raw(&mut found))?;
    let now = core.shared_time.now();
    moment("look:read");
    let mut connection = core.database.connection().await?;
    let seen = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        if booking.status != BookingStatus::Confirmed {
            return Ok(Seen::Settled);
        }
        if !under_way_on(connection, organization, id).await?.is_empty() {
            return Ok(Seen::Nothing("something is under way on it".to_owned()));
        }
        let key = (organization, id, order.number);
        let first = orders_to_poll::see_cancelled(connection, key, now, now + AGAIN).await?;
        match first {
            None => Ok(Seen::Settled),
            Some(first) if now - first < APART => Ok(Seen::Cancelled),
            Some(_) => {
                cancel::<P>(core, connection, booking, order.number, answer.as_ref()).await?;
                Ok::<_, Error>(Seen::Cancelled)
            }
        }
    });
    seen.await
}

/// The order is cancelled here; what comes back is asked right after.
async fn cancel<P: Product>(
    core: &Core,
    connection: &mut AsyncPgConnection,
    mut booking: Booking<()>,
    number: u16,
    answer: Option<&NewSupplierAnswer>,
) -> Result<()> {
    let now = core.clock.now();
    let key = (booking.organization, booking.id);
    let mut orders = bookings::orders_of(connection, &[key]).await?;
    let orders = orders.remove(&booking.id).unwrap_or_default();
    let (mut present, others): (Vec<_>, Vec<_>) =
        orders.into_iter().partition(|order| order.number == number);
    let present: Order<JsonText> = present.pop().ok_or(Error::NotFound)?;
    let mark = OrderContent::of::<P>().mark_cancelled;
    let cancelled = Order {
        status: OrderStatus::Cancelled,
        content: present.content.as_ref().map(mark).transpose()?,
        next_poll_at: Some(core.shared_time.now() + MONEY_AFTER),
        travel_at: None,
        ..present
    };
    let mut writes = Writes::default();
    writes.order(&booking, &cancelled, now)?;
    if let Some(answer) = answer {
        writes.supplier_answer((booking.organization, booking.id, number), None, answer, now);
    }
    let before = booking.status;
    if !others.iter().any(is_live) {
        booking.status = BookingStatus::Cancelled;
        booking.cancelled_at = Some(now);
        writes.booking(&booking);
    }
    let action = EventKind::BookingCancelledBySupplier;
    let event = audit_event::of_booking(core, &Actor::system(), &booking, action, Some(before));
    writes.event(&event);
    writes.send(connection).await?;
    // It is on its way from now on, though nobody has said how much it is.
    let terms = terms(&booking, &cancelled, charged(&booking, &cancelled)?, None)?;
    put_refund(core, connection, &booking, number, terms).await?;
    moment("look:cancelled");
    tracing::warn!(booking = %booking.reference, number, "a supplier has cancelled an order by itself");
    Ok(())
}

/// Asks what comes back for an order that its supplier has cancelled by itself, and raises it for the operator.
///
/// # Errors
/// When the database can't be asked: it is asked again when its lease has ended.
pub(crate) async fn ask_refund(engine: &Engine, due: &OrderToPoll) -> Result<()> {
    let (booking, order) = {
        let mut connection = engine.core.database.connection().await?;
        let booking = bookings::by_id(&mut connection, due.organization, due.booking).await?;
        let mut orders = bookings::orders_of(&connection, &[(due.organization, due.booking)]).await?;
        let orders = orders.remove(&due.booking).unwrap_or_default();
        let order = orders.into_iter().find(|order| order.number == due.number);
        (booking, order.ok_or(Error::NotFound)?)
    };
    let (Some(order_id), Some(seen_at)) = (&order.supplier_order_id, due.cancel_seen_at) else {
        return Err(Error::Internal(format!("order {} was never made", order.reference)));
    };
    let charged = charged(&booking, &order)?;
    let stated = match engine.suppliers.supplier(&order.supplier) {
        Ok(supplier) => watching(supplier.unasked_refund(order_id, charged)).await,
        Err(_) => Answer::Unknown("the supplier is not configured".to_owned()),
    };
    let stated = match stated {
        Answer::Done(stated) => stated,
        failed if due.looks_failed < MOST_QUESTIONS => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(booking = %booking.reference, reason, "nobody says yet what comes back");
            return order_watch::postpone(&engine.core, due).await;
        }
        _ => None,
    };
    let cancellation = SupplierCancellation {
        number: due.number,
        supplier: order.supplier.clone(),
        order_id: order_id.clone(),
        charged,
        refund: stated.as_ref().map(|stated| stated.amount),
        refund_to: stated.and_then(|UnaskedRefund { to, .. }| to),
        seen_at,
    };
    moment("look:money");
    let mut connection = engine.core.database.connection().await?;
    let raised = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, due.organization, due.booking).await?;
        let key = (due.organization, due.booking, due.number);
        match orders_to_poll::cancellation_settled(connection, key).await? {
            true => Ok::<_, Error>(Some(raise(&engine.core, connection, &booking, &cancellation).await?)),
            false => Ok(None),
        }
    });
    let Some(incident) = raised.await? else { return Ok(()) };
    if !cancellation.is_all_back() {
        tracing::info!(%incident, "what comes back for an order waits for a ruling");
        return Ok(());
    }
    let of = (due.organization, due.booking, due.number);
    let ruled = ruling::by_itself(engine, of, charged, Some(incident)).await;
    if let Err(error) = ruled {
        // The incident stays open: the operator rules.
        tracing::warn!(%incident, %error, "an order of which all comes back could not be settled without the operator");
    }
    Ok(())
}

/// The refund that is under way, and the incident whose ruling ends it.
async fn raise(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    cancellation: &SupplierCancellation,
) -> Result<IncidentId> {
    let number = cancellation.number;
    let mut orders = bookings::orders_of(connection, &[(booking.organization, booking.id)]).await?;
    let mut orders = orders.remove(&booking.id).unwrap_or_default().into_iter();
    let order = orders.find(|order| order.number == number);
    let order = order.ok_or(Error::NotFound)?;
    let terms = terms(booking, &order, cancellation.charged, cancellation.refund)?;
    put_refund(core, connection, booking, number, terms).await?;
    let problem = "a supplier has cancelled an order that nobody asked to be cancelled";
    let kind = IncidentKind::CancelledBySupplier;
    let details = serde_json::to_value(cancellation)?;
    incidents::raise_on_booking(core, connection, booking, kind, problem, details).await
}

/// Writes the refund of an order that its supplier has cancelled, as far as it is known now.
async fn put_refund(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    number: u16,
    terms: RefundTerms,
) -> Result<()> {
    let refund = Refund {
        id: RefundId::new(&core.clock),
        organization: booking.organization,
        booking: booking.id,
        number,
        wallet: booking.wallet,
        status: RefundStatus::Processing,
        cancellation_charge: terms.cancellation_charge,
        provider_refund_amount: terms.provider_refund_amount,
        platform_charges: terms.platform_charges,
        refund_to_wallet: terms.refund_to_wallet,
        provider_refund_id: None,
        requested_at: core.clock.now(),
        refunded_at: None,
        part: None,
    };
    match refunds::put(connection, &refund).await {
        // It came back before its supplier showed it so.
        Ok(()) | Err(StoreError::Overtaken) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What the supplier charged for what it has cancelled.
fn charged(booking: &Booking<()>, order: &Order<JsonText>) -> Result<Money> {
    match (&order.content, order.given_back.is_empty()) {
        (Some(content), true) => (order_content(booking.kind).charged)(content),
        _ => Ok(order.left_of(sale_of(booking, order)?)?.supplier_due),
    }
}

/// What comes back by what the supplier says so far: nothing where it says nothing, or speaks of a currency to which
/// the order's quote has no rate.
fn terms(
    booking: &Booking<()>,
    order: &Order<JsonText>,
    charged: Money,
    refund: Option<Money>,
) -> Result<RefundTerms> {
    let paid = order.left_of(sale_of(booking, order)?)?;
    let zero = Money::zero(charged.currency());
    let refund = refund.filter(|refund| {
        let refund = *refund;
        RefundTerms::can_be_told(&paid, Returned { charged, refund })
    });
    match refund {
        Some(refund) => RefundTerms::of(&paid, Returned { charged, refund }),
        None => Ok(RefundTerms {
            refund_to_wallet: Money::zero(paid.total.currency()),
            ..RefundTerms::of(&paid, Returned { charged, refund: zero })?
        }),
    }
}
