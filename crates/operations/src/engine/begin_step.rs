//! Effects on bookings that stand: written, with their event, before the supplier is asked for anything.

use diesel_async::AsyncConnection;
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::{Actor, EffectId, EffectKind, OrderStatus};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Order},
        steps::{self, Effect},
    },
    money::wallets,
};

use crate::{
    Caller, Error, Platform, Result,
    engine::purchase::{Service, chain, due, standing, stands},
    events::audit_event,
    money::low_balance,
    tools::idempotency::{CreatedResource, IdempotencyKey, key_conflict},
};

/// What is to be done with orders of a booking, one after the other.
pub(crate) struct Intent<'a, P> {
    pub booking: &'a Booking<P>,
    pub kind: EffectKind,
    /// The event's name.
    pub action: &'static str,
    /// Why, in the words of whoever wants it.
    pub reason: Option<String>,
    /// On which orders.
    pub wishes: Vec<Wish>,
    /// Whose money is set aside for it, if it costs any.
    pub service: Option<&'a Service>,
}

/// What is to be done with one order.
pub(crate) struct Wish {
    number: u16,
    supplier: String,
    request: Value,
}

impl Wish {
    /// `request` is kept, so that anybody can find out what came of it.
    pub(crate) fn on<O, R: Serialize>(order: &Order<O>, request: &R) -> Result<Self> {
        Ok(Self {
            number: order.number,
            supplier: order.supplier.clone(),
            request: serde_json::to_value(request)?,
        })
    }
}

/// Writes the intended effects, the first of them to be sent now: of many at once on one booking, one goes on.
///
/// # Errors
/// The error of a booking that does not stand, [`Error::EffectPending`] when something is under way,
/// [`Error::InsufficientFunds`].
pub(crate) async fn open<P>(
    platform: &Platform,
    actor: &Actor,
    intent: Intent<'_, P>,
    key: Option<(&Caller, &IdempotencyKey)>,
) -> Result<Vec<Effect>> {
    let now = platform.clock.now();
    let mut effects: Vec<Effect> = intent
        .wishes
        .into_iter()
        .map(|wish| {
            let id = EffectId::new(&platform.clock);
            Effect {
                id,
                organization: intent.booking.organization,
                booking: intent.booking.id,
                number: wish.number,
                chain: id,
                step: 1,
                steps: 1,
                planned: false,
                kind: intent.kind,
                due_at: due(now, platform.effect_deadline(&wish.supplier)),
                supplier: wish.supplier,
                requested_by: actor.user,
                request: wish.request,
                sent_at: now,
                attempts: 0,
                problem: None,
            }
        })
        .collect();
    chain(&mut effects);
    let (organization, id, wallet) = (
        intent.booking.organization,
        intent.booking.id,
        intent.booking.wallet,
    );
    let mut connection = platform.database.connection().await?;
    let opened = connection.transaction(async |connection| {
        let mut writes = Writes::default();
        // Wallets are locked before bookings, always.
        if let Some(service) = intent.service {
            let mut wallet = wallets::lock_one(connection, organization, wallet).await?;
            let before = wallet.clone();
            wallet.hold(service.amount)?;
            let (owner, low) = wallets::owner_of(connection, organization, &wallet).await?;
            if let Some(event) = low_balance::event(platform, actor, owner, low, [&before, &wallet])? {
                writes.event(&event);
            }
            writes.wallet(organization, &wallet);
            writes.place_hold(organization, service.hold, wallet.id, service.amount, now);
        }
        let booking = bookings::lock(connection, organization, id).await?;
        standing(&booking)?;
        nothing_pending(&steps::under_way_on(connection, organization, id).await?)?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        check(&effects, &orders.remove(&id).unwrap_or_default())?;
        for effect in &effects {
            writes.new_effect(effect);
        }
        // It is free again when any of them is refused, since then the last one is too.
        if let (Some((caller, key)), Some(last)) = (key, effects.last()) {
            let created = CreatedResource::Effect(booking.reference.clone(), last.id);
            writes.key(key.of(caller), created, last.sent_at);
        }
        let mut event = audit_event::of_booking(platform, actor, &booking, intent.action, None);
        if let (Some(reason), Some(Value::Object(told))) = (intent.reason, &mut event.new_value) {
            told.insert("reason".to_owned(), reason.into());
        }
        writes.event(&event);
        writes.send(connection).await.map_err(key_conflict)
    });
    opened.await?;
    Ok(effects)
}

/// That the orders which these act on are still to be had: they were read before the booking was locked.
fn check(effects: &[Effect], orders: &[Order<Value>]) -> Result<()> {
    for effect in effects {
        let order = orders.iter().find(|order| order.number == effect.number);
        match order.filter(|order| stands(order)).map(|order| order.status) {
            None => return Err(Error::BookingCancelled),
            Some(OrderStatus::Confirmed) if effect.kind == EffectKind::Ticket => {
                return Err(Error::TicketIssued);
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// That nothing is under way on the booking whose effects these are.
///
/// # Errors
/// [`Error::EffectPending`].
pub(crate) fn nothing_pending(under_way: &[Effect]) -> Result<()> {
    under_way
        .first()
        .map_or(Ok(()), |effect| Err(Error::EffectPending(effect.kind)))
}
