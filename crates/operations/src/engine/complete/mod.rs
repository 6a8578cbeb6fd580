//! The closing of steps: what their outcomes mean for bookings and money, for many in one transaction.
//!
//! Whoever closes a step first wins: a second close of the same step changes nothing. The step that is planned
//! after one that is done begins in the same transaction; what is planned after one that is refused is refused with it.

pub(crate) mod booked;
pub(crate) mod cancelled;
pub(crate) mod services;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, BookingStatus, EventKind, FareTransactionId, IncidentKind, Money, OrderStatus, RefundStatus,
    StepId, StepKind, TransferId,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::Sale;
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{Booking, Order},
        refunds::Refund,
        steps::{Outcome, Step},
    },
    money::fare_ledger::FareTransaction,
};

pub(crate) use booked::OrderMade;
#[cfg(feature = "failpoints")]
pub(crate) use booked::planted_post_before_store;
pub(crate) use cancelled::GivenBack;
pub(crate) use services::Service;

use super::purchase::due;
use crate::{
    Error, Platform, Result,
    engine::{commit::BatchState, incidents::Raise, order_polling},
    tools::audit_event,
};

/// How a step ended.
pub(crate) enum Ending {
    /// The supplier has the order.
    Booked(OrderMade),
    /// No order was made, and why.
    NotBooked(String),
    /// The supplier carried the cancellation out.
    Cancelled(GivenBack),
    /// It did not, and why.
    NotCancelled(String),
    /// The order of a booking that failed is given back.
    Compensated(GivenBack),
    /// It is not, and why: it stands at its supplier and nobody pays for it.
    NotCompensated(String),
    /// The held order is paid: the order as it is now.
    Ticketed(OrderMade),
    /// It is not, and why.
    NotTicketed(String),
    /// The order has what was bought for it.
    Added(OrderMade, Service),
    /// It has not, and why.
    NotAdded(String, Service),
}

impl Ending {
    /// Whether a refund is at stake.
    pub(crate) fn is_of_cancellation(&self) -> bool {
        matches!(self, Self::Cancelled(_) | Self::NotCancelled(_))
    }

    fn refusal(&self) -> Option<&str> {
        match self {
            Self::Booked(_)
            | Self::Cancelled(_)
            | Self::Compensated(_)
            | Self::Ticketed(_)
            | Self::Added(..) => None,
            Self::NotBooked(reason)
            | Self::NotCancelled(reason)
            | Self::NotCompensated(reason)
            | Self::NotTicketed(reason)
            | Self::NotAdded(reason, _) => Some(reason),
        }
    }
}

/// A step that is to be closed.
pub(crate) struct CompleteStep {
    pub step: Step,
    pub actor: Actor,
    pub ending: Ending,
}

/// The booking after it.
#[derive(Clone, Debug)]
pub(crate) struct BookingState {
    pub booking: Booking<()>,
    pub orders: Vec<Order<Value>>,
    /// Those of a cancellation that are under way or done, and those that failed by this.
    pub refunds: Vec<Refund>,
    /// What is to be sent now, by whoever closed this.
    pub begun: Vec<Step>,
}

/// One step; what can fail comes before what changes anything.
pub(crate) fn close<'a>(
    platform: &'a Platform,
    closing: &'a CompleteStep,
    state: &mut BatchState,
    batch: &mut Writes,
    raised: &mut Vec<Raise<'a>>,
) -> Result<BookingState> {
    let step = &closing.step;
    let stands = state.bookings.get(&step.booking).ok_or(Error::NotFound)?;
    let now = platform.clock.now();
    let mut completion = Completion {
        platform,
        closing,
        now,
        after: stands.clone(),
        planned: state.planned.get(&step.saga).cloned().unwrap_or_default(),
        writes: Writes::default(),
        raised: Vec::new(),
    };
    if !state.open.contains(&step.id) {
        completion.came_late();
        raised.append(&mut completion.raised);
        return Ok(completion.after);
    }
    let payer = completion.after.booking.wallet;
    let redirect = match closing.ending {
        Ending::Cancelled(_) => state.redirects.get(&payer),
        _ => None,
    };
    let wallet = state.wallets.get(redirect.unwrap_or(&payer));
    let mut wallet = wallet
        .cloned()
        .ok_or_else(|| Error::Internal(format!("{} has no wallet", completion.after.booking.reference)))?;
    completion.take(&mut wallet)?;
    batch.append(completion.writes);
    raised.append(&mut completion.raised);
    state.open.remove(&step.id);
    state.planned.insert(step.saga, completion.planned);
    state.wallets.insert(wallet.id, wallet);
    let stands = BookingState {
        begun: Vec::new(),
        ..completion.after.clone()
    };
    state.bookings.insert(step.booking, stands);
    Ok(completion.after)
}

/// The closing of one step: what it makes of the booking, and what is to be written.
struct Completion<'a> {
    platform: &'a Platform,
    closing: &'a CompleteStep,
    now: DateTime<Utc>,
    after: BookingState,
    /// What is planned after it, in order.
    planned: Vec<Step>,
    writes: Writes,
    raised: Vec<Raise<'a>>,
}

impl Completion<'_> {
    fn take(&mut self, wallet: &mut Wallet) -> Result<()> {
        let step = &self.closing.step;
        let problem = self.closing.ending.refusal();
        let outcome = match problem {
            None => Outcome::Done,
            Some(_) => Outcome::Refused,
        };
        self.writes.complete_step(step, outcome, problem, self.now);
        match &self.closing.ending {
            Ending::Booked(made) => self.booked(made, wallet)?,
            Ending::NotBooked(reason) => self.not_booked(reason, wallet)?,
            Ending::Cancelled(given_back) => self.cancelled(given_back, wallet)?,
            Ending::NotCancelled(_) => self.not_cancelled(),
            Ending::Compensated(given_back) => self.undone(given_back)?,
            Ending::NotCompensated(reason) => self.not_undone(reason),
            Ending::Ticketed(made) => self.ticketed(made)?,
            Ending::NotTicketed(_) => self.changed(EventKind::TicketRefused, None),
            Ending::Added(made, service) => self.added(made, service, wallet)?,
            Ending::NotAdded(_, service) => self.not_added(service, wallet)?,
        }
        match problem {
            None => self.begin_next(),
            Some(_) => {
                self.free_key(step.id);
                self.refuse_planned();
            }
        }
        Ok(())
    }

    /// Somebody else has closed it. An order that was made after its booking had been given up stands at the
    /// supplier and nobody pays for it.
    fn came_late(&mut self) {
        match &self.closing.ending {
            Ending::Booked(made) if self.after.booking.status == BookingStatus::Failed => {
                let details = json!({ "order_id": made.id, "locator": made.locator, "total": made.total });
                let problem = "an order was made although its booking had failed";
                self.raise(IncidentKind::OrderWithoutBooking, problem, details);
            }
            Ending::Cancelled(given_back) if self.order_stands() => {
                let details = json!({ "quoted": given_back.quoted, "settled": given_back.settled });
                let problem = "an order was given back although its cancellation had been given up";
                self.raise(IncidentKind::CancelledBySupplier, problem, details);
            }
            Ending::Added(made, service) if !self.has(service) => {
                let details = json!({ "charged": made.total, "unpaid": service.amount });
                let problem = "services were added although that had been given up: nobody pays for them";
                self.raise(IncidentKind::OtherTotal, problem, details);
            }
            _ => {}
        }
    }

    /// Whether the order that the step acts on stands.
    fn order_stands(&self) -> bool {
        let number = self.closing.step.number;
        let mut orders = self.after.orders.iter();
        orders.any(|order| order.number == number && stands(order))
    }

    /// Whether the booking is charged for these.
    fn has(&self, service: &Service) -> bool {
        let sale = self.sale();
        sale.is_ok_and(|sale| service.sold.iter().all(|line| sale.ancillaries.contains(line)))
    }

    /// What is planned after this one is sent from now on.
    fn begin_next(&mut self) {
        if self.planned.is_empty() {
            return;
        }
        let planned = self.planned.remove(0);
        let begun = Step {
            planned: false,
            sent_at: self.now,
            due_at: due(self.now, self.platform.step_deadline(&planned.supplier)),
            ..planned
        };
        self.writes.begin_step(&begun);
        if begun.booking == self.closing.step.booking && begun.kind == StepKind::Cancel {
            self.move_refund(begun.number, RefundStatus::Processing);
        }
        self.after.begun.push(begun);
    }

    fn refuse_planned(&mut self) {
        for planned in std::mem::take(&mut self.planned) {
            let reason = "skipped: an earlier step was refused";
            self.writes
                .complete_step(&planned, Outcome::Refused, Some(reason), self.now);
            self.free_key(planned.id);
            if planned.booking == self.closing.step.booking && planned.kind == StepKind::Cancel {
                self.move_refund(planned.number, RefundStatus::Failed);
            }
        }
    }

    /// The wallet has paid when it was booked (P-12): no money moves.
    fn ticketed(&mut self, made: &OrderMade) -> Result<()> {
        self.raise_other_total(made.total)?;
        self.put(made)?;
        self.changed(EventKind::TicketIssued, None);
        Ok(())
    }

    /// The order is what its supplier says. One that its supplier has given up meanwhile is looked at right after this,
    /// as if nothing had been asked of it.
    fn put(&mut self, made: &OrderMade) -> Result<()> {
        let now = self.now;
        let next_poll_at = order_polling::first_look(made.awaited, now);
        self.order(|order| {
            if !matches!(made.status, OrderStatus::Held | OrderStatus::Confirmed) {
                order.next_poll_at = Some(now);
                return Ok(());
            }
            order.status = made.status;
            order.supplier_order_id = Some(made.id.clone());
            order.content = Some(made.content.clone());
            order.next_poll_at = next_poll_at;
            Ok(())
        })
    }

    /// The request may be made again under its key.
    fn free_key(&mut self, step: StepId) {
        self.writes.free_key(self.closing.step.organization, step);
    }

    /// Changes the order that the step acts on.
    fn order(&mut self, change: impl FnOnce(&mut Order<Value>) -> Result<()>) -> Result<()> {
        let number = self.closing.step.number;
        let booking = &self.after.booking;
        let missing = || Error::Internal(format!("{} has no order {number}", booking.reference));
        let mut orders = self.after.orders.iter_mut();
        let order = orders.find(|order| order.number == number).ok_or_else(missing)?;
        change(order)?;
        Ok(self.writes.order(booking, order, self.now)?)
    }

    /// What the order that the step acts on is sold for.
    fn sale(&self) -> Result<&Sale> {
        let number = self.closing.step.number;
        let booking = &self.after.booking;
        let missing = || Error::Internal(format!("{} has no price of order {number}", booking.reference));
        booking.sale(number).ok_or_else(missing)
    }

    /// The agency pays what it was quoted; a supplier that charges otherwise is for the operator to see.
    fn raise_other_total(&mut self, charged: Money) -> Result<()> {
        let quoted = self.sale()?.supplier_due()?;
        if quoted != charged {
            let details = json!({ "quoted": quoted, "charged": charged });
            let problem = "the supplier charges another total than it had quoted";
            self.raise(IncidentKind::OtherTotal, problem, details);
        }
        Ok(())
    }

    fn raise(&mut self, kind: IncidentKind, problem: &'static str, details: Value) {
        self.raised.push(Raise {
            actor: &self.closing.actor,
            step: &self.closing.step,
            kind,
            problem,
            details,
        });
    }

    fn fare(&mut self, fares: Fares) {
        let booking = &self.after.booking;
        self.writes.fare(&FareTransaction {
            id: FareTransactionId::new(&self.platform.clock),
            organization: booking.organization,
            booking: booking.id,
            reference: booking.reference.clone(),
            product: booking.kind,
            pnr: booking.summary.pnr.clone(),
            provider: booking.summary.provider.clone(),
            user: booking.user,
            user_name: booking.user_name.clone(),
            public_fare: fares.public_fare,
            agent_fare: fares.agent_fare,
            agent_commission: fares.agent_commission,
            markup: fares.markup,
            issued_at: self.now,
            transfer: fares.transfer,
        });
    }

    fn changed(&mut self, action: EventKind, before: Option<BookingStatus>) {
        let (actor, booking) = (&self.closing.actor, &self.after.booking);
        let event = audit_event::of_booking(self.platform, actor, booking, action, before);
        self.writes.event(&event);
    }

    /// Whether the supplier has any order of the booking.
    fn any_stands(&self) -> bool {
        self.after.orders.iter().any(stands)
    }
}

/// The supplier has it, and it was not given back.
pub(crate) fn stands<O>(order: &Order<O>) -> bool {
    matches!(order.status, OrderStatus::Held | OrderStatus::Confirmed)
}

/// The amounts of a fare-ledger row.
struct Fares {
    public_fare: Money,
    agent_fare: Money,
    agent_commission: Money,
    markup: Money,
    /// The movement on the wallet; none where nothing moved.
    transfer: Option<TransferId>,
}
