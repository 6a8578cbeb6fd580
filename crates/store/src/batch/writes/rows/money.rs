//! The rows of wallets, holds, transfers and their entries.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use uuid::Uuid;
use wayfare_domain::{HoldId, Money, OrganizationId, UserId, WalletId};

use super::bytea;
use crate::{StoreError, money::entries::HoldOutcome};

#[derive(Serialize)]
pub(in crate::batch::writes) struct Wallet {
    org_id: Uuid,
    id: Uuid,
    balance: Decimal,
    held: Decimal,
    sequence: i64,
    head: String,
}

impl Wallet {
    pub(in crate::batch::writes) fn of(
        organization: OrganizationId,
        wallet: &wayfare_ledger::Wallet,
    ) -> Self {
        Self {
            org_id: organization.uuid(),
            id: wallet.id.uuid(),
            balance: wallet.balance.amount(),
            held: wallet.held.amount(),
            sequence: wallet.sequence,
            head: bytea(&wallet.head.0),
        }
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct Hold {
    org_id: Uuid,
    id: Uuid,
    wallet_id: Uuid,
    amount: Decimal,
    placed_at: DateTime<Utc>,
}

impl Hold {
    pub(in crate::batch::writes) fn of(
        organization: OrganizationId,
        id: HoldId,
        wallet: WalletId,
        amount: Money,
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            org_id: organization.uuid(),
            id: id.uuid(),
            wallet_id: wallet.uuid(),
            amount: amount.amount(),
            placed_at: at,
        }
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct ClosedHold {
    org_id: Uuid,
    id: Uuid,
    closed_at: DateTime<Utc>,
    outcome: &'static str,
}

impl ClosedHold {
    pub(in crate::batch::writes) fn of(
        organization: OrganizationId,
        id: HoldId,
        outcome: HoldOutcome,
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            org_id: organization.uuid(),
            id: id.uuid(),
            closed_at: at,
            outcome: match outcome {
                HoldOutcome::Posted => "posted",
                HoldOutcome::Voided => "voided",
            },
        }
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct Transfer {
    org_id: Uuid,
    id: Uuid,
    key: String,
    reason: &'static str,
    reference: Option<String>,
    description: String,
    performed_by: Option<Uuid>,
    currency: Option<&'static str>,
    at: DateTime<Utc>,
}

impl Transfer {
    pub(in crate::batch::writes) fn of(
        organization: OrganizationId,
        transfer: &wayfare_ledger::Transfer,
    ) -> Self {
        Self {
            org_id: organization.uuid(),
            id: transfer.id.uuid(),
            key: transfer.key.clone(),
            reason: transfer.reason.into(),
            reference: transfer.reference.clone(),
            description: transfer.description.clone(),
            performed_by: transfer.performed_by.map(UserId::uuid),
            currency: transfer.legs().first().map(|leg| leg.amount.currency().code()),
            at: transfer.at,
        }
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct Entry {
    org_id: Uuid,
    transfer_id: Uuid,
    leg: u16,
    account: String,
    side: &'static str,
    amount: Decimal,
    wallet_id: Option<Uuid>,
    sequence: Option<i64>,
    balance_before: Option<Decimal>,
    balance_after: Option<Decimal>,
    previous: Option<String>,
    seal: Option<String>,
    at: Option<DateTime<Utc>>,
    reason: Option<&'static str>,
}

impl Entry {
    /// One row for each leg, the wallets' with their entries.
    pub(in crate::batch::writes) fn all_of(
        organization: OrganizationId,
        transfer: &wayfare_ledger::Transfer,
        written: &[wayfare_ledger::Entry],
    ) -> Result<Vec<Self>, StoreError> {
        let entry_of = |wallet: WalletId| written.iter().find(|entry| entry.wallet == wallet);
        let touched: Vec<WalletId> = transfer
            .legs()
            .iter()
            .filter_map(|leg| leg.account.wallet())
            .collect();
        if touched.len() != written.len() || touched.iter().any(|wallet| entry_of(*wallet).is_none()) {
            return Err(StoreError::Corrupt {
                what: "a transfer whose wallets are not those of its entries",
                value: transfer.key.clone(),
            });
        }
        let row = |(leg, of): (u16, &wayfare_ledger::Leg)| {
            let entry = of.account.wallet().and_then(entry_of);
            Self {
                org_id: organization.uuid(),
                transfer_id: transfer.id.uuid(),
                leg,
                account: of.account.to_string(),
                side: of.side.into(),
                amount: of.amount.amount(),
                wallet_id: entry.map(|entry| entry.wallet.uuid()),
                sequence: entry.map(|entry| entry.sequence),
                balance_before: entry.map(|entry| entry.balance_before.amount()),
                balance_after: entry.map(|entry| entry.balance_after.amount()),
                previous: entry.map(|entry| bytea(&entry.previous.0)),
                seal: entry.map(|entry| bytea(&entry.seal.0)),
                at: entry.map(|_| transfer.at),
                reason: entry.map(|_| transfer.reason.into()),
            }
        };
        Ok((0..).zip(transfer.legs()).map(row).collect())
    }
}
