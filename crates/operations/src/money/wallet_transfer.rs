//! Money that moves without a supplier: allocations to agents, the operator's transfers.
//!
//! Wallet transfers go through the group commit as bookings do: those of many callers share a transaction, each is decided by
//! itself against the running balance.

use serde_json::json;
use wayfare_domain::{Actor, AuditEvent, EventKind, Money, OrganizationId, TransferId, UserId};
use wayfare_ledger::{Account, ChainKey, Entry, Leg, Reason, Refused, Side, Transfer, Wallet, WalletError};
use wayfare_store::{
    batch::writes::Writes,
    money::{entries::MadeTransfer, wallets::Owner},
};

use crate::{
    Caller, Core, Error, Result,
    access::idempotency::{CreatedResource, IdempotencyKey},
    money::{locked_wallets::LockedWallets, low_balance::ChangedWallet},
    tools::audit_event::{self, Change},
};

/// Where money comes from or goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountRef {
    WalletOf(Owner),
    /// An account of the platform, which is not a [`Account::Wallet`].
    Platform(Account),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpendLimit {
    /// What stands in it and is not held: an allocation spends no credit (P-95).
    Balance,
    Credit,
    /// The same, of a frozen wallet too: the operator's right.
    Frozen,
}

/// Money that is to move within an agency.
#[derive(Clone, Debug)]
pub struct WalletTransfer {
    pub organization: OrganizationId,
    pub from: AccountRef,
    pub to: AccountRef,
    /// How much, above zero, in the agency's currency.
    pub amount: Money,
    /// What may be spent of the wallet that is debited.
    pub spends: SpendLimit,
    /// Unique in the agency: a wallet transfer of a key that was used before is answered, not carried out.
    pub key: String,
    pub reason: Reason,
    pub description: String,
    /// The user who causes it; none for the operator and the service.
    pub performed_by: Option<UserId>,
    /// The event's action, such as `wallet.allocated`, and its actor; none where the caller writes events of its own.
    pub audited: Option<(EventKind, Actor)>,
    /// The Idempotency-Key of the request that asks for it, and who sent it.
    pub asked_under: Option<(Caller, IdempotencyKey)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub transfer: TransferId,
    /// The balance after it of the wallet that was debited; none for an account of the platform.
    pub from: Option<Money>,
    /// The balance after it of the wallet that was credited.
    pub to: Option<Money>,
    /// Whether it had been made before under the same key.
    pub repeated: bool,
}

impl WalletTransfer {
    /// The owners of the wallets it touches.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> {
        [&self.from, &self.to].into_iter().filter_map(|account| match account {
            AccountRef::WalletOf(owner) => Some(*owner),
            AccountRef::Platform(_) => None,
        })
    }

    /// The user in whose wallet it ends.
    pub(crate) fn credited_user(&self) -> Option<(OrganizationId, UserId)> {
        match self.to {
            AccountRef::WalletOf(Owner::User(organization, user)) => Some((organization, user)),
            AccountRef::WalletOf(Owner::Organization(_)) | AccountRef::Platform(_) => None,
        }
    }

    /// The Idempotency-Key that it uses up.
    pub(crate) fn used_key(&self) -> Option<(OrganizationId, UserId, &str)> {
        let (caller, key) = self.asked_under.as_ref()?;
        Some((caller.organization(), caller.user(), &key.key))
    }
}

/// One wallet transfer; what can fail comes before what changes anything.
pub(crate) fn decide(
    core: &Core,
    wallet_transfer: &WalletTransfer,
    wallets: &mut LockedWallets,
    batch: &mut Writes,
) -> Result<Moved> {
    if wallet_transfer.credited_user().is_some_and(|user| wallets.deleted.contains(&user)) {
        return Err(Error::NotFound);
    }
    let mut from = LockedAccount::of(&wallet_transfer.from, wallets)?;
    let mut to = LockedAccount::of(&wallet_transfer.to, wallets)?;
    let legs = vec![
        Leg::debit(from.account(), wallet_transfer.amount),
        Leg::credit(to.account(), wallet_transfer.amount),
    ];
    let key = (wallet_transfer.organization, wallet_transfer.key.clone());
    if let Some(made) = wallets.made.get(&key) {
        return repeated(made, &legs);
    }
    let used_key = wallet_transfer.used_key().map(|(_, user, key)| (user, key.to_owned()));
    if used_key.as_ref().is_some_and(|key| wallets.used_keys.contains(key)) {
        return Err(Error::KeyRunning);
    }
    let transfer = wallet_transfer.posting(core, legs)?;
    let chain = &core.secrets.chain;
    let mut written = Vec::with_capacity(2);
    let mut debited = None;
    if let LockedAccount::Wallet(wallet) = &mut from {
        let before = wallet.clone();
        written.push(wallet_transfer.spends.spend(wallet, &transfer, chain)?);
        debited = wallet_transfer.debited(core, wallets, [&before, wallet])?;
    }
    if let LockedAccount::Wallet(wallet) = &mut to {
        written.push(wallet.apply(&transfer, chain)?);
    }
    batch.transfer(wallet_transfer.organization, &transfer, &written)?;
    wallet_transfer.record(core, &transfer, [&from, &to], debited, batch);
    let balances = [from.balance(), to.balance()];
    for place in [from, to] {
        if let LockedAccount::Wallet(wallet) = place {
            batch.wallet(wallet_transfer.organization, &wallet);
            wallets.wallets.insert(wallet.id, wallet);
        }
    }
    let made = MadeTransfer {
        id: transfer.id,
        at: transfer.at,
        legs: transfer.legs().iter().cloned().zip(balances).collect(),
    };
    wallets.made.insert(key, made);
    wallets.used_keys.extend(used_key);
    let [from, to] = balances;
    Ok(Moved { transfer: transfer.id, from, to, repeated: false })
}

/// What the wallet transfer that was made under this key came to, if it was the same.
fn repeated(made: &MadeTransfer, legs: &[Leg]) -> Result<Moved> {
    if !made.legs.iter().map(|(leg, _)| leg).eq(legs) {
        return Err(Error::KeyMismatch);
    }
    let balance = |side: Side| {
        let mut legs = made.legs.iter();
        legs.find(|(leg, _)| leg.side == side).and_then(|(_, after)| *after)
    };
    Ok(Moved { transfer: made.id, from: balance(Side::Debit), to: balance(Side::Credit), repeated: true })
}

impl SpendLimit {
    fn spend(self, wallet: &mut Wallet, transfer: &Transfer, chain: &ChainKey) -> Result<Entry> {
        let leg = transfer.leg_on(wallet.id);
        let amount = leg.ok_or(WalletError::NoLeg(wallet.id))?.amount;
        match self {
            Self::Balance if !wallet.is_active => {
                let available = Money::zero(amount.currency());
                Err(WalletError::Refused(Refused { available, required: amount }).into())
            }
            Self::Balance | Self::Frozen => Ok(wallet.apply(transfer, chain)?),
            Self::Credit => {
                wallet.hold(amount)?;
                Ok(wallet.post(amount, transfer, chain)?)
            }
        }
    }
}

enum LockedAccount {
    Wallet(Wallet),
    Platform(Account),
}

impl LockedAccount {
    fn of(account: &AccountRef, wallets: &LockedWallets) -> Result<Self> {
        match account {
            AccountRef::WalletOf(owner) => wallets.wallet_of(*owner).map(Self::Wallet),
            AccountRef::Platform(account) => Ok(Self::Platform(account.clone())),
        }
    }

    fn account(&self) -> Account {
        match self {
            Self::Wallet(wallet) => Account::Wallet(wallet.id),
            Self::Platform(account) => account.clone(),
        }
    }

    fn balance(&self) -> Option<Money> {
        match self {
            Self::Wallet(wallet) => Some(wallet.balance),
            Self::Platform(_) => None,
        }
    }
}

impl WalletTransfer {
    fn posting(&self, core: &Core, legs: Vec<Leg>) -> Result<Transfer> {
        Ok(Transfer::new(
            TransferId::new(&core.clock),
            self.key.clone(),
            self.reason,
            None,
            self.description.clone(),
            self.performed_by,
            legs,
            core.clock.now(),
        )?)
    }

    /// Writes the key that it uses up and its events.
    fn record(
        &self,
        core: &Core,
        transfer: &Transfer,
        accounts: [&LockedAccount; 2],
        debited: Option<ChangedWallet>,
        batch: &mut Writes,
    ) {
        if let Some((caller, key)) = &self.asked_under {
            let created = CreatedResource::Transfer(transfer.id);
            batch.key(key.of(caller), created, transfer.at);
        }
        if let Some((action, actor)) = &self.audited {
            batch.event(&self.event(core, *action, actor, accounts));
        }
        if let Some(debited) = debited {
            debited.write(batch);
        }
    }

    /// The wallet that is debited, with the event that it has run low by it; none where the caller writes events itself.
    fn debited(
        &self,
        core: &Core,
        locked: &LockedWallets,
        wallets: [&Wallet; 2],
    ) -> Result<Option<ChangedWallet>> {
        let (AccountRef::WalletOf(owner), Some((_, actor))) = (&self.from, &self.audited) else {
            return Ok(None);
        };
        let [before, _] = wallets;
        let low = locked.low_balances.get(&before.id).copied();
        ChangedWallet::new(core, actor, *owner, low, wallets).map(Some)
    }

    /// What the audit log says: of the wallet that was credited, else of the one that was debited.
    fn event(
        &self,
        core: &Core,
        action: EventKind,
        actor: &Actor,
        [from, to]: [&LockedAccount; 2],
    ) -> AuditEvent {
        let (of, account) = match to {
            LockedAccount::Wallet(_) => (to, &self.to),
            LockedAccount::Platform(_) => (from, &self.from),
        };
        let user = match account {
            AccountRef::WalletOf(Owner::User(_, user)) => Some(user),
            AccountRef::WalletOf(Owner::Organization(_)) | AccountRef::Platform(_) => None,
        };
        let entity_id = match of {
            LockedAccount::Wallet(wallet) => wallet.id.to_string(),
            LockedAccount::Platform(account) => account.to_string(),
        };
        let change = Change {
            new_value: Some(json!({
                "amount": self.amount.number(),
                "balance": of.balance().map(|balance| balance.number()),
                "currency": self.amount.currency(),
                "user_id": user,
                "description": self.description,
            })),
            ..Change::of(self.organization, actor, action, entity_id)
        };
        audit_event::event(core, change)
    }
}
