//! The course of a trial: what is cheapest and refundable is booked, looked up and given back.
//!
//! Booking is asked for once. Whatever goes wrong after it, what stands is given back, and what could not be is told.

use std::{
    io::{self, Write},
    time::Duration,
};

use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};
use wayfare_domain::{BookingRef, OrderReference, OrderStatus};
use wayfare_supply::{Answer, CancellationQuote, CancellationState, OrderToCancel};

use super::{
    port::{ComesBack, Found, Order, Priced, TrialPort},
    steps::{Learnt, Steps},
};

/// So many of the cheapest are priced until one may be bought: each costs the supplier a call.
const MOST_PRICED: usize = 3;

/// What may stand at the supplier when the trial is over.
#[derive(Serialize)]
pub struct Remains {
    pub reference: String,
    /// None where nobody knows whether there is an order.
    pub order_id: Option<String>,
    pub why: String,
}

/// A trial under way.
pub struct Course<'a, P> {
    port: &'a P,
    steps: &'a mut Steps,
    wanted: ComesBack,
    reference: OrderReference,
}

/// Runs a trial; what remains at the supplier, if anything does. A live one buys only what comes back whole.
pub async fn run<P: TrialPort>(port: &P, steps: &mut Steps, is_live: bool) -> Option<Remains> {
    let wanted = if is_live { ComesBack::All } else { ComesBack::Part };
    let mut course = Course { port, steps, wanted, reference: BookingRef::random(P::KIND).order(1) };
    let priced = course.chosen().await?;
    if !course.finds_nothing(&priced).await && is_live {
        course.say("choose", Err("silence could not be settled by a look-up: nothing is bought".to_owned()));
        return None;
    }
    outlast_signals();
    match course.made(&priced).await {
        Ok(order) => {
            course.look_up(&order, &priced).await;
            let why = course.not_given_back(&order, &priced).await?;
            Some(course.remains(Some(order.id), why))
        }
        Err(remains) => remains,
    }
}

impl<P: TrialPort> Course<'_, P> {
    /// What may be bought, priced right before.
    async fn chosen(&mut self) -> Option<Priced<P::Request>> {
        let (port, wanted) = (self.port, self.wanted);
        let learn = |found: &Found<P::Offer>| {
            let all = format!("{} offers, {} that can't be used", found.count, found.unusable);
            let cheapest = found.refundable.iter().min_by_key(|(total, _)| total.amount());
            match cheapest {
                Some((total, _)) => Ok(format!("{all}; the cheapest refundable one costs {total:?}")),
                None => Err(format!("{all}; none is refundable as it must be: nothing is bought")),
            }
        };
        let Answer::Done(mut found) = self.steps.ask("search", port.search(wanted), learn).await else {
            return None;
        };
        if found.refundable.is_empty() {
            return None;
        }
        found.refundable.sort_by_key(|(total, _)| total.amount());
        let obstacle = |priced: &Priced<P::Request>| match &priced.lacks {
            Some(lacks) => Some(format!("it wants what a trial has not: {lacks}")),
            None => (priced.comes_back < wanted).then(|| "not refundable enough to be bought".to_owned()),
        };
        for (searched, offer) in found.refundable.iter().take(MOST_PRICED) {
            let learn = |priced: &Priced<P::Request>| {
                let moved = (priced.total != *searched).then(|| format!(", searched at {searched:?}"));
                let back = match priced.comes_back {
                    ComesBack::Nothing => "not refundable",
                    ComesBack::Part => "refundable in part ",
                    ComesBack::All => "refundable in full ",
                };
                let end = obstacle(priced).unwrap_or_else(|| "to be bought".to_owned());
                Ok(format!("{:?}{}; {back}{}; {end}", priced.total, moved.unwrap_or_default(), priced.until))
            };
            match self.steps.ask("price", port.price(offer, &self.reference), learn).await {
                Answer::Done(priced) if obstacle(&priced).is_none() => return Some(priced),
                _ => {}
            }
        }
        self.say("choose", Err("none of these may be bought: nothing is bought".to_owned()));
        None
    }

    /// Whether an order that never was is not found. On this depends whether silence can be settled, so it is asked before
    /// anything is bought.
    async fn finds_nothing(&mut self, priced: &Priced<P::Request>) -> bool {
        let never = self.port.renamed(&priced.request, BookingRef::random(P::KIND).order(1));
        let learn = |found: &Option<Order>| match found {
            None => Ok("an order that never was is not found".to_owned()),
            Some(order) => Err(format!("an order that never was is found: {}", described(order))),
        };
        let found = self.steps.ask("look up what never was", self.port.find(None, &never), learn).await;
        matches!(found, Answer::Done(None))
    }

    /// The order, once its supplier has made up its mind.
    ///
    /// # Errors
    /// What may stand, where there is no order to go on with.
    async fn made(&mut self, priced: &Priced<P::Request>) -> Result<Order, Option<Remains>> {
        let (port, patience) = (self.port, self.patience());
        self.say("reference", Ok(format!("booked as {}", self.reference)));
        let step = if priced.is_held { "hold" } else { "book" };
        let booked = self.steps.ask(step, port.book(&priced.request), alive).await;
        let is_settled = |order: &Order| order.status != OrderStatus::Pending;
        let (id, found) = match booked {
            Answer::Refused(_) | Answer::Unavailable(_) => return Err(None),
            Answer::Done(order) if is_settled(&order) => (None, Answer::Done(Some(order))),
            unsettled => {
                let id = done(unsettled).map(|order| order.id);
                let find = async || port.find(id.as_deref(), &priced.request).await;
                let learn = |found: &Option<Order>| found.as_ref().map_or(Ok(NOT_FOUND.to_owned()), alive);
                let ends = |found: &Answer<Option<Order>>| matches!(found, Answer::Done(Some(order)) if is_settled(order));
                let found = self.steps.poll("look up", patience, find, learn, ends).await;
                (id, found)
            }
        };
        match found {
            Answer::Done(Some(order)) if is_over(order.status) => Err(None),
            Answer::Done(Some(order)) if is_settled(&order) => Ok(order),
            // The supplier has had all its time: it was not made.
            Answer::Done(None) if id.is_none() => Err(None),
            _ => Err(Some(self.remains(id, "the supplier has not settled it in its time".to_owned()))),
        }
    }

    /// Both ways in which an order is found.
    async fn look_up(&mut self, order: &Order, priced: &Priced<P::Request>) {
        let compare = |found: &Option<Order>| match found {
            None => Err(NOT_FOUND.to_owned()),
            Some(other) if other.id != order.id => Err(format!("another one is found: {}", described(other))),
            Some(found) if found.total != priced.total => {
                Err(format!("{}, but was priced at {:?}", described(found), priced.total))
            }
            Some(found) => Ok(described(found)),
        };
        for (step, id) in [("look up by id", Some(order.id.as_str())), ("look up by reference", None)] {
            let _ = self.steps.ask(step, self.port.find(id, &priced.request), compare).await;
        }
    }

    /// Gives it back; why it may stand still, where it could not be. What surely did nothing is tried again.
    async fn not_given_back(&mut self, order: &Order, priced: &Priced<P::Request>) -> Option<String> {
        let (port, patience) = (self.port, self.patience());
        let supplier = port.supplier();
        let wanted = OrderToCancel {
            id: &order.id,
            status: order.status,
            charged: Some(order.total),
            part: None,
            kept_by_terms: None,
            first_day: None,
        };
        let learn = |quote: &CancellationQuote| match (quote.refund, &quote.unclear) {
            (Some(refund), _) => Ok(format!("{refund:?} would come back of {:?}", order.total)),
            (None, Some(unclear)) => Err(format!("what comes back is unclear: {}", unclear.reason)),
            (None, None) => Ok("what comes back is told later".to_owned()),
        };
        let quote = async || supplier.quote_cancellation(wanted).await;
        let ends = |quote: &Answer<_>| matches!(quote, Answer::Done(_) | Answer::Refused(_));
        let quote = match self.steps.poll("quote cancellation", patience, quote, learn, ends).await {
            Answer::Done(quote) => quote,
            failed => return failed.problem().map(str::to_owned),
        };
        let cancel = async || supplier.cancel(&order.id, &quote.id, None, None).await;
        let ends = |answer: &Answer<_>| !matches!(answer, Answer::Unavailable(_));
        let mut cancelled = self.steps.poll("cancel", patience, cancel, state_of, ends).await;
        let is_open = |answer: &Answer<CancellationQuote>| match answer {
            Answer::Done(cancellation) => cancellation.state == CancellationState::Pending,
            Answer::Unknown(_) => true,
            Answer::Refused(_) | Answer::Unavailable(_) => false,
        };
        if is_open(&cancelled) {
            let id = done(cancelled).map_or(quote.id, |cancellation| cancellation.id);
            let find = async || supplier.find_cancellation(&order.id, &id, None).await;
            let ends = |answer: &Answer<_>| matches!(answer, Answer::Done(_)) && !is_open(answer);
            cancelled = self.steps.poll("look up cancellation", patience, find, state_of, ends).await;
        }
        match cancelled {
            Answer::Done(cancellation) if cancellation.state == CancellationState::Confirmed => {}
            Answer::Done(_) => return Some("the supplier has not carried its cancellation out".to_owned()),
            failed => return failed.problem().map(str::to_owned),
        }
        let learn = |found: &Option<Order>| match found {
            None => Ok(NOT_FOUND.to_owned()),
            Some(order) if is_over(order.status) => Ok(described(order)),
            Some(order) => Err(format!("its cancellation is confirmed, but {}", described(order))),
        };
        let find = self.port.find(Some(&order.id), &priced.request);
        match self.steps.ask("look up cancelled", find, learn).await {
            Answer::Done(found) if found.as_ref().is_none_or(|order| is_over(order.status)) => None,
            _ => Some("its cancellation is confirmed, but the order does not show it".to_owned()),
        }
    }

    fn remains(&self, order_id: Option<String>, why: String) -> Remains {
        Remains { reference: self.reference.to_string(), order_id, why }
    }

    fn say(&mut self, step: &'static str, learnt: Learnt) {
        self.steps.note(step, Duration::ZERO, learnt);
    }

    /// The supplier's longest processing time.
    fn patience(&self) -> Duration {
        self.port.supplier().config().processing_time
    }
}

const NOT_FOUND: &str = "not found";

fn done<T>(answer: Answer<T>) -> Option<T> {
    match answer {
        Answer::Done(content) => Some(content),
        Answer::Refused(_) | Answer::Unavailable(_) | Answer::Unknown(_) => None,
    }
}

/// Enough of its id to find it in a list, and not enough to do anything with it.
fn described(order: &Order) -> String {
    let id: String = order.id.chars().take(6).collect();
    format!("order {id}… is {} at {:?}", order.status.as_ref(), order.total)
}

/// The order, as it should be before it is given back.
fn alive(order: &Order) -> Learnt {
    if is_over(order.status) { Err(described(order)) } else { Ok(described(order)) }
}

fn is_over(status: OrderStatus) -> bool {
    matches!(status, OrderStatus::Cancelled | OrderStatus::Failed)
}

fn state_of(cancellation: &CancellationQuote) -> Learnt {
    let refund = cancellation.refund.map(|refund| format!(", {refund:?} come back")).unwrap_or_default();
    match cancellation.state {
        CancellationState::Confirmed => Ok(format!("carried out{refund}")),
        CancellationState::Pending => Ok("not carried out yet".to_owned()),
        CancellationState::Rejected => Err("rejected".to_owned()),
    }
}

/// No Ctrl-C, closed terminal or request to stop ends anything from now on: what was booked would be left standing.
fn outlast_signals() {
    for kind in [SignalKind::interrupt(), SignalKind::hangup(), SignalKind::terminate()] {
        let Ok(mut signals) = signal(kind) else { continue };
        drop(tokio::spawn(async move {
            while signals.recv().await.is_some() {
                let _ = writeln!(io::stderr(), "wayfarectl: what may have been booked is given back first");
            }
        }));
    }
}
