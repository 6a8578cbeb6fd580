//! Who gets what when a booking is paid, and who gives what when it is given back.

use wayfare_domain::{Currency, Money, WalletId};
use wayfare_ledger::{Account, Leg};
use wayfare_pricing::{Sale, Totals};

use crate::{Error, Result};

/// What a cancellation returns, in the wallet's currency (decisions, detail 10). Penalty and cancel share it.
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

impl RefundTerms {
    /// What comes back for these sales when the suppliers give back `refunds`, in their own currencies.
    /// A hold that the supplier was never paid for comes back in full.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(sales: &[Sale], refunds: &[Money], unpaid_hold: bool, currency: Currency) -> Result<Self> {
        let totals = Totals::of(sales, currency)?;
        let zero = Money::zero(currency);
        if unpaid_hold {
            return Ok(Self {
                cancellation_charge: zero,
                provider_refund_amount: totals.total,
                platform_charges: zero,
                refund_to_wallet: totals.agent_fare,
            });
        }
        let mut charge = zero;
        for (sale, refund) in sales.iter().zip(refunds) {
            charge = charge.plus(kept(sale, *refund, currency)?)?;
        }
        let platform_charges = totals.platform_charges()?;
        let left = totals.agent_fare.minus(charge)?.minus(platform_charges)?;
        Ok(Self {
            cancellation_charge: charge,
            provider_refund_amount: totals.total.minus(charge)?,
            platform_charges,
            refund_to_wallet: left.at_least(zero)?,
        })
    }
}

/// What the supplier keeps of one sale: never less than nothing, never more than its total. Nothing given
/// back is the whole total, to the last unit, whatever the rate rounds to.
fn kept(sale: &Sale, refund: Money, currency: Currency) -> Result<Money> {
    let total = sale.price.total();
    if !refund.is_positive() {
        return Ok(total);
    }
    let kept = sale
        .supplier_total
        .minus(refund)?
        .converted(sale.exchange_rate, currency)?;
    Ok(kept.at_least(Money::zero(currency))?.at_most(total)?)
}

/// The legs of a paid booking: the wallet pays, the suppliers are owed T − K, the rest is split. None when
/// nothing is paid.
///
/// # Errors
/// When amounts don't add up.
pub(crate) fn booking_legs(wallet: WalletId, sales: &[Sale], currency: Currency) -> Result<Vec<Leg>> {
    let totals = Totals::of(sales, currency)?;
    let mut split = Split::new(currency);
    for sale in sales {
        let owed = sale.price.total().minus(sale.price.commission())?;
        split.credit(Account::Supplier(sale.supplier.clone()), owed)?;
    }
    split.credit(Account::Markup, totals.markup)?;
    split.credit(Account::ServiceFee, totals.service_fee)?;
    split.credit(Account::Gst, totals.gst)?;
    split.credit(Account::PlatformCharge, totals.platform_charge)?;
    split.balance(Leg::debit(Account::Wallet(wallet), totals.agent_fare))
}

/// The legs of a refund: the wallet gets it, from what the supplier gives back and the markup; what those
/// don't cover, or leave over, is the platform's commission.
///
/// # Errors
/// When amounts don't add up.
pub(crate) fn refund_legs(
    wallet: WalletId,
    sales: &[Sale],
    terms: &RefundTerms,
    currency: Currency,
) -> Result<Vec<Leg>> {
    let totals = Totals::of(sales, currency)?;
    let mut split = Split::new(currency);
    for (sale, given_back) in sales.iter().zip(shares_of(terms, sales, currency)?) {
        let owed_less = given_back
            .minus(sale.price.commission())?
            .at_least(Money::zero(currency))?;
        split.credit(Account::Supplier(sale.supplier.clone()), owed_less.negated())?;
    }
    split.credit(Account::Markup, totals.markup.negated())?;
    if terms.platform_charges.is_zero() {
        split.credit(Account::ServiceFee, totals.service_fee.negated())?;
        split.credit(Account::Gst, totals.gst.negated())?;
        split.credit(Account::PlatformCharge, totals.platform_charge.negated())?;
    }
    split.balance(Leg::credit(Account::Wallet(wallet), terms.refund_to_wallet))
}

/// What each supplier gives back: with one sale all of it, else filled up in order of the sales.
fn shares_of(terms: &RefundTerms, sales: &[Sale], currency: Currency) -> Result<Vec<Money>> {
    let mut left = terms.provider_refund_amount;
    let mut shares = Vec::with_capacity(sales.len());
    for sale in sales {
        let share = left
            .at_most(sale.price.total())?
            .at_least(Money::zero(currency))?;
        left = left.minus(share)?;
        shares.push(share);
    }
    Ok(shares)
}

/// Legs on the platform's side, which the wallet's leg must balance.
struct Split {
    legs: Vec<Leg>,
    credited: Money,
}

impl Split {
    fn new(currency: Currency) -> Self {
        Self {
            legs: Vec::new(),
            credited: Money::zero(currency),
        }
    }

    /// A credit; a negative one is a debit, none at all is no leg.
    fn credit(&mut self, account: Account, amount: Money) -> Result<()> {
        self.credited = self.credited.plus(amount)?;
        if amount.is_positive() {
            self.legs.push(Leg::credit(account, amount));
        } else if amount.is_negative() {
            self.legs.push(Leg::debit(account, amount.negated()));
        }
        Ok(())
    }

    /// The legs with the wallet's in front; what is left over is the platform's commission.
    fn balance(mut self, wallet: Leg) -> Result<Vec<Leg>> {
        if wallet.amount.is_negative() {
            return Err(Error::Internal("a wallet's leg can't be negative".to_owned()));
        }
        if wallet.amount.is_zero() {
            return Ok(Vec::new());
        }
        let due = match wallet.side {
            wayfare_ledger::Side::Debit => wallet.amount,
            wayfare_ledger::Side::Credit => wallet.amount.negated(),
        };
        let rest = due.minus(self.credited)?;
        self.credit(Account::Commission, rest)?;
        self.legs.insert(0, wallet);
        Ok(self.legs)
    }
}
