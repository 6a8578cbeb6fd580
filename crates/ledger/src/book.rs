//! A whole ledger in memory, for programs without a database.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;
use wayfare_domain::{Currency, HoldId, Money, MoneyError, WalletId};

use crate::{
    chain::{Audit, Broken, ChainKey},
    transfer::{Account, Side, Transfer},
    wallet::{Entry, Wallet, WalletError},
};

/// Wallets, holds and transfers in memory, under the same rules as those that are stored: what can't be done changes
/// nothing, and the same key is carried out once.
pub struct Book {
    key: ChainKey,
    wallets: BTreeMap<WalletId, Kept>,
    holds: HashMap<HoldId, Hold>,
    transfers: Vec<Transfer>,
    /// Where the transfer of a key is.
    by_key: HashMap<String, usize>,
}

struct Kept {
    wallet: Wallet,
    /// Its entries and where their transfers are.
    entries: Vec<(Entry, usize)>,
}

struct Hold {
    wallet: WalletId,
    amount: Money,
}

/// Why a book was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// The wallet can't do it.
    #[error(transparent)]
    Wallet(#[from] WalletError),
    /// There is no such wallet.
    #[error("there is no wallet {0}")]
    NoWallet(WalletId),
    /// There is one already.
    #[error("wallet {0} is open already")]
    WalletTwice(WalletId),
    /// There is no such hold: it was posted or voided, or never placed.
    #[error("there is no open hold {0}")]
    NoHold(HoldId),
    /// There is one already.
    #[error("hold {0} is open already")]
    HoldTwice(HoldId),
    /// Another transfer was made under this key.
    #[error("another transfer was made under the key {0:?}")]
    KeyUsed(String),
}

/// What stands on an account: the sums of its debits and credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Of all debits.
    pub debits: Money,
    /// Of all credits.
    pub credits: Money,
}

impl Book {
    /// An empty book that seals with this key.
    pub fn new(key: ChainKey) -> Self {
        Self {
            key,
            wallets: BTreeMap::new(),
            holds: HashMap::new(),
            transfers: Vec::new(),
            by_key: HashMap::new(),
        }
    }

    /// Takes a wallet in that has no entries yet, such as one of [`Wallet::open`].
    ///
    /// # Errors
    /// [`BookError::WalletTwice`].
    pub fn open(&mut self, wallet: Wallet) -> Result<(), BookError> {
        if self.wallets.contains_key(&wallet.id) {
            return Err(BookError::WalletTwice(wallet.id));
        }
        let entries = Vec::new();
        self.wallets.insert(wallet.id, Kept { wallet, entries });
        Ok(())
    }

    /// A wallet as it stands.
    pub fn wallet(&self, id: WalletId) -> Option<&Wallet> {
        self.wallets.get(&id).map(|kept| &kept.wallet)
    }

    /// A wallet's entries, oldest first.
    pub fn entries(&self, id: WalletId) -> impl Iterator<Item = &Entry> {
        let kept = self.wallets.get(&id).into_iter();
        kept.flat_map(|kept| kept.entries.iter().map(|(entry, _)| entry))
    }

    /// The transfer of this key.
    pub fn transfer(&self, key: &str) -> Option<&Transfer> {
        self.by_key.get(key).and_then(|place| self.transfers.get(*place))
    }

    /// Lets the wallet spend so much beyond its balance.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when it owes more than that.
    pub fn set_credit_limit(&mut self, id: WalletId, limit: Money) -> Result<(), BookError> {
        let wallet = self.get(id)?;
        Ok(wallet.set_credit_limit(limit)?)
    }

    /// A wallet that is not active pays for nothing; it still receives.
    ///
    /// # Errors
    /// [`BookError::NoWallet`].
    pub fn set_active(&mut self, id: WalletId, active: bool) -> Result<(), BookError> {
        self.get(id)?.is_active = active;
        Ok(())
    }

    /// Sets money aside.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when it can't be spent, [`BookError::HoldTwice`].
    pub fn hold(&mut self, hold: HoldId, wallet: WalletId, amount: Money) -> Result<(), BookError> {
        if self.holds.contains_key(&hold) {
            return Err(BookError::HoldTwice(hold));
        }
        self.get(wallet)?.hold(amount)?;
        self.holds.insert(hold, Hold { wallet, amount });
        Ok(())
    }

    /// Gives a hold back.
    ///
    /// # Errors
    /// [`BookError::NoHold`] when it is not open.
    pub fn void(&mut self, hold: HoldId) -> Result<(), BookError> {
        let Hold { wallet, amount } = self.holds.get(&hold).ok_or(BookError::NoHold(hold))?;
        let (wallet, amount) = (*wallet, *amount);
        self.get(wallet)?.void(amount)?;
        self.holds.remove(&hold);
        Ok(())
    }

    /// Turns a hold into the transfer's debit of its wallet, which may be smaller. Whether the transfer was made now:
    /// under a key that was used for the same before, nothing is done.
    ///
    /// # Errors
    /// [`BookError::NoHold`], [`WalletError::NotHeld`] when the debit is larger, [`BookError::KeyUsed`].
    pub fn post(&mut self, hold: HoldId, transfer: Transfer) -> Result<bool, BookError> {
        if self.made(&transfer)? {
            return Ok(false);
        }
        let Hold { wallet, amount } = self.holds.get(&hold).ok_or(BookError::NoHold(hold))?;
        let (wallet, amount) = (*wallet, *amount);
        self.write(transfer, Some((wallet, amount)))?;
        self.holds.remove(&hold);
        Ok(true)
    }

    /// Makes a transfer. Whether it was made now: under a key that was used for the same before, nothing is done.
    ///
    /// # Errors
    /// [`WalletError::Refused`] when a wallet's balance less its holds does not cover its debit,
    /// [`BookError::NoWallet`], [`BookError::KeyUsed`].
    pub fn apply(&mut self, transfer: Transfer) -> Result<bool, BookError> {
        if self.made(&transfer)? {
            return Ok(false);
        }
        self.write(transfer, None)?;
        Ok(true)
    }

    /// What was debited and credited on each account. Debits and credits of a currency are equal in all.
    ///
    /// # Errors
    /// When amounts exceed what a decimal holds.
    pub fn trial_balance(&self) -> Result<BTreeMap<(Account, Currency), Sums>, BookError> {
        let mut sums = BTreeMap::new();
        for leg in self.transfers.iter().flat_map(Transfer::legs) {
            let zero = Money::zero(leg.amount.currency());
            let of = sums
                .entry((leg.account.clone(), leg.amount.currency()))
                .or_insert(Sums {
                    debits: zero,
                    credits: zero,
                });
            let sum = match leg.side {
                Side::Debit => &mut of.debits,
                Side::Credit => &mut of.credits,
            };
            *sum = sum.plus(leg.amount).map_err(WalletError::from)?;
        }
        Ok(sums)
    }

    /// Re-adds every wallet from its entries and checks every seal.
    ///
    /// # Errors
    /// The first wallet whose history is not what was written, and how.
    pub fn verify(&self) -> Result<(), (WalletId, Broken)> {
        for (id, kept) in &self.wallets {
            let mut audit = Audit::of(&self.key, &kept.wallet);
            for (entry, place) in &kept.entries {
                let transfer = self.transfers.get(*place);
                let lost = || Broken::Seal(entry.sequence);
                let checked = transfer.ok_or_else(lost);
                checked
                    .and_then(|transfer| audit.check(entry, transfer))
                    .map_err(|broken| (*id, broken))?;
            }
            audit.finish(&kept.wallet).map_err(|broken| (*id, broken))?;
        }
        Ok(())
    }

    fn get(&mut self, id: WalletId) -> Result<&mut Wallet, BookError> {
        let kept = self.wallets.get_mut(&id);
        kept.map(|kept| &mut kept.wallet).ok_or(BookError::NoWallet(id))
    }

    /// Whether the same was done under this key.
    fn made(&self, transfer: &Transfer) -> Result<bool, BookError> {
        match self.transfer(&transfer.key) {
            None => Ok(false),
            Some(made) if made.legs() == transfer.legs() => Ok(true),
            Some(_) => Err(BookError::KeyUsed(transfer.key.clone())),
        }
    }

    /// Writes all of it or nothing.
    fn write(&mut self, transfer: Transfer, held: Option<(WalletId, Money)>) -> Result<(), BookError> {
        let mut changed = Vec::new();
        for id in transfer.legs().iter().filter_map(|leg| leg.account.wallet()) {
            let mut wallet = self.wallet(id).cloned().ok_or(BookError::NoWallet(id))?;
            let entry = match held {
                Some((holder, amount)) if holder == id => wallet.post(amount, &transfer, &self.key)?,
                _ => wallet.apply(&transfer, &self.key)?,
            };
            changed.push((wallet, entry));
        }
        if let Some((holder, _)) = held
            && transfer.leg_on(holder).is_none()
        {
            return Err(WalletError::NoLeg(holder).into());
        }
        let place = self.transfers.len();
        for (wallet, entry) in changed {
            if let Some(kept) = self.wallets.get_mut(&wallet.id) {
                kept.entries.push((entry, place));
                kept.wallet = wallet;
            }
        }
        self.by_key.insert(transfer.key.clone(), place);
        self.transfers.push(transfer);
        Ok(())
    }
}

impl Sums {
    /// Credits less debits: what a wallet holds, what is owed to a supplier.
    ///
    /// # Errors
    /// When amounts exceed what a decimal holds.
    pub fn balance(&self) -> Result<Money, MoneyError> {
        self.credits.minus(self.debits)
    }
}
