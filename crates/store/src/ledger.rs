//! The movements on wallets as they are read. They are written by [`crate::writes`].

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{Money, OrganizationId, Page, PageRequest, TransferId, UserId, WalletId};
use wayfare_ledger::{Leg, Reason, Side};

use crate::{
    StoreError,
    among::among,
    error::{currency, money, word},
    schema::{entries, transfers, wallets},
};

/// How a hold ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldOutcome {
    /// It became a debit.
    Posted,
    /// It was given back.
    Voided,
}

/// A wallet transaction as the contract lists it.
#[derive(Clone, Debug)]
pub struct WalletTransaction {
    /// The transfer.
    pub id: TransferId,
    /// Whose wallet.
    pub wallet: WalletId,
    /// Which way.
    pub side: Side,
    /// How much.
    pub amount: Money,
    /// Before it.
    pub balance_before: Money,
    /// After it.
    pub balance_after: Money,
    /// Why.
    pub reason: Reason,
    /// What it is about.
    pub reference: Option<String>,
    /// For people.
    pub description: String,
    /// The user who caused it.
    pub performed_by: Option<UserId>,
    /// When, UTC.
    pub at: DateTime<Utc>,
}

type TransactionRow = (
    Uuid,
    String,
    Decimal,
    Decimal,
    Decimal,
    String,
    Option<String>,
    String,
    Option<Uuid>,
    DateTime<Utc>,
);

/// A page of a wallet's transactions, newest first. Entries are numbered without gaps, so every page costs
/// the same and the total is the last number: two statements.
///
/// # Errors
/// When the database can't be asked or there is no such wallet.
pub async fn transactions(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: WalletId,
    request: PageRequest,
) -> Result<Page<WalletTransaction>, StoreError> {
    let (total, code): (i64, String) = wallets::table
        .find((organization.uuid(), wallet.uuid()))
        .select((wallets::sequence, wallets::currency))
        .first(connection)
        .await?;
    let unit = currency(&code)?;
    let newest = total - request.offset();
    let rows: Vec<TransactionRow> = entries::table
        .inner_join(
            transfers::table.on(transfers::org_id
                .eq(entries::org_id)
                .and(transfers::id.eq(entries::transfer_id))),
        )
        .filter(entries::org_id.eq(organization.uuid()))
        .filter(entries::wallet_id.eq(wallet.uuid()))
        .filter(entries::sequence.le(newest))
        .filter(entries::sequence.gt(newest - i64::from(request.per_page)))
        .order(entries::sequence.desc())
        .select((
            transfers::id,
            entries::side,
            entries::amount,
            entries::balance_before.assume_not_null(),
            entries::balance_after.assume_not_null(),
            transfers::reason,
            transfers::reference,
            transfers::description,
            transfers::performed_by,
            transfers::at,
        ))
        .load(connection)
        .await?;
    let items = rows
        .into_iter()
        .map(
            |(id, side, amount, before, after, reason, reference, description, by, at)| {
                Ok(WalletTransaction {
                    id: TransferId::from_uuid(id),
                    wallet,
                    side: word("entries.side", &side)?,
                    amount: money("entries.amount", amount, unit)?,
                    balance_before: money("entries.balance_before", before, unit)?,
                    balance_after: money("entries.balance_after", after, unit)?,
                    reason: word("transfers.reason", &reason)?,
                    reference,
                    description,
                    performed_by: by.map(UserId::from_uuid),
                    at,
                })
            },
        )
        .collect::<Result<_, StoreError>>()?;
    Ok(Page {
        items,
        request,
        total,
    })
}

/// A transfer that was made before, found by its key.
#[derive(Clone, Debug)]
pub struct MadeTransfer {
    /// The transfer.
    pub id: TransferId,
    /// When, UTC.
    pub at: DateTime<Utc>,
    /// Its legs in order; of a wallet's with the balance after it.
    pub legs: Vec<(Leg, Option<Money>)>,
}

type MadeRow = (
    (Uuid, Uuid, String, String, DateTime<Utc>),
    (String, String, Decimal, Option<Decimal>),
);

/// Which of these keys' transfers were made before.
///
/// # Errors
/// When the database can't be asked.
pub async fn made(
    mut connection: &AsyncPgConnection,
    keys: &[(OrganizationId, &str)],
) -> Result<HashMap<(OrganizationId, String), MadeTransfer>, StoreError> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let organizations: Vec<Uuid> = keys.iter().map(|(organization, _)| organization.uuid()).collect();
    let texts: Vec<&str> = keys.iter().map(|(_, key)| *key).collect();
    let rows: Vec<MadeRow> = transfers::table
        .inner_join(
            entries::table.on(entries::org_id
                .eq(transfers::org_id)
                .and(entries::transfer_id.eq(transfers::id))),
        )
        .filter(among!(
            "transfers.org_id, transfers.key",
            organizations,
            texts,
            diesel::sql_types::Text
        ))
        .order((transfers::org_id, transfers::id, entries::leg))
        .select((
            (
                transfers::org_id,
                transfers::id,
                transfers::key,
                transfers::currency,
                transfers::at,
            ),
            (
                entries::account,
                entries::side,
                entries::amount,
                entries::balance_after,
            ),
        ))
        .load(&mut connection)
        .await?;
    let mut found = HashMap::new();
    for ((organization, id, key, code, at), (account, side, amount, after)) in rows {
        let unit = currency(&code)?;
        let leg = Leg {
            account: word("entries.account", &account)?,
            side: word("entries.side", &side)?,
            amount: money("entries.amount", amount, unit)?,
        };
        let after = after.map(|after| money("entries.balance_after", after, unit));
        let made = found
            .entry((OrganizationId::from_uuid(organization), key))
            .or_insert_with(|| MadeTransfer {
                id: TransferId::from_uuid(id),
                at,
                legs: Vec::new(),
            });
        made.legs.push((leg, after.transpose()?));
    }
    Ok(found)
}
