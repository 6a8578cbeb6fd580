//! Paying for held orders at their suppliers, so that their tickets are issued. The wallet was debited when they were
//! booked: no money moves here (P-12).

use std::sync::Arc;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{BookingRef, EventKind, Money, OrderStatus, StepKind};
use wayfare_flights::{Itinerary, StoredOrder, SupplierOrder, Ticket};
use wayfare_pricing::Totals;
use wayfare_store::booking::{bookings::Order, steps::Step};

use super::stored_request;
use crate::{
    Caller, Error, Platform, Result,
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

/// What is kept of the request.
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

/// How it stands when the call ends.
#[derive(Clone, Debug)]
pub enum Ticketed {
    /// The order is paid: its tickets, as far as the supplier has issued them.
    Done(Vec<Ticket>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Pays for the booking's held orders, one after the other.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::TicketIssued`], [`Error::FareChanged`] when the client
/// agreed to another fare, [`Error::HeldFareChanged`], the supplier's refusal or outage; what it refused is held as
/// before then.
pub async fn issue_ticket(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    stated: StatedFare,
    key: Option<&IdempotencyKey>,
) -> Result<Ticketed> {
    let booked = load(platform, caller, reference).await?;
    let booking = &booked.booking;
    check_confirmed(booking)?;
    let held: Vec<_> = booked
        .orders
        .iter()
        .filter(|order| order.status == OrderStatus::Held)
        .collect();
    if held.is_empty() {
        return Err(Error::TicketIssued);
    }
    let agent_fare = Totals::of(&booking.sales, booking.amount.currency())?.agent_fare;
    if stated.amount != booking.amount.amount()
        || stated
            .agent_fare
            .is_some_and(|agreed| agreed != agent_fare.amount())
    {
        return Err(Error::FareChanged);
    }
    let mut requests = Vec::new();
    for order in held {
        let content = order.content.as_ref().ok_or(Error::NotFound)?;
        let request = TicketRequest {
            booked: stored_request(platform, &booked, order).await?,
            order_id: order_id(order)?.to_owned(),
            total: content.total,
        };
        requests.push(StepRequest::on(order, &request)?);
    }
    let request = BeginSteps {
        booking,
        kind: StepKind::Ticket,
        action: EventKind::TicketRequested,
        reason: None,
        requests,
        service: None,
    };
    let steps = begin_step::open(platform, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (platform, caller) = (platform.clone(), caller.clone());
        async move {
            let first = steps.first().ok_or(Error::TicketIssued)?;
            let progress = saga::run_saga(&platform, &caller.actor(), first, None).await?;
            result(progress, first)
        }
    };
    within_patience(platform, reference, Ticketed::Pending, carried_out).await
}

/// How the booking's tickets stand: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn ticket(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Ticketed> {
    let booked: Booked = load(platform, caller, reference).await?;
    Ok(issued(booked.orders))
}

/// Pending while any order that stands is.
fn issued(mut orders: Vec<Order<SupplierOrder>>) -> Ticketed {
    orders.retain(is_live);
    let paid = |order: &Order<SupplierOrder>| order.status == OrderStatus::Confirmed;
    if !orders.iter().all(paid) {
        return Ticketed::Pending;
    }
    let contents = orders.into_iter().filter_map(|order| order.content);
    Ticketed::Done(contents.flat_map(|content| content.tickets).collect())
}

fn result(mut progress: Progress, first: &Step) -> Result<Ticketed> {
    if let Some(error) = progress.error.take() {
        return Err(error);
    }
    if progress.open {
        return Ok(Ticketed::Pending);
    }
    let closed = progress.of(first.booking).ok_or(Error::NotFound)?;
    let orders = closed.orders.iter().cloned();
    let orders = orders.map(|order| progress.typed::<Itinerary>(&closed.booking, order));
    Ok(issued(orders.collect::<Result<_>>()?))
}
