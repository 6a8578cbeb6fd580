//! A step: one call to a supplier that changes something there, how it is made, and what became of it.

use std::fmt;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{
    Awaited, BookingId, CancelledPart, HoldId, Money, OrderPart, OrderStatus, OrganizationId, Product,
    RawAnswer, StepId, StepKind, UserId,
};
use wayfare_pricing::SoldAncillary;
use wayfare_store::{
    JsonText,
    booking::{people::NewSupplierAnswer, steps::Step},
};
use wayfare_supply::{Answer, CancellationQuote, Outage, Refusal, RefusalKind, UnclearRefund};

use crate::{
    Core, Engine, Error, Reason, Result,
    people::sealed::BookingPeople,
    reason::{Moment, shown},
    scrub::NamedPeople,
    suppliers::answers::unavailable,
    tools::lease::LEASE,
};

/// A step in flight is left to its sender until this long after its deadline, unless a lease ends before. A sender that
/// needs more time renews its lease.
const GRACE: Duration = Duration::seconds(10);

/// A step is sent within this time after it was written, or not at all. "Not found" is believed once the supplier's
/// processing time has passed since it was written; that time has a few seconds to spare for this.
const HAND_OVER: Duration = Duration::seconds(2);

/// When somebody else may look up a step that is sent now.
pub(crate) fn due(now: DateTime<Utc>, deadline: std::time::Duration) -> DateTime<Utc> {
    let deadline = Duration::from_std(deadline).unwrap_or(LEASE);
    now + LEASE.min(deadline + GRACE)
}

/// Whether a step may still be sent.
pub(crate) fn in_time(core: &Core, step: &Step) -> bool {
    core.shared_time.now() - step.sent_at <= HAND_OVER
}

pub(crate) struct NewStep<'a> {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub number: u16,
    pub supplier: &'a str,
    pub kind: StepKind,
    /// What is sent; kept, so that anybody can find out what came of it.
    pub request: JsonText,
    pub requested_by: Option<UserId>,
}

impl NewStep<'_> {
    /// A step that is sent now, a saga of its own until [`form_saga`] puts it among others.
    pub(crate) fn at(self, engine: &Engine, now: DateTime<Utc>) -> Step {
        let id = StepId::new(&engine.core.clock);
        Step {
            id,
            organization: self.organization,
            booking: self.booking,
            number: self.number,
            saga: id,
            position: 1,
            saga_length: 1,
            planned: false,
            kind: self.kind,
            supplier: self.supplier.to_owned(),
            requested_by: self.requested_by,
            request: self.request,
            sent_at: now,
            due_at: due(now, engine.suppliers.step_deadline(self.supplier)),
            attempts: 0,
            problem: None,
        }
    }
}

pub(crate) fn form_saga(steps: &mut [Step]) {
    let length = u16::try_from(steps.len()).unwrap_or(u16::MAX);
    let first = steps.first().map(|step| step.id);
    for (position, step) in (1_u16..).zip(steps) {
        step.saga = first.unwrap_or(step.id);
        (step.position, step.saga_length, step.planned) = (position, length, position > 1);
    }
}

/// What became of a step at its supplier.
#[derive(Debug)]
pub(crate) enum StepOutcome {
    /// Done: the order as it is now, which was made, paid, or got what was added to it.
    OrderMade(OrderMade),
    OrderCancelled(CancelledOrder),
    /// Done: what an airline changed is accepted.
    ChangeAccepted,
    /// A newer change has taken the place of the one that was to be accepted: nothing happened.
    ChangeSuperseded,
    /// Surely nothing happened there: why, and what the caller is answered where that is not the reason itself.
    Refused(String, Option<Error>),
    /// The supplier never answered a cancellation, and what it shows says that it did not carry it out: why that is believed.
    /// Rechecks follow.
    RefusedBySilence(String),
    /// Nobody knows yet, and why.
    Unknown(String),
}

impl StepOutcome {
    /// A refusal whose caller is answered with this error.
    pub(crate) fn refused(reason: String, error: Error) -> Self {
        Self::Refused(reason, Some(error))
    }

    /// What was not sent because it was too late for it.
    pub(crate) fn too_late() -> Self {
        let reason = "it could not be sent in time".to_owned();
        Self::refused(reason, Error::SupplierUnavailable(None))
    }

    /// What the supplier's answer to this step comes to; a rise in price is returned as `price_changed`, where there is a
    /// word for it.
    pub(crate) fn of<T>(
        engine: &Engine,
        step: &Step,
        people: &BookingPeople,
        answer: Answer<T>,
        price_changed: Option<Error>,
        done: impl FnOnce(T) -> Self,
    ) -> Self {
        match answer {
            Answer::Done(said) => done(said),
            Answer::Refused(refusal) => {
                let error = match refusal.kind {
                    RefusalKind::PriceChanged => price_changed,
                    _ => None,
                };
                Self::refused_by_supplier(engine, step, &people.named(), refusal, error)
            }
            Answer::Unavailable(outage) => Self::not_sent(engine, step, outage),
            Answer::Unknown(reason) => Self::Unknown(reason),
        }
    }

    /// A supplier's refusal of this step; the caller is answered with `error` where that is not the refusal itself.
    pub(crate) fn refused_by_supplier(
        engine: &Engine,
        step: &Step,
        people: &NamedPeople,
        refusal: Refusal,
        error: Option<Error>,
    ) -> Self {
        let moment = match step.kind {
            StepKind::Book => Moment::Sale,
            StepKind::Cancel
            | StepKind::Compensate
            | StepKind::Ticket
            | StepKind::AddService
            | StepKind::AcceptChange
            | StepKind::Change => Moment::AfterSale,
        };
        let reason = Reason::of_refusal(&step.supplier, &refusal, moment, people);
        engine.suppliers.accounts.count_refusal(&step.supplier, reason.code);
        let text = shown(refusal.text);
        let error = error.unwrap_or_else(|| Error::SupplierRefused(text.clone()));
        Self::refused(text, error.because(reason))
    }

    /// That the supplier did nothing, since it could not be asked or our account there can't pay.
    pub(crate) fn not_sent(engine: &Engine, step: &Step, outage: Outage) -> Self {
        let accounts = &engine.suppliers.accounts;
        accounts.note(&step.supplier, &outage, to_be_paid(step));
        let error = unavailable(&step.supplier, &outage);
        Self::refused(outage.reason, error)
    }

    /// What a look-up comes to: the order where the step was done, none where it was not, which is believed when it is
    /// `too_late` for it.
    pub(crate) fn found<T>(answer: Answer<Option<T>>, too_late: bool, done: impl FnOnce(T) -> Self) -> Self {
        match answer {
            Answer::Done(Some(said)) => done(said),
            Answer::Done(None) if too_late => Self::Refused("not found at the supplier".to_owned(), None),
            Answer::Done(None) => Self::Unknown("not found yet".to_owned()),
            other => Self::Unknown(other.problem().unwrap_or_default().to_owned()),
        }
    }

    /// Why the supplier did not do it.
    pub(crate) fn refusal(&self) -> Option<&str> {
        match self {
            Self::Refused(reason, _) | Self::RefusedBySilence(reason) => Some(reason),
            Self::ChangeSuperseded => Some("a newer change is there"),
            Self::OrderMade(_) | Self::OrderCancelled(_) | Self::ChangeAccepted | Self::Unknown(_) => None,
        }
    }

    /// The same outcome as it may be written: its texts without what they say of these people, its order with what the
    /// supplier said sealed.
    pub(crate) fn sealed_for_writing(self, core: &Core, people: &BookingPeople) -> Result<Self> {
        let scrub = |text: String| people.scrub(&text);
        Ok(match self {
            Self::OrderMade(made) => Self::OrderMade(OrderMade {
                answer: people.seal_answer(core, &made.raw)?,
                raw: RawAnswer::default(),
                ..made
            }),
            Self::OrderCancelled(_) | Self::ChangeAccepted | Self::ChangeSuperseded => self,
            Self::Refused(reason, error) => {
                Self::Refused(scrub(reason), error.map(|error| error.scrubbed(&scrub)))
            }
            Self::RefusedBySilence(reason) => Self::RefusedBySilence(scrub(reason)),
            Self::Unknown(reason) => Self::Unknown(scrub(reason)),
        })
    }

    /// Whether it has a text of the supplier's.
    pub(crate) fn has_text(&self) -> bool {
        matches!(self, Self::Refused(..) | Self::RefusedBySilence(_) | Self::Unknown(_))
    }

    /// What the caller is answered, taken out.
    pub(crate) fn take_error(&mut self) -> Option<Error> {
        match self {
            Self::Refused(_, error) => error.take(),
            Self::ChangeSuperseded => Some(Error::NewerChange),
            Self::OrderMade(_)
            | Self::OrderCancelled(_)
            | Self::ChangeAccepted
            | Self::RefusedBySilence(_)
            | Self::Unknown(_) => None,
        }
    }
}

/// What the supplier was to be paid by this step, where that is known.
pub(crate) fn to_be_paid(step: &Step) -> Option<Money> {
    #[derive(Clone, Deserialize)]
    struct Paid {
        total: Money,
    }
    Some(step.request.parse::<Paid>().ok()?.total)
}

/// An order as its supplier shows it: what every booking needs to know of it.
#[derive(Clone)]
pub(crate) struct OrderMade {
    pub id: String,
    pub status: OrderStatus,
    pub locator: String,
    /// What the supplier charges, in its currency.
    pub total: Money,
    pub awaited: Awaited,
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// The indices of travellers of whom it does not tell surely who they are.
    pub unclear_travellers: Vec<u32>,
    /// All of it, to be written; without the supplier's answer.
    pub content: JsonText,
    /// The supplier's answer as it came, until it is sealed.
    pub raw: RawAnswer,
    /// The same, sealed, to be written.
    pub answer: Option<NewSupplierAnswer>,
    /// The supplier's id of the change by which it became so; none of other steps.
    pub change: Option<String>,
}

impl OrderMade {
    /// What every booking needs to know of this order.
    ///
    /// # Errors
    /// When the order is no JSON.
    pub(crate) fn of<P: Product>(mut order: P::Order) -> Result<Self> {
        let raw = P::take_raw(&mut order);
        let facts = P::facts(&order);
        Ok(Self {
            id: facts.id.to_owned(),
            status: facts.status,
            locator: facts.locator.to_owned(),
            total: facts.total,
            awaited: facts.awaited,
            price_guaranteed_until: facts.price_guaranteed_until,
            unclear_travellers: facts.unclear_travellers.to_vec(),
            raw,
            answer: None,
            change: None,
            content: JsonText::keeping(order)?,
        })
    }
}

impl fmt::Debug for OrderMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.id, self.status.as_ref(), self.total)
    }
}

/// What is known of an order that was given back.
#[derive(Clone, Debug)]
pub(crate) struct CancelledOrder {
    pub mark: fn(&JsonText) -> Result<JsonText>,
    pub mark_part: fn(&JsonText, &OrderPart) -> Result<JsonText>,
    /// What of the order was given back, where that is not the order as it was sold.
    pub part: Option<CancelledPart>,
    /// What that part had cost us, as the supplier has said.
    pub part_total: Option<Money>,
    /// The supplier's id of the cancellation: some have one only when it was carried out.
    pub id: Option<String>,
    /// What the supplier had quoted that it would give back, in its currency.
    pub quoted: Option<Money>,
    /// What comes back at most, where that was no quote of the supplier's but worked out from terms: then what it gives
    /// back counts.
    pub at_most: Option<Money>,
    /// What was quoted is what the terms say under which the order was sold: its supplier did not tell.
    pub by_terms: bool,
    /// What it said at last, where it did.
    pub settled: Option<Money>,
    /// Why nobody can tell what it gave back, though it said something of that.
    pub unclear: Option<UnclearRefund>,
}

/// What a supplier says of a cancellation that it has carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CarriedOut {
    /// Its id there: some have one only then.
    pub id: Option<String>,
    /// What it gave back, where it says so.
    pub refund: Option<Money>,
    /// Why that can't be told, though something is said of it.
    pub unclear: Option<UnclearRefund>,
}

impl From<CancellationQuote> for CarriedOut {
    fn from(quote: CancellationQuote) -> Self {
        Self { id: Some(quote.id), refund: quote.refund, unclear: quote.unclear }
    }
}

/// What is added to an order, and the money that is set aside for it. The database's checks know its hold by this name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Service {
    pub hold: HoldId,
    pub amount: Money,
    pub sold: Vec<SoldAncillary>,
}
