//! Wallets as a committer left them: seal, number and balances, so that the next batch of one of them need not ask.
//!
//! Nothing of it is believed. What is decided by a kept seal is written only if PostgreSQL finds the wallet as it is kept,
//! in the statement that writes (D-145). A seal is used only after a lock has once found the wallet as it was kept before:
//! where several servers write for one wallet in turns, they lock it and waste no statement.

use std::time::{Duration, Instant};

use uuid::Uuid;
use wayfare_domain::UserId;
use wayfare_store::money::wallets::{Locked, Owner};

use crate::tools::search_memory::fair_store::{FairStore, Kept, KeptFor};

/// What each committer keeps at most, in bytes: some thousand wallets, shared fairly by their agencies.
const BOUND: usize = 1 << 20;

/// Of a wallet whose money has not moved for so long nothing is kept.
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);

/// The wallets that one committer has written last.
pub(super) struct KeptSeals(FairStore<Owner, KeptSeal>);

#[derive(Clone)]
struct KeptSeal {
    wallet: Locked,
    /// Whether nobody else has changed it between two batches of ours.
    unchallenged: bool,
}

/// The only wallet of a batch, as it was locked.
pub(super) struct OnlyWallet {
    pub owner: Owner,
    pub wallet: Locked,
    pub unchallenged: bool,
}

impl Default for KeptSeals {
    fn default() -> Self {
        Self::of(BOUND)
    }
}

impl KeptSeals {
    /// None yet, and never more than so many bytes.
    pub(super) fn of(bound: usize) -> Self {
        Self(FairStore::new(bound))
    }

    /// The owner's wallet, if a batch may be decided by it.
    pub(super) fn usable(&self, owner: Owner) -> Option<&Locked> {
        let kept = &self.0.get(&owner)?.value;
        kept.unchallenged.then_some(&kept.wallet)
    }

    /// Forgets a wallet that is about to be written: what becomes of it is known when PostgreSQL says so.
    pub(super) fn forget(&mut self, owner: Owner) -> Option<Locked> {
        self.0.remove(&owner).map(|kept| kept.value.wallet)
    }

    /// Keeps a wallet as a commit left it.
    pub(super) fn keep(&mut self, OnlyWallet { owner, wallet, unchallenged }: OnlyWallet) {
        let setting = wallet.low_balance.as_ref().map_or(0, |low| low.stored().len());
        let kept = Kept {
            value: KeptSeal { wallet, unchallenged },
            owner: KeptFor {
                organization: owner.organization(),
                // Of an agency's wallets the one that was written longest ago gives way.
                user: UserId::from_uuid(Uuid::nil()),
            },
            bytes: size_of::<Owner>() + size_of::<KeptSeal>() + setting,
            ends: Instant::now() + KEPT_FOR,
        };
        self.0.insert(owner, kept);
    }
}

#[cfg(test)]
mod tests {
    use wayfare_domain::{Currency, OrganizationId, WalletId};
    use wayfare_ledger::Wallet;

    use super::*;

    fn owner(agency: u128, user: u128) -> Owner {
        Owner::User(
            OrganizationId::from_uuid(Uuid::from_u128(agency)),
            UserId::from_uuid(Uuid::from_u128(user)),
        )
    }

    fn keep(seals: &mut KeptSeals, owner: Owner, unchallenged: bool) {
        seals.keep(OnlyWallet {
            owner,
            wallet: Locked {
                wallet: Wallet::open(WalletId::from_uuid(owner.uuid()), Currency::INR),
                low_balance: None,
            },
            unchallenged,
        });
    }

    #[test]
    fn a_seal_is_used_when_a_lock_has_found_it_as_it_was_kept_and_never_twice() {
        let mut seals = KeptSeals::default();
        keep(&mut seals, owner(1, 1), false);
        assert!(seals.usable(owner(1, 1)).is_none());
        keep(&mut seals, owner(1, 1), true);
        assert!(seals.usable(owner(1, 1)).is_some());
        assert!(seals.forget(owner(1, 1)).is_some());
        assert!(seals.usable(owner(1, 1)).is_none());
    }

    #[test]
    fn an_agency_with_many_wallets_puts_out_its_own() {
        let mut seals = KeptSeals::of(64 << 10);
        keep(&mut seals, owner(1, 1), true);
        for user in 0..10_000 {
            keep(&mut seals, owner(2, user), true);
        }
        assert!(seals.usable(owner(1, 1)).is_some());
        assert!(seals.usable(owner(2, 0)).is_none());
        assert!(seals.usable(owner(2, 9_999)).is_some());
        assert!(seals.0.bytes() <= 64 << 10);
    }
}
