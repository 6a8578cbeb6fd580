//! The completion of steps: what their outcomes mean for bookings and money, for many in one transaction.
//!
//! Whoever completes a step first wins: a second completion of the same step changes nothing. The step that is planned
//! after one that is done begins in the same transaction; what is planned after one that is refused is refused with it.

pub(crate) mod booked;
pub(crate) mod cancelled;
pub(crate) mod changed;
pub(crate) mod changes;
#[cfg(feature = "failpoints")]
pub(crate) mod seeded_bugs;
pub(crate) mod services;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, BookingStatus, EventKind, FareKind, IncidentKind, Money, OrderStatus, RefundStatus, StepId,
    StepKind,
};
use wayfare_ledger::Wallet;
use wayfare_pricing::Sale;
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{Booking, Order},
        steps::{Outcome, SKIPPED, Step},
    },
};

use crate::{
    Engine, Error, Result,
    engine::{
        batch_state::BatchState,
        booking_state::{BookingState, is_live},
        fare_rows::{self, Fares},
        incidents::Raise,
        order_holds, order_polling, recheck,
        step::{OrderMade, Service, StepOutcome, due},
        steps::{add_service::ServiceRequest, change::ChangeRequest},
        unclear,
    },
    tools::audit_event,
};

pub(crate) struct CompleteStep {
    pub step: Step,
    pub actor: Actor,
    pub outcome: StepOutcome,
}

impl CompleteStep {
    pub(crate) fn may_give_back(&self) -> bool {
        matches!(self.step.kind, StepKind::Cancel | StepKind::Change)
    }

    /// Whether it does: to whoever has the money of its payer now.
    fn gives_back(&self) -> Result<bool> {
        Ok(match (self.step.kind, &self.outcome) {
            (StepKind::Cancel, StepOutcome::OrderCancelled(_)) => true,
            (StepKind::Change, StepOutcome::OrderMade(_)) => {
                self.step.request.parse::<ChangeRequest>()?.cost.total()?.is_negative()
            }
            _ => false,
        })
    }
}

/// One step; what can fail comes before what changes anything. An unknown outcome changes nothing.
pub(crate) fn complete<'a>(
    engine: &'a Engine,
    command: &'a CompleteStep,
    state: &mut BatchState,
    batch: &mut Writes,
    raised: &mut Vec<Raise<'a>>,
) -> Result<BookingState> {
    let step = &command.step;
    let before = state.bookings.get(&step.booking).ok_or(Error::NotFound)?;
    if matches!(command.outcome, StepOutcome::Unknown(_)) {
        return Ok(before.clone());
    }
    let mut completion = Completion {
        engine,
        command,
        now: engine.core.clock.now(),
        after: before.clone(),
        planned: state.planned.get(&step.saga).cloned().unwrap_or_default(),
        writes: Writes::default(),
        raised: Vec::new(),
    };
    if !state.open.contains(&step.id) {
        completion.came_late()?;
        raised.append(&mut completion.raised);
        return Ok(completion.after);
    }
    let payer = completion.after.booking.wallet;
    let redirect = match command.gives_back()? {
        true => state.money.redirects.get(&payer),
        false => None,
    };
    let wallet = state.money.wallets.get(redirect.unwrap_or(&payer));
    let mut wallet = wallet
        .cloned()
        .ok_or_else(|| Error::Internal(format!("{} has no wallet", completion.after.booking.reference)))?;
    completion.take(&mut wallet)?;
    batch.append(completion.writes);
    raised.append(&mut completion.raised);
    state.open.remove(&step.id);
    state.note_saga(step.saga, &completion.after.begun, &completion.planned);
    state.planned.insert(step.saga, completion.planned);
    state.money.wallets.insert(wallet.id, wallet);
    let after = BookingState { begun: Vec::new(), ..completion.after.clone() };
    state.bookings.insert(step.booking, after);
    Ok(completion.after)
}

/// The completion of one step: what it makes of the booking, and what is to be written.
struct Completion<'a> {
    engine: &'a Engine,
    command: &'a CompleteStep,
    now: DateTime<Utc>,
    after: BookingState,
    /// What is planned after it, in order.
    planned: Vec<Step>,
    writes: Writes,
    raised: Vec<Raise<'a>>,
}

impl Completion<'_> {
    fn take(&mut self, wallet: &mut Wallet) -> Result<()> {
        let CompleteStep { step, outcome, .. } = self.command;
        let refusal = outcome.refusal();
        let ended = match refusal {
            None => Outcome::Done,
            Some(_) => Outcome::Refused,
        };
        let closed_at = self.engine.core.shared_time.now();
        let recheck_at = match (step.kind, outcome) {
            (StepKind::Cancel, StepOutcome::RefusedBySilence(_)) => Some(recheck::first(closed_at)),
            _ => None,
        };
        self.writes.complete_step(step, ended, refusal, closed_at, recheck_at);
        match (step.kind, outcome) {
            (StepKind::Book, StepOutcome::OrderMade(order)) => self.booked(order, wallet)?,
            (StepKind::Book, StepOutcome::Refused(reason, _)) => self.not_booked(reason, wallet)?,
            (StepKind::Ticket, StepOutcome::OrderMade(order)) => self.ticketed(order)?,
            (StepKind::Ticket, StepOutcome::Refused(..)) => self.changed(EventKind::TicketRefused, None),
            (StepKind::AddService, StepOutcome::OrderMade(order)) => {
                self.added(order, &step.request.parse::<ServiceRequest>()?.service, wallet)?;
            }
            (StepKind::AddService, StepOutcome::Refused(..)) => {
                self.not_added(&step.request.parse::<ServiceRequest>()?.service, wallet)?;
            }
            (StepKind::Change, StepOutcome::OrderMade(order)) => self.flights_changed(order, wallet)?,
            (StepKind::Change, StepOutcome::Refused(..)) => self.flights_not_changed(wallet)?,
            (StepKind::AcceptChange, StepOutcome::ChangeAccepted) => self.change_accepted()?,
            (StepKind::AcceptChange, StepOutcome::ChangeSuperseded) => self.change_superseded()?,
            (StepKind::AcceptChange, StepOutcome::Refused(..)) => self.change_not_accepted()?,
            (StepKind::Cancel, StepOutcome::OrderCancelled(order)) => self.cancelled(order, wallet)?,
            (StepKind::Cancel, StepOutcome::Refused(..) | StepOutcome::RefusedBySilence(_)) => {
                self.not_cancelled();
            }
            (StepKind::Compensate, StepOutcome::OrderCancelled(order)) => self.compensated(order)?,
            (
                StepKind::Compensate,
                StepOutcome::Refused(reason, _) | StepOutcome::RefusedBySilence(reason),
            ) => self.not_compensated(reason),
            (
                StepKind::Book
                | StepKind::Ticket
                | StepKind::AddService
                | StepKind::AcceptChange
                | StepKind::Change,
                StepOutcome::OrderCancelled(_) | StepOutcome::RefusedBySilence(_),
            )
            | (StepKind::Cancel | StepKind::Compensate | StepKind::AcceptChange, StepOutcome::OrderMade(_))
            | (
                StepKind::Book
                | StepKind::Ticket
                | StepKind::AddService
                | StepKind::Cancel
                | StepKind::Compensate
                | StepKind::Change,
                StepOutcome::ChangeAccepted | StepOutcome::ChangeSuperseded,
            )
            | (_, StepOutcome::Unknown(_)) => return Err(self.mixed_up()),
        }
        match refusal {
            None => {
                self.keep_hold();
                self.begin_next();
            }
            Some(_) => {
                self.free_key(step.id);
                self.refuse_planned();
            }
        }
        Ok(())
    }

    fn mixed_up(&self) -> Error {
        let CompleteStep { step, outcome, .. } = self.command;
        Error::Internal(format!("{outcome:?} can't be of a step to {}", step.kind.as_ref()))
    }

    /// Somebody else has completed it. An order that was made after its booking had been given up stands at the
    /// supplier and nobody pays for it.
    fn came_late(&mut self) -> Result<()> {
        let CompleteStep { step, outcome, .. } = self.command;
        match (step.kind, outcome) {
            (StepKind::Book, StepOutcome::OrderMade(made))
                if self.after.booking.status == BookingStatus::Failed =>
            {
                let details = json!({ "order_id": made.id, "locator": made.locator, "total": made.total });
                let problem = "an order was made although its booking had failed";
                self.raise(IncidentKind::OrderWithoutBooking, problem, details);
            }
            (StepKind::Cancel, StepOutcome::OrderCancelled(order)) if self.own_order().is_ok_and(is_live) => {
                let details = json!({ "quoted": order.quoted, "settled": order.settled });
                let problem = "an order was given back although its cancellation had been given up";
                self.raise(IncidentKind::CancelledBySupplier, problem, details);
            }
            (StepKind::AddService, StepOutcome::OrderMade(made)) => {
                let ServiceRequest { service, .. } = step.request.parse()?;
                if !self.has(&service) {
                    let details = json!({ "charged": made.total, "unpaid": service.amount });
                    let problem = "services were added although that had been given up: nobody pays for them";
                    self.raise(IncidentKind::OtherTotal, problem, details);
                }
            }
            (StepKind::Change, StepOutcome::OrderMade(made)) => {
                let ChangeRequest { cost, .. } = step.request.parse()?;
                if !self.sale()?.changes.contains(&cost) {
                    let details = json!({ "charged": made.total, "unpaid": cost.total()? });
                    let problem = "flights were changed although that had been given up: nobody pays for it";
                    self.raise(IncidentKind::OtherTotal, problem, details);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The order that the step acts on.
    fn own_order(&self) -> Result<&Order<JsonText>> {
        let number = self.command.step.number;
        let missing = || Error::Internal(format!("{} has no order {number}", self.after.booking.reference));
        self.after.orders.iter().find(|order| order.number == number).ok_or_else(missing)
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
        let sent_at = self.engine.core.shared_time.now();
        let begun = Step {
            planned: false,
            sent_at,
            due_at: due(sent_at, self.engine.suppliers.step_deadline(&planned.supplier)),
            ..planned
        };
        self.writes.begin_step(&begun);
        if begun.booking == self.command.step.booking && begun.kind == StepKind::Cancel {
            self.move_refund(begun.number, RefundStatus::Processing);
        }
        self.after.begun.push(begun);
    }

    fn refuse_planned(&mut self) {
        let closed_at = self.engine.core.shared_time.now();
        for planned in std::mem::take(&mut self.planned) {
            self.writes.complete_step(&planned, Outcome::Refused, Some(SKIPPED), closed_at, None);
            self.free_key(planned.id);
            if planned.booking == self.command.step.booking && planned.kind == StepKind::Cancel {
                self.move_refund(planned.number, RefundStatus::Failed);
            }
        }
    }

    /// The wallet has paid when it was booked (P-12): no money moves.
    fn ticketed(&mut self, made: &OrderMade) -> Result<()> {
        self.raise_other_total(made.total)?;
        self.put(made)?;
        self.changed(EventKind::TicketIssued, None);
        let mut orders = self.after.orders.iter();
        if orders.all(|order| order.status != OrderStatus::Held) {
            self.changed(EventKind::BookingHoldPaid, None);
        }
        Ok(())
    }

    /// What is done about the hold of the booking, as its orders are now.
    fn keep_hold(&mut self) {
        let orders = &self.after.orders;
        if orders.iter().all(|order| order.hold.is_none()) {
            return;
        }
        let (organization, id) = (self.after.booking.organization, self.after.booking.id);
        match order_holds::of_held(orders) {
            Some(_) => self.writes.held(organization, id, self.engine.core.shared_time.now()),
            None => self.writes.hold_ended(organization, id),
        }
    }

    /// The order is what its supplier says. One that its supplier has given up meanwhile is polled right after this,
    /// as if nothing had been asked of it.
    fn put(&mut self, made: &OrderMade) -> Result<()> {
        self.put_with(made, |_| {})
    }

    /// The same, and what else is so of it then: an order is written once.
    fn put_with(&mut self, made: &OrderMade, then: impl FnOnce(&mut Order<JsonText>)) -> Result<()> {
        let now = self.engine.core.shared_time.now();
        let step = &self.command.step;
        if let Some(answer) = &made.answer {
            let order = (step.organization, step.booking, step.number);
            self.writes.supplier_answer(order, Some(step.id), answer, self.now);
        }
        self.raise_unclear_travellers(made)?;
        let kind = self.after.booking.kind;
        let limits = order_holds::limits(made.awaited, made.price_guaranteed_until);
        self.order(|order| {
            if !matches!(made.status, OrderStatus::Held | OrderStatus::Confirmed) {
                order.next_poll_at = Some(now);
                return Ok(());
            }
            order.status = made.status;
            order.supplier_order_id = Some(made.id.clone());
            order.content = Some(made.content.clone());
            (order.next_poll_at, order.travel_at) =
                order_polling::first_poll(made.awaited, kind, order.travel_at, now);
            order.hold = order_holds::shown(order.hold, made.status, limits, now);
            then(order);
            Ok(())
        })
    }

    /// The request may be made again under its key.
    fn free_key(&mut self, step: StepId) {
        self.writes.free_key(self.command.step.organization, step);
    }

    /// Changes the order that the step acts on.
    fn order(&mut self, change: impl FnOnce(&mut Order<JsonText>) -> Result<()>) -> Result<()> {
        let number = self.command.step.number;
        let booking = &self.after.booking;
        let missing = || Error::Internal(format!("{} has no order {number}", booking.reference));
        let mut orders = self.after.orders.iter_mut();
        let order = orders.find(|order| order.number == number).ok_or_else(missing)?;
        change(order)?;
        Ok(self.writes.order(booking, order, self.now)?)
    }

    /// What the order that the step acts on is sold for.
    fn sale(&self) -> Result<&Sale> {
        let number = self.command.step.number;
        let booking = &self.after.booking;
        let missing = || Error::Internal(format!("{} has no price of order {number}", booking.reference));
        booking.sale(number).ok_or_else(missing)
    }

    /// What the order that the step acts on was sold for, to be sold for more.
    fn sale_mut(&mut self) -> Result<&mut Sale> {
        let number = self.command.step.number;
        let Booking { sales, reference, .. } = &mut self.after.booking;
        let missing = || Error::Internal(format!("{reference} has no price of order {number}"));
        let place = usize::from(number).saturating_sub(1);
        sales.get_mut(place).ok_or_else(missing)
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

    /// An order is ours by its id, whatever its supplier calls those who travel: that they can't be told apart is for the operator
    /// to see, once.
    fn raise_unclear_travellers(&mut self, made: &OrderMade) -> Result<()> {
        let before = self.own_order().ok().and_then(|order| order.content.as_ref());
        let known = before.map(unclear::travellers_of).transpose()?.unwrap_or_default();
        let is_live = matches!(made.status, OrderStatus::Held | OrderStatus::Confirmed);
        if is_live && !made.unclear_travellers.is_empty() && made.unclear_travellers != known {
            let details = unclear::details(&made.id, &made.unclear_travellers);
            self.raise(IncidentKind::TravellersUnclear, unclear::PROBLEM, details);
        }
        Ok(())
    }

    fn raise(&mut self, kind: IncidentKind, problem: &'static str, details: Value) {
        self.raised.push(Raise {
            actor: &self.command.actor,
            step: &self.command.step,
            kind,
            problem,
            details,
        });
    }

    /// A row of the fare ledger, of the order that the step acts on.
    fn fare(&mut self, kind: FareKind, fares: Fares) -> Result<()> {
        let (booking, order) = (&self.after.booking, self.own_order()?);
        let row = fare_rows::row(&self.engine.core, booking, order, kind, fares, self.now)?;
        self.writes.fare(&row);
        Ok(())
    }

    fn changed(&mut self, action: EventKind, before: Option<BookingStatus>) {
        let (actor, booking) = (&self.command.actor, &self.after.booking);
        let event = audit_event::of_booking(&self.engine.core, actor, booking, action, before);
        self.writes.event(&event);
    }

    /// Whether the supplier has any order of the booking.
    fn any_stands(&self) -> bool {
        self.after.orders.iter().any(is_live)
    }
}
