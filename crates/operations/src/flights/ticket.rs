//! Paying for a held order at its supplier, so that its tickets are issued. The wallet was debited when it was
//! booked: no money moves here (decisions, detail 12).

use std::sync::Arc;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Actor, BookingRef, EffectKind, Money, OrderStatus};
use wayfare_flights::{Itinerary, OrderRequest, SupplierOrder, Ticket};
use wayfare_store::{
    bookings::Order,
    effects::{self as rows, Effect},
};
use wayfare_supply::{Answer, RefusalKind};

use super::after_sales::{load, only_order, order_id};
use crate::{
    Caller, Error, Platform, Result, effects,
    idempotency::IdempotencyKey,
    intent::{self, Wish},
    purchase::{self, Closing, Outcome, standing},
    testing::moment,
};

/// What is kept of the request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TicketRequest {
    /// What was sent when the order was made: who on it is which traveller.
    pub booked: OrderRequest,
    pub order_id: String,
    /// What the supplier is paid, in its currency.
    pub total: Money,
}

/// What the client states it agreed to, in the wallet's currency; it changes no price.
#[derive(Clone, Copy, Debug)]
pub struct StatedFare {
    /// What the booking cost.
    pub amount: Decimal,
    /// The agent fare, if stated.
    pub agent_fare: Option<Decimal>,
}

/// How it stands when the call ends.
#[derive(Clone, Debug)]
pub enum Ticketed {
    /// The order is paid: its tickets, as far as the supplier has issued them.
    Done(Vec<Ticket>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Pays for the booking's held order.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::TicketIssued`], [`Error::FareChanged`] when the client
/// agreed to another fare, [`Error::HeldFareChanged`], the supplier's refusal or outage; the hold stands then.
pub async fn issue_ticket(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    stated: StatedFare,
    key: Option<&IdempotencyKey>,
) -> Result<Ticketed> {
    let booked = load(platform, caller, reference).await?;
    standing(&booked.booking)?;
    let order = only_order(&booked)?;
    let held = match (order.status, &order.content) {
        (OrderStatus::Held, Some(content)) => content,
        _ => return Err(Error::TicketIssued),
    };
    let paid = booked.booking.amount.amount();
    if stated.amount != paid || stated.agent_fare.is_some_and(|agreed| agreed != paid) {
        return Err(Error::FareChanged);
    }
    let mut connection = platform.database.connection().await?;
    let made = rows::made_by(
        &mut connection,
        booked.booking.organization,
        booked.booking.id,
        order.number,
    );
    let made = made.await?.ok_or(Error::NotFound)?;
    drop(connection);
    let request = TicketRequest {
        booked: serde_json::from_value(made)?,
        order_id: order_id(order)?.to_owned(),
        total: held.total,
    };
    let supplier = platform.flight_supplier(&order.supplier)?;
    let wish = Wish {
        booking: &booked.booking,
        order,
        kind: EffectKind::Ticket,
        action: "ticket.requested",
        request: &request,
        deadline: supplier.config().effect_deadline,
    };
    let effect = intent::open(platform, caller, wish, key).await?;
    let carried_out = {
        let (platform, caller) = (platform.clone(), caller.clone());
        async move { ask_and_close(&platform, &caller, &effect, &request).await }
    };
    effects::in_background(platform, reference, Ticketed::Pending, carried_out).await
}

/// How the booking's ticket stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn ticket(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Ticketed> {
    let mut booked = load(platform, caller, reference).await?;
    only_order(&booked)?;
    let order = booked.orders.pop().ok_or(Error::NotFound)?;
    Ok(match order.status {
        OrderStatus::Confirmed => issued(order),
        _ => Ticketed::Pending,
    })
}

fn issued(order: Order<SupplierOrder>) -> Ticketed {
    Ticketed::Done(order.content.map(|content| content.tickets).unwrap_or_default())
}

async fn ask_and_close(
    platform: &Platform,
    caller: &Caller,
    effect: &Effect,
    request: &TicketRequest,
) -> Result<Ticketed> {
    let supplier = platform.flight_supplier(&effect.supplier)?;
    moment("ticket:opened");
    let (outcome, error) = if !purchase::in_time(platform, effect) {
        let reason = "it could not be sent in time".to_owned();
        (
            Outcome::NotTicketed(reason),
            Some(Error::SupplierUnavailable(None)),
        )
    } else {
        let answer = supplier
            .ticket(&request.order_id, &request.booked, request.total)
            .await;
        moment("ticket:answered");
        match answer {
            Answer::Done(order) => (Outcome::Ticketed(purchase::made::<Itinerary>(&order)?), None),
            Answer::Refused(refusal) => {
                let error = match refusal.kind {
                    RefusalKind::PriceChanged => Error::HeldFareChanged,
                    _ => Error::SupplierRefused(refusal.text.clone()),
                };
                (Outcome::NotTicketed(refusal.text), Some(error))
            }
            Answer::Unavailable(outage) => (
                Outcome::NotTicketed(outage.reason),
                Some(Error::SupplierUnavailable(outage.retry_after)),
            ),
            Answer::Unknown(reason) => return unknown(platform, effect, &reason).await,
        }
    };
    let order = close(platform, caller.actor(), effect, outcome).await?;
    match (order.status, error) {
        (OrderStatus::Confirmed, _) => Ok(issued(order)),
        (_, error) => Err(error.unwrap_or(Error::SupplierUnavailable(None))),
    }
}

/// It stays pending; the worker finds out.
async fn unknown(platform: &Platform, effect: &Effect, reason: &str) -> Result<Ticketed> {
    tracing::warn!(effect = %effect.id, reason, "a supplier's answer to a payment is not known");
    effects::postpone(platform, effect, reason).await?;
    Ok(Ticketed::Pending)
}

async fn close(
    platform: &Platform,
    actor: Actor,
    effect: &Effect,
    ending: Outcome,
) -> Result<Order<SupplierOrder>> {
    let closing = Closing {
        effect: effect.clone(),
        actor,
        ending,
    };
    let closed = platform.writers.close(closing).await?;
    let mut orders = closed.orders.into_iter();
    let order = orders.find(|order| order.number == effect.number);
    Ok(order.ok_or(Error::NotFound)?.read()?)
}

/// Finds out what came of a payment whose answer is not known, from the order as the supplier shows it.
///
/// # Errors
/// When the database can't be asked; the effect stays open.
pub(crate) async fn recover(platform: &Platform, effect: &Effect, too_late: bool) -> Result<()> {
    let request: TicketRequest = serde_json::from_value(effect.request.clone())?;
    let supplier = platform.flight_supplier(&effect.supplier)?;
    let ending = match supplier.find_ticketed(&request.order_id, &request.booked).await {
        Answer::Done(Some(order)) => Outcome::Ticketed(purchase::made::<Itinerary>(&order)?),
        Answer::Done(None) if too_late => Outcome::NotTicketed("not paid at the supplier".to_owned()),
        Answer::Done(None) => return effects::postpone(platform, effect, "not paid yet").await,
        other => return effects::postpone(platform, effect, other.problem().unwrap_or_default()).await,
    };
    close(platform, Actor::system(), effect, ending).await.map(drop)
}

/// Closes a payment as the operator has ruled: the supplier says that it was not made.
///
/// # Errors
/// When the database can't be asked; the effect stays open.
pub(crate) async fn refuse(platform: &Platform, actor: Actor, effect: &Effect, reason: &str) -> Result<()> {
    let ending = Outcome::NotTicketed(reason.to_owned());
    close(platform, actor, effect, ending).await.map(drop)
}
