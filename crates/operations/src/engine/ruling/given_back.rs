//! The ruling on an order that its supplier has cancelled by itself.

use wayfare_domain::{
    BookingStatus, EventKind, FareKind, Faults, FeesRuling, IncidentKind, Money, OrderStatus, RefundId,
    RefundStatus, RulingKind, TransferId,
};
use wayfare_ledger::Reason;
use wayfare_store::booking::refunds::Refund;

use super::decide::Deciding;
use crate::{
    Result,
    engine::{
        booking_state::{is_live, nothing_pending},
        fare_rows, order_holds,
    },
    money::{
        posting_rules,
        refund_terms::{RefundTerms, Returned},
    },
    order_content::order_content,
    tools::audit_event,
};

impl Deciding<'_> {
    /// The order is cancelled, and what its supplier gives back returns to the wallet: what it got, and its transfer.
    pub(super) fn supplier_cancelled(&mut self) -> Result<(Money, Option<TransferId>)> {
        nothing_pending(self.under_way)?;
        self.not_given_back_yet()?;
        let terms = self.terms()?;
        self.not_more_than_is_left(terms.refund_to_wallet)?;
        let paid = self.order()?.left_of(self.sale()?)?;
        let kind = self.after.booking.kind;
        let supplier = (kind, self.sale()?.supplier.as_str());
        let legs = posting_rules::refund_legs(self.wallet.id, supplier, &paid, &terms)?;
        let mut transfer = None;
        if !legs.is_empty() {
            let made = self.transfer(Reason::Refund, self.refund_text(), legs)?;
            // A wallet for which nothing is left has no leg.
            let leg = made.leg_on(self.wallet.id);
            let entry = leg.map(|_| self.wallet.give_back(&made, &self.core.secrets.chain));
            let entry = entry.transpose()?;
            let organization = self.after.booking.organization;
            self.writes.transfer(organization, &made, entry.as_slice())?;
            transfer = Some(made.id);
        }
        let fares = fare_rows::given_back(kind, &paid, &terms, transfer)?;
        self.fare(FareKind::Refund, fares)?;
        self.refunded(&terms);
        self.cancel_order()?;
        self.cancel_booking();
        Ok((terms.refund_to_wallet, transfer))
    }

    fn not_given_back_yet(&self) -> Result<()> {
        let (booking, number) = (self.after.booking.id, self.new.number);
        let mut refunds = self.after.refunds.iter();
        let is_refunded = refunds.any(|refund| {
            let is_done = refund.status == RefundStatus::Refunded && refund.ends_order();
            refund.number == number && is_done
        });
        let mut rulings = self.rulings.iter();
        let is_ruled = rulings.any(|ruling| {
            (ruling.booking, ruling.number, ruling.kind) == (booking, number, RulingKind::SupplierCancelled)
        });
        match self.order()?.status {
            _ if is_refunded || is_ruled => {
                Err(Faults::of("order", "was given back already: rule a refund for what more came back")
                    .into())
            }
            OrderStatus::Confirmed | OrderStatus::Cancelled => Ok(()),
            OrderStatus::Held if self.is_unsettled() => Ok(()),
            OrderStatus::Held => {
                Err(Faults::of("order", "is held and was never paid: it is cancelled or lapses").into())
            }
            OrderStatus::Pending | OrderStatus::Failed => Err(Faults::of("order", "does not stand").into()),
        }
    }

    /// Whether its supplier says nothing of it by which it could be cancelled or lapse.
    fn is_unsettled(&self) -> bool {
        let stuck = [IncidentKind::OrderUnsettled, IncidentKind::RefundUnclear];
        let mut incidents = self.incidents.iter();
        incidents.any(|incident| stuck.contains(&incident.kind) && incident.is_about(self.new.number))
    }

    fn terms(&self) -> Result<RefundTerms> {
        let order = self.order()?;
        let paid = order.left_of(self.sale()?)?;
        if order.status == OrderStatus::Held {
            return match self.new.amount.is_zero() {
                true => RefundTerms::of_unpaid_hold(&paid),
                false => {
                    Err(Faults::of("amount", "must be 0: the supplier was never paid for a hold").into())
                }
            };
        }
        let content = order.content.as_ref().filter(|_| order.given_back.is_empty());
        let charged = content.map(order_content(self.after.booking.kind).charged);
        let charged = charged.transpose()?.unwrap_or(paid.supplier_due);
        let back = self.new.amount;
        if back.currency() != charged.currency() {
            let problem = format!("must be in {}: so the supplier charged", charged.currency().code());
            return Err(Faults::of("amount", problem).into());
        }
        if charged.minus(back)?.is_negative() && !self.new.beyond_cost {
            let problem =
                format!("is more than the supplier charged: {charged}; say it twice where it gave more back");
            return Err(Faults::of("amount", problem).into());
        }
        let returned = Returned { charged, refund: back };
        match self.new.fees {
            FeesRuling::Keep => RefundTerms::of(&paid, returned),
            FeesRuling::Return => RefundTerms::with_fees(&paid, returned),
        }
    }

    /// The refund of the order, and its event: one that waited for the ruling is the same one.
    fn refunded(&mut self, terms: &RefundTerms) {
        let booking = &self.after.booking;
        let number = self.new.number;
        let mut refunds = self.after.refunds.iter();
        let waited = refunds.find(|refund| refund.number == number && refund.is_under_way());
        let refund = Refund {
            id: waited.map_or_else(|| RefundId::from_uuid(self.id.uuid()), |refund| refund.id),
            organization: booking.organization,
            booking: booking.id,
            number,
            wallet: booking.wallet,
            status: RefundStatus::Refunded,
            cancellation_charge: terms.cancellation_charge,
            provider_refund_amount: terms.provider_refund_amount,
            platform_charges: terms.platform_charges,
            refund_to_wallet: terms.refund_to_wallet,
            provider_refund_id: waited.and_then(|refund| refund.provider_refund_id.clone()),
            requested_at: waited.map_or(self.now, |refund| refund.requested_at),
            refunded_at: Some(self.now),
            part: None,
        };
        let event = audit_event::of_refund(self.core, &self.actor, booking, &refund);
        if let Some(event) = event {
            self.writes.event(&event);
        }
        self.after.refunds.retain(|known| known.id != refund.id);
        self.after.refunds.push(refund.clone());
        self.refund = Some(refund);
    }

    fn cancel_order(&mut self) -> Result<()> {
        let (number, now) = (self.new.number, self.now);
        let booking = &self.after.booking;
        for order in &mut self.after.orders {
            if order.number != number || order.status == OrderStatus::Cancelled {
                continue;
            }
            order.status = OrderStatus::Cancelled;
            order.hold = order_holds::given_back(order.hold, false);
            let mark = order_content(booking.kind).mark_cancelled;
            order.content = order.content.as_ref().map(mark).transpose()?;
            order.next_poll_at = None;
            self.writes.order(booking, order, now)?;
        }
        Ok(())
    }

    fn cancel_booking(&mut self) {
        if self.after.booking.status == BookingStatus::Cancelled {
            return;
        }
        let any_is_live = self.after.orders.iter().any(is_live);
        let waits = self.after.orders.iter().any(|order| {
            order.status == OrderStatus::Cancelled
                && !self.after.refunds.iter().any(|refund| {
                    let is_done = refund.status == RefundStatus::Refunded && refund.ends_order();
                    refund.number == order.number && is_done
                })
        });
        let (action, before) = match any_is_live || waits {
            true => (EventKind::BookingPartlyCancelled, None),
            false => {
                let booking = &mut self.after.booking;
                booking.status = BookingStatus::Cancelled;
                booking.cancelled_at = Some(self.now);
                self.writes.booking(booking);
                (EventKind::BookingCancelled, Some(BookingStatus::Confirmed))
            }
        };
        let booking = &self.after.booking;
        let event = audit_event::of_booking(self.core, &self.actor, booking, action, before);
        self.writes.event(&event);
    }
}
