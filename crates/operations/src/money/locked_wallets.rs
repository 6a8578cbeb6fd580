//! Wallets that are locked for one transaction, with what decides about money in them.

use std::collections::{HashMap, HashSet};

use rust_decimal::Decimal;
use wayfare_domain::{Money, OrganizationId, UserId, WalletId};
use wayfare_ledger::Wallet;
use wayfare_store::money::{
    entries::MadeTransfer,
    wallets::{Locked, Owner},
};

use crate::{Error, Result};

/// Wallets as they stand with the commands before in the same batch.
#[derive(Default)]
pub(crate) struct LockedWallets {
    pub wallets: HashMap<WalletId, Wallet>,
    pub owners: HashMap<Owner, WalletId>,
    /// Under which amount what a wallet may spend is low, where the agency has said so.
    pub low_balances: HashMap<WalletId, Money>,
    /// Of wallets whose user is deleted, the organization's, which gets what is given back (P-7).
    pub redirects: HashMap<WalletId, WalletId>,
    /// Of the users who are to get money, those who are deleted.
    pub deleted: HashSet<(OrganizationId, UserId)>,
    pub used_keys: HashSet<(UserId, String)>,
    /// Transfers that were made under the keys of those that are to be made.
    pub made: HashMap<(OrganizationId, String), MadeTransfer>,
    /// What stands on the markup accounts of agencies whose markups are to be paid out, in their currencies.
    pub markups: HashMap<OrganizationId, Decimal>,
}

impl LockedWallets {
    /// One more wallet, with its threshold.
    pub(crate) fn lock(&mut self, owner: Owner, Locked { wallet, low_balance }: &Locked) {
        self.owners.insert(owner, wallet.id);
        let threshold = low_balance.as_ref().map(|low| (wallet.id, low.threshold));
        self.low_balances.extend(threshold);
        self.wallets.insert(wallet.id, wallet.clone());
    }

    /// The owner's wallet.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none.
    pub(crate) fn wallet_of(&self, owner: Owner) -> Result<Wallet> {
        let wallet = self.owners.get(&owner).and_then(|id| self.wallets.get(id));
        wallet.cloned().ok_or(Error::NotFound)
    }
}
