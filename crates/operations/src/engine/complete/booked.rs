//! Orders that are made, or not, and what the wallet pays for them.

use wayfare_domain::{BookingStatus, EventKind, FareKind, OrderStatus, StepKind, TransferId};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_store::{JsonText, booking::bookings::Order, money::entries::HoldOutcome};

use super::Completion;
use crate::{
    Error, Result,
    engine::{
        booking_state::is_live,
        cancellation::CancelRequest,
        fare_rows,
        step::{NewStep, OrderMade},
    },
    money::posting_rules,
};

impl Completion<'_> {
    pub(super) fn booked(&mut self, made: &OrderMade, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        self.raise_other_total(made.total)?;
        self.put(made)?;
        let booking = &mut self.after.booking;
        if booking.summary.pnr.is_empty() {
            made.locator.clone_into(&mut booking.summary.pnr);
        }
        if self.after.orders.iter().all(is_live) {
            return self.confirm(wallet);
        }
        self.writes.booking(&self.after.booking);
        Ok(())
    }

    fn confirm(&mut self, wallet: &mut Wallet) -> Result<()> {
        #[cfg(feature = "failpoints")]
        let transfer = match super::seeded_bugs::is_posted_before_store() {
            true => None,
            false => self.pay(wallet)?,
        };
        #[cfg(not(feature = "failpoints"))]
        let transfer = self.pay(wallet)?;
        let booking = &mut self.after.booking;
        booking.status = BookingStatus::Confirmed;
        booking.booked_at = Some(self.now);
        self.writes.booking(booking);
        let booking = &self.after.booking;
        for order in &self.after.orders {
            let missing = || {
                let (reference, number) = (&booking.reference, order.number);
                Error::Internal(format!("{reference} has no price of order {number}"))
            };
            let sale = booking.sale(order.number).ok_or_else(missing)?;
            let fares = fare_rows::sold(sale, transfer)?;
            let row = fare_rows::row(&self.engine.core, booking, order, FareKind::Sale, fares, self.now)?;
            self.writes.fare(&row);
        }
        self.changed(EventKind::BookingConfirmed, Some(BookingStatus::Pending));
        Ok(())
    }

    /// Spends what was held for the booking, where that is anything.
    pub(super) fn pay(&mut self, wallet: &mut Wallet) -> Result<Option<TransferId>> {
        let booking = &self.after.booking;
        let organization = booking.organization;
        let legs = posting_rules::booking_legs(wallet.id, &booking.sales, booking.amount.currency())?;
        let mut paid = None;
        if legs.is_empty() {
            wallet.void(booking.amount)?;
        } else {
            let transfer = Transfer::new(
                TransferId::new(&self.engine.core.clock),
                format!("booking:{}", booking.id),
                Reason::Booking,
                Some(booking.reference.to_string()),
                format!("booking {}", booking.reference),
                Some(booking.user),
                legs,
                self.now,
            )?;
            let entry = wallet.post(booking.amount, &transfer, &self.engine.core.secrets.chain)?;
            self.writes.transfer(organization, &transfer, &[entry])?;
            paid = Some(transfer.id);
        }
        self.writes.wallet(organization, wallet);
        self.writes.close_hold(organization, booking.hold, HoldOutcome::Posted, self.now);
        Ok(paid)
    }

    /// The whole booking fails: what was made of it already is given back to its suppliers.
    pub(super) fn not_booked(&mut self, reason: &str, wallet: &mut Wallet) -> Result<()> {
        self.still_pending()?;
        self.compensate_what_stands()?;
        for order in &mut self.after.orders {
            if order.status == OrderStatus::Pending {
                order.status = OrderStatus::Failed;
                self.writes.order(&self.after.booking, order, self.now)?;
            }
        }
        let booking = &mut self.after.booking;
        let organization = booking.organization;
        wallet.void(booking.amount)?;
        self.writes.wallet(organization, wallet);
        self.writes.close_hold(organization, booking.hold, HoldOutcome::Voided, self.now);
        booking.status = BookingStatus::Failed;
        booking.failure = Some(reason.to_owned());
        self.writes.booking(booking);
        // A quote is spent by the booking that stands, not by one that failed (P-87). Where an order was
        // made of it, though, its supplier could take the next one for that one, which may not be given back yet.
        if self.after.begun.is_empty() {
            self.writes.quote(organization, booking.quote, None);
        }
        self.changed(EventKind::BookingFailed, Some(BookingStatus::Pending));
        Ok(())
    }

    fn compensate_what_stands(&mut self) -> Result<()> {
        for order in &self.after.orders {
            if let Some(order_id) = compensable(order) {
                let step = NewStep {
                    organization: self.command.step.organization,
                    booking: self.command.step.booking,
                    number: order.number,
                    supplier: &order.supplier,
                    kind: StepKind::Compensate,
                    request: JsonText::keeping(CancelRequest::requoting(order_id))?,
                    requested_by: self.command.step.requested_by,
                }
                .at(self.engine, self.now);
                self.writes.new_step(&step);
                self.after.begun.push(step);
            }
        }
        Ok(())
    }

    fn still_pending(&self) -> Result<()> {
        let booking = &self.after.booking;
        match booking.status {
            BookingStatus::Pending => Ok(()),
            _ => Err(Error::Internal(format!("{} is settled already", booking.reference))),
        }
    }
}

fn compensable(order: &Order<JsonText>) -> Option<&str> {
    order.supplier_order_id.as_deref().filter(|_| is_live(order))
}
