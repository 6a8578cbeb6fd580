//! Transactions of wallets as they are shown.

use wayfare_contract::{WalletEntry, WalletTransaction};
use wayfare_operations::{self as operations, money::wallets::Listed};

/// As agents see it.
pub fn entry(transaction: operations::WalletTransaction) -> WalletEntry {
    WalletEntry {
        id: transaction.id.uuid(),
        kind: transaction.side.as_ref().into(),
        amount: transaction.amount.amount().into(),
        description: transaction.description,
        created_at: transaction.at,
    }
}

/// As admins see it.
pub fn transaction(Listed { transaction, agent }: Listed) -> WalletTransaction {
    let (agent_id, agent_name) = agent.map(|(id, name)| (id.uuid(), name)).unzip();
    WalletTransaction {
        id: transaction.id.uuid(),
        created_at: transaction.at,
        updated_at: transaction.at,
        wallet_id: transaction.wallet.uuid(),
        kind: transaction.side.as_ref().into(),
        amount: transaction.amount.amount().into(),
        balance_before: transaction.balance_before.amount().into(),
        balance_after: transaction.balance_after.amount().into(),
        ref_type: transaction.reason.as_ref().into(),
        ref_id: transaction.reference,
        description: transaction.description,
        performed_by: transaction.performed_by.map(|user| user.uuid()),
        agent_id,
        agent_name,
    }
}
