//! What reports are made of, row by row as PostgreSQL sends it: however many there are, one after the other is in memory.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use diesel::{
    deserialize::{self, QueryableByName},
    pg::Pg,
    query_builder::{BoxedSqlQuery, SqlQuery},
    row::NamedRow,
    sql_query,
    sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::{StreamExt, stream::BoxStream};
use uuid::Uuid;
use wayfare_domain::{Currency, Money, UserId};

use crate::{
    Result,
    reports::Report,
    statements::{
        by_name::last,
        columns::{amount, named},
    },
};

/// The rows of a report below the names of its columns.
pub struct Table<'c> {
    pub columns: &'static [&'static str],
    pub rows: BoxStream<'c, Result<Line>>,
}

/// A row of a report as it is printed.
pub struct Line {
    /// As many as there are columns; empty where there is nothing.
    pub cells: Vec<String>,
    /// When it happened; none of what has no time.
    pub at: Option<DateTime<Utc>>,
}

type Query = BoxedSqlQuery<'static, Pg, SqlQuery>;

/// Over what is the report's agency's, of its period and of the users that it is about: `$1` to `$4`.
fn of_users(query: &str, report: &Report) -> Query {
    sql_query(query)
        .into_boxed()
        .bind::<SqlUuid, _>(report.scope.organization().uuid())
        .bind::<Timestamptz, _>(report.period_start)
        .bind::<Timestamptz, _>(report.period_end)
        .bind::<Nullable<SqlUuid>, _>(report.rows_of().user().map(UserId::uuid))
}

/// Over bookings that the report's filters leave as well: `$5` to `$7`.
fn of_bookings(query: &str, report: &Report) -> Query {
    let filters = &report.filters;
    of_users(query, report)
        .bind::<Nullable<Text>, _>(filters.status.map(<&str>::from))
        .bind::<Nullable<Text>, _>(filters.product.map(<&str>::from))
        .bind::<Nullable<Text>, _>(filters.supplier.clone())
}

/// What a report prints of a column.
trait Printed: Sized {
    fn print<'a>(
        row: &impl NamedRow<'a, Pg>,
        column: &'static str,
        unit: Currency,
    ) -> deserialize::Result<String>;
}

/// An amount in the currency of its row.
impl Printed for Money {
    fn print<'a>(
        row: &impl NamedRow<'a, Pg>,
        column: &'static str,
        unit: Currency,
    ) -> deserialize::Result<String> {
        Ok(amount::<Self>(row, column, unit)?.amount().to_string())
    }
}

macro_rules! printed {
    ($($type:ty = |$value:ident| $text:expr,)*) => {
        $(impl Printed for $type {
            fn print<'a>(
                row: &impl NamedRow<'a, Pg>,
                column: &'static str,
                _: Currency,
            ) -> deserialize::Result<String> {
                let $value: Self = named(row, column)?;
                Ok($text)
            }
        })*
    };
}

printed! {
    String = |text| text,
    Option<String> = |text| text.unwrap_or_default(),
    Uuid = |id| id.to_string(),
    i32 = |count| count.to_string(),
    i64 = |count| count.to_string(),
    Option<NaiveDate> = |day| day.map(|day| day.to_string()).unwrap_or_default(),
    DateTime<Utc> = |at| time(at),
    Option<DateTime<Utc>> = |at| at.map(time).unwrap_or_default(),
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The columns of a report in order: name, what it holds, and how it is selected, for `@COLUMNS` of its query. One is the currency
/// of the amounts. Behind `at` stands the column that says when a row happened.
macro_rules! report {
    ($(#[$meta:meta])* $name:ident $(at $at:ident)? { $($column:ident: $type:ty = $sql:literal,)* }) => {
        $(#[$meta])*
        struct $name(Line);

        impl $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($column)),*];

            fn query(query: &str) -> String {
                let columns = [$(concat!($sql, " as ", stringify!($column))),*];
                query.replace("@COLUMNS", &columns.join(", "))
            }
        }

        impl QueryableByName<Pg> for $name {
            fn build<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Self> {
                let unit: Currency = named(row, "currency")?;
                Ok(Self(Line {
                    cells: vec![$(<$type as Printed>::print(row, stringify!($column), unit)?),*],
                    at: last!(None $(, Some(named(row, stringify!($at))?))?),
                }))
            }
        }
    };
}

report! {
    /// A movement of money for a booking, and the row of the fare ledger that stands for it. Amounts are in the wallet's
    /// currency; what a wallet pays is above zero, what it gets back below.
    SalesRow at date {
        // The transfer; of a row of the fare ledger for which no money moved, that row.
        id: Uuid = "s.id",
        date: DateTime<Utc> = "s.at",
        type: String = "case s.reason when 'refund' then 'refund' else 'charge' end",
        booking_ref: String = "s.booking_ref",
        product: String = "b.product",
        booking_status: String = "b.status",
        provider: String = "b.provider",
        pnr: String = "b.pnr",
        agent_id: Uuid = "b.user_id",
        agent_name: String = "b.user_name",
        amount: Money = "s.amount",
        agent_fare: Money = "s.agent_fare",
        // What was bought beside the fare.
        ancillary: Money = "s.amount - s.agent_fare",
        public_fare: Money = "s.public_fare",
        agent_commission: Money = "s.agent_commission",
        markup: Money = "s.markup",
        currency: String = "b.currency",
    }
}

/// The bookings' movements on whichever wallet of the agency, debit notes among them, and rows of the fare ledger that stand for none: a booking
/// that cost nothing, a cancellation of which nothing returned. A movement and its row are of one instant, by which the
/// row is found in its key.
const SALES: &str = "
    select @COLUMNS from (
        select t.id, e.at, e.reason, t.reference as booking_ref,
            case e.side when 'debit' then e.amount else -e.amount end as amount,
            f.public_fare, f.agent_fare, f.agent_commission, f.markup
        from wallets w
        join entries e on (e.org_id, e.wallet_id) = (w.org_id, w.id)
            and e.reason in ('booking', 'refund', 'deduction') and e.at >= $2 and e.at < $3
        join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
            and (e.reason <> 'deduction' or t.key like 'ruling:%')
        cross join lateral (
            select coalesce(sum(f.public_fare), 0) as public_fare, coalesce(sum(f.agent_fare), 0) as agent_fare,
                coalesce(sum(f.agent_commission), 0) as agent_commission, coalesce(sum(f.markup), 0) as markup
            from fare_transactions f
            where f.org_id = e.org_id and f.issued_at = e.at and f.transfer_id = t.id) f
        where w.org_id = $1
        union all
        select f.id, f.issued_at, case when f.issued_at = b.booked_at then 'booking' else 'refund' end, f.booking_ref,
            0, f.public_fare, f.agent_fare, f.agent_commission, f.markup
        from fare_transactions f join bookings b on (b.org_id, b.id) = (f.org_id, f.booking_id)
        where f.org_id = $1 and f.transfer_id is null and f.issued_at >= $2 and f.issued_at < $3
    ) s
    join bookings b on b.org_id = $1 and b.booking_ref = s.booking_ref
    where ($4 is null or b.user_id = $4) and ($5 is null or b.status = $5) and ($6 is null or b.product = $6)
        and ($7 is null or b.provider = $7) and ($8 is null or s.reason = $8)
    order by s.at desc, s.id desc";

/// The movements of money for bookings within the report's period, newest first: one statement. Their amounts add up to
/// what wallets paid for bookings, less what they got back; their fares to the fare ledger.
#[boxed]
pub async fn sales<'c>(connection: &'c mut AsyncPgConnection, report: &Report) -> Result<Table<'c>> {
    let rows = of_bookings(&SalesRow::query(SALES), report)
        .bind::<Nullable<Text>, _>(report.filters.ref_type.map(<&str>::from))
        .load_stream::<SalesRow>(connection)
        .await?;
    Ok(Table { columns: SalesRow::NAMES, rows: rows.map(|row| Ok(row?.0)).boxed() })
}

report! {
    /// A booking as reports tell of it, amounts in the wallet's currency.
    BookingRow at created_at {
        booking_ref: String = "b.booking_ref",
        product: String = "b.product",
        status: String = "b.status",
        provider: String = "b.provider",
        pnr: String = "b.pnr",
        agent_id: Uuid = "b.user_id",
        agent_name: String = "b.user_name",
        // Where the journey starts, or the city of a stay.
        origin: String = "b.origin",
        // Where its first leg ends.
        destination: String = "b.destination",
        hotel_name: Option<String> = "b.product_content ->> 'hotel_name'",
        // Local at the hotel; none of an itinerary.
        check_in: Option<NaiveDate> = "(b.product_content ->> 'check_in')::date",
        check_out: Option<NaiveDate> = "(b.product_content ->> 'check_out')::date",
        passenger_count: i32 = "b.passenger_count",
        base_fare: Money = "b.base_fare",
        public_fare: Money = "b.public_fare",
        // What it costs the wallet.
        amount: Money = "b.amount",
        // Of that what the wallet has paid: nothing while it is pending, or when it failed.
        paid: Money = "case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end
            + (select coalesce(-sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'debit_note')",
        refunded: Money = "(select coalesce(sum(r.refund_to_wallet), 0) from refunds r
             where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')
            + (select coalesce(sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'refund')",
        currency: String = "b.currency",
        created_at: DateTime<Utc> = "b.created_at",
        booked_at: Option<DateTime<Utc>> = "b.booked_at",
        cancelled_at: Option<DateTime<Utc>> = "b.cancelled_at",
        failure: Option<String> = "b.failure",
    }
}

const BOOKINGS: &str = "
    select @COLUMNS
    from bookings b
    where b.org_id = $1 and b.product in ('flight', 'hotel') and b.created_at >= $2 and b.created_at < $3
        and ($4 is null or b.user_id = $4) and ($5 is null or b.status = $5) and ($6 is null or b.product = $6)
        and ($7 is null or b.provider = $7)
    order by b.created_at desc, b.id desc";

/// The bookings that were asked for within the report's period, newest first, as they stand now: one statement.
#[boxed]
pub async fn bookings<'c>(connection: &'c mut AsyncPgConnection, report: &Report) -> Result<Table<'c>> {
    let rows =
        of_bookings(&BookingRow::query(BOOKINGS), report).load_stream::<BookingRow>(connection).await?;
    Ok(Table { columns: BookingRow::NAMES, rows: rows.map(|row| Ok(row?.0)).boxed() })
}

report! {
    /// What one user did, amounts in the agency's currency.
    AgentRow {
        agent_id: Uuid = "u.id",
        username: String = "u.username",
        agent_name: String = "u.name",
        role: String = "u.role",
        // Bookings that they asked for, in any status.
        bookings: i64 = "coalesce(bookings, 0)",
        pending: i64 = "coalesce(pending, 0)",
        confirmed: i64 = "coalesce(confirmed, 0)",
        cancelled: i64 = "coalesce(cancelled, 0)",
        failed: i64 = "coalesce(failed, 0)",
        flights: i64 = "coalesce(flights, 0)",
        hotels: i64 = "coalesce(hotels, 0)",
        // What wallets paid for their bookings.
        paid: Money = "coalesce(paid, 0)",
        // What wallets got back for their bookings.
        refunded: Money = "coalesce(refunded, 0)",
        net: Money = "coalesce(paid, 0) - coalesce(refunded, 0)",
        // What the travellers' bills said, less what was refunded.
        public_fare: Money = "coalesce(public_fare, 0)",
        // What was paid for fares, less what came back.
        agent_fare: Money = "coalesce(agent_fare, 0)",
        agent_commission: Money = "coalesce(agent_commission, 0)",
        markup: Money = "coalesce(markup, 0)",
        currency: String = "o.currency",
    }
}

const AGENTS: &str = "
    with made as (
        select user_id, count(*) as bookings, count(*) filter (where status = 'pending') as pending,
            count(*) filter (where status = 'confirmed') as confirmed,
            count(*) filter (where status = 'cancelled') as cancelled,
            count(*) filter (where status = 'failed') as failed,
            count(*) filter (where product = 'flight') as flights,
            count(*) filter (where product = 'hotel') as hotels
        from bookings where org_id = $1 and product in ('flight', 'hotel') and created_at >= $2 and created_at < $3 group by user_id),
    moved as (
        select b.user_id, sum(e.amount) filter (where e.side = 'debit') as paid,
            sum(e.amount) filter (where e.side = 'credit') as refunded
        from wallets w
        join entries e on (e.org_id, e.wallet_id) = (w.org_id, w.id)
            and e.reason in ('booking', 'refund', 'deduction') and e.at >= $2 and e.at < $3
        join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
            and (e.reason <> 'deduction' or t.key like 'ruling:%')
        join bookings b on b.org_id = t.org_id and b.booking_ref = t.reference
        where w.org_id = $1 group by b.user_id),
    earned as (
        select user_id, sum(public_fare) as public_fare, sum(agent_fare) as agent_fare,
            sum(agent_commission) as agent_commission, sum(markup) as markup
        from fare_transactions where org_id = $1 and issued_at >= $2 and issued_at < $3 group by user_id)
    select @COLUMNS
    from users u
    join organizations o on o.id = u.org_id
    left join made on made.user_id = u.id
    left join moved on moved.user_id = u.id
    left join earned on earned.user_id = u.id
    where u.org_id = $1 and ($4 is null or u.id = $4)
        and (u.id = $4 or u.role = 'agent' and u.deleted_at is null
             or made.user_id is not null or moved.user_id is not null or earned.user_id is not null)
    order by u.name, u.id";

/// What users booked, paid and earned within the report's period, by name: the agency's agents, and whoever else did any
/// of it, so that nothing is missing in the sums. One statement.
#[boxed]
pub async fn agents<'c>(connection: &'c mut AsyncPgConnection, report: &Report) -> Result<Table<'c>> {
    let rows = of_users(&AgentRow::query(AGENTS), report).load_stream::<AgentRow>(connection).await?;
    Ok(Table { columns: AgentRow::NAMES, rows: rows.map(|row| Ok(row?.0)).boxed() })
}
