//! Services that are added to a booking that stands, or not, and what the wallet pays for them.

use serde::{Deserialize, Serialize};
use wayfare_domain::{HoldId, Money, TransferId};
use wayfare_ledger::{Reason, Transfer, Wallet};
use wayfare_pricing::SoldAncillary;
use wayfare_store::money::entries::HoldOutcome;

use super::{Completion, OrderMade};
use crate::{Error, Result, money::posting_rules};

/// What is added to an order, and the money that is set aside for it. The database's checks know its hold by this name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Service {
    pub hold: HoldId,
    /// What the wallet pays.
    pub amount: Money,
    pub sold: Vec<SoldAncillary>,
}

impl Completion<'_> {
    /// What was held is paid, and the booking costs so much more.
    pub(super) fn added(&mut self, made: &OrderMade, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let number = self.closing.step.number;
        let place = usize::from(number).saturating_sub(1);
        let booking = &mut self.after.booking;
        booking.amount = booking.amount.plus(service.amount)?;
        let missing = || Error::Internal(format!("{} has no price of order {number}", booking.reference));
        let sale = booking.sales.get_mut(place).ok_or_else(missing)?;
        sale.ancillaries.extend(service.sold.iter().cloned());
        self.raise_other_total(made.total)?;
        self.put(made)?;
        self.writes.repriced(&self.after.booking)?;
        self.pay_service(service, wallet)?;
        self.changed("booking.service_added", None);
        Ok(())
    }

    fn pay_service(&mut self, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let (booking, step) = (&self.after.booking, &self.closing.step);
        let legs = posting_rules::service_legs(wallet.id, &step.supplier, service.amount)?;
        if legs.is_empty() {
            wallet.void(service.amount)?;
        } else {
            let transfer = Transfer::new(
                TransferId::new(&self.platform.clock),
                format!("service:{}", step.id),
                Reason::Booking,
                Some(booking.reference.to_string()),
                format!("services for booking {}", booking.reference),
                step.requested_by,
                legs,
                self.now,
            )?;
            let entry = wallet.post(service.amount, &transfer, &self.platform.secrets.chain)?;
            self.writes.transfer(booking.organization, &transfer, &[entry])?;
        }
        self.writes.wallet(booking.organization, wallet);
        self.writes
            .close_hold(booking.organization, service.hold, HoldOutcome::Posted, self.now);
        Ok(())
    }

    pub(super) fn not_added(&mut self, service: &Service, wallet: &mut Wallet) -> Result<()> {
        let organization = self.after.booking.organization;
        wallet.void(service.amount)?;
        self.writes.wallet(organization, wallet);
        self.writes
            .close_hold(organization, service.hold, HoldOutcome::Voided, self.now);
        self.changed("booking.service_refused", None);
        Ok(())
    }
}
