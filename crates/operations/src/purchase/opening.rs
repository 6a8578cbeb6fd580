//! The opening of purchases: quotes are used, money is held, bookings and intended effects are written, for many
//! callers in one transaction.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, EffectId, EffectKind, HoldId, OrderStatus, OrganizationId,
    ProductKind, QuoteId, UserId,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    bookings::{Booking, Order, Summary},
    effects::Effect,
    writes::Writes,
};

use super::{Intent, OrderIntent, due};
use crate::{
    Caller, Error, Platform, Result,
    idempotency::{IdempotencyKey, Tied},
    journal,
    writers::Known,
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
    key: Option<IdempotencyKey>,
}

/// What came of it.
pub(crate) enum Stood {
    /// It is open: the booking, and its effects with the moment from which they may be sent.
    Open(Box<Booking<()>>, Vec<Effect>),
    /// Another booking uses the quote.
    QuoteUsed,
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
            key: key.cloned(),
        };
        for (number, order) in (1_u16..).zip(&intent.requests) {
            opening.add(platform, number, order)?;
        }
        Ok(opening)
    }

    fn add<R: Serialize>(&mut self, platform: &Platform, number: u16, order: &OrderIntent<R>) -> Result<()> {
        let now = platform.clock.now();
        self.orders.push(Order {
            number,
            reference: self.reference.order(number),
            supplier: order.supplier.clone(),
            status: OrderStatus::Pending,
            supplier_order_id: None,
            content: None,
        });
        self.effects.push(Effect {
            id: EffectId::new(&platform.clock),
            organization: self.caller.organization(),
            booking: self.id,
            number,
            kind: EffectKind::Book,
            supplier: order.supplier.clone(),
            requested_by: Some(self.caller.user()),
            request: serde_json::to_value(&order.request)?,
            sent_at: now,
            due_at: due(now, order.deadline),
            attempts: 0,
            problem: None,
        });
        Ok(())
    }

    pub(crate) fn used_key(&self) -> Option<(OrganizationId, UserId, &str)> {
        let key = self.key.as_ref()?;
        Some((self.caller.organization(), self.caller.user(), &key.key))
    }

    fn booking(&self, platform: &Platform, wallet: &Wallet) -> Booking<()> {
        Booking {
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
            amount: self.totals.agent_fare,
            base_fare: self.totals.base,
            public_fare: self.totals.public_fare,
            product: (),
            sales: self.sales.clone(),
            failure: None,
            created_at: platform.clock.now(),
            booked_at: None,
            cancelled_at: None,
        }
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
    let mut wallet = known.wallet_of(opening.caller.payer())?;
    let amount = opening.totals.agent_fare;
    wallet.hold(amount)?;
    let booking = opening.booking(platform, &wallet);
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
    writes.new_booking(&booking, &opening.product, &opening.orders)?;
    for effect in &effects {
        writes.new_effect(effect);
    }
    if let (Some(key), Some(first)) = (&opening.key, effects.first()) {
        let tied = Tied::Effect(booking.reference.clone(), first.id);
        writes.key(key.of(&opening.caller), tied, first.sent_at);
    }
    let actor = opening.caller.actor();
    writes.event(&journal::of_booking(
        platform,
        &actor,
        &booking,
        "booking.requested",
        None,
    ));
    batch.append(writes);
    known.wallets.insert(wallet.id, wallet);
    known.quotes.insert(opening.quote, Some(opening.id));
    known.used_keys.extend(key);
    Ok(Stood::Open(Box::new(booking), effects))
}
