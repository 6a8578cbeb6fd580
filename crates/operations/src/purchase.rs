//! A purchase of any product: opened before a supplier is asked, closed when its answer is known.
//!
//! `open` claims the quote, holds the money and writes the booking with the intended effect in one transaction;
//! `close` posts or voids in one transaction. In between nothing is locked. Whoever closes first wins: a
//! second close of the same effect changes nothing.

use chrono::{DateTime, Duration, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{
    Actor, BookingId, BookingRef, BookingStatus, EffectId, EffectKind, FareTransactionId, HoldId, Money,
    OrderStatus, Product, QuoteId, TransferId,
};
use wayfare_ledger::{Reason, Transfer};
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    bookings::{self, Booking, Order, Summary},
    effects::{self, Effect, Outcome},
    fare_ledger::{self, FareTransaction},
    idempotency as keys,
    ledger::{self, HoldOutcome},
    quotes, wallets,
};

use crate::{
    Caller, Error, Platform, Result,
    idempotency::{self, IdempotencyKey},
    journal::{self, Change},
    settlement,
};

/// After its deadline an effect in flight gets this much longer to be closed by whoever sent it.
const GRACE: Duration = Duration::seconds(10);

/// When somebody else may look at an effect that is sent now.
pub(crate) fn due(now: DateTime<Utc>, deadline: std::time::Duration) -> DateTime<Utc> {
    now + Duration::from_std(deadline).unwrap_or(GRACE) + GRACE
}

/// Whether an effect may still be sent: its answer, or its silence, will be known before anybody else looks.
pub(crate) fn in_time(platform: &Platform, effect: &Effect, deadline: std::time::Duration) -> bool {
    platform.clock.now() + Duration::from_std(deadline).unwrap_or(GRACE) <= effect.due_at
}

/// What is about to be bought.
pub(crate) struct Intent<P, R> {
    pub quote: QuoteId,
    pub reference: BookingRef,
    pub summary: Summary,
    pub product: P,
    pub sales: Vec<Sale>,
    /// One for each supplier order, in order of their numbers.
    pub requests: Vec<OrderIntent<R>>,
}

/// One supplier order that is about to be made.
pub(crate) struct OrderIntent<R> {
    pub supplier: String,
    /// What will be sent; kept, so that anybody can find the order again.
    pub request: R,
    /// How long the supplier may take to answer.
    pub deadline: std::time::Duration,
}

/// A purchase whose suppliers may now be asked.
pub(crate) struct Opened<P: Product> {
    pub booking: Booking<P>,
    pub orders: Vec<Order<P::Order>>,
    pub effects: Vec<Effect>,
}

/// Claims the quote, holds the money, writes booking, orders, effects and event. Ten statements with one order.
///
/// # Errors
/// [`Error::KeyUsed`], [`Error::InsufficientFunds`]; nothing is written then.
pub(crate) async fn open<P: Product, R: Serialize>(
    platform: &Platform,
    caller: &Caller,
    intent: Intent<P, R>,
    key: Option<&IdempotencyKey>,
) -> Result<Opened<P>> {
    let now = platform.clock.now();
    let organization = caller.organization();
    let currency = caller.currency();
    let totals = Totals::of(&intent.sales, currency)?;
    let id = BookingId::new(&platform.clock);
    let hold = HoldId::new(&platform.clock);
    let mut orders = Vec::new();
    let mut intended = Vec::new();
    for (number, order) in (1_u16..).zip(&intent.requests) {
        orders.push(Order {
            number,
            reference: intent.reference.order(number),
            supplier: order.supplier.clone(),
            status: OrderStatus::Pending,
            supplier_order_id: None,
            content: None,
        });
        intended.push(Effect {
            id: EffectId::new(&platform.clock),
            organization,
            booking: id,
            number,
            kind: EffectKind::Book,
            supplier: order.supplier.clone(),
            requested_by: Some(caller.user()),
            request: serde_json::to_value(&order.request)?,
            sent_at: now,
            due_at: due(now, order.deadline),
            attempts: 0,
            problem: None,
        });
    }
    let mut connection = platform.database.connection().await?;
    let opened = connection.transaction(async |connection| {
        if !quotes::claim(connection, organization, intent.quote, id).await? {
            let first = quotes::used_by(connection, organization, intent.quote).await?;
            return Err(first.map_or(Error::NotFound, Error::KeyUsed));
        }
        let wallet = wallets::lock(connection, caller.payer()).await?;
        let mut wallet = wallet.ok_or_else(|| Error::Internal("the payer has no wallet".to_owned()))?;
        wallet.hold(totals.agent_fare)?;
        wallets::save(connection, organization, &wallet).await?;
        ledger::place_hold(connection, organization, hold, wallet.id, totals.agent_fare, now).await?;
        let booking = Booking {
            id,
            reference: intent.reference,
            organization,
            user: caller.user(),
            user_name: caller.account().name.clone(),
            wallet: wallet.id,
            hold,
            quote: intent.quote,
            status: BookingStatus::Pending,
            summary: intent.summary,
            amount: totals.agent_fare,
            base_fare: totals.base,
            public_fare: totals.public_fare,
            product: intent.product,
            sales: intent.sales,
            failure: None,
            created_at: now,
            booked_at: None,
            cancelled_at: None,
        };
        bookings::insert(connection, &booking, &orders).await?;
        // The clock starts when the wait for quote and wallet is over.
        let sent_at = platform.clock.now();
        for effect in &mut intended {
            effect.due_at += sent_at - effect.sent_at;
            effect.sent_at = sent_at;
            effects::insert(connection, effect).await?;
        }
        if let Some(first) = intended.first() {
            idempotency::tie(platform, connection, caller, key, &booking.reference, first).await?;
        }
        let actor = caller.actor();
        changed(platform, connection, &actor, &booking, "booking.requested", None).await?;
        Ok(Opened {
            booking,
            orders,
            effects: intended,
        })
    });
    opened.await
}

/// What became of one order.
pub(crate) enum Ending<O> {
    /// The supplier has it.
    Done(O),
    /// Nothing happened there, and why.
    Refused(String),
}

/// What the order that a supplier shows means for the booking; none while the supplier itself doesn't know yet.
pub(crate) fn ending<P: Product>(order: P::Order) -> Option<Ending<P::Order>> {
    match P::facts(&order).status {
        OrderStatus::Held | OrderStatus::Confirmed => Some(Ending::Done(order)),
        OrderStatus::Cancelled | OrderStatus::Failed => {
            Some(Ending::Refused("the supplier has cancelled the order".to_owned()))
        }
        OrderStatus::Pending => None,
    }
}

/// Closes a booking effect: posts the hold when all orders stand, voids it when the supplier refused.
/// A second close of the same effect changes nothing and returns the booking as it stands.
///
/// # Errors
/// When the database can't be asked: the effect stays open and the worker closes it later.
pub(crate) async fn close<P: Product>(
    platform: &Platform,
    actor: &Actor,
    effect: &Effect,
    ending: Ending<P::Order>,
) -> Result<Booking<P>> {
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let closed = connection.transaction(async |connection| {
        let mut booking: Booking<P> = bookings::lock(connection, effect.organization, effect.booking).await?;
        let (outcome, problem) = match &ending {
            Ending::Done(_) => (Outcome::Done, None),
            Ending::Refused(reason) => (Outcome::Refused, Some(reason.as_str())),
        };
        if !effects::close(connection, effect, outcome, problem, now).await? {
            if matches!(ending, Ending::Done(_)) && booking.status == BookingStatus::Failed {
                // Given up too early: the supplier holds an order that nobody pays for.
                tracing::error!(booking = %booking.reference, "an order was made after its booking had failed");
                changed(platform, connection, actor, &booking, "booking.order_without_booking", None).await?;
            }
            return Ok(booking);
        }
        if booking.status != BookingStatus::Pending {
            return Err(Error::Internal(format!("{} is settled already", booking.reference)));
        }
        let mut orders = bookings::orders(connection, &booking).await?;
        let Some(order) = orders.iter_mut().find(|order| order.number == effect.number) else {
            return Err(Error::Internal(format!(
                "{} has no order {}",
                booking.reference, effect.number
            )));
        };
        match ending {
            Ending::Done(content) => {
                let facts = P::facts(&content);
                note_other_total(&booking, effect.number, facts.total);
                order.status = facts.status;
                order.supplier_order_id = Some(facts.id.to_owned());
                if booking.summary.pnr.is_empty() {
                    facts.locator.clone_into(&mut booking.summary.pnr);
                }
                order.content = Some(content);
            }
            Ending::Refused(reason) => {
                order.status = OrderStatus::Failed;
                booking.failure = Some(reason);
            }
        }
        bookings::save_order(connection, &booking, order, now).await?;
        if booking.failure.is_some() {
            fail(platform, connection, actor, &mut booking).await?;
            keys::free(connection, booking.organization, effect.id).await?;
        } else if orders
            .iter()
            .all(|order| matches!(order.status, OrderStatus::Held | OrderStatus::Confirmed))
        {
            confirm(platform, connection, actor, &mut booking).await?;
        }
        Ok::<_, Error>(booking)
    });
    closed.await
}

/// The agency pays what it was quoted; a supplier that charges otherwise is for the operator to see.
fn note_other_total<P>(booking: &Booking<P>, number: u16, charged: Money) {
    let quoted = booking
        .sales
        .get(usize::from(number).saturating_sub(1))
        .map(|sale| sale.supplier_total);
    if quoted != Some(charged) {
        tracing::error!(booking = %booking.reference, number, ?quoted, ?charged, "the supplier charges another total");
    }
}

async fn confirm<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    booking: &mut Booking<P>,
) -> Result<()> {
    let now = platform.clock.now();
    let organization = booking.organization;
    let currency = booking.amount.currency();
    let mut wallet = wallets::lock_by_id(connection, organization, booking.wallet).await?;
    let legs = settlement::booking_legs(wallet.id, &booking.sales, currency)?;
    if legs.is_empty() {
        wallet.void(booking.amount)?;
        wallets::save(connection, organization, &wallet).await?;
    } else {
        let transfer = Transfer::new(
            TransferId::new(&platform.clock),
            format!("booking:{}", booking.id),
            Reason::Booking,
            Some(booking.reference.to_string()),
            format!("booking {}", booking.reference),
            Some(booking.user),
            legs,
            now,
        )?;
        let entry = wallet.post(booking.amount, &transfer, &platform.secrets.chain)?;
        wallets::save(connection, organization, &wallet).await?;
        ledger::record(connection, organization, &transfer, &[entry]).await?;
    }
    close_hold(connection, booking, HoldOutcome::Posted, now).await?;
    booking.status = BookingStatus::Confirmed;
    booking.booked_at = Some(now);
    bookings::save(connection, booking).await?;
    let totals = Totals::of(&booking.sales, currency)?;
    let fares = Fares {
        public_fare: totals.public_fare,
        agent_fare: totals.agent_fare,
        agent_commission: totals.agent_commission.unwrap_or(Money::zero(currency)),
        markup: totals.markup,
    };
    fare_row(platform, connection, booking, fares).await?;
    changed(
        platform,
        connection,
        actor,
        booking,
        "booking.confirmed",
        Some(BookingStatus::Pending),
    )
    .await
}

async fn fail<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    booking: &mut Booking<P>,
) -> Result<()> {
    let organization = booking.organization;
    let mut wallet = wallets::lock_by_id(connection, organization, booking.wallet).await?;
    wallet.void(booking.amount)?;
    wallets::save(connection, organization, &wallet).await?;
    let now = platform.clock.now();
    close_hold(connection, booking, HoldOutcome::Voided, now).await?;
    booking.status = BookingStatus::Failed;
    bookings::save(connection, booking).await?;
    // A quote is spent by the booking that stands, not by one that failed (decisions, detail 87).
    quotes::free(connection, organization, booking.quote).await?;
    changed(
        platform,
        connection,
        actor,
        booking,
        "booking.failed",
        Some(BookingStatus::Pending),
    )
    .await
}

/// Closes the booking's own hold: a hold is given back or spent once.
async fn close_hold<P>(
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    outcome: HoldOutcome,
    now: DateTime<Utc>,
) -> Result<()> {
    if ledger::close_hold(connection, booking.organization, booking.hold, outcome, now).await? {
        return Ok(());
    }
    Err(Error::Internal(format!(
        "the hold of {} is closed already",
        booking.reference
    )))
}

/// The amounts of a fare-ledger row.
pub(crate) struct Fares {
    pub public_fare: Money,
    pub agent_fare: Money,
    pub agent_commission: Money,
    pub markup: Money,
}

/// Writes a fare-ledger row of this booking.
pub(crate) async fn fare_row<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    fares: Fares,
) -> Result<()> {
    let row = FareTransaction {
        id: FareTransactionId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        reference: booking.reference.clone(),
        product: P::KIND,
        pnr: booking.summary.pnr.clone(),
        provider: booking.summary.provider.clone(),
        user: booking.user,
        user_name: booking.user_name.clone(),
        public_fare: fares.public_fare,
        agent_fare: fares.agent_fare,
        agent_commission: fares.agent_commission,
        markup: fares.markup,
        issued_at: platform.clock.now(),
    };
    Ok(fare_ledger::insert(connection, &row).await?)
}

/// Records that the booking is what it is now.
pub(crate) async fn changed<P: Product>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    booking: &Booking<P>,
    action: &'static str,
    before: Option<BookingStatus>,
) -> Result<()> {
    let change = Change {
        organization: booking.organization,
        actor,
        action,
        entity_type: "booking",
        entity_id: booking.reference.to_string(),
        old_value: before.map(|status| json!({ "status": status })),
        new_value: Some(json!({
            "status": booking.status,
            "amount": booking.amount.number(),
            "currency": booking.amount.currency(),
            "user_id": booking.user,
            "failure": booking.failure,
        })),
    };
    journal::record(platform, connection, change).await
}
