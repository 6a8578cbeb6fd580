//! The opening of purchases: quotes are used, money is held, bookings and intended steps are written, for many
//! callers in one transaction.

use std::sync::Arc;

use serde::Serialize;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, EventKind, HoldId, Money, OrderStatus, OrganizationId, Product,
    ProductKind, QuoteId, StepKind, Travel, UserId,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{Booking, Order, Summary},
        duplicates::Fingerprints,
        people::NewPeople,
        steps::Step,
    },
};

use crate::{
    Caller, Core, Engine, Error, Result,
    access::idempotency::{CreatedResource, IdempotencyKey},
    engine::{
        batch_state::{BatchState, UsedBy},
        booking_state::{check_confirmed, nothing_pending},
        cancellation::CancelRequest,
        note::Note,
        step::{NewStep, form_saga},
    },
    money::low_balance::ChangedWallet,
    people::sealed::{self, BookingPeople},
    tools::audit_event,
};

pub(crate) struct PurchaseRequest<P: Product> {
    pub quote: QuoteId,
    pub reference: BookingRef,
    pub summary: Summary,
    pub product: P,
    pub sales: Vec<Sale>,
    /// In order of their numbers: each is sent when the one before it was made.
    pub orders: Vec<NewOrder<P::Request>>,
    /// By what another booking of the same is known.
    pub fingerprints: Option<Fingerprints>,
    /// Whether it may be a duplicate of one that was just made.
    pub allow_duplicate: bool,
    /// Whether what is held of it is to be ticketed by itself.
    pub auto_ticket: bool,
    /// Which booking is given back when this one stands.
    pub replaces: Option<Original>,
    pub note: Option<Note>,
}

impl<P: Product> PurchaseRequest<P> {
    pub(super) fn set_reference(&mut self, reference: BookingRef) {
        for (number, order) in (1_u16..).zip(&mut self.orders) {
            P::set_reference(&mut order.request, reference.order(number));
        }
        self.reference = reference;
    }
}

/// A booking whose place, or the place of a part of it, is taken by another.
pub(crate) struct Original {
    pub booking: BookingId,
    pub cancels: Vec<CancelledOriginal>,
}

/// An order that is given back for another booking.
pub(crate) struct CancelledOriginal {
    pub number: u16,
    pub supplier: String,
    /// How many parts of it had come back when it was read.
    pub parts: usize,
    pub request: CancelRequest,
}

/// One supplier order that is about to be made.
pub(crate) struct NewOrder<R> {
    pub supplier: String,
    /// What will be sent; kept, so that anybody can find the order again.
    pub request: R,
}

pub(crate) struct OpenBooking {
    pub(crate) caller: Caller,
    id: BookingId,
    hold: HoldId,
    pub(crate) quote: QuoteId,
    reference: BookingRef,
    kind: ProductKind,
    summary: Summary,
    /// JSON.
    product: Arc<str>,
    pub(crate) people: BookingPeople,
    sealed: NewPeople,
    sales: Vec<Sale>,
    totals: Totals,
    pub(super) orders: Vec<Order<()>>,
    steps: Vec<Step>,
    fingerprints: Option<Fingerprints>,
    /// Whether it may be a duplicate of one that was just made.
    allow_duplicate: bool,
    /// Whether what is held of it is to be ticketed by itself.
    auto_ticket: bool,
    /// The booking that is given back when this one stands.
    pub(crate) original: Option<(OrganizationId, BookingId)>,
    /// Its orders that are, and how many parts of each had come back when it was read.
    replaced_orders: Vec<(u16, usize)>,
    /// What the client says beside it, without what it says of people.
    note: Option<Note>,
    key: Option<IdempotencyKey>,
}

pub(crate) enum OpenResult {
    /// It is open: the booking, and its steps with the moment from which they may be sent.
    Open(Box<Booking<()>>, Vec<Step>),
    QuoteUsed(BookingRef),
    /// The same people have just been booked on the same flights.
    Duplicate(BookingRef),
}

impl OpenBooking {
    /// What is bought is sealed here: from now on nothing of its people is written otherwise.
    pub(super) fn new<P: Product>(
        engine: &Engine,
        caller: &Caller,
        request: &PurchaseRequest<P>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Self> {
        let id = BookingId::new(&engine.core.clock);
        let sealed = sealed::seal(&engine.core, caller.organization(), id, request.product.clone())?;
        let note = request.note.clone().map(|note| note.scrubbed(&sealed.people));
        let mut opening = Self {
            caller: caller.clone(),
            id,
            hold: HoldId::new(&engine.core.clock),
            quote: request.quote,
            reference: request.reference.clone(),
            kind: P::KIND,
            summary: request.summary.clone(),
            product: sealed.stored,
            people: sealed.people,
            sealed: sealed.rows,
            sales: request.sales.clone(),
            totals: Totals::of(&request.sales, caller.currency())?,
            orders: Vec::new(),
            steps: Vec::new(),
            fingerprints: request.fingerprints,
            allow_duplicate: request.allow_duplicate,
            auto_ticket: request.auto_ticket,
            original: request.replaces.as_ref().map(|original| (caller.organization(), original.booking)),
            replaced_orders: Vec::new(),
            note,
            key: key.cloned(),
        };
        for (number, order) in (1_u16..).zip(&request.orders) {
            opening.add(engine, number, order, request.product.travel(number, None))?;
        }
        let cancels = request.replaces.iter().flat_map(|original| &original.cancels);
        for CancelledOriginal { number, supplier, parts, request: cancellation } in cancels {
            opening.replaced_orders.push((*number, *parts));
            let cancellation = CancelRequest {
                replaced_by: Some(request.reference.clone()),
                ..cancellation.clone().saying(opening.note.as_ref().map(Note::remarks))
            };
            let step = NewStep {
                booking: opening.original.map_or(id, |(_, booking)| booking),
                ..opening.step(*number, StepKind::Cancel, supplier, JsonText::keeping(cancellation)?)
            };
            let step = step.at(engine, engine.core.shared_time.now());
            opening.steps.push(step);
        }
        form_saga(&mut opening.steps);
        Ok(opening)
    }

    fn step<'a>(&self, number: u16, kind: StepKind, supplier: &'a str, request: JsonText) -> NewStep<'a> {
        NewStep {
            organization: self.caller.organization(),
            booking: self.id,
            number,
            supplier,
            kind,
            request,
            requested_by: Some(self.caller.user()),
        }
    }

    fn add<R: Serialize + Clone + Send + Sync + 'static>(
        &mut self,
        engine: &Engine,
        number: u16,
        order: &NewOrder<R>,
        travel: Option<Travel>,
    ) -> Result<()> {
        let now = engine.core.shared_time.now();
        self.orders.push(Order {
            number,
            reference: self.reference.order(number),
            supplier: order.supplier.clone(),
            status: OrderStatus::Pending,
            supplier_order_id: None,
            content: None,
            next_poll_at: None,
            hold: None,
            travel_at: travel.as_ref().map(|travel| travel.next_after(now)),
            travel_ends: travel.map(|travel| travel.ends),
            given_back: Vec::new(),
        });
        let request = JsonText::keeping(order.request.clone())?;
        let step = self.step(number, StepKind::Book, &order.supplier, request);
        self.steps.push(step.at(engine, now));
        Ok(())
    }

    pub(crate) fn used_key(&self) -> Option<(OrganizationId, UserId, &str)> {
        let key = self.key.as_ref()?;
        Some((self.caller.organization(), self.caller.user(), &key.key))
    }

    pub(crate) fn fingerprints(&self) -> Option<(OrganizationId, Fingerprints)> {
        let fingerprints = self.fingerprints.filter(|_| !self.allow_duplicate)?;
        Some((self.caller.organization(), fingerprints))
    }

    fn amount(&self) -> Result<Money> {
        Ok(self.totals.payable()?)
    }

    fn booking(&self, core: &Core, wallet: &Wallet) -> Result<Booking<()>> {
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
            created_at: core.clock.now(),
            booked_at: None,
            cancelled_at: None,
            people_erased_at: None,
        })
    }
}

/// A booking of this wallet that nobody has opened, for tests that ask no database.
#[cfg(test)]
pub(super) fn sample(
    core: &Core,
    status: BookingStatus,
    wallet: &Wallet,
    sales: Vec<Sale>,
) -> Result<Booking<()>> {
    let totals = Totals::of(&sales, wallet.balance.currency())?;
    Ok(Booking {
        id: BookingId::new(&core.clock),
        reference: BookingRef::random(ProductKind::Flight),
        kind: ProductKind::Flight,
        organization: OrganizationId::new(&core.clock),
        user: UserId::new(&core.clock),
        user_name: "Asha".to_owned(),
        wallet: wallet.id,
        hold: HoldId::new(&core.clock),
        quote: QuoteId::new(&core.clock),
        status,
        summary: Summary::default(),
        amount: totals.payable()?,
        base_fare: totals.base,
        public_fare: totals.public_fare,
        product: (),
        sales,
        failure: None,
        created_at: core.clock.now(),
        booked_at: None,
        cancelled_at: None,
        people_erased_at: None,
    })
}

/// One purchase; what can fail comes before what changes anything.
pub(crate) fn open(
    core: &Core,
    opening: &OpenBooking,
    state: &mut BatchState,
    batch: &mut Writes,
) -> Result<OpenResult> {
    if let Some(result) = opening.in_the_way(state)? {
        return Ok(result);
    }
    let payer = opening.caller.payer();
    let mut wallet = state.money.wallet_of(payer)?;
    let before = wallet.clone();
    wallet.hold(opening.amount()?)?;
    let booking = opening.booking(core, &wallet)?;
    // The clock starts when the wait for quote and wallet is over.
    let now = core.shared_time.now();
    let mut steps = opening.steps.clone();
    for step in &mut steps {
        step.due_at += now - step.sent_at;
        step.sent_at = now;
    }
    let low = state.money.low_balances.get(&wallet.id).copied();
    let changed = ChangedWallet::new(core, &opening.caller.actor(), payer, low, [&before, &wallet])?;
    let mut writes = opening.writes(core, &booking, &steps)?;
    changed.write(&mut writes);
    batch.append(writes);
    opening.remember(state, &booking, wallet, &steps);
    Ok(OpenResult::Open(Box::new(booking), steps))
}

impl OpenBooking {
    /// Another booking that stands in the way of this one.
    ///
    /// # Errors
    /// Why it can't be opened at all.
    fn in_the_way(&self, state: &BatchState) -> Result<Option<OpenResult>> {
        match state.quotes.get(&self.quote) {
            Some(None) => {}
            // A batch before it was committed, though nobody told us so: its steps are not sent any more.
            Some(Some(used)) if used.booking == self.id => {
                return Err(Error::Internal(format!("{} was written twice", self.reference)));
            }
            Some(Some(used)) => return Ok(Some(OpenResult::QuoteUsed(used.reference.clone()))),
            None => return Err(Error::NotFound),
        }
        if self.key_of_user().is_some_and(|key| state.money.used_keys.contains(&key)) {
            return Err(Error::KeyRunning);
        }
        let duplicate = self
            .fingerprints()
            .and_then(|(organization, fingerprints)| state.duplicates.newest(organization, &fingerprints));
        if let Some(duplicate) = duplicate {
            return Ok(Some(OpenResult::Duplicate(duplicate.clone())));
        }
        self.check_original(state)?;
        Ok(None)
    }

    /// That what this booking replaces is as it was read before it was locked.
    fn check_original(&self, state: &BatchState) -> Result<()> {
        let Some((_, id)) = self.original else { return Ok(()) };
        let original = state.originals.get(&id).ok_or(Error::NotFound)?;
        check_confirmed(&original.booking)?;
        nothing_pending(&original.under_way)?;
        let mut replaced = self.replaced_orders.iter();
        match replaced.all(|order| original.live_orders.contains(order)) {
            true => Ok(()),
            false => Err(Error::StepPending(StepKind::Cancel)),
        }
    }

    fn writes(&self, core: &Core, booking: &Booking<()>, steps: &[Step]) -> Result<Writes> {
        let organization = self.caller.organization();
        let mut writes = Writes::default();
        writes.place_hold(organization, self.hold, booking.wallet, booking.amount, core.clock.now());
        writes.quote(organization, self.quote, Some(self.id));
        let fingerprint = self.fingerprints.map(|fingerprints| fingerprints.present);
        writes.new_booking(booking, fingerprint.as_ref(), &self.product, &self.orders)?;
        writes.people(organization, self.id, &self.sealed);
        if self.auto_ticket {
            writes.new_hold(organization, self.id, Some(core.shared_time.now()));
        }
        for step in steps {
            writes.new_step(step);
        }
        // It is free again when any of the orders is refused, since then the last one is too.
        let last = steps.iter().rfind(|step| step.kind == StepKind::Book);
        if let (Some(key), Some(last)) = (&self.key, last) {
            let created = CreatedResource::Step(booking.reference.clone(), last.id);
            writes.key(key.of(&self.caller), created, core.clock.now());
        }
        let actor = self.caller.actor();
        let requested = EventKind::BookingRequested;
        let mut event = audit_event::of_booking(core, &actor, booking, requested, None);
        if let Some(note) = &self.note {
            note.write(&mut event);
        }
        writes.event(&event);
        Ok(writes)
    }

    /// For the commands behind it in the batch.
    fn remember(&self, state: &mut BatchState, booking: &Booking<()>, wallet: Wallet, steps: &[Step]) {
        state.money.wallets.insert(wallet.id, wallet);
        let used = UsedBy { booking: self.id, reference: booking.reference.clone() };
        state.quotes.insert(self.quote, Some(used));
        state.money.used_keys.extend(self.key_of_user());
        if let Some((organization, fingerprints)) = self.fingerprints() {
            let reference = booking.reference.clone();
            state.duplicates.add(organization, fingerprints.present, reference);
        }
        let original = self.original.and_then(|(_, id)| state.originals.get_mut(&id));
        if let Some(original) = original {
            let of_original = steps.iter().filter(|step| step.booking != self.id);
            original.under_way.extend(of_original.cloned());
        }
    }

    fn key_of_user(&self) -> Option<(UserId, String)> {
        let key = self.key.as_ref()?;
        Some((self.caller.user(), key.key.clone()))
    }
}
