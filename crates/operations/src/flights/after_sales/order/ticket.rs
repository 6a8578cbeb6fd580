//! Paying for held orders at their suppliers, so that their tickets are issued. The wallet was debited when they were
//! booked: no money moves here (P-12).

use std::{sync::Arc, time::Duration};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, ActorKind, BookingRef, EventKind, Money, OrderStatus, StepKind, TicketStatus};
use wayfare_flights::{StoredOrder, SupplierOrder, Ticket};
use wayfare_pricing::Totals;
use wayfare_store::booking::{bookings::Order, steps::Step};
use wayfare_supply::Answer;

use super::{find, stored_request};
use crate::{
    Caller, ChangedFare, Core, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    bookings::{load, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live},
        patience::within_patience,
        saga::{self, Progress},
    },
    flights::Booked,
};

/// Whoever waits for a payment that was refused at its price waits so long at most for the price of now.
const LOOKED_AT_WITHIN: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TicketRequest {
    /// What was sent when the order was made, without people: who on it is which traveller.
    pub booked: StoredOrder,
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

impl StatedFare {
    /// Whether it is what the booking cost.
    fn check(self, amount: Money, agent_fare: Money) -> Result<()> {
        let stated = self.agent_fare.unwrap_or(agent_fare.amount());
        if self.amount == amount.amount() && stated == agent_fare.amount() {
            return Ok(());
        }
        let of_wallet = |stated| Money::rounded(stated, amount.currency());
        let (old, new) = ((of_wallet(self.amount), of_wallet(stated)), (amount, agent_fare));
        Err(ChangedFare::between(old, Some(new)).into())
    }
}

/// How it stands when the call ends.
#[derive(Clone, Debug)]
pub enum Ticketed {
    /// The orders are paid: their tickets, as far as the suppliers have issued them.
    Done(Vec<Ticket>),
    /// The orders were paid before, with their booking or by an earlier call: nothing was sent.
    Already(Vec<Ticket>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Pays for the booking's held orders, one after the other. Of a booking that is paid already nothing is sent, so that a
/// client that books and then has its tickets issued need not know which fares are held.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::FareChanged`] when the client agreed to another fare, [`Error::HeldFareChanged`], the supplier's refusal or outage; what it refused is held as
/// before then.
#[boxed]
pub async fn issue_ticket(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    stated: StatedFare,
    key: Option<&IdempotencyKey>,
) -> Result<Ticketed> {
    let booked = load(&engine.core, caller, reference).await?;
    let booking = &booked.booking;
    check_confirmed(booking)?;
    let agent_fare = Totals::of(&booking.sales, booking.amount.currency())?.agent_fare;
    stated.check(booking.amount, agent_fare)?;
    if held(&booked).next().is_none() {
        return already(booked.orders);
    }
    let steps = begin(engine, &caller.actor(), &booked, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (engine, caller) = (engine.clone(), caller.clone());
        async move {
            let first = steps.first().ok_or(Error::NotFound)?;
            let progress = saga::run_saga(&engine, &caller.actor(), first, None).await?;
            match result(progress, first) {
                Err(error) if matches!(error.plain(), Error::HeldFareChanged(_)) => {
                    Err(held_fare_changed(&engine, &booked, agent_fare).await)
                }
                ticketed => ticketed,
            }
        }
    };
    within_patience(&engine.core, reference, Ticketed::Pending, carried_out).await
}

fn held(booked: &Booked) -> impl Iterator<Item = &Order<SupplierOrder>> {
    let orders = booked.orders.iter();
    orders.filter(|order| order.status == OrderStatus::Held)
}

/// Begins to pay for the booking's held orders, one after the other. The service itself does so only while the booking is to
/// be ticketed by itself.
///
/// # Errors
/// [`Error::NotFound`] where it is not any more, those of [`begin_step::open`].
pub(crate) async fn begin(
    engine: &Engine,
    actor: &Actor,
    booked: &Booked,
    key: Option<(&Caller, &IdempotencyKey)>,
) -> Result<Vec<Step>> {
    let mut requests = Vec::new();
    for order in held(booked) {
        let content = order.content.as_ref().ok_or(Error::NotFound)?;
        let request = TicketRequest {
            booked: stored_request(&engine.core, booked, order).await?,
            order_id: order_id(order)?.to_owned(),
            total: content.total,
        };
        requests.push(StepRequest::on(order, request)?);
    }
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Ticket,
        action: EventKind::TicketRequested,
        note: None,
        requests,
        service: None,
        by_itself: actor.kind == ActorKind::System,
    };
    begin_step::open(engine, actor, request, key).await
}

/// What is told of a booking of which nothing is held.
///
/// # Errors
/// [`Error::BookingCancelled`] where there were tickets, and none of them is good for travel any more.
fn already(orders: Vec<Order<SupplierOrder>>) -> Result<Ticketed> {
    let mut issued = tickets(orders);
    let had_any = !issued.is_empty();
    issued.retain(|ticket| matches!(ticket.status, TicketStatus::Pending | TicketStatus::Issued));
    match had_any && issued.is_empty() {
        true => Err(Error::BookingCancelled),
        false => Ok(Ticketed::Already(issued)),
    }
}

/// That a hold costs something else now: what it is, if its supplier says so soon.
async fn held_fare_changed(engine: &Engine, booked: &Booked, agent_fare: Money) -> Error {
    let now = timeout(LOOKED_AT_WITHIN, held_total(engine, booked)).await;
    let (held, now) = now.ok().flatten().unzip();
    // A supplier that shows what it was held for does not say what it costs now.
    let now = now.filter(|now| held.as_ref() != Some(now));
    let changed = ChangedFare {
        currency: agent_fare.currency(),
        old_total: held,
        new_total: now,
        old_agent_fare: Some(agent_fare),
        // Nobody has priced it.
        new_agent_fare: None,
    };
    Error::HeldFareChanged(Some(Box::new(changed)))
}

/// What the suppliers charged for the orders when they were made, and what they charge now, in the wallet's currency.
async fn held_total(engine: &Engine, booked: &Booked) -> Option<(Money, Money)> {
    let currency = booked.booking.amount.currency();
    let (mut held, mut now) = (Money::zero(currency), Money::zero(currency));
    for order in booked.orders.iter().filter(|order| is_live(order)) {
        let rate = booked.booking.sale(order.number)?.exchange_rate;
        let stored = order.content.as_ref()?.total;
        let seen = match order.status {
            OrderStatus::Held => match find(engine, booked, order).await.ok()? {
                Answer::Done(Some(seen)) => seen.total,
                _ => return None,
            },
            _ => stored,
        };
        held = held.plus(stored.converted(rate, currency).ok()?).ok()?;
        now = now.plus(seen.converted(rate, currency).ok()?).ok()?;
    }
    Some((held, now))
}

/// How the booking's tickets stand: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
#[boxed]
pub async fn ticket(core: &Core, caller: &Caller, reference: &BookingRef) -> Result<Ticketed> {
    let booked: Booked = load(core, caller, reference).await?;
    Ok(issued(booked.orders))
}

/// Pending while any order that stands is.
fn issued(mut orders: Vec<Order<SupplierOrder>>) -> Ticketed {
    orders.retain(is_live);
    let paid = |order: &Order<SupplierOrder>| order.status == OrderStatus::Confirmed;
    if !orders.iter().all(paid) {
        return Ticketed::Pending;
    }
    Ticketed::Done(tickets(orders))
}

/// The tickets of the orders that stand.
fn tickets(orders: Vec<Order<SupplierOrder>>) -> Vec<Ticket> {
    let live = orders.into_iter().filter(is_live);
    let contents = live.filter_map(|order| order.content);
    contents.flat_map(|content| content.tickets).collect()
}

fn result(mut progress: Progress, first: &Step) -> Result<Ticketed> {
    if let Some(error) = progress.error.take() {
        return Err(error);
    }
    if progress.open {
        return Ok(Ticketed::Pending);
    }
    let closed = progress.of(first.booking).ok_or(Error::NotFound)?;
    let orders = closed.orders.iter().cloned().map(Order::read);
    Ok(issued(orders.collect::<Result<_, _>>()?))
}
