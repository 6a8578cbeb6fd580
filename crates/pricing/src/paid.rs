//! What was paid for a supplier order, or for a part of one: what refunds are worked out of.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Money, MoneyError};

use crate::Sale;

/// What was paid for an order or for a part of one, in the wallet's currency. All parts of an order and what is left of it
/// add up to the order, amount by amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid {
    /// What the supplier was to charge for it, in the supplier's currency.
    pub supplier_due: Money,
    /// Units of the wallet's currency for one of the supplier's, as the order was sold.
    #[serde(with = "wayfare_domain::exact_number")]
    pub exchange_rate: Decimal,
    /// T, what was bought beside the fare, and by how much changes of its flights made it differ.
    pub total: Money,
    /// What was bought beside the fare.
    pub ancillary: Money,
    /// By how much changes of its flights made it differ.
    pub changed: Money,
    /// What the wallet paid without S, G and P.
    pub net: Money,
    /// What the travellers' bill says.
    pub public_fare: Money,
    /// What the agency earned.
    pub agent_commission: Money,
    /// K, the commission that the supplier leaves.
    pub commission: Money,
    /// M, the package's markup.
    pub markup: Money,
    /// S: of a part nothing, since it never comes back with one.
    pub service_fee: Money,
    /// G, the GST on S: of a part nothing.
    pub gst: Money,
    /// P: of a part nothing.
    pub platform_charge: Money,
}

impl Paid {
    /// For all that was sold.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(sale: &Sale) -> Result<Self, MoneyError> {
        let (price, changed) = (&sale.price, sale.changed()?);
        let zero = Money::zero(price.currency());
        Ok(Self {
            supplier_due: sale.supplier_due()?,
            exchange_rate: sale.exchange_rate,
            total: sale.supplied()?,
            ancillary: sale.ancillary()?,
            changed,
            net: sale.payable()?.minus(price.platform_charges()?)?,
            public_fare: price.public_fare().plus(changed)?,
            agent_commission: price.agent_commission().unwrap_or(zero),
            commission: price.commission(),
            markup: price.markup(),
            service_fee: price.service_fee(),
            gst: price.gst(),
            platform_charge: price.platform_charge(),
        })
    }

    /// The share of this order for which its supplier was to charge so much, of which so much is left: each amount is
    /// rounded once, and none is more than is left of it.
    ///
    /// # Errors
    /// [`MoneyError`] when currencies differ.
    pub fn part(&self, supplier_due: Money, left: &Self) -> Result<Self, MoneyError> {
        supplier_due.plus(self.supplier_due)?;
        let ratio = supplier_due.amount().checked_div(self.supplier_due.amount()).unwrap_or_default();
        let share = |whole: Money, left: Money| whole.times(ratio)?.at_most(left);
        let zero = Money::zero(self.total.currency());
        Ok(Self {
            supplier_due: supplier_due.at_most(left.supplier_due)?,
            exchange_rate: self.exchange_rate,
            total: share(self.total, left.total)?,
            ancillary: share(self.ancillary, left.ancillary)?,
            changed: share(self.changed, left.changed)?,
            net: share(self.net, left.net)?,
            public_fare: share(self.public_fare, left.public_fare)?,
            agent_commission: share(self.agent_commission, left.agent_commission)?,
            commission: share(self.commission, left.commission)?,
            markup: share(self.markup, left.markup)?,
            service_fee: zero,
            gst: zero,
            platform_charge: zero,
        })
    }

    /// What is left without these parts.
    ///
    /// # Errors
    /// [`MoneyError`] when currencies differ.
    pub fn without<'a>(self, parts: impl IntoIterator<Item = &'a Self>) -> Result<Self, MoneyError> {
        parts.into_iter().try_fold(self, |left, part| {
            Ok(Self {
                supplier_due: left.supplier_due.minus(part.supplier_due)?,
                exchange_rate: left.exchange_rate,
                total: left.total.minus(part.total)?,
                ancillary: left.ancillary.minus(part.ancillary)?,
                changed: left.changed.minus(part.changed)?,
                net: left.net.minus(part.net)?,
                public_fare: left.public_fare.minus(part.public_fare)?,
                agent_commission: left.agent_commission.minus(part.agent_commission)?,
                commission: left.commission.minus(part.commission)?,
                markup: left.markup.minus(part.markup)?,
                service_fee: left.service_fee.minus(part.service_fee)?,
                gst: left.gst.minus(part.gst)?,
                platform_charge: left.platform_charge.minus(part.platform_charge)?,
            })
        })
    }

    /// S + G + P.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn platform_charges(&self) -> Result<Money, MoneyError> {
        self.service_fee.plus(self.gst)?.plus(self.platform_charge)
    }

    /// What the wallet paid.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn payable(&self) -> Result<Money, MoneyError> {
        self.net.plus(self.platform_charges()?)
    }
}
