//! The opening of purchases: quotes are used, money is held, bookings and intended effects are written, for many
//! callers in one transaction.

use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, EffectId, EffectKind, HoldId, Money, OrderStatus, OrganizationId,
    ProductKind, QuoteId, UserId,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{Booking, Likeness, Order, Summary},
        steps::Effect,
    },
};

use super::purchase::{Intent, OrderIntent, due, standing};
use crate::{
    Caller, Error, Platform, Result,
    engine::{begin_step::nothing_pending, commit::Known, steps::cancel::CancelRequest},
    events::audit_event,
    money::low_balance,
    tools::idempotency::{CreatedResource, IdempotencyKey},
};

/// A purchase that is to be opened.
pub(crate) struct Opening {
    pub(crate) caller: Caller,
    id: BookingId,
    hold: HoldId,
    pub(crate) quote: QuoteId,
    reference: BookingRef,
    kind: ProductKind,
    summary: Summary,
    product: Box<RawValue>,
    sales: Vec<Sale>,
    totals: Totals,
    pub(super) orders: Vec<Order<()>>,
    effects: Vec<Effect>,
    likeness: Option<Likeness>,
    /// Whether it may be like one that was just made.
    allow_alike: bool,
    /// The booking that is given back when this one stands.
    pub(crate) original: Option<(OrganizationId, BookingId)>,
    key: Option<IdempotencyKey>,
}

/// What came of it.
pub(crate) enum Stood {
    /// It is open: the booking, and its effects with the moment from which they may be sent.
    Open(Box<Booking<()>>, Vec<Effect>),
    /// Another booking uses the quote.
    QuoteUsed,
    /// The same people have just been booked on the same flights.
    Alike(BookingRef),
}

impl Opening {
    pub(super) fn new<P: Serialize, R: Serialize>(
        platform: &Platform,
        caller: &Caller,
        kind: ProductKind,
        intent: &Intent<P, R>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Self> {
        let id = BookingId::new(&platform.clock);
        let mut opening = Self {
            caller: caller.clone(),
            id,
            hold: HoldId::new(&platform.clock),
            quote: intent.quote,
            reference: intent.reference.clone(),
            kind,
            summary: intent.summary.clone(),
            product: to_raw_value(&intent.product)?,
            sales: intent.sales.clone(),
            totals: Totals::of(&intent.sales, caller.currency())?,
            orders: Vec::new(),
            effects: Vec::new(),
            likeness: intent.likeness,
            allow_alike: intent.allow_alike,
            original: intent
                .replaces
                .as_ref()
                .map(|original| (caller.organization(), original.booking)),
            key: key.cloned(),
        };
        for (number, order) in (1_u16..).zip(&intent.requests) {
            opening.add(platform, number, order)?;
        }
        for (number, supplier, order_id) in intent.replaces.iter().flat_map(|original| &original.cancels) {
            let effect = opening.effect(platform, *number, EffectKind::Cancel, supplier);
            opening.effects.push(Effect {
                booking: opening.original.map_or(id, |(_, booking)| booking),
                request: serde_json::to_value(CancelRequest {
                    replaced_by: Some(intent.reference.clone()),
                    ..CancelRequest::insisting(order_id)
                })?,
                ..effect
            });
        }
        chain(&mut opening.effects);
        Ok(opening)
    }

    fn effect(&self, platform: &Platform, number: u16, kind: EffectKind, supplier: &str) -> Effect {
        let (id, now) = (EffectId::new(&platform.clock), platform.clock.now());
        Effect {
            id,
            organization: self.caller.organization(),
            booking: self.id,
            number,
            chain: id,
            step: 1,
            steps: 1,
            planned: false,
            kind,
            supplier: supplier.to_owned(),
            requested_by: Some(self.caller.user()),
            request: Value::Null,
            sent_at: now,
            due_at: due(now, platform.effect_deadline(supplier)),
            attempts: 0,
            problem: None,
        }
    }

    fn add<R: Serialize>(&mut self, platform: &Platform, number: u16, order: &OrderIntent<R>) -> Result<()> {
        self.orders.push(Order {
            number,
            reference: self.reference.order(number),
            supplier: order.supplier.clone(),
            status: OrderStatus::Pending,
            supplier_order_id: None,
            content: None,
            look_at: None,
        });
        let effect = self.effect(platform, number, EffectKind::Book, &order.supplier);
        self.effects.push(Effect {
            request: serde_json::to_value(&order.request)?,
            ..effect
        });
        Ok(())
    }

    pub(crate) fn used_key(&self) -> Option<(OrganizationId, UserId, &str)> {
        let key = self.key.as_ref()?;
        Some((self.caller.organization(), self.caller.user(), &key.key))
    }

    pub(crate) fn likeness(&self) -> Option<(OrganizationId, Likeness)> {
        let likeness = self.likeness.filter(|_| !self.allow_alike)?;
        Some((self.caller.organization(), likeness))
    }

    /// What the wallet is to pay.
    fn amount(&self) -> Result<Money> {
        Ok(self.totals.payable()?)
    }

    fn booking(&self, platform: &Platform, wallet: &Wallet) -> Result<Booking<()>> {
        Ok(Booking {
            id: self.id,
            reference: self.reference.clone(),
            kind: self.kind,
            organization: self.caller.organization(),
            user: self.caller.user(),
            user_name: self.caller.account().name.clone(),
            wallet: wallet.id,
            hold: self.hold,
            quote: self.quote,
            status: BookingStatus::Pending,
            summary: self.summary.clone(),
            amount: self.amount()?,
            base_fare: self.totals.base,
            public_fare: self.totals.public_fare,
            product: (),
            sales: self.sales.clone(),
            failure: None,
            created_at: platform.clock.now(),
            booked_at: None,
            cancelled_at: None,
        })
    }
}

/// One follows upon the other.
pub(crate) fn chain(effects: &mut [Effect]) {
    let steps = u16::try_from(effects.len()).unwrap_or(u16::MAX);
    let first = effects.first().map(|effect| effect.id);
    for (step, effect) in (1_u16..).zip(effects) {
        effect.chain = first.unwrap_or(effect.id);
        (effect.step, effect.steps, effect.planned) = (step, steps, step > 1);
    }
}

/// One purchase; what can fail comes before what changes anything.
pub(crate) fn open(
    platform: &Platform,
    opening: &Opening,
    known: &mut Known,
    batch: &mut Writes,
) -> Result<Stood> {
    let organization = opening.caller.organization();
    match known.quotes.get(&opening.quote) {
        Some(None) => {}
        // A batch before it was committed, though nobody told us so: its effects are not sent any more.
        Some(Some(id)) if *id == opening.id => {
            return Err(Error::Internal(format!(
                "{} was written twice",
                opening.reference
            )));
        }
        Some(Some(_)) => return Ok(Stood::QuoteUsed),
        None => return Err(Error::NotFound),
    }
    let key = opening
        .key
        .as_ref()
        .map(|key| (opening.caller.user(), key.key.clone()));
    if key.as_ref().is_some_and(|key| known.used_keys.contains(key)) {
        return Err(Error::KeyRunning);
    }
    if let Some(alike) = opening.likeness().and_then(|likeness| known.alike.get(&likeness)) {
        return Ok(Stood::Alike(alike.clone()));
    }
    if let Some((_, id)) = opening.original {
        let original = known.originals.get(&id).ok_or(Error::NotFound)?;
        standing(&original.booking)?;
        nothing_pending(&original.under_way)?;
        // They were read before it was locked.
        let planned = opening.effects.iter().filter(|effect| effect.booking == id);
        if !planned
            .map(|effect| effect.number)
            .eq(original.standing.iter().copied())
        {
            return Err(Error::EffectPending(EffectKind::Cancel));
        }
    }
    let mut wallet = known.wallet_of(opening.caller.payer())?;
    let amount = opening.amount()?;
    let before = wallet.clone();
    wallet.hold(amount)?;
    let booking = opening.booking(platform, &wallet)?;
    // The clock starts when the wait for quote and wallet is over.
    let now = platform.clock.now();
    let mut effects = opening.effects.clone();
    for effect in &mut effects {
        effect.due_at += now - effect.sent_at;
        effect.sent_at = now;
    }
    let mut writes = Writes::default();
    writes.wallet(organization, &wallet);
    writes.place_hold(organization, opening.hold, wallet.id, amount, now);
    writes.quote(organization, opening.quote, Some(opening.id));
    writes.new_booking(
        &booking,
        opening.likeness.as_ref(),
        &opening.product,
        &opening.orders,
    )?;
    for effect in &effects {
        writes.new_effect(effect);
    }
    // It is free again when any of the orders is refused, since then the last one is too.
    let last = effects.iter().rfind(|effect| effect.kind == EffectKind::Book);
    if let (Some(key), Some(last)) = (&opening.key, last) {
        let created = CreatedResource::Effect(booking.reference.clone(), last.id);
        writes.key(key.of(&opening.caller), created, last.sent_at);
    }
    let actor = opening.caller.actor();
    writes.event(&audit_event::of_booking(
        platform,
        &actor,
        &booking,
        "booking.requested",
        None,
    ));
    let (payer, low) = (
        opening.caller.payer(),
        known.low_balances.get(&wallet.id).copied(),
    );
    if let Some(event) = low_balance::event(platform, &actor, payer, low, [&before, &wallet])? {
        writes.event(&event);
    }
    batch.append(writes);
    known.wallets.insert(wallet.id, wallet);
    known.quotes.insert(opening.quote, Some(opening.id));
    known.used_keys.extend(key);
    known.alike.extend(
        opening
            .likeness()
            .map(|likeness| (likeness, booking.reference.clone())),
    );
    let original = opening.original.and_then(|(_, id)| known.originals.get_mut(&id));
    if let Some(original) = original {
        original.under_way.extend(
            effects
                .iter()
                .filter(|effect| effect.booking != opening.id)
                .cloned(),
        );
    }
    Ok(Stood::Open(Box::new(booking), effects))
}
