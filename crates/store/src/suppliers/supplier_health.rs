//! How suppliers do, as each server says of itself: one row for each server and supplier, and sums of each minute.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::Serialize;
use serde_json::json;
use wayfare_domain::BreakerState;

use crate::{
    Result,
    statements::{Write as _, by_name, statement},
};

/// Calls that brought nothing, by the word for how they ended.
pub type ErrorCounts = BTreeMap<String, u64>;

by_name! {
    /// How a server sees a supplier now.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct PresentHealth {
        pub supplier: String,
        /// Whether its circuit breaker lets calls through.
        pub breaker: BreakerState,
        /// Until when that turns calls away, UTC.
        pub open_until: Option<DateTime<Utc>>,
        /// Until when the supplier is left alone because it asked for that, UTC.
        pub paused_until: Option<DateTime<Utc>>,
        /// How many calls may be under way at once.
        pub permits: i32,
        pub permits_used: i32,
        pub permits_waiting: i32,
        /// How many ended in the last minute.
        pub calls: i64,
        /// Within so many milliseconds half of them ended; none without any.
        pub p50_ms: Option<i64>,
        /// Within so many milliseconds 99 of a hundred ended; none without any.
        pub p99_ms: Option<i64>,
        /// How many of them brought nothing.
        pub errors: ErrorCounts,
    }
}

/// What a server has counted of a supplier in a minute so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountedMinute {
    pub supplier: String,
    /// When the minute began, UTC.
    pub minute: DateTime<Utc>,
    pub calls: i64,
    /// How many of them brought nothing.
    pub errors: i64,
}

by_name! {
    /// How one server has seen a supplier last.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SeenHealth {
        /// What the server's connections are named by.
        pub process: String,
        /// Where it listens; none of one that has left, or says so no more.
        pub address: Option<String>,
        /// When it said so, UTC.
        pub seen_at: DateTime<Utc>,
    } with {
        pub health: PresentHealth,
    }
}

by_name! {
    /// All servers' calls to a supplier in a minute.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SupplierMinute {
        pub supplier: String,
        /// When the minute began, UTC.
        pub minute: DateTime<Utc>,
        pub calls: i64,
        /// How many of them brought nothing.
        pub errors: i64,
    }
}

/// Writes how a server sees its suppliers now, and what it has counted in this minute: one statement, which changes nothing when
/// it is sent again. No other server writes these rows.
#[boxed]
pub async fn write(
    connection: &mut AsyncPgConnection,
    (process, now): (&str, DateTime<Utc>),
    present: &[PresentHealth],
    minutes: &[CountedMinute],
) -> Result<()> {
    statement(
        "with present as (
             insert into supplier_health (process, supplier, seen_at, breaker, open_until, paused_until, permits,
                 permits_used, permits_waiting, calls, p50_ms, p99_ms, errors)
             select $1, supplier, $2, breaker, open_until, paused_until, permits, permits_used, permits_waiting, calls,
                 p50_ms, p99_ms, errors
             from jsonb_to_recordset($3) as said (supplier text, breaker text, open_until timestamptz,
                 paused_until timestamptz, permits integer, permits_used integer, permits_waiting integer, calls bigint,
                 p50_ms bigint, p99_ms bigint, errors jsonb)
             on conflict (process, supplier) do update set seen_at = excluded.seen_at, breaker = excluded.breaker,
                 open_until = excluded.open_until, paused_until = excluded.paused_until, permits = excluded.permits,
                 permits_used = excluded.permits_used, permits_waiting = excluded.permits_waiting,
                 calls = excluded.calls, p50_ms = excluded.p50_ms, p99_ms = excluded.p99_ms, errors = excluded.errors
         )
         insert into supplier_minutes (minute, supplier, process, calls, errors)
         select minute, supplier, $1, calls, errors
         from jsonb_to_recordset($4) as said (supplier text, minute timestamptz, calls bigint, errors bigint)
         on conflict (minute, supplier, process) do update set calls = excluded.calls, errors = excluded.errors",
        (process, now, json!(present), json!(minutes)),
    )
    .write(connection)
    .await
}

/// What each server has said last, as far as it said so after this time: by supplier, then by where the server is.
#[boxed]
pub async fn seen_after(connection: &mut AsyncPgConnection, time: DateTime<Utc>) -> Result<Vec<SeenHealth>> {
    Ok(statement(
        "select h.process, s.address, h.seen_at, h.supplier, h.breaker, h.open_until, h.paused_until, h.permits,
             h.permits_used, h.permits_waiting, h.calls, h.p50_ms, h.p99_ms, h.errors
         from supplier_health h left join servers s on s.name = h.process
         where h.seen_at > $1 order by h.supplier, s.address, h.process",
        time,
    )
    .load(connection)
    .await?)
}

/// The sums of all servers of each minute that begins at this time or later, by supplier and time.
#[boxed]
pub async fn minutes_from(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
) -> Result<Vec<SupplierMinute>> {
    Ok(statement(
        "select supplier, minute, sum(calls)::bigint as calls, sum(errors)::bigint as errors
         from supplier_minutes where minute >= $1 group by supplier, minute order by supplier, minute",
        time,
    )
    .load(connection)
    .await?)
}

/// Forgets how a server sees suppliers that ends; its minutes stay.
#[boxed]
pub async fn leave(connection: &mut AsyncPgConnection, process: &str) -> Result<()> {
    statement("delete from supplier_health where process = $1", process).write(connection).await
}
