//! Rows that are kept for a while and then removed.

use chrono::{DateTime, Utc};
use diesel::sql_query;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::{NoContext, Timestamp, Uuid};

use crate::{
    Result,
    statements::{Columns, statement},
};

/// Rows of a table that go at an age.
#[derive(Clone, Copy)]
pub struct Aged {
    table: &'static str,
    /// The columns by which a row is found.
    key: &'static str,
    /// What is true of a row that is older than the time `$1`.
    is_older: &'static str,
}

pub const NOTIFICATIONS: Aged =
    Aged { table: "notifications", key: "org_id, user_id, id", is_older: "created_at < $1" };
pub const DELIVERIES: Aged =
    Aged { table: "webhook_deliveries", key: "org_id, webhook_id, event_id", is_older: "created_at < $1" };
pub const SUPPLIER_HOOKS: Aged =
    Aged { table: "supplier_hooks", key: "supplier, event_id", is_older: "created_at < $1" };
/// Sessions that have ended, however they ended, with what is left of their tokens. A session is a user's log-in: there are few,
/// and those that ended go.
pub const SESSIONS: Aged = Aged { table: "sessions", key: "id, org_id", is_older: "expires_at < $1" };
pub const OPERATOR_SESSIONS: Aged =
    Aged { table: "operator_sessions", key: "id", is_older: "ends_at < $1 or idle_until < $1" };
/// Of servers that have said nothing since.
pub const SUPPLIER_HEALTH: Aged =
    Aged { table: "supplier_health", key: "process, supplier", is_older: "seen_at < $1" };
pub const SUPPLIER_MINUTES: Aged =
    Aged { table: "supplier_minutes", key: "minute, supplier, process", is_older: "minute < $1" };
/// Those that were not seen since.
pub const SUPPLIER_READ_LOSSES: Aged =
    Aged { table: "supplier_read_losses", key: "supplier, field, kind", is_older: "last_at < $1" };
/// Hotels that were neither found nor asked for since.
pub const HOTEL_CONTENT: Aged = Aged {
    table: "hotel_content",
    key: "supplier, language, hotel",
    is_older: "coalesce(wished_at, asked_at) < $1",
};

/// Removes at most so many of these rows that are older than this time; how many.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    Aged { table, key, is_older }: Aged,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let removed = statement(
        format!("delete from {table} where ({key}) in (select {key} from {table} where {is_older} limit $2)"),
        (time, most),
    );
    Ok(removed.execute(connection).await?)
}

/// Whether no other server removes anything now; none does so until this transaction has ended.
#[boxed]
pub async fn is_alone(connection: &mut AsyncPgConnection) -> Result<bool> {
    let taken = sql_query("select pg_try_advisory_xact_lock(7727062) as is_taken");
    let Columns(is_taken) = taken.get_result(connection).await?;
    Ok(is_taken)
}

/// Removes quotes that were made before this time, when all had ended, and that no booking uses, in the order of their ids. At
/// most so many are looked at; how many were. None while another server does it.
#[boxed]
pub async fn remove_quotes(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let query = "with taken as (select up_to from retention where what = 'quotes' for update skip locked),
             part as materialized (select id, org_id from quotes
                 where id > (select up_to from taken) and id < $1 and created_at < $3 order by id limit $2),
             moved as (update retention set up_to = (select id from part order by id desc limit 1)
                 where what = 'quotes' and exists (select from part)),
             removed as (delete from quotes using part where (quotes.id, quotes.org_id) = (part.id, part.org_id)
                 and quotes.booking_id is null)
         select count(*) as count from part";
    work_off(connection, query, time, most).await
}

/// Removes addresses and programs of the audit log from before this time, in the order of its ids. At most so many rows are
/// looked at of each agency; how many were of that with the most. None while another server does it.
#[boxed]
pub async fn remove_addresses(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    // The log is kept by agency: each has its rows in the order of time, and all of them get on together.
    let query = "with taken as (select up_to from retention where what = 'addresses' for update skip locked),
             part as materialized (select old.id, organizations.id as org_id from organizations cross join lateral (
                 select events.id from events where events.org_id = organizations.id
                     and events.id > (select up_to from taken) and events.id < $1 and events.created_at < $3
                     order by events.id limit $2) old),
             -- Of an agency whose part is full the rest is as far as all have got.
             reached as (select min(up_to collate \"C\") as up_to from (
                 select max(id::text collate \"C\") as up_to from part group by org_id having count(*) = $2
                 union all select max(id::text collate \"C\") from part) last),
             moved as (update retention set up_to = reached.up_to::uuid from reached
                 where what = 'addresses' and reached.up_to is not null),
             removed as (update events set ip_address = '', user_agent = '' from part
                 where (events.org_id, events.id) = (part.org_id, part.id)
                     and (events.ip_address, events.user_agent) <> ('', ''))
         select coalesce(max(count), 0) as count from (select count(*) from part group by org_id) parts";
    work_off(connection, query, time, most).await
}

async fn work_off(
    connection: &mut AsyncPgConnection,
    query: &str,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let Columns(count): Columns<i64> =
        statement(query, (first_id_of(time), most, time)).get_result(connection).await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Removes keys that were used before this time, at most so many of each kind; how many.
#[boxed]
pub async fn remove_keys(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let removed = statement(
        "delete from idempotency_keys where (user_id, org_id, key) in (
             (select user_id, org_id, key from idempotency_keys
                 where effect_id < $1 and created_at < $3 order by effect_id limit $2)
             union all
             (select user_id, org_id, key from idempotency_keys
                 where effect_id is null and created_at < $3 order by created_at limit $2))",
        (first_id_of(time), most, time),
    );
    Ok(removed.execute(connection).await?)
}

/// Removes refresh tokens that have ended by now, of those that were made before `made_before`, when all had ended.
#[boxed]
pub async fn remove_tokens(
    connection: &mut AsyncPgConnection,
    (made_before, now): (DateTime<Utc>, DateTime<Utc>),
    most: i64,
) -> Result<usize> {
    let removed = statement(
        "delete from refresh_tokens where (id, org_id) in (
             select id, org_id from refresh_tokens where id < $1 and expires_at < $3 order by id limit $2)",
        (first_id_of(made_before), most, now),
    );
    Ok(removed.execute(connection).await?)
}

/// An id that no row has: those that were made before this time are smaller, later ones are not.
fn first_id_of(time: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(time.timestamp()).unwrap_or_default();
    let stamp = Timestamp::from_unix(NoContext, seconds, time.timestamp_subsec_nanos());
    let mut bytes = Uuid::new_v7(stamp).into_bytes();
    // Behind the 48 bits of the time are the version, the variant and chance.
    for byte in bytes.iter_mut().skip(6) {
        *byte = 0;
    }
    Uuid::from_bytes(bytes)
}
