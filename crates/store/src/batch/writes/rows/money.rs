//! The rows of wallets, holds, transfers and their entries.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use uuid::Uuid;
use wayfare_domain::{HoldId, Money, OrganizationId, UserId, WalletId};

use super::{Latest, Row, bytea, rows};
use crate::{Result, StoreError, money::entries::HoldOutcome};

rows! {
    Wallet of (organization: OrganizationId, wallet: &wayfare_ledger::Wallet) {
        org_id: Uuid = organization.uuid(),
        id: Uuid = wallet.id.uuid(),
        balance: Decimal = wallet.balance.amount(),
        held: Decimal = wallet.held.amount(),
        sequence: i64 = wallet.sequence,
        head: String = bytea(&wallet.head.0),
    }

    Hold of (organization: OrganizationId, id: HoldId, wallet: WalletId, amount: Money, at: DateTime<Utc>) {
        org_id: Uuid = organization.uuid(),
        id: Uuid = id.uuid(),
        wallet_id: Uuid = wallet.uuid(),
        amount: Decimal = amount.amount(),
        placed_at: DateTime<Utc> = at,
    }

    ClosedHold of (organization: OrganizationId, id: HoldId, outcome: HoldOutcome, at: DateTime<Utc>) {
        org_id: Uuid = organization.uuid(),
        id: Uuid = id.uuid(),
        closed_at: DateTime<Utc> = at,
        outcome: &'static str = match outcome {
            HoldOutcome::Posted => "posted",
            HoldOutcome::Voided => "voided",
        },
    }

    Transfer of (organization: OrganizationId, transfer: &wayfare_ledger::Transfer) {
        org_id: Uuid = organization.uuid(),
        id: Uuid = transfer.id.uuid(),
        key: String = transfer.key.clone(),
        reason: &'static str = transfer.reason.into(),
        reference: Option<String> = transfer.reference.clone(),
        description: String = transfer.description.clone(),
        performed_by: Option<Uuid> = transfer.performed_by.map(UserId::uuid),
        currency: Option<&'static str> = transfer.legs().first().map(|leg| leg.amount.currency().code()),
        at: DateTime<Utc> = transfer.at,
    }
}

impl Latest for Wallet {
    fn id(&self) -> Uuid {
        self.id
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

impl Row for Entry {}

impl Entry {
    /// One row for each leg, the wallets' with their entries.
    pub(in crate::batch::writes) fn all_of(
        organization: OrganizationId,
        transfer: &wayfare_ledger::Transfer,
        written: &[wayfare_ledger::Entry],
    ) -> Result<Vec<Self>> {
        let entry_of = |wallet: WalletId| written.iter().find(|entry| entry.wallet == wallet);
        let touched: Vec<WalletId> = transfer.legs().iter().filter_map(|leg| leg.account.wallet()).collect();
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
