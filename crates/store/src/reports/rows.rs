//! What reports are made of, row by row as PostgreSQL sends it: however many there are, one after the other is in memory.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    pg::Pg,
    query_builder::{BoxedSqlQuery, SqlQuery},
    sql_query,
    sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::{StreamExt, stream::BoxStream};
use uuid::Uuid;
use wayfare_domain::{BookingRef, BookingStatus, Money, ProductKind, Role, UserId};
use wayfare_ledger::Reason;

use crate::{Result, reports::Report, statements::by_name};

pub type Rows<'c, T> = BoxStream<'c, Result<T>>;

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

by_name! {
    /// A movement of money for a booking, and the row of the fare ledger that stands for it. Amounts are in the wallet's
    /// currency; what a wallet pays is above zero, what it gets back below.
    #[derive(Clone, Debug)]
    pub struct SalesRow {
        /// The transfer; of a row of the fare ledger for which no money moved, that row.
        pub id: Uuid,
        pub at: DateTime<Utc>,
        /// Whether it was paid or given back.
        pub reason: Reason,
    } with {
        pub booking: SoldBooking,
    } in currency {
        pub amount: Money,
        /// Of it what is not fare: what was bought beside it.
        pub ancillary: Money = amount - agent_fare,
        pub public_fare: Money,
        pub agent_fare: Money,
        pub agent_commission: Money,
        pub markup: Money,
    }
}

by_name! {
    #[derive(Clone, Debug)]
    pub struct SoldBooking {
        pub reference: BookingRef = booking_ref,
        pub product: ProductKind,
        pub status: BookingStatus,
        pub provider: String,
        /// The first record locator.
        pub pnr: String,
        pub user: UserId = user_id,
        pub user_name: String,
    }
}

/// The bookings' movements on whichever wallet of the agency, debit notes among them, and rows of the fare ledger that stand for none: a booking
/// that cost nothing, a cancellation of which nothing returned. A movement and its row are of one instant, by which the
/// row is found in its key.
const SALES: &str = "
    select s.id, s.at, s.reason, s.booking_ref, s.amount, s.public_fare, s.agent_fare, s.agent_commission, s.markup,
        b.product, b.status, b.provider, b.pnr, b.user_id, b.user_name, b.currency from (
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
pub async fn sales<'c>(connection: &'c mut AsyncPgConnection, report: &Report) -> Result<Rows<'c, SalesRow>> {
    let rows = of_bookings(SALES, report)
        .bind::<Nullable<Text>, _>(report.filters.ref_type.map(<&str>::from))
        .load_stream::<SalesRow>(connection)
        .await?;
    Ok(rows.map(|row| Ok(row?)).boxed())
}

by_name! {
    /// A booking as reports tell of it, amounts in the wallet's currency.
    #[derive(Clone, Debug)]
    pub struct BookingRow {
        /// Where the journey starts, or the city of a stay.
        pub origin: String,
        /// Where its first leg ends.
        pub destination: String,
        /// The hotel's name; none of an itinerary.
        pub hotel_name: Option<String>,
        /// Local at the hotel; none of an itinerary.
        pub check_in: Option<NaiveDate>,
        pub check_out: Option<NaiveDate>,
        pub passenger_count: i32,
        /// When it was asked for, UTC.
        pub created_at: DateTime<Utc>,
        /// When the supplier confirmed it, UTC.
        pub booked_at: Option<DateTime<Utc>>,
        pub cancelled_at: Option<DateTime<Utc>>,
        pub failure: Option<String>,
    } with {
        pub booking: SoldBooking,
    } in currency {
        pub base_fare: Money,
        pub public_fare: Money,
        /// What it costs the wallet.
        pub amount: Money,
        /// Of that what the wallet has paid: nothing while it is pending, or when it failed.
        pub paid: Money,
        pub refunded: Money,
    }
}

const BOOKINGS: &str = "
    select b.booking_ref, b.product, b.status, b.provider, b.pnr, b.user_id, b.user_name, b.origin, b.destination,
        b.product_content ->> 'hotel_name' as hotel_name, (b.product_content ->> 'check_in')::date as check_in,
        (b.product_content ->> 'check_out')::date as check_out, b.passenger_count, b.currency, b.base_fare,
        b.public_fare, b.amount, case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end
            + (select coalesce(-sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'debit_note') as paid,
        (select coalesce(sum(r.refund_to_wallet), 0) from refunds r
         where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')
            + (select coalesce(sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'refund') as refunded,
        b.created_at, b.booked_at, b.cancelled_at, b.failure
    from bookings b
    where b.org_id = $1 and b.product in ('flight', 'hotel') and b.created_at >= $2 and b.created_at < $3
        and ($4 is null or b.user_id = $4) and ($5 is null or b.status = $5) and ($6 is null or b.product = $6)
        and ($7 is null or b.provider = $7)
    order by b.created_at desc, b.id desc";

/// The bookings that were asked for within the report's period, newest first, as they stand now: one statement.
#[boxed]
pub async fn bookings<'c>(
    connection: &'c mut AsyncPgConnection,
    report: &Report,
) -> Result<Rows<'c, BookingRow>> {
    let rows = of_bookings(BOOKINGS, report).load_stream::<BookingRow>(connection).await?;
    Ok(rows.map(|row| Ok(row?)).boxed())
}

by_name! {
    /// What one user did, amounts in the agency's currency.
    #[derive(Clone, Debug)]
    pub struct AgentRow {
        pub user: UserId = id,
        pub username: String,
        pub name: String,
        pub role: Role,
        /// Bookings that they asked for, in any status.
        pub bookings: i64,
        pub pending: i64,
        pub confirmed: i64,
        pub cancelled: i64,
        pub failed: i64,
        pub flights: i64,
        pub hotels: i64,
    } in currency {
        /// What wallets paid for their bookings.
        pub paid: Money,
        /// What wallets got back for their bookings.
        pub refunded: Money,
        pub net: Money = paid - refunded,
        /// What the travellers' bills said, less what was refunded.
        pub public_fare: Money,
        /// What was paid for fares, less what came back.
        pub agent_fare: Money,
        pub agent_commission: Money,
        pub markup: Money,
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
    select u.id, u.username, u.name, u.role, o.currency,
        coalesce(bookings, 0) as bookings, coalesce(pending, 0) as pending, coalesce(confirmed, 0) as confirmed,
        coalesce(cancelled, 0) as cancelled, coalesce(failed, 0) as failed, coalesce(flights, 0) as flights,
        coalesce(hotels, 0) as hotels, coalesce(paid, 0) as paid, coalesce(refunded, 0) as refunded,
        coalesce(public_fare, 0) as public_fare, coalesce(agent_fare, 0) as agent_fare,
        coalesce(agent_commission, 0) as agent_commission, coalesce(markup, 0) as markup
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
pub async fn agents<'c>(
    connection: &'c mut AsyncPgConnection,
    report: &Report,
) -> Result<Rows<'c, AgentRow>> {
    let rows = of_users(AGENTS, report).load_stream::<AgentRow>(connection).await?;
    Ok(rows.map(|row| Ok(row?)).boxed())
}
