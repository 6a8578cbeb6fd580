//! A customer wallet: what it holds and what it can spend.

use thiserror::Error;
use wayfare_domain::{Currency, Money, MoneyError, WalletId};

use crate::{
    chain::{ChainKey, Entry, Seal},
    transfer::{Side, Transfer},
};

/// A wallet as it stands. What can be spent is `balance − held + credit_limit` and never goes below zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wallet {
    /// Of the wallet's row and of its account.
    pub id: WalletId,
    /// Money in it, in the wallet's currency; holds are not subtracted.
    pub balance: Money,
    /// Set aside for purchases under way.
    pub held: Money,
    /// May be spent beyond the balance.
    pub credit_limit: Money,
    /// When false it pays for nothing.
    pub is_active: bool,
    /// The number of its last entry; entries are counted from 1 without gaps.
    pub sequence: i64,
    /// The seal of its last entry.
    pub head: Seal,
}

/// The wallet can't pay: 402 in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("available: {available}, required: {required}")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub struct Refused {
    /// What it can spend now; 0 when it is frozen.
    pub available: Money,
    /// What was asked.
    pub required: Money,
}

/// A wallet has no room for so much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{amount} can't be added: the wallet would hold {balance}, and a wallet holds at most {most}")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub struct WalletFull {
    /// What was to be added.
    pub amount: Money,
    /// What the wallet would hold then.
    pub balance: Money,
    /// What a wallet holds at most.
    pub most: Money,
}

/// Why a movement was not made; the wallet is as before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum WalletError {
    /// It can't pay.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It has no room for what it should get.
    #[error(transparent)]
    Full(#[from] WalletFull),
    /// The transfer has no leg on this wallet, or not the side that is asked for.
    #[error("the transfer has no such leg on wallet {0}")]
    NoLeg(WalletId),
    /// A hold is released that is not there.
    #[error("wallet {0} does not hold that much")]
    NotHeld(WalletId),
    /// Amounts that don't add up.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl Wallet {
    /// An empty wallet without a credit line.
    pub fn open(id: WalletId, currency: Currency) -> Self {
        let zero = Money::zero(currency);
        Self {
            id,
            balance: zero,
            held: zero,
            credit_limit: zero,
            is_active: true,
            sequence: 0,
            head: Seal::START,
        }
    }

    /// Lets it spend so much beyond its balance.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when it owes and holds more than that: `required` is the least limit.
    pub fn set_credit_limit(&mut self, limit: Money) -> Result<(), WalletError> {
        let least = self.held.minus(self.balance)?;
        let least = least.at_least(Money::zero(least.currency()))?;
        if limit.minus(least)?.is_negative() {
            return Err(Refused { available: limit, required: least }.into());
        }
        self.credit_limit = limit;
        Ok(())
    }

    /// What can be spent now, whether or not it is frozen.
    pub fn spendable(&self) -> Result<Money, MoneyError> {
        self.balance.minus(self.held)?.plus(self.credit_limit)
    }

    /// What it could pay now: nothing while it is frozen.
    pub fn available(&self) -> Result<Money, MoneyError> {
        match self.is_active {
            true => self.spendable(),
            false => Ok(Money::zero(self.balance.currency())),
        }
    }

    /// Whether it could pay this now.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when it could not.
    pub fn covers(&self, amount: Money) -> Result<(), WalletError> {
        let available = self.available()?;
        if available.minus(amount)?.is_negative() || !self.is_active {
            return Err(Refused { available, required: amount }.into());
        }
        Ok(())
    }

    /// Sets money aside.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when it can't be spent.
    pub fn hold(&mut self, amount: Money) -> Result<(), WalletError> {
        self.covers(amount)?;
        self.held = self.held.plus(amount)?;
        Ok(())
    }

    /// Gives a hold back.
    ///
    /// # Errors
    /// [`WalletError::NotHeld`] when that much is not held.
    pub fn void(&mut self, amount: Money) -> Result<(), WalletError> {
        let held = self.held.minus(amount)?;
        if held.is_negative() {
            return Err(WalletError::NotHeld(self.id));
        }
        self.held = held;
        Ok(())
    }

    /// Turns a hold into the transfer's debit, which may be smaller but not larger than the hold.
    ///
    /// # Errors
    /// [`WalletError::NotHeld`], or [`WalletError::NoLeg`] when the transfer doesn't debit this wallet.
    pub fn post(&mut self, hold: Money, transfer: &Transfer, key: &ChainKey) -> Result<Entry, WalletError> {
        let leg = transfer
            .leg_on(self.id)
            .filter(|leg| leg.side == Side::Debit)
            .ok_or(WalletError::NoLeg(self.id))?;
        if hold.minus(leg.amount)?.is_negative() {
            return Err(WalletError::NotHeld(self.id));
        }
        let mut after = self.clone();
        after.void(hold)?;
        let entry = after.write(transfer, key)?;
        *self = after;
        Ok(entry)
    }

    /// Makes the transfer's movement on this wallet without a hold. A debit spends balance only as far as
    /// nothing held or on credit is touched. A credit leaves no more in the wallet than an amount may be.
    ///
    /// # Errors
    /// [`WalletError::Refused`] for a debit that the balance less holds does not cover, [`WalletError::Full`] for a credit
    /// for which there is no room, [`WalletError::NoLeg`].
    pub fn apply(&mut self, transfer: &Transfer, key: &ChainKey) -> Result<Entry, WalletError> {
        let leg = transfer.leg_on(self.id).ok_or(WalletError::NoLeg(self.id))?;
        if leg.side == Side::Debit {
            let available = self.balance.minus(self.held)?;
            if available.minus(leg.amount)?.is_negative() {
                let available = available.at_least(Money::zero(available.currency()))?;
                return Err(Refused { available, required: leg.amount }.into());
            }
        } else {
            self.has_room_for(leg.amount)?;
        }
        self.write(transfer, key)
    }

    /// Gives money back that was paid from here: it always fits, since a full wallet must not keep anybody from what is
    /// theirs.
    ///
    /// # Errors
    /// [`WalletError::NoLeg`] when the transfer doesn't credit this wallet.
    pub fn give_back(&mut self, transfer: &Transfer, key: &ChainKey) -> Result<Entry, WalletError> {
        transfer.leg_on(self.id).filter(|leg| leg.side == Side::Credit).ok_or(WalletError::NoLeg(self.id))?;
        self.write(transfer, key)
    }

    fn has_room_for(&self, amount: Money) -> Result<(), WalletError> {
        let (balance, most) = (self.balance.plus(amount)?, Money::largest(amount.currency()));
        if most.minus(balance)?.is_negative() {
            return Err(WalletFull { amount, balance, most }.into());
        }
        Ok(())
    }

    fn write(&mut self, transfer: &Transfer, key: &ChainKey) -> Result<Entry, WalletError> {
        let leg = transfer.leg_on(self.id).ok_or(WalletError::NoLeg(self.id))?;
        let balance_after = match leg.side {
            Side::Debit => self.balance.minus(leg.amount)?,
            Side::Credit => self.balance.plus(leg.amount)?,
        };
        let mut entry = Entry {
            wallet: self.id,
            sequence: self.sequence + 1,
            side: leg.side,
            amount: leg.amount,
            balance_before: self.balance,
            balance_after,
            previous: self.head,
            seal: Seal::START,
        };
        entry.seal = key.seal(&entry, transfer);
        self.balance = balance_after;
        self.sequence = entry.sequence;
        self.head = entry.seal;
        Ok(entry)
    }
}
