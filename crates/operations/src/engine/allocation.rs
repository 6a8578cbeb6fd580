//! An allocation: money that moves from the organization's wallet to an agent's.

use wayfare_boxed::boxed;
use wayfare_contract::Allocation;
use wayfare_domain::{EventKind, Faults, Money, TransferId, UserId};
use wayfare_ledger::Reason;
use wayfare_store::money::wallets::Owner;

use crate::{
    Engine, Error, PortalAdmin, Result,
    access::idempotency::IdempotencyKey,
    money::wallet_transfer::{AccountRef, SpendLimit, WalletTransfer},
};

/// The longest reason, in characters.
pub const LONGEST_REASON: usize = 500;

/// Gives an agent money out of the organization's wallet, from its balance and not on its credit (P-95).
/// A suspended agent gets it too, and can spend it when they are active again.
///
/// # Errors
/// [`Error::Invalid`] for an amount that is none; [`Error::NotFound`] for anybody who is no agent of the agency, or none
/// any more; [`Error::InsufficientOrganizationFunds`]; [`Error::KeyRunning`].
#[boxed]
pub async fn allocate(
    engine: &Engine,
    admin: &PortalAdmin,
    agent: UserId,
    new: Allocation,
    key: Option<&IdempotencyKey>,
) -> Result<()> {
    let caller = admin.caller();
    let amount = Money::exact(new.amount.0, caller.currency())
        .map_err(|error| Faults::of("amount", error.to_string()))?;
    if !amount.is_positive() {
        return Err(Faults::of("amount", "must be greater than 0").into());
    }
    let organization = caller.organization();
    let wallet_transfer = WalletTransfer {
        organization,
        from: AccountRef::WalletOf(Owner::Organization(organization)),
        to: AccountRef::WalletOf(Owner::User(organization, agent)),
        amount,
        spends: SpendLimit::Balance,
        key: format!("allocation:{}", TransferId::new(&engine.core.clock)),
        reason: Reason::Topup,
        description: match new.description.as_str() {
            "" => "allocated to agent".to_owned(),
            reason => format!("allocated to agent: {reason}"),
        },
        performed_by: Some(caller.user()),
        audited: Some((EventKind::WalletAllocated, caller.actor())),
        asked_under: key.map(|key| (caller.clone(), key.clone())),
    };
    match engine.transfer(wallet_transfer).await {
        Ok(_) => Ok(()),
        Err(Error::InsufficientFunds { available, .. }) => {
            Err(Error::InsufficientOrganizationFunds(available))
        }
        Err(error) => Err(error),
    }
}
