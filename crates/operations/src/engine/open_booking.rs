//! The opening of purchases: quotes are used, money is held, bookings and intended steps are written, for many
//! callers in one transaction.

use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, EventKind, HoldId, Money, OrderStatus, OrganizationId, ProductKind,
    QuoteId, StepId, StepKind, UserId,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{Booking, Fingerprint, Order, Summary},
        steps::Step,
    },
};

use super::purchase::{OrderRequest, PurchaseRequest, due, standing};
use crate::{
    Caller, Error, Platform, Result,
    access::idempotency::{CreatedResource, IdempotencyKey},
    engine::{begin_step::nothing_pending, commit::BatchState, steps::cancel::CancelRequest},
    money::low_balance::ChangedWallet,
    tools::audit_event,
};

/// A purchase that is to be opened.
pub(crate) struct OpenBooking {
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
    steps: Vec<Step>,
    fingerprint: Option<Fingerprint>,
    /// Whether it may be a duplicate of one that was just made.
    allow_duplicate: bool,
    /// The booking that is given back when this one stands.
    pub(crate) original: Option<(OrganizationId, BookingId)>,
    key: Option<IdempotencyKey>,
}

/// What came of it.
pub(crate) enum OpenResult {
    /// It is open: the booking, and its steps with the moment from which they may be sent.
    Open(Box<Booking<()>>, Vec<Step>),
    /// Another booking uses the quote.
    QuoteUsed,
    /// The same people have just been booked on the same flights.
    Duplicate(BookingRef),
}

impl OpenBooking {
    pub(super) fn new<P: Serialize, R: Serialize>(
        platform: &Platform,
        caller: &Caller,
        kind: ProductKind,
        request: &PurchaseRequest<P, R>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Self> {
        let id = BookingId::new(&platform.clock);
        let mut opening = Self {
            caller: caller.clone(),
            id,
            hold: HoldId::new(&platform.clock),
            quote: request.quote,
            reference: request.reference.clone(),
            kind,
            summary: request.summary.clone(),
            product: to_raw_value(&request.product)?,
            sales: request.sales.clone(),
            totals: Totals::of(&request.sales, caller.currency())?,
            orders: Vec::new(),
            steps: Vec::new(),
            fingerprint: request.fingerprint,
            allow_duplicate: request.allow_duplicate,
            original: request
                .replaces
                .as_ref()
                .map(|original| (caller.organization(), original.booking)),
            key: key.cloned(),
        };
        for (number, order) in (1_u16..).zip(&request.requests) {
            opening.add(platform, number, order)?;
        }
        for (number, supplier, order_id) in request.replaces.iter().flat_map(|original| &original.cancels) {
            let step = opening.step(platform, *number, StepKind::Cancel, supplier);
            opening.steps.push(Step {
                booking: opening.original.map_or(id, |(_, booking)| booking),
                request: serde_json::to_value(CancelRequest {
                    replaced_by: Some(request.reference.clone()),
                    ..CancelRequest::requoting(order_id)
                })?,
                ..step
            });
        }
        form_saga(&mut opening.steps);
        Ok(opening)
    }

    fn step(&self, platform: &Platform, number: u16, kind: StepKind, supplier: &str) -> Step {
        let (id, now) = (StepId::new(&platform.clock), platform.clock.now());
        Step {
            id,
            organization: self.caller.organization(),
            booking: self.id,
            number,
            saga: id,
            position: 1,
            saga_length: 1,
            planned: false,
            kind,
            supplier: supplier.to_owned(),
            requested_by: Some(self.caller.user()),
            request: Value::Null,
            sent_at: now,
            due_at: due(now, platform.step_deadline(supplier)),
            attempts: 0,
            problem: None,
        }
    }

    fn add<R: Serialize>(&mut self, platform: &Platform, number: u16, order: &OrderRequest<R>) -> Result<()> {
        self.orders.push(Order {
            number,
            reference: self.reference.order(number),
            supplier: order.supplier.clone(),
            status: OrderStatus::Pending,
            supplier_order_id: None,
            content: None,
            next_poll_at: None,
        });
        let step = self.step(platform, number, StepKind::Book, &order.supplier);
        self.steps.push(Step {
            request: serde_json::to_value(&order.request)?,
            ..step
        });
        Ok(())
    }

    pub(crate) fn used_key(&self) -> Option<(OrganizationId, UserId, &str)> {
        let key = self.key.as_ref()?;
        Some((self.caller.organization(), self.caller.user(), &key.key))
    }

    pub(crate) fn fingerprint(&self) -> Option<(OrganizationId, Fingerprint)> {
        let fingerprint = self.fingerprint.filter(|_| !self.allow_duplicate)?;
        Some((self.caller.organization(), fingerprint))
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
pub(crate) fn form_saga(steps: &mut [Step]) {
    let length = u16::try_from(steps.len()).unwrap_or(u16::MAX);
    let first = steps.first().map(|step| step.id);
    for (position, step) in (1_u16..).zip(steps) {
        step.saga = first.unwrap_or(step.id);
        (step.position, step.saga_length, step.planned) = (position, length, position > 1);
    }
}

/// One purchase; what can fail comes before what changes anything.
pub(crate) fn open(
    platform: &Platform,
    opening: &OpenBooking,
    state: &mut BatchState,
    batch: &mut Writes,
) -> Result<OpenResult> {
    let organization = opening.caller.organization();
    match state.quotes.get(&opening.quote) {
        Some(None) => {}
        // A batch before it was committed, though nobody told us so: its steps are not sent any more.
        Some(Some(id)) if *id == opening.id => {
            return Err(Error::Internal(format!(
                "{} was written twice",
                opening.reference
            )));
        }
        Some(Some(_)) => return Ok(OpenResult::QuoteUsed),
        None => return Err(Error::NotFound),
    }
    let key = opening
        .key
        .as_ref()
        .map(|key| (opening.caller.user(), key.key.clone()));
    if key.as_ref().is_some_and(|key| state.used_keys.contains(key)) {
        return Err(Error::KeyRunning);
    }
    if let Some(duplicate) = opening
        .fingerprint()
        .and_then(|fingerprint| state.duplicates.get(&fingerprint))
    {
        return Ok(OpenResult::Duplicate(duplicate.clone()));
    }
    if let Some((_, id)) = opening.original {
        let original = state.originals.get(&id).ok_or(Error::NotFound)?;
        standing(&original.booking)?;
        nothing_pending(&original.under_way)?;
        // They were read before it was locked.
        let planned = opening.steps.iter().filter(|step| step.booking == id);
        if !planned
            .map(|step| step.number)
            .eq(original.standing.iter().copied())
        {
            return Err(Error::StepPending(StepKind::Cancel));
        }
    }
    let mut wallet = state.wallet_of(opening.caller.payer())?;
    let amount = opening.amount()?;
    let before = wallet.clone();
    wallet.hold(amount)?;
    let booking = opening.booking(platform, &wallet)?;
    // The clock starts when the wait for quote and wallet is over.
    let now = platform.clock.now();
    let mut steps = opening.steps.clone();
    for step in &mut steps {
        step.due_at += now - step.sent_at;
        step.sent_at = now;
    }
    let actor = opening.caller.actor();
    let payer = opening.caller.payer();
    let low = state.low_balances.get(&wallet.id).copied();
    let changed = ChangedWallet::new(platform, &actor, payer, low, [&before, &wallet])?;
    let mut writes = Writes::default();
    writes.place_hold(organization, opening.hold, wallet.id, amount, now);
    writes.quote(organization, opening.quote, Some(opening.id));
    writes.new_booking(
        &booking,
        opening.fingerprint.as_ref(),
        &opening.product,
        &opening.orders,
    )?;
    for step in &steps {
        writes.new_step(step);
    }
    // It is free again when any of the orders is refused, since then the last one is too.
    let last = steps.iter().rfind(|step| step.kind == StepKind::Book);
    if let (Some(key), Some(last)) = (&opening.key, last) {
        let created = CreatedResource::Step(booking.reference.clone(), last.id);
        writes.key(key.of(&opening.caller), created, last.sent_at);
    }
    writes.event(&audit_event::of_booking(
        platform,
        &actor,
        &booking,
        EventKind::BookingRequested,
        None,
    ));
    changed.write(&mut writes);
    batch.append(writes);
    state.wallets.insert(wallet.id, wallet);
    state.quotes.insert(opening.quote, Some(opening.id));
    state.used_keys.extend(key);
    state.duplicates.extend(
        opening
            .fingerprint()
            .map(|fingerprint| (fingerprint, booking.reference.clone())),
    );
    let original = opening.original.and_then(|(_, id)| state.originals.get_mut(&id));
    if let Some(original) = original {
        original
            .under_way
            .extend(steps.iter().filter(|step| step.booking != opening.id).cloned());
    }
    Ok(OpenResult::Open(Box::new(booking), steps))
}
