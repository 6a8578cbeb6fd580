//! Transfers, entries and holds: insert-only, apart from the closing of a hold.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, JoinOnDsl, NullableExpressionMethods, QueryDsl,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{HoldId, Money, OrganizationId, Page, PageRequest, TransferId, UserId, WalletId};
use wayfare_ledger::{Entry, Reason, Side, Transfer};

use crate::{
    StoreError,
    error::{currency, money, word},
    schema::{entries, holds, transfers, wallets},
};

#[derive(Insertable)]
#[diesel(table_name = entries)]
struct EntryRow {
    org_id: Uuid,
    transfer_id: Uuid,
    leg: i16,
    account: String,
    side: &'static str,
    amount: Decimal,
    wallet_id: Option<Uuid>,
    sequence: Option<i64>,
    balance_before: Option<Decimal>,
    balance_after: Option<Decimal>,
    previous: Option<Vec<u8>>,
    seal: Option<Vec<u8>>,
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Debit => "debit",
        Side::Credit => "credit",
    }
}

/// Writes a transfer with all its legs; `written` are the entries of the wallets it touches.
///
/// # Errors
/// A unique violation when a transfer of this key is there already: the movement was made before.
/// [`StoreError::Corrupt`] when it touches a wallet whose entry is not among `written`, or the other way round.
pub async fn record(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    transfer: &Transfer,
    written: &[Entry],
) -> Result<(), StoreError> {
    let touched: Vec<WalletId> = transfer
        .legs()
        .iter()
        .filter_map(|leg| leg.account.wallet())
        .collect();
    let all_written = touched
        .iter()
        .all(|wallet| written.iter().any(|entry| entry.wallet == *wallet));
    if !all_written || touched.len() != written.len() {
        return Err(StoreError::Corrupt {
            what: "a transfer whose wallets are not those of its entries",
            value: transfer.key.clone(),
        });
    }
    let money_of = transfer
        .legs()
        .first()
        .map(|leg| leg.amount.currency().code())
        .unwrap_or_default();
    diesel::insert_into(transfers::table)
        .values((
            transfers::org_id.eq(organization.uuid()),
            transfers::id.eq(transfer.id.uuid()),
            transfers::key.eq(&transfer.key),
            transfers::reason.eq(transfer.reason.as_ref()),
            transfers::reference.eq(&transfer.reference),
            transfers::description.eq(&transfer.description),
            transfers::performed_by.eq(transfer.performed_by.map(UserId::uuid)),
            transfers::currency.eq(money_of),
            transfers::at.eq(transfer.at),
        ))
        .execute(connection)
        .await?;
    let rows: Vec<EntryRow> = (0_i16..)
        .zip(transfer.legs())
        .map(|(number, leg)| {
            let entry = leg
                .account
                .wallet()
                .and_then(|id| written.iter().find(|entry| entry.wallet == id));
            EntryRow {
                org_id: organization.uuid(),
                transfer_id: transfer.id.uuid(),
                leg: number,
                account: leg.account.to_string(),
                side: side(leg.side),
                amount: leg.amount.amount(),
                wallet_id: entry.map(|entry| entry.wallet.uuid()),
                sequence: entry.map(|entry| entry.sequence),
                balance_before: entry.map(|entry| entry.balance_before.amount()),
                balance_after: entry.map(|entry| entry.balance_after.amount()),
                previous: entry.map(|entry| entry.previous.0.to_vec()),
                seal: entry.map(|entry| entry.seal.0.to_vec()),
            }
        })
        .collect();
    diesel::insert_into(entries::table)
        .values(rows)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes a hold that the locked wallet has granted.
///
/// # Errors
/// When the database can't be asked.
pub async fn place_hold(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: HoldId,
    wallet: WalletId,
    amount: Money,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    diesel::insert_into(holds::table)
        .values((
            holds::org_id.eq(organization.uuid()),
            holds::id.eq(id.uuid()),
            holds::wallet_id.eq(wallet.uuid()),
            holds::amount.eq(amount.amount()),
            holds::placed_at.eq(at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// How a hold ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldOutcome {
    /// It became a debit.
    Posted,
    /// It was given back.
    Voided,
}

/// Closes an open hold; false when it was closed before.
///
/// # Errors
/// When the database can't be asked.
pub async fn close_hold(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: HoldId,
    outcome: HoldOutcome,
    at: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let outcome = match outcome {
        HoldOutcome::Posted => "posted",
        HoldOutcome::Voided => "voided",
    };
    let open = holds::table
        .find((organization.uuid(), id.uuid()))
        .filter(holds::closed_at.is_null());
    let closed = diesel::update(open)
        .set((holds::closed_at.eq(at), holds::outcome.eq(outcome)))
        .execute(connection)
        .await?;
    Ok(closed == 1)
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
