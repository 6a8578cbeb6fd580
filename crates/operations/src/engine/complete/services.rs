//! Services that are added to a booking that stands, or not, and what the wallet pays for them.

use wayfare_domain::{EventKind, TransferId};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_store::money::entries::HoldOutcome;

use super::Completion;
use crate::{
    Result,
    engine::step::{OrderMade, Service},
    money::posting_rules,
};

impl Completion<'_> {
    /// What was held is paid, and the booking costs so much more.
    pub(super) fn added(&mut self, made: &OrderMade, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let number = self.command.step.number;
        let booking = &mut self.after.booking;
        booking.amount = booking.amount.plus(service.amount)?;
        self.sale_mut()?.ancillaries.extend(service.sold.iter().cloned());
        self.raise_other_total(made.total)?;
        self.put(made)?;
        self.writes.repriced(&self.after.booking)?;
        self.writes.raise_fare(&self.after.booking, number, service.amount);
        self.pay_service(service, wallet)?;
        self.changed(EventKind::BookingServiceAdded, None);
        Ok(())
    }

    fn pay_service(&mut self, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let (booking, step) = (&self.after.booking, &self.command.step);
        let legs = posting_rules::service_legs(wallet.id, &step.supplier, service.amount)?;
        if legs.is_empty() {
            wallet.void(service.amount)?;
        } else {
            let transfer = Transfer::new(
                TransferId::new(&self.engine.core.clock),
                format!("service:{}", step.id),
                Reason::Booking,
                Some(booking.reference.to_string()),
                format!("services for booking {}", booking.reference),
                step.requested_by,
                legs,
                self.now,
            )?;
            let entry = wallet.post(service.amount, &transfer, &self.engine.core.secrets.chain)?;
            self.writes.transfer(booking.organization, &transfer, &[entry])?;
        }
        self.writes.wallet(booking.organization, wallet);
        self.writes.close_hold(booking.organization, service.hold, HoldOutcome::Posted, self.now);
        Ok(())
    }

    pub(super) fn not_added(&mut self, service: &Service, wallet: &mut Wallet) -> Result<()> {
        self.void_service(service, wallet)?;
        self.changed(EventKind::BookingServiceRefused, None);
        Ok(())
    }

    /// What was set aside for it is free again.
    pub(super) fn void_service(&mut self, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let organization = self.after.booking.organization;
        wallet.void(service.amount)?;
        self.writes.wallet(organization, wallet);
        self.writes.close_hold(organization, service.hold, HoldOutcome::Voided, self.now);
        Ok(())
    }
}
