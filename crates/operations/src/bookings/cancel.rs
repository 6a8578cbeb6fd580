//! Bookings that are given back: what it would cost, and doing it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures_util::{FutureExt, future::try_join_all};
use wayfare_domain::{
    BookingId, BookingRef, CancelledPart, ChangeId, EventKind, Money, OrderStatus, Product, RefundStatus,
    Remarks, StepKind,
};
use wayfare_pricing::Paid;
use wayfare_store::booking::{
    bookings::{Booking, Order},
    refunds::{self, Refund},
    steps::{self, Step},
};
use wayfare_supply::on_behalf_of;

use crate::{
    Caller, Core, Engine, Error, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    bookings::{Booked, load_without_names, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live, nothing_pending},
        cancellation::{self, CancelRequest, Quoted, paid_for},
        note::Note,
        patience::within_patience,
        refund_quote::{self, Asked, PricedQuote},
        saga::{self, Progress},
        step::StepOutcome,
        step_lease,
    },
    tools::failpoints::moment,
};

/// How the booking's cancellation stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn cancellation<P: Product>(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Cancelled> {
    let booked: Booked<P> = load_without_names(core, caller, reference).await?;
    let mut connection = core.database.connection().await?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut refunds = refunds::of(&mut connection, organization, id).await?;
    // What another booking has taken the place of was not cancelled here.
    let replaced = steps::replaced_orders(&mut connection, organization, id).await?;
    refunds.retain(|refund| {
        !replaced.iter().any(|order| order.done && order.number == refund.number && order.part == refund.part)
    });
    // A part of it that was given back last is what was asked for.
    let newest = refunds.iter().max_by_key(|refund| (refund.requested_at, refund.id)).cloned();
    if let Some(newest) = newest.filter(|newest| newest.part.is_some()) {
        refunds.retain(|refund| refund.requested_at == newest.requested_at);
    }
    let rest = left_of(&booked.booking, &booked.orders)?;
    Cancelled::of(refunds.iter(), rest)
}

/// What was paid for what stands of a booking; none when nothing does.
fn left_of<P, O>(booking: &Booking<P>, orders: &[Order<O>]) -> Result<Option<Money>> {
    let any_stands = orders.iter().any(is_live);
    any_stands.then(|| rest(booking, orders)).transpose()
}

/// What was paid for all that stands of a booking.
fn rest<P, O>(booking: &Booking<P>, orders: &[Order<O>]) -> Result<Money> {
    let live = orders.iter().filter(|order| is_live(order));
    let zero = Money::zero(booking.amount.currency());
    live.filter_map(|order| Some((order, booking.sale(order.number)?)))
        .try_fold(zero, |sum, (order, sale)| Ok(sum.plus(order.left_of(sale)?.payable()?)?))
}

/// A part of a booking: its journeys and travellers, and what was paid for the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOfBooking {
    /// The places of its journeys among all of the booking, from 0.
    pub journeys: Vec<usize>,
    pub travellers: Vec<u32>,
    /// What was paid for what stands beside it.
    pub rest: Money,
}

impl PartOfBooking {
    /// None where orders are given back as they were sold.
    fn of<'a>(parts: impl Iterator<Item = &'a CancelledPart> + Clone, rest: Money) -> Option<Self> {
        parts.clone().next()?;
        let journeys: BTreeSet<usize> = parts.clone().flat_map(|one| one.part.journeys()).collect();
        let travellers: BTreeSet<u32> = parts.flat_map(|one| one.part.travellers()).collect();
        Some(Self {
            journeys: journeys.into_iter().collect(),
            travellers: travellers.into_iter().collect(),
            rest,
        })
    }
}

/// What cancelling would cost (P-10).
#[derive(Clone, Debug)]
pub struct Penalty<P> {
    pub booking: Booking<P>,
    pub terms: RefundTerms,
    /// What the wallet paid for what would be given back, without penalties of changes.
    pub paid: Money,
    /// What the wallet paid as penalties of changes of what would be given back: they never come back.
    pub change_penalties: Money,
    /// What would be given back, where that is not all that was sold.
    pub part: Option<PartOfBooking>,
}

impl<P> Penalty<P> {
    /// What the wallet paid for what would be given back, with what changes of its flights came to.
    pub fn total_paid(&self) -> Result<Money> {
        Ok(self.paid.plus(self.change_penalties)?)
    }

    /// What is kept beyond what was paid, and so is charged to nobody: a refund is never below zero.
    pub fn waived(&self) -> Result<Money> {
        let terms = &self.terms;
        let kept = terms.cancellation_charge.plus(terms.platform_charges)?;
        Ok(terms.refund_to_wallet.plus(kept)?.minus(self.paid)?)
    }
}

/// Asks the suppliers what cancelling would cost. The same question and the same sum as a cancellation's.
///
/// # Errors
/// The state's error (P-18), a supplier's refusal or outage.
pub async fn penalty<P: Product>(
    engine: &Engine,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Penalty<P>> {
    let booked = load_without_names(&engine.core, caller, reference).await?;
    penalty_of(engine, booked, &GivenBack::default()).await
}

/// The same for a part of a booking.
///
/// # Errors
/// As [`penalty`].
pub(crate) async fn penalty_of<P: Product>(
    engine: &Engine,
    booked: Booked<P>,
    given_back: &GivenBack,
) -> Result<Penalty<P>> {
    let quoted = quoted(engine, &booked, given_back).await?;
    let currency = booked.booking.amount.currency();
    let paid = quoted.iter().map(|one| one.paid.payable());
    let paid = Money::sum(currency, paid.collect::<Result<Vec<_>, _>>()?)?;
    let rest = rest(&booked.booking, &booked.orders)?.minus(paid)?;
    let live = booked.orders.iter().filter(|order| is_live(order)).count();
    let ends_order = |one: &QuotedOrder<'_, P>| one.part.as_ref().is_none_or(|part| part.is_last);
    let is_all = quoted.len() == live && quoted.iter().all(ends_order);
    let parts = quoted.iter().filter(|_| !is_all).filter_map(|one| one.part.as_ref());
    let part = PartOfBooking::of(parts, rest);
    let terms = RefundTerms::together(quoted.iter().map(|one| one.priced.terms), currency)?;
    // Of what is given back in parts they are told with the last one.
    let ended = quoted.iter().filter(|one| ends_order(one));
    let ended = ended.filter_map(|one| booked.booking.sale(one.order.number));
    let penalties = ended.flat_map(|sale| sale.changes.iter().map(|change| change.penalty));
    Ok(Penalty {
        part,
        terms,
        paid,
        change_penalties: Money::sum(currency, penalties)?,
        booking: booked.booking,
    })
}

/// Which orders of a booking are given back, and why.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenBack {
    /// Only these, each with the part of it where it is not all that stands; all that stand where none is named.
    pub orders: Option<BTreeMap<u16, Option<CancelledPart>>>,
    /// What its airline changed, where that is refused.
    pub refused_change: Option<ChangeId>,
}

impl GivenBack {
    fn names<O>(&self, order: &Order<O>) -> bool {
        let is_named = |orders: &BTreeMap<_, _>| orders.contains_key(&order.number);
        is_live(order) && self.orders.as_ref().is_none_or(is_named)
    }

    /// What of this order is given back, where that is not the order as it was sold.
    fn part_of<P: Product>(&self, product: &P, order: &Order<P::Order>) -> Option<CancelledPart> {
        let named = self.orders.as_ref().and_then(|orders| orders.get(&order.number));
        named.cloned().flatten().or_else(|| rest_of(product, order))
    }
}

/// What is left of an order of which parts were given back.
pub(crate) fn rest_of<P: Product>(product: &P, order: &Order<P::Order>) -> Option<CancelledPart> {
    (!order.given_back.is_empty()).then(|| CancelledPart {
        part: order.remaining(&product.whole_order(order.number)),
        is_last: true,
        is_whole: false,
    })
}

/// What would come back of orders, and what was paid for what comes back.
pub(crate) struct ReturnedOrders {
    pub terms: RefundTerms,
    pub paid: BTreeMap<u16, Paid>,
}

/// What would come back of these orders of a booking, as their suppliers say now.
///
/// # Errors
/// As [`penalty`].
pub(crate) async fn returned_of_orders<P: Product>(
    engine: &Engine,
    booked: &Booked<P>,
    given_back: &GivenBack,
) -> Result<ReturnedOrders> {
    let quoted = quoted(engine, booked, given_back).await?;
    let terms = quoted.iter().map(|one| one.priced.terms);
    Ok(ReturnedOrders {
        terms: RefundTerms::together(terms, booked.booking.amount.currency())?,
        paid: quoted.iter().map(|one| (one.order.number, one.paid)).collect(),
    })
}

/// The quotes for a booking on which nothing is under way.
async fn quoted<'a, P: Product>(
    engine: &Engine,
    booked: &'a Booked<P>,
    given_back: &GivenBack,
) -> Result<Vec<QuotedOrder<'a, P>>> {
    check_confirmed(&booked.booking)?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = engine.core.database.connection().await?;
    let under_way = steps::under_way_on(&mut connection, organization, id).await?;
    drop(connection);
    // A new quote would make the one stale that is being carried out.
    nothing_pending(&under_way)?;
    quotes(engine, booked, given_back).await
}

/// A supplier's quote for an order, and what it comes to for the wallet.
struct QuotedOrder<'a, P: Product> {
    order: &'a Order<P::Order>,
    /// What of it is given back, where that is not the order as it was sold.
    part: Option<CancelledPart>,
    priced: PricedQuote,
    paid: Paid,
}

/// The suppliers' quotes for each order that stands, and what they come to for the wallet.
async fn quotes<'a, P: Product>(
    engine: &Engine,
    booked: &'a Booked<P>,
    given_back: &GivenBack,
) -> Result<Vec<QuotedOrder<'a, P>>> {
    let booking = &booked.booking;
    let quote = async |order: &'a Order<P::Order>| {
        let charged = order.content.as_ref().map(|content| P::facts(content).total);
        let part = given_back.part_of(&booking.product, order);
        let of = (booking.organization, booking.id);
        let named = cancellation::part_to_cancel(engine, of, &order.supplier, part.as_ref()).await?;
        let now = engine.core.clock.now();
        let asked = Asked {
            booking,
            order,
            order_id: order_id(order)?,
            charged,
            part: part.as_ref(),
            named: named.as_ref(),
            is_free: booking.product.is_free_to_cancel(order.number, now),
            kept_by_terms: booking.product.kept_by_terms(now),
            first_day: booking.product.first_day(),
            repeated_since: None,
        };
        let asked = refund_quote::ask(engine, asked);
        let priced = on_behalf_of(booking.organization, asked).await?;
        let priced = priced.map_err(|unclear| Error::SupplierRefused(unclear.reason))?;
        let sale = cancellation::sale_of(booking, order)?;
        Ok::<_, Error>(QuotedOrder {
            paid: paid_for(sale, order, part.as_ref(), priced.quote.part_total)?,
            order,
            part,
            priced,
        })
    };
    let orders = booked.orders.iter().filter(|order| given_back.names(order));
    try_join_all(orders.map(quote)).await
}

/// How a cancellation stands when the call ends.
#[derive(Clone, Debug)]
pub enum Cancelled {
    /// Given back; this much of it is in the wallet.
    Done(RefundTerms),
    /// A part of the booking was given back, alike.
    Part(RefundTerms, PartOfBooking),
    /// A supplier has not said so yet; the worker finds out.
    Pending,
}

impl Cancelled {
    fn of<'a>(refunds: impl Iterator<Item = &'a Refund> + Clone, rest: Option<Money>) -> Result<Self> {
        let done = |refund: &Refund| refund.status == RefundStatus::Refunded;
        match refunds.clone().next() {
            Some(first) if refunds.clone().all(done) => {
                let currency = first.refund_to_wallet.currency();
                let parts = refunds.clone().filter_map(|refund| refund.part.as_ref());
                let part = rest.and_then(|rest| PartOfBooking::of(parts, rest));
                let terms = RefundTerms::together(refunds.map(RefundTerms::from), currency)?;
                Ok(match part {
                    Some(part) => Self::Part(terms, part),
                    None => Self::Done(terms),
                })
            }
            _ => Ok(Self::Pending),
        }
    }
}

/// Cancels: writes the steps, asks the suppliers what they give back, lets them carry that out one after the other,
/// pays back. `note` is what the client says beside it, for the audit log and for suppliers that read it.
///
/// # Errors
/// The state's error (P-18), a supplier's refusal or outage; what it refused stands then.
pub async fn cancel<P: Product>(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
    note: Option<Note>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let booked: Booked<P> = load_without_names(&engine.core, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let note = Note::scrubbed_of(note, &engine.core, &booked.booking).await?;
    cancel_orders(engine, caller, booked, GivenBack::default(), note, key).await
}

/// The same of these orders of a booking that stands.
///
/// # Errors
/// As [`cancel`].
pub(crate) async fn cancel_orders<P: Product>(
    engine: &Arc<Engine>,
    caller: &Caller,
    booked: Booked<P>,
    given_back: GivenBack,
    note: Option<Note>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let reference = &booked.booking.reference.clone();
    let remarks = note.as_ref().map(|note| note.remarks().clone());
    let request_of = |order_id: &str, part| CancelRequest {
        refused_change: given_back.refused_change,
        ..CancelRequest::of(order_id).saying(remarks.as_ref()).part(part)
    };
    let wishes = booked.orders.iter().filter(|order| given_back.names(order));
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingCancelRequested,
        note,
        requests: wishes
            .map(|order| {
                let part = given_back.part_of(&booked.booking.product, order);
                StepRequest::on(order, request_of(order_id(order)?, part))
            })
            .collect::<Result<_>>()?,
        service: None,
        by_itself: false,
    };
    let steps = begin_step::open(engine, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (engine, caller, reference) = (engine.clone(), caller.clone(), reference.clone());
        async move {
            // As it is now that nobody else changes it.
            let booked: Booked<P> = load_without_names(&engine.core, &caller, &reference).await?;
            quote_and_carry_out(&engine, &caller, &booked, &given_back, steps, remarks).await
        }
    };
    within_patience(&engine.core, reference, Cancelled::Pending, carried_out).await
}

async fn quote_and_carry_out<P: Product>(
    engine: &Engine,
    caller: &Caller,
    booked: &Booked<P>,
    given_back: &GivenBack,
    steps: Vec<Step>,
    remarks: Option<Remarks>,
) -> Result<Cancelled> {
    let actor = caller.actor();
    moment("cancel:opened");
    let quoted = quotes(engine, booked, given_back);
    let quoted = match steps.first() {
        Some(first) => step_lease::sending(engine, first, quoted.boxed()).await,
        None => quoted.await,
    };
    let written = match quoted {
        Ok(quotes) => {
            let quoted = steps.iter().zip(quotes);
            let quoted = quoted
                .map(|(step, one)| Quoted {
                    step: step.clone(),
                    request: CancelRequest {
                        held: one.order.status == OrderStatus::Held,
                        quoted: one.priced.quote.refund,
                        at_most: one.priced.quote.at_most,
                        by_terms: one.priced.by_terms,
                        cancellation_id: Some(one.priced.quote.id),
                        refused_change: given_back.refused_change,
                        part_total: one.priced.quote.part_total,
                        ..CancelRequest::of(one.order.supplier_order_id.as_deref().unwrap_or_default())
                            .saying(remarks.as_ref())
                            .part(one.part)
                    },
                    terms: Some(one.priced.terms),
                })
                .collect();
            cancellation::write_quotes(engine, &booked.booking, quoted).await?
        }
        Err(error) => {
            // Nothing that matters was asked for: the booking stands.
            if let Some(first) = steps.first() {
                let outcome = StepOutcome::Refused(error.to_string(), None);
                saga::complete_and_continue(engine, &actor, first, outcome).await?;
            }
            return Err(match error {
                Error::Store(_) | Error::Internal(_) => Error::SupplierUnavailable(None),
                decided => decided,
            });
        }
    };
    let Some(first) = written.first() else { return Err(Error::BookingCancelled) };
    let progress = saga::run_saga(engine, &actor, first, None).await?;
    result(progress, booked.booking.id, &written)
}

/// What the caller is answered: of what these steps gave back, not of what came back before.
fn result(mut progress: Progress, booking: BookingId, steps: &[Step]) -> Result<Cancelled> {
    if let Some(error) = progress.error.take() {
        return Err(error);
    }
    if progress.open {
        return Ok(Cancelled::Pending);
    }
    let Some(closed) = progress.of(booking) else { return Ok(Cancelled::Pending) };
    // Of an order whose parts came back one after the other, the refund of this part is of its step.
    let part = |step: &Step| Ok::<_, Error>((step.number, step.request.parse::<CancelRequest>()?.part));
    let parts = steps.iter().map(part).collect::<Result<Vec<_>>>()?;
    let is_theirs = |refund: &&Refund| parts.contains(&(refund.number, refund.part.clone()));
    let rest = left_of(&closed.booking, &closed.orders)?;
    Cancelled::of(closed.refunds.iter().filter(is_theirs), rest)
}
