//! Supplier orders that should be polled: holds that may lapse, tickets still to come, travel that
//! is not over. One clock, `supplier_orders.next_poll_at`, says when.

use chrono::{DateTime, Utc};
use diesel::OptionalExtension;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrderStatus, OrganizationId};

use crate::{
    Result,
    service::leases::CANDIDATES,
    statements::{Columns, Write as _, by_name, statement, values},
};

by_name! {
    #[derive(Clone, Debug)]
    pub struct OrderToPoll {
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        /// Its number in the booking, from 1.
        pub number: u16,
        pub supplier: String,
        pub status: OrderStatus,
        /// How often it was polled since anything changed on it.
        pub poll_count: i32,
        /// How many polls in a row have failed.
        pub looks_failed: i16,
        /// Since when polls have failed or shown it as neither confirmed, held nor gone, UTC; none where the last one was well.
        pub failing_since: Option<DateTime<Utc>>,
        /// When its supplier first showed it as cancelled, UTC.
        pub cancel_seen_at: Option<DateTime<Utc>>,
        /// Whether it is polled for its travel: that counts, and may wait.
        pub is_watched: bool,
    }
}

impl OrderToPoll {
    /// Since when polls have failed, UTC; none where the last one was well. A server of the release before says only that.
    pub fn has_failed_since(&self) -> Option<DateTime<Utc>> {
        self.failing_since.filter(|_| self.looks_failed > 0)
    }
}

by_name! {
    /// An order that may be taken, as it was read.
    struct Candidate {
        org_id: Uuid,
        booking_id: Uuid,
        number: i16,
        next_poll_at: Option<DateTime<Utc>>,
        poll_count: i32,
        status: String,
    }
}

impl Candidate {
    /// Takes it, unless it was taken or rung for since it was read.
    async fn take(
        self,
        connection: &mut AsyncPgConnection,
        leased_until: DateTime<Utc>,
    ) -> Result<Option<OrderToPoll>> {
        Ok(statement(
            "update supplier_orders set next_poll_at = $6, poll_count = poll_count + 1
             where org_id = $1 and booking_id = $2 and number = $3
                 and next_poll_at is not distinct from $4 and poll_count = $5 and status = $7
             returning org_id, booking_id, number, supplier, status, poll_count, looks_failed, failing_since,
                 cancel_seen_at, travel_at is not null as is_watched",
            (
                self.org_id,
                self.booking_id,
                self.number,
                self.next_poll_at,
                self.poll_count,
                leased_until,
                self.status,
            ),
        )
        .get_result(connection)
        .await
        .optional()?)
    }
}

/// Takes the first of these that is still as it was read.
async fn take_first(
    connection: &mut AsyncPgConnection,
    candidates: Vec<Candidate>,
    leased_until: DateTime<Utc>,
) -> Result<Option<OrderToPoll>> {
    for candidate in candidates {
        if let Some(taken) = candidate.take(connection, leased_until).await? {
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

/// Takes one order that is due and not merely watched, out of reach of other takers until `leased_until`. None also where others
/// take all that are due.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<OrderToPoll>> {
    let due: Vec<Candidate> = statement(
        "select org_id, booking_id, number, next_poll_at, poll_count, status from supplier_orders
         where next_poll_at <= $1 and travel_at is null order by next_poll_at limit $2",
        (now, CANDIDATES),
    )
    .load(connection)
    .await?;
    take_first(connection, due, leased_until).await
}

/// The suppliers of which an order is due that is watched, who travels first first.
#[boxed]
pub async fn suppliers_to_watch(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
) -> Result<Vec<String>> {
    let rows: Vec<Columns<String>> = statement(
        "select supplier from supplier_orders where next_poll_at <= $1 and travel_at is not null
         group by supplier order by min(travel_at), supplier",
        now,
    )
    .load(connection)
    .await?;
    Ok(values(rows))
}

/// Takes one order of this supplier's that is due and watched, who travels first, and counts the poll. None when no more
/// polls may be made in this hour, by whichever server. Runs in a transaction of the caller's: the count keeps other takers of
/// this supplier's waiting until it ends.
#[boxed]
pub async fn take_watched(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    watch_per_hour: u32,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<OrderToPoll>> {
    if !count_look(connection, supplier, watch_per_hour, now).await? {
        return Ok(None);
    }
    let due: Vec<Candidate> = statement(
        "select org_id, booking_id, number, next_poll_at, poll_count, status from supplier_orders
         where supplier = $1 and next_poll_at <= $2 and travel_at is not null
         order by travel_at, booking_id, number limit $3",
        (supplier, now, CANDIDATES),
    )
    .load(connection)
    .await?;
    let taken = take_first(connection, due, leased_until).await?;
    if taken.is_none() {
        // The first of an hour stays: no row is of an hour without polls.
        let taken_back = statement(
            "update supplier_looks set looks = looks - 1
             where supplier = $1 and hour = date_trunc('hour', $2, 'UTC') and looks > 1",
            (supplier, now),
        );
        taken_back.execute(connection).await?;
    }
    Ok(taken)
}

/// Counts a poll of this supplier's orders in this hour. False when there were as many as there may be.
async fn count_look(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    watch_per_hour: u32,
    now: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "insert into supplier_looks as t (supplier, hour, looks) select $1, date_trunc('hour', $2, 'UTC'), 1 where $3 > 0
         on conflict (supplier, hour) do update set looks = t.looks + 1 where t.looks < $3",
        (supplier, now, i64::from(watch_per_hour)),
    )
    .write_one(connection)
    .await
}

/// When an order is polled next, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPoll {
    /// When; none where nothing is awaited of it any more.
    pub at: Option<DateTime<Utc>>,
    /// The travel that it is watched for; none where something else is awaited of it.
    pub travel_at: Option<DateTime<Utc>>,
    /// When its travel ends; what is known of it stays where this is none.
    pub travel_ends: Option<DateTime<Utc>>,
    /// How many polls in a row have failed.
    pub looks_failed: i16,
}

/// Says when an order that was taken is polled again, and since when polls of it fail. Nothing changes when somebody has taken it or rung for it meanwhile:
/// then it is due, or somebody else's. Nor when another poll has cancelled it meanwhile: what comes back is still to be asked.
#[boxed]
pub async fn poll_again(
    connection: &mut AsyncPgConnection,
    order: &OrderToPoll,
    next: NextPoll,
    failing_since: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "update supplier_orders set next_poll_at = $5, travel_at = $6, travel_ends = coalesce($7, travel_ends),
             looks_failed = $8, failing_since = $10, cancel_seen_at = case when $8 = 0 then null else cancel_seen_at end
         where org_id = $1 and booking_id = $2 and number = $3 and poll_count in ($4, 0) and next_poll_at > $9
             and not (status = 'cancelled' and cancel_seen_at is not null)",
        (
            order.organization,
            order.booking,
            order.number,
            order.poll_count,
            next.at,
            next.travel_at,
            next.travel_ends,
            next.looks_failed,
            now,
            failing_since,
        ),
    )
    .write(connection)
    .await
}

/// Says when an order that was taken and could not be read is polled again, and how many polls in a row have failed.
/// What it is polled for stays.
#[boxed]
pub async fn postpone(
    connection: &mut AsyncPgConnection,
    order: &OrderToPoll,
    (again_at, looks_failed): (DateTime<Utc>, i16),
    now: DateTime<Utc>,
) -> Result<()> {
    statement(
        "update supplier_orders set next_poll_at = $5, looks_failed = $6
         where org_id = $1 and booking_id = $2 and number = $3 and poll_count in ($4, 0) and next_poll_at > $7",
        (order.organization, order.booking, order.number, order.poll_count, again_at, looks_failed, now),
    )
    .write(connection)
    .await
}

/// Keeps an order that was taken out of reach of others until then. False when somebody else has taken it or rung for it
/// meanwhile.
#[boxed]
pub async fn renew(
    connection: &mut AsyncPgConnection,
    order: &OrderToPoll,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "update supplier_orders set next_poll_at = $5
         where org_id = $1 and booking_id = $2 and number = $3 and poll_count in ($4, 0) and next_poll_at > $6",
        (order.organization, order.booking, order.number, order.poll_count, leased_until, now),
    )
    .write_one(connection)
    .await
}

/// Takes some orders that stand and that nobody watches: of before there was a watch, or of which a server of before has
/// stopped the clock though their travel had not ended at `ended_before`. They are out of reach of other takers until
/// `leased_until`. Fewer than `most` also where others have taken some of them meanwhile.
#[boxed]
pub async fn take_unwatched(
    connection: &mut AsyncPgConnection,
    ended_before: DateTime<Utc>,
    leased_until: DateTime<Utc>,
    most: i64,
) -> Result<Vec<OrderToPoll>> {
    let unwatched: Vec<Candidate> = statement(
        "select o.org_id, o.booking_id, o.number, o.next_poll_at, o.poll_count, o.status from supplier_orders o
         join bookings b on (b.id, b.org_id) = (o.booking_id, o.org_id)
         where o.status = 'confirmed' and o.next_poll_at is null
             and (o.travel_ends is null or o.travel_ends > $1) and b.status = 'confirmed'
         limit $2",
        (ended_before, most),
    )
    .load(connection)
    .await?;
    let mut taken = Vec::with_capacity(unwatched.len());
    for candidate in unwatched {
        taken.extend(candidate.take(connection, leased_until).await?);
    }
    Ok(taken)
}

by_name! {
    /// Orders of one supplier that are polled late.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LateLooks {
        pub supplier: String,
        pub orders: i64,
        /// Since when the first one waits, UTC.
        pub since: DateTime<Utc>,
    }
}

/// What has been due since before this time, by supplier.
#[boxed]
pub async fn late(connection: &mut AsyncPgConnection, due_before: DateTime<Utc>) -> Result<Vec<LateLooks>> {
    Ok(statement(
        "select supplier, count(*) as orders, min(next_poll_at) as since from supplier_orders
         where next_poll_at < $1 and travel_at is not null group by supplier order by supplier",
        due_before,
    )
    .load(connection)
    .await?)
}

/// Forgets how many polls there were before this time.
#[boxed]
pub async fn forget_looks(connection: &mut AsyncPgConnection, before: DateTime<Utc>) -> Result<()> {
    statement("delete from supplier_looks where hour < $1", before).write(connection).await
}

/// Makes orders due now that a supplier's list shows, by its own ids of them, each with what is shown of it: only where that
/// is another than before, and as far as they stand here. A poll that is under way at one of them is followed by another. How
/// many there were.
#[boxed]
pub async fn ring_for_news(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    (order_ids, marks): (&[&str], &[&str]),
    now: DateTime<Utc>,
) -> Result<usize> {
    Ok(statement(
        "update supplier_orders o set next_poll_at = $4, sweep_mark = shown.mark
         from unnest($2, $3) as shown (id, mark)
         where o.supplier = $1 and o.supplier_order_id = shown.id and o.status in ('held', 'confirmed')
             and o.sweep_mark is distinct from shown.mark",
        (supplier, order_ids, marks, now),
    )
    .execute(connection)
    .await?)
}

/// Takes the reading of a supplier's list, where that is due: nobody else reads it until `leased_until`.
#[boxed]
pub async fn take_sweep(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "insert into supplier_sweeps as t (supplier, next_at) values ($1, $3)
         on conflict (supplier) do update set next_at = excluded.next_at where t.next_at <= $2",
        (supplier, now, leased_until),
    )
    .write_one(connection)
    .await
}

/// Says when a supplier's list is read again, and when it has shown something new, if it has.
#[boxed]
pub async fn sweep_again(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    (news_at, at): (Option<DateTime<Utc>>, DateTime<Utc>),
) -> Result<()> {
    statement(
        "update supplier_sweeps set next_at = $2, news_at = coalesce($3, news_at) where supplier = $1",
        (supplier, at, news_at),
    )
    .write(connection)
    .await
}

/// Notes that a supplier shows an order as cancelled, and when it is polled again; when that was first seen. None when it
/// is no longer live here. Runs in a transaction of the caller's that has locked the booking.
#[boxed]
pub async fn see_cancelled(
    connection: &mut AsyncPgConnection,
    (organization, booking, number): (OrganizationId, BookingId, u16),
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let seen = statement(
        "update supplier_orders set cancel_seen_at = coalesce(cancel_seen_at, $4), next_poll_at = $5, poll_count = 0,
             looks_failed = 0, failing_since = null, travel_at = null
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'confirmed'
         returning cancel_seen_at",
        (organization, booking, number, now, again_at),
    )
    .get_result(connection)
    .await
    .optional()?;
    Ok(seen.map(|Columns(seen_at)| seen_at))
}

/// Notes that an agency is told that a hotel's own number is missing. False when it was told before.
#[boxed]
pub async fn number_missed(
    connection: &mut AsyncPgConnection,
    (organization, booking, number): (OrganizationId, BookingId, u16),
    now: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "update supplier_orders set number_missed_at = $4
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'confirmed' and number_missed_at is null",
        (organization, booking, number, now),
    )
    .write_one(connection)
    .await
}

/// Ends what is awaited of an order that its supplier has cancelled. False when that was done before.
#[boxed]
pub async fn cancellation_settled(
    connection: &mut AsyncPgConnection,
    (organization, booking, number): (OrganizationId, BookingId, u16),
) -> Result<bool> {
    statement(
        "update supplier_orders set cancel_seen_at = null, next_poll_at = null, looks_failed = 0
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'cancelled' and cancel_seen_at is not null",
        (organization, booking, number),
    )
    .write_one(connection)
    .await
}
