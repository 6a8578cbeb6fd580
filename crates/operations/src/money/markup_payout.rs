//! Settling an agency's markups: what stands on its markup account is paid into the organization's wallet.
//!
//! The account is a sum of entries that nobody locks, and bookings go on adding to it. Whoever settles asks for the sum
//! under the lock of the organization's wallet, which every settlement credits, so that nothing is paid twice.

use wayfare_domain::{Actor, Money, OrganizationId};
use wayfare_ledger::{Account, Reason};
use wayfare_store::{batch::writes::Writes, money::wallets::Owner};

use crate::{
    Platform, Result,
    engine::commit::BatchState,
    money::wallet_transfer::{self, AccountRef, Moved, SpendLimit, WalletTransfer},
};

/// A settlement that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct MarkupPayout {
    /// The agency.
    pub organization: OrganizationId,
    /// Unique in the agency, as a movement's.
    pub key: String,
}

/// What was settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// How much, above zero.
    pub amount: Money,
    /// The movement that paid it.
    pub moved: Moved,
}

impl MarkupPayout {
    /// Whose wallet gets it.
    pub(crate) fn owner(&self) -> Owner {
        Owner::Organization(self.organization)
    }
}

/// One settlement; none when nothing stands on the account, or less than nothing, since markups that were settled have
/// been given back.
pub(crate) fn decide(
    platform: &Platform,
    payout: &MarkupPayout,
    state: &mut BatchState,
    batch: &mut Writes,
) -> Result<Option<Settled>> {
    let organization = payout.organization;
    let currency = state.wallet_of(payout.owner())?.balance.currency();
    let stands = state.markups.get(&organization).copied().unwrap_or_default();
    let made = state.made.get(&(organization, payout.key.clone()));
    // Under a key that was used the movement tells what it came to then.
    let amount = match made.and_then(|made| made.legs.first()) {
        Some((leg, _)) => leg.amount,
        None => Money::exact(stands, currency)?,
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
        reference: None,
        description: "markup settled".to_owned(),
        performed_by: None,
        journal: Some(("markup.settled", Actor::operator())),
        asked_under: None,
    };
    let moved = wallet_transfer::decide(platform, &wallet_transfer, state, batch)?;
    if !moved.repeated {
        state.markups.remove(&organization);
    }
    Ok(Some(Settled { amount, moved }))
}
