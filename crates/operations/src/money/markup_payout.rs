//! Markup payouts: what stands on its markup account is paid into the organization's wallet.
//!
//! The account is a sum of entries that nobody locks, and bookings go on adding to it. Whoever pays it out asks for the sum
//! under the lock of the organization's wallet, which every payout credits, so that nothing is paid twice.

use wayfare_domain::{Actor, EventKind, Money, OrganizationId};
use wayfare_ledger::{Account, Reason};
use wayfare_store::{batch::writes::Writes, money::wallets::Owner};

use crate::{
    Core, Result,
    money::{
        locked_wallets::LockedWallets,
        wallet_transfer::{self, AccountRef, Moved, SpendLimit, WalletTransfer},
    },
};

#[derive(Clone, Debug)]
pub(crate) struct MarkupPayout {
    pub organization: OrganizationId,
    /// Unique in the agency, as a wallet transfer's.
    pub key: String,
    pub actor: Actor,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkupPaid {
    pub amount: Money,
    pub moved: Moved,
}

impl MarkupPayout {
    pub(crate) fn owner(&self) -> Owner {
        Owner::Organization(self.organization)
    }
}

/// One payout; none when nothing stands on the account, or less than nothing, since markups that were paid out have
/// been given back.
pub(crate) fn decide(
    core: &Core,
    payout: &MarkupPayout,
    wallets: &mut LockedWallets,
    batch: &mut Writes,
) -> Result<Option<MarkupPaid>> {
    let organization = payout.organization;
    let currency = wallets.wallet_of(payout.owner())?.balance.currency();
    let balance = wallets.markups.get(&organization).copied().unwrap_or_default();
    let made = wallets.made.get(&(organization, payout.key.clone()));
    // Under a key that was used the transfer says what it came to then.
    let amount = match made.and_then(|made| made.legs.first()) {
        Some((leg, _)) => leg.amount,
        None => Money::stored(balance, currency)?,
    };
    if !amount.is_positive() {
        return Ok(None);
    }
    let wallet_transfer = WalletTransfer {
        organization,
        from: AccountRef::Platform(Account::Markup),
        to: AccountRef::WalletOf(payout.owner()),
        amount,
        spends: SpendLimit::Frozen,
        key: payout.key.clone(),
        reason: Reason::Topup,
        description: "markup settled".to_owned(),
        performed_by: None,
        audited: Some((EventKind::MarkupSettled, payout.actor.clone())),
        asked_under: None,
    };
    let moved = wallet_transfer::decide(core, &wallet_transfer, wallets, batch)?;
    if !moved.repeated {
        wallets.markups.remove(&organization);
    }
    Ok(Some(MarkupPaid { amount, moved }))
}
