//! The operator's accounts with suppliers: what they hold, whether they are closed, what is wrong with them, and how often
//! suppliers refused something.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{OptionalExtension, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{AlarmKind, ClosedBy, Currency, Money};

use crate::{
    Result,
    statements::{Columns, Write as _, by_name, statement, values},
};

by_name! {
    /// The operator's account with one supplier.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SupplierAccount {
        pub supplier: String,
        /// What is there; none where nobody knows.
        pub balance: Option<Decimal>,
        pub credit: Option<Decimal>,
        pub currency: Option<String>,
        /// When it was seen or stated, UTC.
        pub seen_at: Option<DateTime<Utc>>,
        pub stated: bool,
        pub warn_below: Option<Decimal>,
        /// At this or below it nothing new is sold.
        pub stop_below: Option<Decimal>,
        /// Since when nothing new is sold, UTC.
        pub closed_at: Option<DateTime<Utc>>,
        pub closed_reason: Option<String>,
        /// What it could not pay for when it was closed.
        pub needed: Option<Decimal>,
        pub needed_currency: Option<String>,
        /// What was paid from it for orders since it was stated; 0 where the supplier tells its balance.
        pub spent: Decimal,
    }
}

by_name! {
    /// Something that is wrong with a supplier and that only the operator can mend.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SupplierAlarm {
        pub supplier: String,
        pub kind: String,
        pub details: Value,
        pub raised_at: DateTime<Utc>,
        /// What the operator wrote when it was closed.
        pub note: Option<String>,
        pub closed_at: Option<DateTime<Utc>>,
        /// By whom: `itself` or `operator`.
        pub closed_by: Option<String>,
    }
}

by_name! {
    /// How often a supplier refused something for one reason.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SupplierRefusals {
        /// The reason that agencies were told.
        pub code: String,
        pub refusals: i64,
    }
}

/// Orders that were made since the balance was stated and are paid: at the supplier's total, where that is in the balance's
/// currency.
const WITH_SPENT: &str = "
    select accounts.supplier, accounts.balance, accounts.credit, accounts.currency, accounts.seen_at, accounts.stated,
        accounts.warn_below, accounts.stop_below, accounts.closed_at, accounts.closed_reason, accounts.needed,
        accounts.needed_currency, coalesce((
        select sum((orders.content -> 'total' ->> 'amount')::numeric)
        from bookings
        join supplier_orders orders on orders.org_id = bookings.org_id and orders.booking_id = bookings.id
        where accounts.stated and bookings.created_at >= accounts.seen_at
            and orders.supplier = accounts.supplier and orders.status = 'confirmed'
            and orders.content -> 'total' ->> 'currency' = accounts.currency
    ), 0) as spent
    from supplier_accounts accounts";

/// The account with this supplier. One statement.
#[boxed]
pub async fn one(connection: &mut AsyncPgConnection, supplier: &str) -> Result<Option<SupplierAccount>> {
    let account = statement(format!("{WITH_SPENT} where accounts.supplier = $1"), supplier)
        .get_result(connection)
        .await;
    Ok(account.optional()?)
}

/// The accounts with all suppliers, by supplier. One statement.
#[boxed]
pub async fn all(connection: &mut AsyncPgConnection) -> Result<Vec<SupplierAccount>> {
    let accounts = sql_query(format!("{WITH_SPENT} order by accounts.supplier"));
    Ok(accounts.load(connection).await?)
}

/// The suppliers of which nothing new is sold. One statement.
#[boxed]
pub async fn closed(connection: &mut AsyncPgConnection) -> Result<Vec<String>> {
    let rows: Vec<Columns<String>> =
        sql_query("select supplier from supplier_accounts where closed_at is not null")
            .load(connection)
            .await?;
    Ok(values(rows))
}

/// Closes a supplier for new sales; one that is closed stays closed for its first reason. `needed` is what could not be paid.
#[boxed]
pub async fn close(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    reason: &str,
    needed: Option<Money>,
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "insert into supplier_accounts as t
             (supplier, closed_at, closed_reason, needed, needed_currency, next_read_at)
         values ($1, $2, $3, $4, $5, $2)
         on conflict (supplier) do update set
             closed_at = coalesce(t.closed_at, excluded.closed_at),
             closed_reason = coalesce(t.closed_reason, excluded.closed_reason),
             needed = case when t.closed_at is null then excluded.needed else t.needed end,
             needed_currency = case when t.closed_at is null then excluded.needed_currency else t.needed_currency end,
             next_read_at = excluded.next_read_at",
        (supplier, now, reason, needed.map(Money::amount), needed.map(|needed| needed.currency().code())),
    )
    .write(connection)
    .await
}

/// Opens a supplier for sales again; whether it was closed.
#[boxed]
pub async fn open(connection: &mut AsyncPgConnection, supplier: &str) -> Result<bool> {
    statement(
        "update supplier_accounts
         set closed_at = null, closed_reason = null, needed = null, needed_currency = null
         where supplier = $1 and closed_at is not null",
        supplier,
    )
    .write_one(connection)
    .await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenBalance {
    pub balance: Option<Decimal>,
    pub credit: Option<Decimal>,
    pub currency: Currency,
    pub stated: bool,
}

/// Writes what an account holds now.
#[boxed]
pub async fn set_balance(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    seen: SeenBalance,
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "insert into supplier_accounts (supplier, balance, credit, currency, stated, seen_at, next_read_at)
         values ($1, $2, $3, $4, $5, $6, $6)
         on conflict (supplier) do update set balance = excluded.balance, credit = excluded.credit,
             currency = excluded.currency, stated = excluded.stated, seen_at = excluded.seen_at",
        (supplier, seen.balance, seen.credit, seen.currency.code(), seen.stated, now),
    )
    .write(connection)
    .await
}

/// Writes when an account is low, and when nothing new is sold.
#[boxed]
pub async fn set_limits(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    (warn_below, stop_below): (Option<Decimal>, Option<Decimal>),
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "insert into supplier_accounts (supplier, warn_below, stop_below, next_read_at) values ($1, $2, $3, $4)
         on conflict (supplier) do update
         set warn_below = excluded.warn_below, stop_below = excluded.stop_below",
        (supplier, warn_below, stop_below, now),
    )
    .write(connection)
    .await
}

/// Says when this supplier's account is to be looked at next, unless somebody has wanted it to be sooner since it was leased.
#[boxed]
pub async fn postpone(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    leased_until: DateTime<Utc>,
    next: DateTime<Utc>,
) -> Result<()> {
    statement(
        "update supplier_accounts set next_read_at = $3 where supplier = $1 and next_read_at = $2",
        (supplier, leased_until, next),
    )
    .write(connection)
    .await
}

/// Those of these suppliers whose accounts are to be looked at now; nobody else looks while they are leased. One statement.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    suppliers: &[&str],
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Vec<String>> {
    let rows: Vec<Columns<String>> = statement(
        "insert into supplier_accounts as t (supplier, next_read_at)
         select supplier, $3 from unnest($1) as known (supplier) order by supplier
         on conflict (supplier) do update set next_read_at = excluded.next_read_at where t.next_read_at <= $2
         returning supplier",
        (suppliers, now, leased_until),
    )
    .load(connection)
    .await?;
    Ok(values(rows))
}

/// Raises an alarm, unless one of its kind is open for the supplier; whether it was raised.
#[boxed]
pub async fn raise(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    (supplier, kind): (&str, AlarmKind),
    details: &Value,
    now: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "insert into supplier_alarms (id, supplier, kind, details, raised_at) values ($1, $2, $3, $4, $5)
         on conflict (supplier, kind) where closed_at is null do nothing",
        (id, supplier, kind.as_ref(), details, now),
    )
    .write_one(connection)
    .await
}

/// Adds these to a list in the details of the alarm of a kind that is open for the supplier, of which it keeps the first hundred;
/// whether one is.
#[boxed]
pub async fn add_to_alarm(
    connection: &mut AsyncPgConnection,
    (supplier, kind): (&str, AlarmKind),
    list: &str,
    more: &Value,
) -> Result<bool> {
    statement(
        "update supplier_alarms set details = case
             when jsonb_array_length(details -> $3) < 100
             then jsonb_set(details, array[$3], (details -> $3) || $4)
             else details end
         where supplier = $1 and kind = $2 and closed_at is null",
        (supplier, kind.as_ref(), list, more),
    )
    .write_one(connection)
    .await
}

/// Closes the open alarms of these kinds for a supplier; how many there were.
#[boxed]
pub async fn close_alarms(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    kinds: &[AlarmKind],
    (by, note): (ClosedBy, Option<&str>),
    now: DateTime<Utc>,
) -> Result<usize> {
    let kinds: Vec<&str> = kinds.iter().map(AsRef::as_ref).collect();
    let closed = statement(
        "update supplier_alarms set closed_at = $3, closed_by = $4, note = $5
         where supplier = $1 and kind = any($2) and closed_at is null",
        (supplier, kinds, now, by.as_ref(), note),
    );
    Ok(closed.execute(connection).await?)
}

/// The alarms that are open, or all of them, the newest first: at most this many.
#[boxed]
pub async fn alarms(
    connection: &mut AsyncPgConnection,
    only_open: bool,
    at_most: i64,
) -> Result<Vec<SupplierAlarm>> {
    Ok(statement(
        "select supplier, kind, details, raised_at, note, closed_at, closed_by from supplier_alarms
         where closed_at is null or not $1 order by raised_at desc, id desc limit $2",
        (only_open, at_most),
    )
    .load(connection)
    .await?)
}

pub type RefusalCounts = BTreeMap<(String, &'static str), i64>;

/// Adds these to the day's: one statement.
#[boxed]
pub async fn add_refusals(
    connection: &mut AsyncPgConnection,
    day: NaiveDate,
    counted: &RefusalCounts,
) -> Result<()> {
    // In one order in every process: two that add at once never wait for each other.
    let suppliers: Vec<&str> = counted.keys().map(|(supplier, _)| supplier.as_str()).collect();
    let codes: Vec<&str> = counted.keys().map(|(_, code)| *code).collect();
    let refusals: Vec<i64> = counted.values().copied().collect();
    statement(
        "insert into supplier_refusals as t (supplier, code, day, refusals)
         select supplier, code, $1, refusals from unnest($2, $3, $4) as counted (supplier, code, refusals)
         on conflict (supplier, code, day) do update set refusals = t.refusals + excluded.refusals",
        (day, suppliers, codes, refusals),
    )
    .write(connection)
    .await
}

/// A supplier's refusals since this day (UTC), the most frequent reason first.
#[boxed]
pub async fn refusals_since(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    day: NaiveDate,
) -> Result<Vec<SupplierRefusals>> {
    Ok(statement(
        "select code, sum(refusals)::bigint as refusals from supplier_refusals
         where supplier = $1 and day >= $2 group by code order by 2 desc, code",
        (supplier, day),
    )
    .load(connection)
    .await?)
}
