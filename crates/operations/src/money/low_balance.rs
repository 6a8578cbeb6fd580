//! Wallets that a transaction changes, and the event that one of them has run low: once, when what it may spend falls below
//! the agency's `low_balance_alert`, and again only after it was above. Everything that may lower what a wallet can spend
//! goes through [`ChangedWallet`]. Completing a step does not: what was held is spent or comes back, so nothing falls.
//! Setting another threshold notifies nobody.

use diesel_async::AsyncPgConnection;
use serde_json::json;
use wayfare_domain::{Actor, AuditEvent, EventKind, Money};
use wayfare_ledger::Wallet;
use wayfare_store::{
    batch::writes::Writes,
    money::wallets::{self, Owner},
};

use crate::{
    Core, Result,
    tools::audit_event::{self, Change},
};

/// A wallet as it is to be written, with the event that it has run low, if it just has.
pub(crate) struct ChangedWallet {
    owner: Owner,
    wallet: Wallet,
    low: Option<AuditEvent>,
}

impl ChangedWallet {
    /// The wallet of this owner, locked as `before`. Money that is held for a booking counts as spent: of many bookings at
    /// once the wallet's lock lets one cross the threshold.
    pub(crate) fn new(
        core: &Core,
        actor: &Actor,
        owner: Owner,
        threshold: Option<Money>,
        [before, after]: [&Wallet; 2],
    ) -> Result<Self> {
        let is_low = |wallet: &Wallet, threshold: Money| -> Result<bool> {
            Ok(wallet.spendable()?.minus(threshold)?.is_negative())
        };
        let low = match threshold {
            Some(threshold) if !is_low(before, threshold)? && is_low(after, threshold)? => {
                Some(low_balance(core, actor, owner, threshold, after)?)
            }
            _ => None,
        };
        Ok(Self { owner, wallet: after.clone(), low })
    }

    /// Writes balance, holds and seal, and the event.
    pub(crate) fn write(self, writes: &mut Writes) {
        writes.wallet(self.owner.organization(), &self.wallet);
        if let Some(event) = &self.low {
            writes.event(event);
        }
    }

    /// Writes what the wallet may spend beyond its balance and whether it may spend at all, and the event.
    pub(crate) async fn write_terms(
        self,
        connection: &mut AsyncPgConnection,
        writes: &mut Writes,
    ) -> Result<()> {
        wallets::set_terms(connection, self.owner, &self.wallet).await?;
        if let Some(event) = &self.low {
            writes.event(event);
        }
        Ok(())
    }
}

fn low_balance(
    core: &Core,
    actor: &Actor,
    owner: Owner,
    threshold: Money,
    wallet: &Wallet,
) -> Result<AuditEvent> {
    let user = match owner {
        Owner::Organization(_) => None,
        Owner::User(_, user) => Some(user),
    };
    let change = Change {
        new_value: Some(json!({
            "available": wallet.spendable()?.number(),
            "threshold": threshold.number(),
            "currency": threshold.currency(),
            "user_id": user,
        })),
        ..Change::of(owner.organization(), actor, EventKind::WalletLowBalance, wallet.id)
    };
    Ok(audit_event::event(core, change))
}
