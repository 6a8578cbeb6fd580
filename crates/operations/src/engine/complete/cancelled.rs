//! Orders that are given back, or not, and what returns to the wallet.

use serde_json::json;
use wayfare_domain::{
    BookingStatus, CancelledPart, EventKind, FareKind, IncidentKind, Money, OrderPart, OrderStatus,
    RefundStatus, TransferId,
};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_pricing::Paid;
use wayfare_store::booking::{bookings::GivenBackPart, refunds::Refund};

use super::Completion;
use crate::{
    Error, RefundTerms, Result,
    engine::{
        cancellation::{self, CancelRequest},
        fare_rows, order_holds,
        step::CancelledOrder,
    },
    money::{
        posting_rules,
        refund_terms::{self, Returned},
    },
    order_content::order_content,
    tools::audit_event,
};

impl Completion<'_> {
    pub(super) fn cancelled(&mut self, cancelled: &CancelledOrder, wallet: &mut Wallet) -> Result<()> {
        let (number, reference) = (self.command.step.number, &self.after.booking.reference);
        let mut refund = self
            .refund_of(number)
            .ok_or_else(|| Error::Internal(format!("order {number} of {reference} has no refund")))?;
        // What was paid for it is told before it is marked as given back.
        let paid = self.paid_for(cancelled)?;
        let charged = self.charged(cancelled, &paid)?;
        settle(cancelled, &paid, charged, &mut refund)?;
        let terms =
            RefundTerms { surplus: self.surplus(cancelled, &paid, charged)?, ..RefundTerms::from(&refund) };
        self.mark(cancelled, &paid)?;
        let transfer = self.pay_back(&refund, &terms, &paid, wallet)?;
        #[cfg(feature = "failpoints")]
        if cancelled.part.is_some() && super::seeded_bugs::is_part_paid_back_twice() {
            let again =
                Refund { id: wayfare_domain::RefundId::new(&self.engine.core.clock), ..refund.clone() };
            self.pay_back(&again, &terms, &paid, wallet)?;
        }
        refund.status = RefundStatus::Refunded;
        refund.refunded_at = Some(self.now);
        refund.provider_refund_id.clone_from(&cancelled.id);
        self.put_refund(&refund);
        self.tell_refund(&refund);
        self.raise_other_refund(cancelled, charged, terms.surplus);
        let fares = fare_rows::given_back(self.after.booking.kind, &paid, &terms, transfer)?;
        self.fare(FareKind::Refund, fares)?;
        if self.ends_order(cancelled) {
            self.end_changes(self.asked().refused_change);
        }
        if self.any_stands() {
            self.partly_cancelled(cancelled.part.as_ref());
            return Ok(());
        }
        let booking = &mut self.after.booking;
        booking.status = BookingStatus::Cancelled;
        booking.cancelled_at = Some(self.now);
        self.writes.booking(booking);
        let action = match self.asked().replaced_by {
            Some(_) => EventKind::BookingRescheduled,
            None => EventKind::BookingCancelled,
        };
        self.changed(action, Some(BookingStatus::Confirmed));
        Ok(())
    }

    /// What the supplier settles otherwise than it was expected to is for the operator to see, and so is what it does not say.
    fn raise_other_refund(&mut self, cancelled: &CancelledOrder, charged: Money, surplus: Money) {
        let CancelledOrder { quoted, at_most, settled, by_terms, ref unclear, .. } = *cancelled;
        let is_expected = |settled: Money| match (quoted, at_most) {
            (Some(quoted), Some(at_most)) => is_between(settled, quoted, at_most),
            (Some(quoted), None) => settled == quoted,
            (None, _) => true,
        };
        let problem = match settled {
            _ if surplus.is_positive() => "the supplier gave back more than it had charged",
            Some(settled) if is_expected(settled) => return,
            Some(_) if by_terms || at_most.is_some() => {
                "the supplier gave another amount back than the terms do"
            }
            Some(_) => "the supplier gave another amount back than it had quoted",
            None if unclear.is_some() => "what the supplier says that it gave back can't be read",
            None if by_terms || (at_most.is_some() && quoted.is_some_and(Money::is_positive)) => {
                "the supplier does not say what it gave back"
            }
            None => return,
        };
        let mut details = json!({ "quoted": quoted, "settled": settled });
        if let Some(details) = details.as_object_mut() {
            if surplus.is_positive() {
                details.insert("charged".to_owned(), json!(charged));
                details.insert("surplus".to_owned(), json!(surplus));
            }
            if let Some(unclear) = unclear {
                details.insert("unreadable".to_owned(), json!(unclear.reason));
                details.insert("came".to_owned(), unclear.came.clone());
            }
        }
        self.raise(IncidentKind::OtherRefund, problem, details);
    }

    /// What the supplier had charged for what was given back.
    fn charged(&self, cancelled: &CancelledOrder, paid: &Paid) -> Result<Money> {
        let is_as_sold = cancelled.part.as_ref().is_none_or(|part| part.is_whole);
        let order = self.own_order().ok();
        let content = order
            .filter(|order| is_as_sold && order.given_back.is_empty())
            .and_then(|order| order.content.as_ref());
        let charged = content.map(order_content(self.after.booking.kind).charged);
        Ok(charged.transpose()?.unwrap_or(paid.supplier_due))
    }

    /// What the supplier gives back beyond that, in the wallet's currency; a hold was never paid there.
    fn surplus(&self, cancelled: &CancelledOrder, paid: &Paid, charged: Money) -> Result<Money> {
        let asked = self.asked();
        match cancelled.settled.or(cancelled.quoted) {
            Some(refund) if !asked.held && !asked.lapsed => {
                refund_terms::surplus(paid, Returned { charged, refund })
            }
            _ => Ok(Money::zero(paid.total.currency())),
        }
    }

    /// The event that more of the booking stands than what was given back.
    fn partly_cancelled(&mut self, part: Option<&CancelledPart>) {
        let (actor, booking) = (&self.command.actor, &self.after.booking);
        let action = EventKind::BookingPartlyCancelled;
        let mut event = audit_event::of_booking(&self.engine.core, actor, booking, action, None);
        if let Some(CancelledPart { part, .. }) = part {
            event.add("journeys", json!(part.journeys()));
            event.add("passengers", json!(pax_ids(part)));
        }
        self.writes.event(&event);
    }

    /// What was paid for what was given back.
    fn paid_for(&self, cancelled: &CancelledOrder) -> Result<Paid> {
        let order = self.own_order()?;
        cancellation::paid_for(self.sale()?, order, cancelled.part.as_ref(), cancelled.part_total)
    }

    /// Whether nothing of the order stands any more.
    fn ends_order(&self, cancelled: &CancelledOrder) -> bool {
        cancelled.part.as_ref().is_none_or(|part| part.is_last)
    }

    /// The event that money came back: before that of the booking, which says what became of it by then.
    fn tell_refund(&mut self, refund: &Refund) {
        let event =
            audit_event::of_refund(&self.engine.core, &self.command.actor, &self.after.booking, refund);
        if let Some(event) = event {
            self.writes.event(&event);
        }
    }

    pub(super) fn not_cancelled(&mut self) {
        self.move_refund(self.command.step.number, RefundStatus::Failed);
        self.changed(EventKind::BookingCancelRefused, None);
    }

    /// Nobody paid for it: what the supplier keeps is the operator's loss.
    pub(super) fn compensated(&mut self, cancelled: &CancelledOrder) -> Result<()> {
        let is_held = self.own_order().is_ok_and(|order| order.status == OrderStatus::Held);
        // A hold was never paid at its supplier.
        let held = self.asked().held || is_held;
        self.mark(cancelled, &Paid::of(self.sale()?)?)?;
        let charged = self.sale()?.supplier_due()?;
        let back = cancelled.settled.or(cancelled.quoted);
        if back.is_none() && !held {
            let details = json!({ "charged": charged, "given_back": null });
            let problem = "an order was given back because its booking had failed, and its supplier does not say what it keeps";
            self.raise(IncidentKind::PenaltyKept, problem, details);
        }
        if let Some(back) = back
            && !held
            && back != charged
        {
            let details = json!({ "charged": charged, "given_back": back });
            let is_more = back.minus(charged).is_ok_and(Money::is_positive);
            let (kind, problem) = match is_more {
                true => (
                    IncidentKind::OtherRefund,
                    "the supplier gave back more than it had charged for an order whose booking had failed",
                ),
                false => (
                    IncidentKind::PenaltyKept,
                    "a supplier keeps a part of an order that was given back because its booking had failed",
                ),
            };
            self.raise(kind, problem, details);
        }
        self.changed(EventKind::BookingOrderUndone, None);
        Ok(())
    }

    pub(super) fn not_compensated(&mut self, reason: &str) {
        let details = json!({ "reason": reason });
        let problem = "an order stands although its booking failed: its supplier does not take it back";
        self.raise(IncidentKind::OrderWithoutBooking, problem, details);
        self.changed(EventKind::BookingUndoRefused, None);
    }

    fn asked(&self) -> CancelRequest {
        self.command.step.request.parse().unwrap_or_else(|_| CancelRequest::of(""))
    }

    fn mark(&mut self, cancelled: &CancelledOrder, paid: &Paid) -> Result<()> {
        let lapsed = self.asked().lapsed;
        let part = cancelled.part.as_ref();
        self.order(|order| {
            if let Some(CancelledPart { part, is_last: false, .. }) = part {
                let content = order.content.as_ref();
                let marked = content.map(|content| (cancelled.mark_part)(content, part));
                order.content = marked.transpose()?;
                order.given_back.push(GivenBackPart { part: part.clone(), paid: *paid });
                return Ok(());
            }
            order.status = OrderStatus::Cancelled;
            order.hold = order_holds::given_back(order.hold, lapsed);
            order.content = order.content.as_ref().map(cancelled.mark).transpose()?;
            order.next_poll_at = None;
            Ok(())
        })
    }

    fn refund_of(&self, number: u16) -> Option<Refund> {
        let mut refunds = self.after.refunds.iter();
        refunds.find(|refund| refund.number == number && refund.is_under_way()).cloned()
    }

    fn put_refund(&mut self, refund: &Refund) {
        self.writes.refund(refund);
        for known in &mut self.after.refunds {
            if known.id == refund.id {
                *known = refund.clone();
            }
        }
    }

    pub(super) fn move_refund(&mut self, number: u16, status: RefundStatus) {
        if let Some(refund) = self.refund_of(number) {
            self.put_refund(&Refund { status, ..refund });
        }
    }

    /// Posts what returns to the wallet and what its supplier gives back, where that is anything.
    fn pay_back(
        &mut self,
        refund: &Refund,
        terms: &RefundTerms,
        paid: &Paid,
        wallet: &mut Wallet,
    ) -> Result<Option<TransferId>> {
        let booking = &self.after.booking;
        let supplier = (booking.kind, self.sale()?.supplier.as_str());
        let legs = posting_rules::refund_legs(wallet.id, supplier, paid, terms)?;
        if legs.is_empty() {
            return Ok(None);
        }
        let mut description = format!("refund of booking {}", booking.reference);
        if wallet.id != booking.wallet {
            description += &format!(" of {}", booking.user_name);
        }
        let transfer = Transfer::new(
            TransferId::new(&self.engine.core.clock),
            format!("refund:{}", refund.id),
            Reason::Refund,
            Some(booking.reference.to_string()),
            description,
            self.command.step.requested_by,
            legs,
            self.now,
        )?;
        // A wallet for which nothing is left has no leg.
        let leg = transfer.leg_on(wallet.id);
        let entry = leg.map(|_| wallet.give_back(&transfer, &self.engine.core.secrets.chain));
        let entry = entry.transpose()?;
        if entry.is_some() {
            self.writes.wallet(booking.organization, wallet);
        }
        self.writes.transfer(booking.organization, &transfer, entry.as_slice())?;
        Ok(Some(transfer.id))
    }
}

impl CancelledOrder {
    /// What the supplier gives back by its own word, as far as the terms let it count; none where its quote counts, or it says
    /// nothing that can be compared.
    fn given_back(&self) -> Option<Money> {
        let (settled, at_most) = (self.settled?, self.at_most?);
        settled.at_most(at_most).ok()
    }
}

/// What returns to the wallet where the supplier had quoted nothing by itself: what it says now that it gives back, and never
/// more than the terms do.
fn settle(cancelled: &CancelledOrder, paid: &Paid, charged: Money, refund: &mut Refund) -> Result<()> {
    let Some(given_back) = cancelled.given_back() else { return Ok(()) };
    let returned = Returned { charged, refund: given_back };
    let terms = RefundTerms::of(paid, returned)?;
    refund.cancellation_charge = terms.cancellation_charge;
    refund.provider_refund_amount = terms.provider_refund_amount;
    refund.platform_charges = terms.platform_charges;
    refund.refund_to_wallet = terms.refund_to_wallet;
    Ok(())
}

/// Whether an amount is one of these or between them.
fn is_between(amount: Money, least: Money, most: Money) -> bool {
    amount.at_least(least) == Ok(amount) && amount.at_most(most) == Ok(amount)
}

/// Travellers as the API names them.
fn pax_ids(part: &OrderPart) -> Vec<String> {
    part.travellers().iter().map(u32::to_string).collect()
}
