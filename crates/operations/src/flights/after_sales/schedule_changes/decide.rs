//! Schedule changes as the agency decides on them: accepted at their supplier, or refused.

use std::{collections::BTreeMap, sync::Arc};

use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, ChangeId, ChangeState, EventKind, IncidentKind, StepKind};
use wayfare_flights::{AirlineChange, Itinerary};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{self, Order},
        order_changes::{self, Decision, OrderChange},
        refunds, steps,
    },
};

use super::{
    super::order::stored_request,
    found::{describe, is_large},
};
use crate::{
    Caller, Core, Engine, Error, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    bookings::{
        cancel::{self, Cancelled, GivenBack, Penalty},
        load_without_names, order_id,
    },
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live, nothing_pending},
        incidents,
        patience::within_patience,
        saga,
        steps::accept_change::AcceptRequest,
    },
    flights::Booked,
    tools::audit_event,
};

/// Of a supplier that takes no answers, and of what it does not ask about.
const NOT_ACCEPTED: &str = "provider does not support accepting changes";
pub(crate) const DECIDED: &str = "this change can't be decided on any more";

/// How the acceptance of a change stands when the call ends.
#[derive(Clone, Debug)]
pub enum Accepted {
    Done(Box<OrderChange>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// How the refusal of a change stands when the call ends.
#[derive(Clone, Debug)]
pub enum Refused {
    /// The order is given back; this much of it is in the wallet.
    Cancelled(Box<OrderChange>, RefundTerms),
    /// The supplier would keep a part of what all should come back of: the operator was asked, nothing is cancelled.
    Asked(Box<OrderChange>),
    /// The supplier has not said so yet; the worker finds out.
    Pending,
}

/// Accepts what an airline has changed. What is accepted already is so.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, the error of a booking that does not stand, [`Error::NotSupported`] where there
/// is nothing to accept, [`Error::NewerChange`], the supplier's refusal or outage; the change is open as before then.
#[boxed]
pub async fn accept(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    id: ChangeId,
    key: Option<&IdempotencyKey>,
) -> Result<Accepted> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let change = find(&engine.core, &booked, id).await?;
    match change.state {
        ChangeState::Accepted => return Ok(Accepted::Done(Box::new(change))),
        ChangeState::Superseded => return Err(Error::NewerChange),
        ChangeState::Open
        | ChangeState::Informed
        | ChangeState::Chosen
        | ChangeState::Refused
        | ChangeState::Ended => {}
    }
    check_confirmed(&booked.booking)?;
    let order = order_of(&booked, &change)?;
    if !engine.suppliers.flight_supplier(&order.supplier)?.accepts_changes()
        || !change.actions.iter().any(|action| action == AirlineChange::ACCEPT)
    {
        return Err(Error::NotSupported(NOT_ACCEPTED));
    }
    check_open(&change)?;
    let asked = AcceptRequest {
        booked: JsonText::keeping(stored_request(&engine.core, &booked, order).await?)?,
        order_id: order_id(order)?.to_owned(),
        change: change.id,
        supplier_id: change.supplier_id.clone(),
    };
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::AcceptChange,
        action: EventKind::BookingChangeAcceptRequested,
        note: None,
        requests: vec![StepRequest::on(order, asked)?],
        service: None,
        by_itself: false,
    };
    let steps = begin_step::open(engine, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (engine, caller, reference) = (engine.clone(), caller.clone(), reference.clone());
        async move {
            let first = steps.first().ok_or(Error::NotFound)?;
            let progress = saga::run_saga(&engine, &caller.actor(), first, None).await?;
            match progress.error {
                Some(error) => Err(error),
                None => acceptance(&engine.core, &caller, &reference, id).await,
            }
        }
    };
    within_patience(&engine.core, reference, Accepted::Pending, carried_out).await
}

/// How the acceptance of a change stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, [`Error::NewerChange`].
#[boxed]
pub async fn acceptance(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
    id: ChangeId,
) -> Result<Accepted> {
    let booked: Booked = load_without_names(core, caller, reference).await?;
    let change = find(core, &booked, id).await?;
    match change.state {
        ChangeState::Accepted => Ok(Accepted::Done(Box::new(change))),
        ChangeState::Superseded => Err(Error::NewerChange),
        ChangeState::Open
        | ChangeState::Informed
        | ChangeState::Chosen
        | ChangeState::Refused
        | ChangeState::Ended => Ok(Accepted::Pending),
    }
}

/// Refuses what an airline has changed. For its money the order is given back at what its supplier quotes now. Where that would
/// keep a part although nobody has to bear the change, nothing is cancelled and the operator is asked.
///
/// # Errors
/// As [`accept`].
#[boxed]
pub async fn refuse(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    id: ChangeId,
    key: Option<&IdempotencyKey>,
) -> Result<Refused> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let change = find(&engine.core, &booked, id).await?;
    if change.state == ChangeState::Refused {
        return refused(&engine.core, &booked, change).await;
    }
    if change.state == ChangeState::Superseded {
        return Err(Error::NewerChange);
    }
    check_confirmed(&booked.booking)?;
    let order = order_of(&booked, &change)?;
    check_open(&change)?;
    let given_back = given_back(order.number, &change);
    if is_large(&change) {
        let terms = cancel::returned_of_orders(engine, &booked, &given_back).await?.terms;
        if is_the_operators(&change, &terms) {
            return ask_operator(&engine.core, caller, &booked, change, &terms).await;
        }
    }
    match cancel::cancel_orders(engine, caller, booked, given_back, None, key).await? {
        Cancelled::Done(terms) | Cancelled::Part(terms, _) => {
            let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
            let change = find(&engine.core, &booked, id).await?;
            Ok(Refused::Cancelled(Box::new(change), terms))
        }
        Cancelled::Pending => Ok(Refused::Pending),
    }
}

/// What refusing a change would give back now.
#[derive(Clone, Debug)]
pub struct RefusalQuote {
    pub penalty: Penalty<Itinerary>,
    /// That nothing is cancelled by refusing it, but the operator is asked to get all of it back.
    pub asks_operator: bool,
}

/// Asks the supplier what refusing a change would give back: the same question as [`refuse`] asks it.
///
/// # Errors
/// As [`accept`].
#[boxed]
pub async fn refusal_quote(
    engine: &Engine,
    caller: &Caller,
    reference: &BookingRef,
    id: ChangeId,
) -> Result<RefusalQuote> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let change = find(&engine.core, &booked, id).await?;
    check_confirmed(&booked.booking)?;
    let order = order_of(&booked, &change)?;
    check_open(&change)?;
    let given_back = given_back(order.number, &change);
    let penalty = cancel::penalty_of(engine, booked, &given_back).await?;
    Ok(RefusalQuote { asks_operator: is_the_operators(&change, &penalty.terms), penalty })
}

fn given_back(order: u16, change: &OrderChange) -> GivenBack {
    GivenBack { orders: Some(BTreeMap::from([(order, None)])), refused_change: Some(change.id) }
}

/// Whether the supplier would keep a part although nobody has to bear the change.
fn is_the_operators(change: &OrderChange, terms: &RefundTerms) -> bool {
    is_large(change) && !terms.cancellation_charge.is_zero()
}

/// How the refusal of a change stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
#[boxed]
pub async fn refusal(core: &Core, caller: &Caller, reference: &BookingRef, id: ChangeId) -> Result<Refused> {
    let booked: Booked = load_without_names(core, caller, reference).await?;
    let change = find(core, &booked, id).await?;
    refused(core, &booked, change).await
}

async fn refused(core: &Core, booked: &Booked, change: OrderChange) -> Result<Refused> {
    if change.state != ChangeState::Refused {
        return Ok(Refused::Pending);
    }
    let mut connection = core.database.connection().await?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let refunds = refunds::of(&mut connection, organization, id).await?;
    let mut of_order = refunds.iter().filter(|refund| refund.number == change.number);
    Ok(match of_order.find(|refund| refund.ends_order()) {
        Some(refund) if change.step.is_some() => Refused::Cancelled(Box::new(change), refund.into()),
        _ => Refused::Asked(Box::new(change)),
    })
}

/// Writes that the agency refuses the change, with an incident: the operator finds out at the supplier what comes back.
async fn ask_operator(
    core: &Core,
    caller: &Caller,
    booked: &Booked,
    change: OrderChange,
    terms: &RefundTerms,
) -> Result<Refused> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let now = core.clock.now();
    let mut connection = core.database.connection().await?;
    let asked = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        check_confirmed(&booking)?;
        nothing_pending(&steps::under_way_on(connection, organization, id).await?)?;
        let mut changes = order_changes::of(connection, organization, id).await?.into_iter();
        let mut change = changes.find(|one| one.id == change.id).ok_or(Error::NotFound)?;
        if change.state == ChangeState::Refused {
            return Ok(change);
        }
        check_open(&change)?;
        change.state = ChangeState::Refused;
        (change.due_at, change.decided_at, change.decided_by) = (None, Some(now), Some(caller.user()));
        let mut writes = Writes::default();
        writes.decide(&Decision {
            organization,
            booking: id,
            number: change.number,
            supplier_id: Some(&change.supplier_id),
            state: change.state,
            due_at: None,
            decided_at: change.decided_at,
            decided_by: change.decided_by,
            step: None,
        });
        let (actor, action) = (caller.actor(), EventKind::BookingChangeRefused);
        let mut event = audit_event::of_booking(core, &actor, &booking, action, None);
        describe(&mut event, &change);
        writes.event(&event);
        writes.send(connection).await?;
        let details = json!({
            "change_id": change.id,
            "order": change.number,
            "supplier_change_id": change.supplier_id,
            "kind": change.kind,
            "minutes": change.minutes,
            "cancellation_charge": terms.cancellation_charge,
            "provider_refund_amount": terms.provider_refund_amount,
        });
        let problem =
            "an agency refuses a change of its airline's, and the supplier would keep a part of the price";
        let kind = IncidentKind::InvoluntaryRefund;
        incidents::raise_on_booking(core, connection, &booking, kind, problem, details).await?;
        Ok::<_, Error>(change)
    });
    Ok(Refused::Asked(Box::new(asked.await?)))
}

async fn find(core: &Core, booked: &Booked, id: ChangeId) -> Result<OrderChange> {
    let connection = core.database.connection().await?;
    let changes = order_changes::of(&connection, booked.booking.organization, booked.booking.id).await?;
    let mut changes = changes.into_iter();
    changes.find(|change| change.id == id).ok_or(Error::NotFound)
}

fn order_of<'a>(
    booked: &'a Booked,
    change: &OrderChange,
) -> Result<&'a Order<<Itinerary as wayfare_domain::Product>::Order>> {
    let mut orders = booked.orders.iter();
    let order = orders.find(|order| order.number == change.number);
    order.filter(|order| is_live(order)).ok_or(Error::BookingCancelled)
}

fn check_open(change: &OrderChange) -> Result<()> {
    match change.state {
        ChangeState::Open => Ok(()),
        ChangeState::Superseded => Err(Error::NewerChange),
        ChangeState::Informed
        | ChangeState::Accepted
        | ChangeState::Chosen
        | ChangeState::Refused
        | ChangeState::Ended => Err(Error::NotSupported(DECIDED)),
    }
}
