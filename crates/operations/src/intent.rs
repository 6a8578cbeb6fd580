//! Effects on bookings that stand: written, with their event, before the supplier is asked for anything.

use diesel_async::AsyncConnection;
use serde::Serialize;
use wayfare_domain::{EffectId, EffectKind};
use wayfare_store::{
    bookings::{self, Booking, Order},
    effects::{self, Effect},
    writes::Writes,
};

use crate::{
    Caller, Error, Platform, Result,
    idempotency::{IdempotencyKey, Tied, taken},
    journal,
    purchase::{due, standing},
};

/// What is to be done with an order of a booking.
pub(crate) struct Wish<'a, P, O, R> {
    pub booking: &'a Booking<P>,
    pub order: &'a Order<O>,
    pub kind: EffectKind,
    /// The event's name.
    pub action: &'static str,
    /// What is kept of it, so that anybody can find out what came of it.
    pub request: &'a R,
    /// How long the supplier may take to answer.
    pub deadline: std::time::Duration,
}

/// Writes the intended effect: of many at once on one booking, one goes on.
///
/// # Errors
/// The error of a booking that does not stand, or [`Error::EffectPending`] when something is under way.
pub(crate) async fn open<P, O, R: Serialize>(
    platform: &Platform,
    caller: &Caller,
    wish: Wish<'_, P, O, R>,
    key: Option<&IdempotencyKey>,
) -> Result<Effect> {
    let now = platform.clock.now();
    let effect = Effect {
        id: EffectId::new(&platform.clock),
        organization: wish.booking.organization,
        booking: wish.booking.id,
        number: wish.order.number,
        kind: wish.kind,
        supplier: wish.order.supplier.clone(),
        requested_by: Some(caller.user()),
        request: serde_json::to_value(wish.request)?,
        sent_at: now,
        due_at: due(now, wish.deadline),
        attempts: 0,
        problem: None,
    };
    let mut connection = platform.database.connection().await?;
    let opened = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, effect.organization, effect.booking).await?;
        standing(&booking)?;
        let open = effects::open_on(connection, effect.organization, effect.booking).await?;
        nothing_pending(&open)?;
        let mut writes = Writes::default();
        writes.new_effect(&effect);
        if let Some(key) = key {
            let tied = Tied::Effect(booking.reference.clone(), effect.id);
            writes.key(key.of(caller), tied, effect.sent_at);
        }
        let actor = caller.actor();
        writes.event(&journal::of_booking(
            platform,
            &actor,
            &booking,
            wish.action,
            None,
        ));
        writes.send(connection).await.map_err(taken)
    });
    opened.await?;
    Ok(effect)
}

/// That nothing is under way on the booking whose open effects these are.
///
/// # Errors
/// [`Error::EffectPending`].
pub(crate) fn nothing_pending(open: &[Effect]) -> Result<()> {
    open.first()
        .map_or(Ok(()), |effect| Err(Error::EffectPending(effect.kind)))
}
