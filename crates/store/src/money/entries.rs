//! The movements on wallets as they are read. They are written by [`crate::batch::writes`].

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl, QueryResult, TextExpressionMethods,
    dsl::{exists, sql, sum},
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{Array, BigInt, Bool, Text, Timestamptz, Untyped, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{
    Anchor, BookingRef, ListRequest, Money, OrganizationId, Page, TransferId, UserId, WalletId,
};
use wayfare_ledger::{Leg, Reason, Side, Wallet};

use crate::{
    Result,
    access::users::lower,
    error::{currency, money, word},
    schema::{entries, transfers},
    statements::{Columns, by_name, row_value_in::row_value_in, statement, values},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldOutcome {
    Posted,
    Voided,
}

/// A wallet transaction as the API lists it.
#[derive(Clone, Debug)]
pub struct WalletTransaction {
    pub id: TransferId,
    pub wallet: WalletId,
    pub side: Side,
    pub amount: Money,
    pub balance_before: Money,
    pub balance_after: Money,
    pub reason: Reason,
    pub reference: Option<String>,
    pub description: String,
    pub performed_by: Option<UserId>,
    pub at: DateTime<Utc>,
}

/// Which of a wallet's transactions; nothing means all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactionFilter {
    pub side: Option<Side>,
    pub reason: Option<Reason>,
    pub since: Option<DateTime<Utc>>,
    /// Those before this instant.
    pub before: Option<DateTime<Utc>>,
    /// Those of at least this amount, in the wallet's currency.
    pub least: Option<Decimal>,
    /// Those of at most this amount, in the wallet's currency.
    pub most: Option<Decimal>,
    /// Those with this text in their description, to the letter but for upper and lower case.
    pub text: Option<String>,
}

/// Where a transaction stands in a wallet's lists. Unfiltered ones go by the number. Filtered ones go by the time, and
/// by the number where times are the same: only that order is in the index with what they are filtered by. Both are
/// one, as far as the clocks of the processes that wrote are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    at: DateTime<Utc>,
    sequence: i64,
}

/// A page of a wallet's transactions, newest first. Of an unfiltered list every page costs the same, total included,
/// since entries are numbered without gaps: one statement. One more finds the row from which a list is read on. A filtered one is counted and found in `entries_by_time`
/// alone, as long as it is not searched for a text: three statements. One with a text is asked for after
/// [`read_many`](crate::statements::many_rows::read_many).
#[boxed]
pub async fn transactions(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    filter: &TransactionFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<WalletTransaction>> {
    let ListRequest { page: request, anchor } = request;
    let count = i64::from(request.per_page);
    let span = Span::of(connection, organization, wallet, anchor).await?;
    let (total, numbers) = if *filter == TransactionFilter::default() {
        (span.last - span.first + 1, span.page(request.offset(), count))
    } else {
        let left = || {
            filtered(organization, wallet, filter).filter(entries::sequence.between(span.first, span.last))
        };
        let total = left().count().get_result(connection).await?;
        let ordered = match span.is_upwards {
            true => left().order((entries::at.asc(), entries::sequence.asc())),
            false => left().order((entries::at.desc(), entries::sequence.desc())),
        };
        let numbers = ordered
            .limit(count)
            .offset(request.offset())
            .select(entries::sequence.assume_not_null())
            .load(connection)
            .await?;
        (total, Numbers::These(numbers))
    };
    let items = numbered(connection, organization, wallet, numbers).await?;
    Ok(Page { items: items.into_iter().map(|(_, transaction)| transaction).collect(), request, total })
}

/// The next so many of a wallet's transactions after this place, newest first, each with its place; none at the end.
/// Rows stay as they were written, so that chunks asked for with the same `wallet` fit together without a transaction:
/// what is newer than it is not among them. Two statements, unfiltered one.
#[boxed]
pub async fn transactions_after(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    filter: &TransactionFilter,
    after: Option<Place>,
    count: i64,
) -> Result<Vec<(Place, WalletTransaction)>> {
    let numbers = if *filter == TransactionFilter::default() {
        Numbers::down_from(after.map_or(wallet.sequence, |place| place.sequence - 1), count)
    } else {
        let mut query = filtered(organization, wallet, filter);
        if let Some(Place { at, sequence }) = after {
            let beyond = sql::<Bool>("(entries.at, entries.sequence) < (")
                .bind::<Timestamptz, _>(at)
                .sql(", ")
                .bind::<BigInt, _>(sequence)
                .sql(")");
            query = query.filter(beyond.assume_not_null());
        }
        let numbers = query
            .order((entries::at.desc(), entries::sequence.desc()))
            .limit(count)
            .select(entries::sequence.assume_not_null())
            .load(connection)
            .await?;
        Numbers::These(numbers)
    };
    numbered(connection, organization, wallet, numbers).await
}

/// The numbers of a wallet's entries that a list is of.
struct Span {
    first: i64,
    last: i64,
    /// Whether the oldest come first.
    is_upwards: bool,
}

impl Span {
    /// All of them, or those beyond the anchor: one statement where there is one. Of a transaction that is none of the wallet's
    /// nothing is left.
    async fn of(
        connection: &mut AsyncPgConnection,
        organization: OrganizationId,
        wallet: &Wallet,
        anchor: Option<Anchor>,
    ) -> Result<Self> {
        let all =
            Self { first: 1, last: wallet.sequence, is_upwards: matches!(anchor, Some(Anchor::After(_))) };
        let Some(Anchor::Before(id) | Anchor::After(id)) = anchor else { return Ok(all) };
        let number: Option<Option<i64>> = entries::table
            .filter(entries::org_id.eq(organization.uuid()))
            .filter(entries::transfer_id.eq(id))
            .filter(entries::wallet_id.eq(wallet.id.uuid()))
            .select(entries::sequence)
            .first(connection)
            .await
            .optional()?;
        Ok(match (number.flatten(), anchor) {
            (Some(number), Some(Anchor::After(_))) => Self { first: number + 1, ..all },
            (Some(number), _) => Self { last: number - 1, ..all },
            (None, _) => Self { last: 0, ..all },
        })
    }

    /// Of the page that begins after so many. Downwards a list goes to the first entry.
    fn page(&self, offset: i64, count: i64) -> Numbers {
        if self.is_upwards {
            let first = self.first + offset;
            let numbers = first..=self.last.min(first + count - 1);
            return Numbers::These(numbers.collect());
        }
        Numbers::down_from(self.last - offset, count)
    }
}

/// The wallet's entries that the filter lets through, as far as `wallet` has seen them.
fn filtered<'a>(
    organization: OrganizationId,
    wallet: &Wallet,
    filter: &'a TransactionFilter,
) -> entries::BoxedQuery<'a, Pg> {
    let mut query = entries::table
        .filter(entries::org_id.eq(organization.uuid()))
        .filter(entries::wallet_id.eq(wallet.id.uuid()))
        .filter(entries::sequence.le(wallet.sequence))
        // As every entry of a wallet; what `entries_by_time` is taken for.
        .filter(entries::at.is_not_null())
        .into_boxed();
    if let Some(side) = filter.side {
        query = query.filter(entries::side.eq(<&str>::from(side)));
    }
    if let Some(reason) = filter.reason {
        query = query.filter(entries::reason.eq(<&str>::from(reason)));
    }
    if let Some(since) = filter.since {
        query = query.filter(entries::at.ge(since));
    }
    if let Some(before) = filter.before {
        query = query.filter(entries::at.lt(before));
    }
    if let Some(least) = filter.least {
        query = query.filter(entries::amount.ge(least));
    }
    if let Some(most) = filter.most {
        query = query.filter(entries::amount.le(most));
    }
    if let Some(text) = &filter.text {
        let told = transfers::table
            .filter(transfers::org_id.eq(entries::org_id))
            .filter(transfers::id.eq(entries::transfer_id))
            .filter(lower(transfers::description).like(lower(anywhere(text))));
        query = match BookingRef::parse(&text.to_ascii_uppercase()) {
            None => query.filter(exists(told)),
            // What has the text in it meets this too, and the index of references finds it by this where PostgreSQL has none
            // of parts of words. A reference of a hotel is as good as known by its end.
            Some(_) => {
                let referring =
                    sql::<Bool>("references_in(lower(transfers.description)) @> array[right(lower(")
                        .bind::<Text, _>(text)
                        .sql("), 11)]");
                query.filter(exists(told.filter(referring)))
            }
        };
    }
    query
}

/// The pattern of texts that have this one in them: its wildcards are letters like others.
fn anywhere(text: &str) -> String {
    let letters = text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    format!("%{letters}%")
}

by_name! {
    struct NumberedRow {
        id: TransferId,
        sequence: i64,
        side: Side,
        amount: Decimal,
        balance_before: Decimal,
        balance_after: Decimal,
        reason: Reason,
        reference: Option<String>,
        description: String,
        performed_by: Option<UserId>,
        at: DateTime<Utc>,
    }
}

enum Numbers {
    /// Those from one number to another, both included.
    Between(i64, i64),
    These(Vec<i64>),
}

impl Numbers {
    fn down_from(newest: i64, count: i64) -> Self {
        Self::Between((newest - count).max(0) + 1, newest)
    }

    /// The newest first, or as they are.
    fn into_order(self) -> Vec<i64> {
        match self {
            Self::Between(first, last) => (first..=last).rev().collect(),
            Self::These(numbers) => numbers,
        }
    }
}

/// Entries of a wallet by their numbers, with their transfers. Numbers that follow each other are one range of
/// `entries_by_wallet`. Of others each is looked up by itself: of a list of numbers PostgreSQL may rather read the whole
/// wallet, and `offset` keeps it from turning the one into the other.
struct Numbered<'a> {
    organization: Uuid,
    wallet: Uuid,
    numbers: &'a Numbers,
}

impl QueryFragment<Pg> for Numbered<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "select t.id, e.sequence, e.side, e.amount, e.balance_before, e.balance_after, t.reason, t.reference, \
             t.description, t.performed_by, t.at from ",
        );
        if let Numbers::These(numbers) = self.numbers {
            out.push_sql("unnest(");
            out.push_bind_param::<Array<BigInt>, _>(numbers)?;
            out.push_sql(") as n (number) cross join lateral ");
        }
        out.push_sql(
            "(select org_id, transfer_id, sequence, side, amount, balance_before, balance_after from entries where org_id = ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.organization)?;
        out.push_sql(" and wallet_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.wallet)?;
        match self.numbers {
            Numbers::Between(first, last) => {
                out.push_sql(" and sequence between ");
                out.push_bind_param::<BigInt, _>(first)?;
                out.push_sql(" and ");
                out.push_bind_param::<BigInt, _>(last)?;
            }
            Numbers::These(_) => out.push_sql(" and sequence = n.number"),
        }
        out.push_sql(" offset 0) as e join transfers t on t.org_id = e.org_id and t.id = e.transfer_id");
        Ok(())
    }
}

impl QueryId for Numbered<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Numbered<'_> {
    type SqlType = Untyped;
}

/// The wallet's transactions of these numbers, in their order.
async fn numbered(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    numbers: Numbers,
) -> Result<Vec<(Place, WalletTransaction)>> {
    let rows: Vec<NumberedRow> =
        Numbered { organization: organization.uuid(), wallet: wallet.id.uuid(), numbers: &numbers }
            .load(connection)
            .await?;
    let unit = wallet.balance.currency();
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        let transaction = WalletTransaction {
            id: row.id,
            wallet: wallet.id,
            side: row.side,
            amount: money("entries.amount", row.amount, unit)?,
            balance_before: money("entries.balance_before", row.balance_before, unit)?,
            balance_after: money("entries.balance_after", row.balance_after, unit)?,
            reason: row.reason,
            reference: row.reference,
            description: row.description,
            performed_by: row.performed_by,
            at: row.at,
        };
        let place = Place { at: row.at, sequence: row.sequence };
        found.insert(row.sequence, (place, transaction));
    }
    let in_order = numbers.into_order().into_iter();
    Ok(in_order.filter_map(|number| found.remove(&number)).collect())
}

/// Of these transfers the allocations, each with the agent to or from whom it went and their name, deleted ones
/// included. An allocation is a transfer between the organization's wallet and a user's.
#[boxed]
pub async fn allocated_to(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    transfers: Vec<TransferId>,
) -> Result<HashMap<TransferId, (UserId, String)>> {
    let ids: Vec<Uuid> = transfers.into_iter().map(TransferId::uuid).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Columns<_>> = statement(ALLOCATED, (organization, ids)).load(connection).await?;
    Ok(values(rows).into_iter().map(|(transfer, user, name)| (transfer, (user, name))).collect())
}

/// From the transfers to the wallets: `offset` keeps PostgreSQL from reading all of a wallet's entries instead.
const ALLOCATED: &str = "
    select e.transfer_id, u.id as user_id, u.name
    from (select org_id, transfer_id, wallet_id from entries
        where org_id = $1 and transfer_id = any($2) offset 0) e
    join wallets w on w.org_id = e.org_id and w.id = e.wallet_id and w.owner_type = 'user'
    join users u on u.org_id = w.org_id and u.id = w.owner_id
    where exists (select from entries o where o.org_id = e.org_id and o.transfer_id = e.transfer_id
        and o.wallet_id <> e.wallet_id)";

/// A transfer that was made before, found by its key.
#[derive(Clone, Debug)]
pub struct MadeTransfer {
    pub id: TransferId,
    pub at: DateTime<Utc>,
    /// Its legs in order; of a wallet's with the balance after it.
    pub legs: Vec<(Leg, Option<Money>)>,
}

type MadeRow = ((Uuid, Uuid, String, String, DateTime<Utc>), (String, String, Decimal, Option<Decimal>));

/// Which of these keys' transfers were made before.
#[boxed]
pub async fn made(
    mut connection: &AsyncPgConnection,
    keys: &[(OrganizationId, &str)],
) -> Result<HashMap<(OrganizationId, String), MadeTransfer>> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let organizations: Vec<Uuid> = keys.iter().map(|(organization, _)| organization.uuid()).collect();
    let texts: Vec<&str> = keys.iter().map(|(_, key)| *key).collect();
    let rows: Vec<MadeRow> = transfers::table
        .inner_join(
            entries::table
                .on(entries::org_id.eq(transfers::org_id).and(entries::transfer_id.eq(transfers::id))),
        )
        .filter(row_value_in::<diesel::sql_types::Text, _>(
            "transfers.org_id, transfers.key",
            organizations,
            texts,
        ))
        .order((transfers::org_id, transfers::id, entries::leg))
        .select((
            (transfers::org_id, transfers::id, transfers::key, transfers::currency, transfers::at),
            (entries::account, entries::side, entries::amount, entries::balance_after),
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
            .or_insert_with(|| MadeTransfer { id: TransferId::from_uuid(id), at, legs: Vec::new() });
        made.legs.push((leg, after.transpose()?));
    }
    Ok(found)
}

/// What stands on these agencies' markup accounts, in their currencies: all credits less all debits. It is below zero
/// where markups that were settled have been given back since; an agency without any is not there.
///
/// Nothing locks the account: whoever pays it out has to ask this under the lock of the wallet that gets it.
#[boxed]
pub async fn markups(
    connection: &mut AsyncPgConnection,
    organizations: &[OrganizationId],
) -> Result<HashMap<OrganizationId, Decimal>> {
    if organizations.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = organizations.iter().map(|id| id.uuid()).collect();
    let sums: Vec<(Uuid, String, Option<Decimal>)> = entries::table
        .filter(entries::org_id.eq_any(ids))
        // A literal: PostgreSQL finds the partial index by it.
        .filter(sql::<Bool>("account = 'markup'"))
        .group_by((entries::org_id, entries::side))
        .select((entries::org_id, entries::side, sum(entries::amount)))
        .load(connection)
        .await?;
    let mut markups = HashMap::new();
    for (organization, side, sum) in sums {
        let sum = sum.unwrap_or_default();
        *markups.entry(OrganizationId::from_uuid(organization)).or_insert(Decimal::ZERO) +=
            match word("entries.side", &side)? {
                Side::Debit => -sum,
                Side::Credit => sum,
            };
    }
    Ok(markups)
}
