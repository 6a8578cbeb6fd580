//! Steps on bookings that stand: written, with their event, before the supplier is asked for anything.

use diesel_async::AsyncConnection;
use serde::Serialize;
use wayfare_domain::{Actor, EventKind, OrderStatus, SealedKind, StepKind};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        booking_holds,
        bookings::{self, Booking, Order},
        people,
        steps::{self, Step},
    },
    money::wallets,
};

use crate::{
    Caller, Engine, Error, Result,
    access::idempotency::{CreatedResource, IdempotencyKey, key_conflict},
    engine::{
        booking_state::{check_confirmed, is_live, nothing_pending},
        note::Note,
        step::{NewStep, Service, form_saga},
    },
    money::low_balance::ChangedWallet,
    people::sealed,
    tools::audit_event,
};

/// What is to be done with orders of a booking, one after the other.
pub(crate) struct BeginSteps<'a, P> {
    pub booking: &'a Booking<P>,
    pub kind: StepKind,
    pub action: EventKind,
    /// What whoever wants it says beside it, without what it says of people.
    pub note: Option<Note>,
    pub requests: Vec<StepRequest>,
    /// Whose money is set aside for it, if it costs any.
    pub service: Option<&'a Service>,
    /// Whether it is begun only while the booking is to be ticketed by itself.
    pub by_itself: bool,
}

/// What is to be done with one order.
pub(crate) struct StepRequest {
    number: u16,
    supplier: String,
    request: JsonText,
    /// How many parts of the order were given back when it was asked for.
    parts: usize,
}

impl StepRequest {
    /// `request` is kept, so that anybody can find out what came of it.
    pub(crate) fn on<O, R: Serialize + Send + Sync + 'static>(order: &Order<O>, request: R) -> Result<Self> {
        Ok(Self {
            number: order.number,
            supplier: order.supplier.clone(),
            request: JsonText::keeping(request)?,
            parts: order.given_back.len(),
        })
    }
}

/// Writes the steps, the first of them to be sent now: of many at once on one booking, one goes on.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::StepPending`] when something is under way,
/// [`Error::InsufficientFunds`].
pub(crate) async fn open<P>(
    engine: &Engine,
    actor: &Actor,
    request: BeginSteps<'_, P>,
    key: Option<(&Caller, &IdempotencyKey)>,
) -> Result<Vec<Step>> {
    let (now, sent_at) = (engine.core.clock.now(), engine.core.shared_time.now());
    let new = |asked: StepRequest| {
        let new = NewStep {
            organization: request.booking.organization,
            booking: request.booking.id,
            number: asked.number,
            supplier: &asked.supplier,
            kind: request.kind,
            request: asked.request,
            requested_by: actor.user,
        };
        new.at(engine, sent_at)
    };
    // How many parts of each order were given back when it was asked for.
    let parts: Vec<_> = request.requests.iter().map(|one| (one.number, one.parts)).collect();
    let mut steps: Vec<Step> = request.requests.into_iter().map(new).collect();
    form_saga(&mut steps);
    let (organization, id, wallet) =
        (request.booking.organization, request.booking.id, request.booking.wallet);
    let mut connection = engine.core.database.connection().await?;
    let opened = connection.transaction(async |connection| {
        let mut writes = Writes::default();
        // Wallets are locked before bookings, always.
        if let Some(service) = request.service {
            let mut wallet = wallets::lock_one(connection, organization, wallet).await?;
            let before = wallet.clone();
            wallet.hold(service.amount)?;
            let (owner, low) = wallets::owner_of(connection, organization, &wallet).await?;
            ChangedWallet::new(&engine.core, actor, owner, low, [&before, &wallet])?.write(&mut writes);
            writes.place_hold(organization, service.hold, wallet.id, service.amount, now);
        }
        let booking = bookings::lock(connection, organization, id).await?;
        check_confirmed(&booking)?;
        nothing_pending(&steps::under_way_on(connection, organization, id).await?)?;
        if request.by_itself {
            let hold = booking_holds::lock(connection, organization, id).await?;
            // Somebody has withdrawn it just now.
            hold.filter(|hold| hold.auto_ticket_since.is_some()).ok_or(Error::NotFound)?;
        }
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        check(&steps, &parts, &orders)?;
        for step in &steps {
            writes.new_step(step);
        }
        // It is free again when any of them is refused, since then the last one is too.
        if let (Some((caller, key)), Some(last)) = (key, steps.last()) {
            let created = CreatedResource::Step(booking.reference.clone(), last.id);
            let row = people::row(connection, organization, id, SealedKind::AnswerKey).await?;
            let answers = row.map(|row| sealed::answer_key(&engine.core, organization, id, &row));
            key.seal_answer_with(answers.transpose()?.flatten());
            writes.key(key.of(caller), created, now);
        }
        let mut event = audit_event::of_booking(&engine.core, actor, &booking, request.action, None);
        if let Some(note) = &request.note {
            note.write(&mut event);
        }
        writes.event(&event);
        writes.send(connection).await.map_err(key_conflict)
    });
    opened.await?;
    Ok(steps)
}

/// That the orders which these act on are still to be had: they were read before the booking was locked.
fn check(steps: &[Step], parts: &[(u16, usize)], orders: &[Order<JsonText>]) -> Result<()> {
    check_parts(parts, orders)?;
    for step in steps {
        let order = orders.iter().find(|order| order.number == step.number);
        match order.filter(|order| is_live(order)).map(|order| order.status) {
            None => return Err(Error::BookingCancelled),
            // It was paid meanwhile, as whoever asks again is told.
            Some(OrderStatus::Confirmed) if step.kind == StepKind::Ticket => {
                return Err(Error::StepPending(StepKind::Ticket));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// That no part of these orders was given back since they were read: it would be given back twice.
fn check_parts(parts: &[(u16, usize)], orders: &[Order<JsonText>]) -> Result<()> {
    for (number, known) in parts {
        let mut orders = orders.iter();
        let is_same = |order: &Order<JsonText>| order.number == *number && order.given_back.len() == *known;
        if !orders.any(is_same) {
            return Err(Error::StepPending(StepKind::Cancel));
        }
    }
    Ok(())
}
