//! What comes back of a cancellation, and what is kept.

use wayfare_domain::{Currency, Money};
use wayfare_pricing::{Sale, Totals};
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
    /// What comes back for this sale when its supplier gives back so much of what it charged.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(sale: &Sale, returned: Returned, currency: Currency) -> Result<Self> {
        let totals = Totals::of(std::slice::from_ref(sale), currency)?;
        let charge = penalty(sale, returned, currency)?;
        let platform_charges = totals.platform_charges()?;
        let left = totals.payable()?.minus(charge)?.minus(platform_charges)?;
        Ok(Self {
            cancellation_charge: charge,
            provider_refund_amount: totals.supplied()?.minus(charge)?,
            platform_charges,
            refund_to_wallet: left.at_least(Money::zero(currency))?,
        })
    }

    /// The same with S + G + P, which come back too where the supplier cancelled by itself (D-384).
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn with_fees(sale: &Sale, returned: Returned, currency: Currency) -> Result<Self> {
        let kept = Self::of(sale, returned, currency)?;
        let paid = Totals::of(std::slice::from_ref(sale), currency)?.payable()?;
        let zero = Money::zero(currency);
        Ok(Self {
            platform_charges: zero,
            refund_to_wallet: paid.minus(kept.cancellation_charge)?.at_least(zero)?,
            ..kept
        })
    }

    /// A hold that the supplier was never paid for comes back in full.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of_unpaid_hold(sale: &Sale, currency: Currency) -> Result<Self> {
        let totals = Totals::of(std::slice::from_ref(sale), currency)?;
        Ok(Self {
            cancellation_charge: Money::zero(currency),
            provider_refund_amount: totals.supplied()?,
            platform_charges: Money::zero(currency),
            refund_to_wallet: totals.payable()?,
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

/// What the supplier keeps of one sale: never less than nothing, never more than it is paid. All of what was quoted
/// is T and the ancillaries to the last unit, whatever the rate rounds to.
fn penalty(sale: &Sale, returned: Returned, currency: Currency) -> Result<Money> {
    let total = sale.supplied()?;
    let penalty = returned.charged.minus(returned.refund)?;
    let due = sale.supplier_due()?;
    if penalty == due {
        return Ok(total);
    }
    // The quote's rate is of the currency that was quoted, and what was added later was converted at the rate of its own
    // day: there it is as much of all as the supplier keeps of all.
    let whole = match penalty.currency() == due.currency() {
        true if sale.ancillaries.is_empty() && sale.changes.is_empty() => None,
        true => Some(due),
        false => Some(returned.charged),
    };
    let penalty = match whole {
        Some(whole) => total.times(penalty.amount().checked_div(whole.amount()).unwrap_or_default())?,
        None => penalty.converted(sale.exchange_rate, currency)?,
    };
    Ok(penalty.at_least(Money::zero(currency))?.at_most(total)?)
}
