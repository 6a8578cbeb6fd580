//! The proof that a wallet's history is what was written.

use subtle::ConstantTimeEq;
use thiserror::Error;
use wayfare_domain::Money;

use crate::{
    chain::{ChainKey, Entry},
    transfer::{Side, Transfer},
    wallet::Wallet,
};

/// The first place where a wallet's history is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Broken {
    /// An entry is missing, there twice or out of order.
    #[error("entry {expected} is missing: entry {found} stands in its place")]
    Sequence {
        /// The number that should come.
        expected: i64,
        /// The number that came.
        found: i64,
    },
    /// The balances before and after don't follow from the entry before and the amount.
    #[error("the balances of entry {0} don't add up")]
    Balance(i64),
    /// Contents that the seal doesn't cover: something was changed.
    #[error("entry {0} is not what was sealed")]
    Seal(i64),
    /// The wallet's row disagrees with its last entry.
    #[error("the wallet says {wallet}, its {count} entries say {entries}")]
    Wallet {
        /// What the wallet's row says.
        wallet: Money,
        /// What the entries add up to.
        entries: Money,
        /// How many entries there are.
        count: i64,
    },
}

/// Re-adds a wallet from its entries, one after the other in order, and checks each seal.
pub struct Audit<'a> {
    key: &'a ChainKey,
    replayed: Wallet,
}

impl<'a> Audit<'a> {
    /// An audit of this wallet, before its first entry.
    pub fn of(key: &'a ChainKey, wallet: &Wallet) -> Self {
        Self { key, replayed: Wallet::open(wallet.id, wallet.balance.currency()) }
    }

    /// The next entry and its transfer.
    pub fn check(&mut self, entry: &Entry, transfer: &Transfer) -> Result<(), Broken> {
        let replayed = &mut self.replayed;
        let expected = replayed.sequence + 1;
        if entry.sequence != expected {
            return Err(Broken::Sequence { expected, found: entry.sequence });
        }
        let after = match entry.side {
            Side::Debit => replayed.balance.minus(entry.amount),
            Side::Credit => replayed.balance.plus(entry.amount),
        };
        if entry.balance_before != replayed.balance || after != Ok(entry.balance_after) {
            return Err(Broken::Balance(entry.sequence));
        }
        let leg = transfer.leg_on(replayed.id);
        let agrees = leg.is_some_and(|leg| (leg.side, leg.amount) == (entry.side, entry.amount));
        let sealed = self.key.seal(entry, transfer).0.ct_eq(&entry.seal.0);
        if entry.previous != replayed.head || !agrees || !bool::from(sealed) {
            return Err(Broken::Seal(entry.sequence));
        }
        replayed.balance = entry.balance_after;
        replayed.sequence = entry.sequence;
        replayed.head = entry.seal;
        Ok(())
    }

    /// After the last entry: whether the wallet's row says the same.
    ///
    /// # Errors
    /// [`Broken::Wallet`] when it doesn't.
    pub fn finish(self, wallet: &Wallet) -> Result<(), Broken> {
        let Wallet { balance, sequence, head, .. } = self.replayed;
        if (balance, sequence, head) != (wallet.balance, wallet.sequence, wallet.head) {
            return Err(Broken::Wallet { wallet: wallet.balance, entries: balance, count: sequence });
        }
        Ok(())
    }
}
