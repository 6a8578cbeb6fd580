//! Wallets and their transactions.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use wayfare_domain::{Amount, Currency, TransferId, WalletId};
use wayfare_operations::{Owner, WalletTransaction, wallets::OwnedWallet};

/// A wallet.
#[derive(Serialize)]
pub struct Wallet {
    id: WalletId,
    owner_id: Uuid,
    owner_type: &'static str,
    balance: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated_balance: Option<Amount>,
    currency: Currency,
    credit_limit: Amount,
    is_active: bool,
}

impl From<OwnedWallet> for Wallet {
    fn from(OwnedWallet { owner, wallet }: OwnedWallet) -> Self {
        let balance = wallet.balance.number();
        Self {
            id: wallet.id,
            owner_id: owner.uuid(),
            owner_type: owner.kind(),
            balance,
            allocated_balance: matches!(owner, Owner::User(..)).then_some(balance),
            currency: wallet.balance.currency(),
            credit_limit: wallet.credit_limit.number(),
            is_active: wallet.is_active,
        }
    }
}

/// The agent-facing ledger entry.
#[derive(Serialize)]
pub struct Transaction {
    id: TransferId,
    #[serde(rename = "type")]
    side: &'static str,
    amount: Amount,
    description: String,
    created_at: DateTime<Utc>,
}

impl From<WalletTransaction> for Transaction {
    fn from(entry: WalletTransaction) -> Self {
        Self {
            id: entry.id,
            side: entry.side.into(),
            amount: entry.amount.number(),
            description: entry.description,
            created_at: entry.at,
        }
    }
}
