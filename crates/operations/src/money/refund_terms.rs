//! What comes back of a cancellation, and what is kept.

use wayfare_domain::{Currency, Money};
use wayfare_pricing::Paid;
use wayfare_store::booking::refunds::Refund;

use crate::Result;

/// What a cancellation returns, in the wallet's currency (P-10). Penalty and cancel share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundTerms {
    pub cancellation_charge: Money,
    pub provider_refund_amount: Money,
    /// S + G + P, which is not given back; zero for a hold that was never paid at the supplier.
    pub platform_charges: Money,
    pub refund_to_wallet: Money,
    /// What the supplier gives back beyond all that it had charged: it is the operator's, and in no amount above.
    pub surplus: Money,
}

/// What one supplier charged for its order and what it gives back of that, in its currency.
#[derive(Clone, Copy, Debug)]
pub struct Returned {
    pub charged: Money,
    pub refund: Money,
}

impl Returned {
    /// The same, where nothing is given back in the currency that was charged: it is nothing in each.
    fn in_one_currency(self) -> Self {
        match self.refund.is_zero() {
            true => Self { refund: Money::zero(self.charged.currency()), ..self },
            false => self,
        }
    }
}

impl RefundTerms {
    /// Whether it can be told what comes back: what the supplier gives back is in the currency in which it charged, or in the
    /// wallet's where that is what was sold in the currency that was charged.
    pub fn can_be_told(paid: &Paid, returned: Returned) -> bool {
        let returned = returned.in_one_currency();
        let (charged, refund) = (returned.charged.currency(), returned.refund.currency());
        charged == refund || is_in_wallets(paid, returned)
    }

    /// What comes back of what was paid, when its supplier gives back so much of what it charged.
    pub fn of(paid: &Paid, returned: Returned) -> Result<Self> {
        let returned = returned.in_one_currency();
        let charge = penalty(paid, returned)?;
        let left = paid.net.minus(charge)?;
        Ok(Self {
            cancellation_charge: charge,
            provider_refund_amount: paid.total.minus(charge)?,
            platform_charges: paid.platform_charges()?,
            refund_to_wallet: left.at_least(Money::zero(left.currency()))?,
            surplus: surplus(paid, returned)?,
        })
    }

    /// The same with S + G + P, which come back too where the supplier cancelled by itself (D-384).
    pub fn with_fees(paid: &Paid, returned: Returned) -> Result<Self> {
        let kept = Self::of(paid, returned)?;
        let zero = Money::zero(paid.total.currency());
        Ok(Self {
            platform_charges: zero,
            refund_to_wallet: paid.payable()?.minus(kept.cancellation_charge)?.at_least(zero)?,
            ..kept
        })
    }

    /// A hold that the supplier was never paid for comes back in full.
    pub fn of_unpaid_hold(paid: &Paid) -> Result<Self> {
        let zero = Money::zero(paid.total.currency());
        Ok(Self {
            cancellation_charge: zero,
            provider_refund_amount: paid.total,
            platform_charges: zero,
            refund_to_wallet: paid.payable()?,
            surplus: zero,
        })
    }

    /// As large a part of this as the supplier gives back of what was paid.
    pub(crate) fn share_of(&self, part: Money, paid: &Paid) -> Result<Money> {
        let (returned, total) = (self.provider_refund_amount, paid.total);
        if total.is_zero() || returned == total {
            return Ok(part);
        }
        Ok(part.times(returned.amount().checked_div(total.amount()).unwrap_or_default())?)
    }

    /// What several come to.
    pub fn together(all: impl IntoIterator<Item = Self>, currency: Currency) -> Result<Self> {
        let zero = Money::zero(currency);
        let none = Self {
            cancellation_charge: zero,
            provider_refund_amount: zero,
            platform_charges: zero,
            refund_to_wallet: zero,
            surplus: zero,
        };
        all.into_iter().try_fold(none, |sum, one| {
            Ok(Self {
                cancellation_charge: sum.cancellation_charge.plus(one.cancellation_charge)?,
                provider_refund_amount: sum.provider_refund_amount.plus(one.provider_refund_amount)?,
                platform_charges: sum.platform_charges.plus(one.platform_charges)?,
                refund_to_wallet: sum.refund_to_wallet.plus(one.refund_to_wallet)?,
                surplus: sum.surplus.plus(one.surplus)?,
            })
        })
    }
}

impl From<&Refund> for RefundTerms {
    fn from(refund: &Refund) -> Self {
        Self {
            cancellation_charge: refund.cancellation_charge,
            provider_refund_amount: refund.provider_refund_amount,
            platform_charges: refund.platform_charges,
            refund_to_wallet: refund.refund_to_wallet,
            // Only what is settled tells.
            surplus: Money::zero(refund.refund_to_wallet.currency()),
        }
    }
}

/// Whether the supplier gives back in the wallet's currency what it charged in the quote's, which has a rate between the two.
fn is_in_wallets(paid: &Paid, returned: Returned) -> bool {
    let (charged, refund) = (returned.charged.currency(), returned.refund.currency());
    charged != refund && charged == paid.supplier_due.currency() && refund == paid.total.currency()
}

/// What the supplier gives back beyond what it had charged, in the wallet's currency; nothing where that can't be told.
pub(crate) fn surplus(paid: &Paid, returned: Returned) -> Result<Money> {
    let (total, due) = (paid.total, paid.supplier_due);
    let Returned { charged, refund } = returned;
    let more = if is_in_wallets(paid, returned) {
        refund.minus(total)?
    } else if refund.currency() != charged.currency() || !refund.minus(charged)?.is_positive() {
        Money::zero(total.currency())
    } else if charged.currency() == due.currency() {
        refund.minus(charged)?.converted(paid.exchange_rate, total.currency())?
    } else {
        let share = refund.minus(charged)?.amount().checked_div(charged.amount()).unwrap_or_default();
        total.times(share)?
    };
    Ok(more.at_least(Money::zero(total.currency()))?)
}

/// What the supplier keeps of what was paid: never less than nothing, never more than it is paid. All of what was quoted
/// is T and the ancillaries to the last unit, whatever the rate rounds to.
fn penalty(paid: &Paid, returned: Returned) -> Result<Money> {
    let (total, due) = (paid.total, paid.supplier_due);
    if is_in_wallets(paid, returned) {
        // T was converted at the quote's rate: what is missing of it is kept.
        let kept = total.minus(returned.refund)?;
        return Ok(kept.at_least(Money::zero(total.currency()))?.at_most(total)?);
    }
    let penalty = returned.charged.minus(returned.refund)?;
    if penalty == due && !due.is_zero() {
        return Ok(total);
    }
    // The quote's rate is of the currency that was quoted, and what was added later was converted at the rate of its own
    // day: there it is as much of all as the supplier keeps of all.
    let whole = match penalty.currency() == due.currency() {
        true if paid.ancillary.is_zero() && paid.changed.is_zero() => None,
        true => Some(due),
        false => Some(returned.charged),
    };
    let penalty = match whole {
        Some(whole) => total.times(penalty.amount().checked_div(whole.amount()).unwrap_or_default())?,
        None => penalty.converted(paid.exchange_rate, total.currency())?,
    };
    Ok(penalty.at_least(Money::zero(total.currency()))?.at_most(total)?)
}
