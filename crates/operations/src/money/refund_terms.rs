//! What comes back of a cancellation, and what is kept.

use wayfare_domain::{Currency, Money};
use wayfare_pricing::Paid;
use wayfare_store::booking::refunds::Refund;

use crate::Result;

/// What a cancellation returns, in the wallet's currency (P-10). Penalty and cancel share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundTerms {
    /// What the supplier keeps.
    pub cancellation_charge: Money,
    /// T less the charge.
    pub provider_refund_amount: Money,
    /// S + G + P, which is not given back; zero for a hold that was never paid at the supplier.
    pub platform_charges: Money,
    /// What returns to the wallet.
    pub refund_to_wallet: Money,
}

/// What one supplier charged for its order and what it gives back of that, in its currency.
#[derive(Clone, Copy, Debug)]
pub struct Returned {
    /// What was charged.
    pub charged: Money,
    /// What is given back.
    pub refund: Money,
}

impl RefundTerms {
    /// What comes back of what was paid, when its supplier gives back so much of what it charged.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(paid: &Paid, returned: Returned) -> Result<Self> {
        let charge = penalty(paid, returned)?;
        let left = paid.net.minus(charge)?;
        Ok(Self {
            cancellation_charge: charge,
            provider_refund_amount: paid.total.minus(charge)?,
            platform_charges: paid.platform_charges()?,
            refund_to_wallet: left.at_least(Money::zero(left.currency()))?,
        })
    }

    /// The same with S + G + P, which come back too where the supplier cancelled by itself (D-384).
    ///
    /// # Errors
    /// When amounts don't add up.
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
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of_unpaid_hold(paid: &Paid) -> Result<Self> {
        let zero = Money::zero(paid.total.currency());
        Ok(Self {
            cancellation_charge: zero,
            provider_refund_amount: paid.total,
            platform_charges: zero,
            refund_to_wallet: paid.payable()?,
        })
    }

    /// What several come to.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn together(all: impl IntoIterator<Item = Self>, currency: Currency) -> Result<Self> {
        let zero = Money::zero(currency);
        let none = Self {
            cancellation_charge: zero,
            provider_refund_amount: zero,
            platform_charges: zero,
            refund_to_wallet: zero,
        };
        all.into_iter().try_fold(none, |sum, one| {
            Ok(Self {
                cancellation_charge: sum.cancellation_charge.plus(one.cancellation_charge)?,
                provider_refund_amount: sum.provider_refund_amount.plus(one.provider_refund_amount)?,
                platform_charges: sum.platform_charges.plus(one.platform_charges)?,
                refund_to_wallet: sum.refund_to_wallet.plus(one.refund_to_wallet)?,
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
        }
    }
}

/// What the supplier keeps of what was paid: never less than nothing, never more than it is paid. All of what was quoted
/// is T and the ancillaries to the last unit, whatever the rate rounds to.
fn penalty(paid: &Paid, returned: Returned) -> Result<Money> {
    let (total, due) = (paid.total, paid.supplier_due);
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
