//! Reads the whole ledger back and proves it: every balance re-added, every seal checked, every hold accounted for.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{BoolExpressionMethods, dsl::sum};
use diesel::{ExpressionMethods, JoinOnDsl, NullableExpressionMethods, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{OrganizationId, TransferId, UserId, WalletId};
use wayfare_ledger::{Audit, ChainKey, Entry, Leg, Transfer, Wallet};

use crate::{
    Result, StoreError,
    error::{currency, money, word},
    money::wallets::{Row as WalletRow, seal},
    schema::{entries, holds, transfers, wallets},
    statements::Columns,
};

const CHUNK: i64 = 1000;

#[derive(Clone, Debug, Default)]
pub struct AuditReport {
    /// Wallets whose history was re-added.
    pub wallets: usize,
    /// Entries whose seals were checked.
    pub entries: i64,
    /// What is wrong, for people: the first wrong entry of each wallet. Empty when all agrees.
    pub problems: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditProgress {
    /// Those that need not be looked at any more: checked, or behind a wrong one of their wallet.
    pub done: i64,
    /// All there should be by what the wallets say.
    pub total: i64,
}

/// Audits every wallet of every agency, in one snapshot if the caller's transaction is one. `tell` hears of each step,
/// of the last one too, where all are done.
///
/// # Errors
/// When the database can't be asked; what is wrong in the books is in the report.
pub async fn audit(
    connection: &mut AsyncPgConnection,
    key: &ChainKey,
    mut tell: impl FnMut(AuditProgress) + Send,
) -> Result<AuditReport> {
    let mut report = AuditReport::default();
    let rows: Vec<(Uuid, WalletRow)> = wallets::table
        .order((wallets::org_id, wallets::id))
        .select((wallets::org_id, WalletRow::as_select()))
        .load(connection)
        .await?;
    let mut progress = AuditProgress { done: 0, total: rows.iter().map(|(_, row)| row.sequence).sum() };
    tell(progress);
    for (organization, row) in rows {
        let (id, before, entries) = (WalletId::from_uuid(row.id), progress.done, row.sequence);
        let step = |sequence: i64| {
            progress.done = before + sequence.min(entries);
            tell(progress);
        };
        // One row that makes no sense must not hide what is wrong elsewhere.
        let problems = match Wallet::try_from(row) {
            Ok(wallet) => {
                let organization = OrganizationId::from_uuid(organization);
                audit_wallet(connection, key, organization, &wallet, &mut report.entries, step).await?
            }
            Err(corrupt) => vec![corrupt.to_string()],
        };
        report.wallets += 1;
        let of_wallet = |problem| format!("wallet {id}: {problem}");
        report.problems.extend(problems.into_iter().map(of_wallet));
        progress.done = before + entries;
        tell(progress);
    }
    report.problems.extend(unbalanced_transfers(connection).await?);
    Ok(report)
}

/// So many wallets are read to see whether a key is the ledger's: the first entry of one may be damaged.
const WALLETS_FOR_KEY: i64 = 5;

/// Whether entries may have been sealed by this key: the first one of some wallet was, or there is none.
///
/// # Errors
/// When the database can't be asked.
#[boxed]
pub async fn is_key(connection: &mut AsyncPgConnection, key: &ChainKey) -> Result<bool> {
    let rows: Vec<(Uuid, WalletRow)> = wallets::table
        .filter(wallets::sequence.gt(0))
        .order((wallets::id, wallets::org_id))
        .limit(WALLETS_FOR_KEY)
        .select((wallets::org_id, WalletRow::as_select()))
        .load(connection)
        .await?;
    let none = rows.is_empty();
    for (organization, row) in rows {
        let Ok(wallet) = Wallet::try_from(row) else { continue };
        let organization = OrganizationId::from_uuid(organization);
        let first = entries_after(connection, organization, &wallet, 0, 1).await?.pop();
        let Some((transfer, Ok(entry))) = first.map(|found| (found.transfer, found.entry)) else { continue };
        let transfers = transfers_of(connection, organization, vec![transfer.uuid()]).await?;
        let Some(Ok(transfer)) = transfers.into_values().next() else { continue };
        if Audit::of(key, &wallet).check(&entry, &transfer).is_ok() {
            return Ok(true);
        }
    }
    Ok(none)
}

/// Transfers whose legs don't balance, or that have none: also those that no wallet's history leads to.
async fn unbalanced_transfers(connection: &mut AsyncPgConnection) -> Result<Vec<String>> {
    let found: Vec<Columns<String>> = diesel::sql_query(
        "select t.key from transfers t \
         left join entries e on e.org_id = t.org_id and e.transfer_id = t.id \
         group by t.org_id, t.id, t.key \
         having coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 1) <> 0 \
         order by t.key",
    )
    .load(connection)
    .await?;
    Ok(found.into_iter().map(|Columns(key)| format!("transfer {key}: its legs don't balance")).collect())
}

async fn open_holds(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: WalletId,
) -> Result<Decimal> {
    let total: Option<Decimal> = holds::table
        .filter(holds::org_id.eq(organization.uuid()))
        .filter(holds::wallet_id.eq(wallet.uuid()))
        .filter(holds::closed_at.is_null())
        .select(sum(holds::amount))
        .first(connection)
        .await?;
    Ok(total.unwrap_or_default())
}

/// What is wrong with a wallet: its history, its holds.
async fn audit_wallet(
    connection: &mut AsyncPgConnection,
    key: &ChainKey,
    organization: OrganizationId,
    wallet: &Wallet,
    checked: &mut i64,
    step: impl FnMut(i64),
) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    problems.extend(audit_entries(connection, key, organization, wallet, checked, step).await?);
    let held = open_holds(connection, organization, wallet.id).await?;
    if held != wallet.held.amount() {
        problems.push(format!("holds {} but open holds are {held}", wallet.held));
    }
    Ok(problems)
}

/// The first wrong entry of a wallet; `step` hears of the last entry of each chunk.
async fn audit_entries(
    connection: &mut AsyncPgConnection,
    key: &ChainKey,
    organization: OrganizationId,
    wallet: &Wallet,
    checked: &mut i64,
    mut step: impl FnMut(i64),
) -> Result<Option<String>> {
    let mut audit = Audit::of(key, wallet);
    let mut last = 0;
    loop {
        let chunk = entries_after(connection, organization, wallet, last, CHUNK).await?;
        let Some(end) = chunk.last().map(|found| found.sequence) else { break };
        let ids: Vec<Uuid> = chunk.iter().map(|found| found.transfer.uuid()).collect();
        let mut transfers = transfers_of(connection, organization, ids).await?;
        for found in chunk {
            let number = found.sequence;
            let entry = match found.entry {
                Ok(entry) => entry,
                Err(corrupt) => return Ok(Some(format!("entry {number}: {corrupt}"))),
            };
            let transfer = match transfers.remove(&found.transfer) {
                Some(Ok(transfer)) => transfer,
                Some(Err(problem)) => return Ok(Some(format!("entry {number}: {problem}"))),
                None => return Ok(Some(format!("entry {number} has no transfer"))),
            };
            if let Err(broken) = audit.check(&entry, &transfer) {
                return Ok(Some(broken.to_string()));
            }
            let (at, reason) = &found.repeated;
            if (*at, reason.as_str()) != (transfer.at, transfer.reason.as_ref()) {
                return Ok(Some(format!("entry {number} has another time or reason than its transfer")));
            }
            *checked += 1;
        }
        last = end;
        step(last);
    }
    Ok(audit.finish(wallet).err().map(|broken| broken.to_string()))
}

/// An entry as it was found; one that makes no sense says so.
struct Found {
    sequence: i64,
    transfer: TransferId,
    entry: Result<Entry>,
    /// Time and reason, repeated from the transfer for lists.
    repeated: (DateTime<Utc>, String),
}

type EntryRow = ((Uuid, String, Decimal, i64, Decimal, Decimal, Vec<u8>, Vec<u8>), (DateTime<Utc>, String));

async fn entries_after(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    after: i64,
    most: i64,
) -> Result<Vec<Found>> {
    let unit = wallet.balance.currency();
    let rows: Vec<EntryRow> = entries::table
        .filter(entries::org_id.eq(organization.uuid()))
        .filter(entries::wallet_id.eq(wallet.id.uuid()))
        .filter(entries::sequence.gt(after))
        .order(entries::sequence)
        .limit(most)
        .select((
            (
                entries::transfer_id,
                entries::side,
                entries::amount,
                entries::sequence.assume_not_null(),
                entries::balance_before.assume_not_null(),
                entries::balance_after.assume_not_null(),
                entries::previous.assume_not_null(),
                entries::seal.assume_not_null(),
            ),
            (entries::at.assume_not_null(), entries::reason.assume_not_null()),
        ))
        .load(connection)
        .await?;
    let found = |(entry, repeated): EntryRow| {
        let (transfer, side, amount, sequence, before, after, previous, sealed) = entry;
        let entry = || {
            Ok(Entry {
                wallet: wallet.id,
                sequence,
                side: word("entries.side", &side)?,
                amount: money("entries.amount", amount, unit)?,
                balance_before: money("entries.balance_before", before, unit)?,
                balance_after: money("entries.balance_after", after, unit)?,
                previous: seal(&previous)?,
                seal: seal(&sealed)?,
            })
        };
        Found { sequence, transfer: TransferId::from_uuid(transfer), entry: entry(), repeated }
    };
    Ok(rows.into_iter().map(found).collect())
}

type LegRow = (
    (Uuid, String, String, Option<String>, String, Option<Uuid>, String, DateTime<Utc>),
    (String, String, Decimal),
);

/// The transfers with all their legs in order; one that makes no sense or whose legs don't balance says so.
async fn transfers_of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    ids: Vec<Uuid>,
) -> Result<HashMap<TransferId, Result<Transfer, String>>> {
    let rows: Vec<LegRow> = transfers::table
        .inner_join(
            entries::table
                .on(entries::org_id.eq(transfers::org_id).and(entries::transfer_id.eq(transfers::id))),
        )
        .filter(transfers::org_id.eq(organization.uuid()))
        .filter(transfers::id.eq_any(ids))
        .order((transfers::id, entries::leg))
        .select((
            (
                transfers::id,
                transfers::key,
                transfers::reason,
                transfers::reference,
                transfers::description,
                transfers::performed_by,
                transfers::currency,
                transfers::at,
            ),
            (entries::account, entries::side, entries::amount),
        ))
        .load(connection)
        .await?;
    let mut found = HashMap::new();
    for group in rows.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
        let Some(((id, ..), _)) = group.first() else { continue };
        found.insert(TransferId::from_uuid(*id), transfer_of(group));
    }
    Ok(found)
}

/// The transfer that these rows are, all of one.
fn transfer_of(group: &[LegRow]) -> Result<Transfer, String> {
    let Some(((id, key, reason, reference, description, by, code, at), _)) = group.first() else {
        return Err("a transfer without legs".to_owned());
    };
    let corrupt = |error: StoreError| error.to_string();
    let unit = currency(code).map_err(corrupt)?;
    let legs = group
        .iter()
        .map(|(_, (account, side, amount))| {
            Ok(Leg {
                account: word("entries.account", account)?,
                side: word("entries.side", side)?,
                amount: money("entries.amount", *amount, unit)?,
            })
        })
        .collect::<Result<Vec<_>>>()
        .map_err(corrupt)?;
    Transfer::new(
        TransferId::from_uuid(*id),
        key.clone(),
        word("transfers.reason", reason).map_err(corrupt)?,
        reference.clone(),
        description.clone(),
        by.map(UserId::from_uuid),
        legs,
        *at,
    )
    .map_err(|unbalanced| unbalanced.to_string())
}
