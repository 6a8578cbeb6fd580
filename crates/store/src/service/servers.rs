//! The servers that use a database now, as each of them says of itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::sql_query;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::json;

use crate::{
    Result,
    statements::{Write as _, by_name, statement},
};

by_name! {
    #[derive(Clone, Debug)]
    pub struct Announcement {
        /// What its connections are named by.
        pub name: String,
        /// Its machine and where it listens.
        pub address: String,
        pub version: String,
        /// Keyed hashes of what all servers of a database should be set to alike, by what each is of.
        pub settings: BTreeMap<String, String>,
        /// By how much its clock is ahead of PostgreSQL's.
        pub clock_ahead_ms: i64,
    }
}

by_name! {
    /// A server that was there a moment ago.
    #[derive(Clone, Debug)]
    pub struct KnownServer {
        pub started_at: DateTime<Utc>,
        /// When it said so last, UTC.
        pub seen_at: DateTime<Utc>,
    } with {
        pub announced: Announcement,
    }
}

/// Says that this server is there. One that listens at all addresses of its machine is named by that from which it reaches the
/// database. Those that have said nothing for a day are forgotten.
#[boxed]
pub async fn announce(connection: &mut AsyncPgConnection, own: &Announcement) -> Result<()> {
    statement(
        "with gone as (delete from servers where seen_at < clock_timestamp() - interval '1 day' and name <> $1)
         insert into servers (name, address, version, settings, clock_ahead_ms) values ($1,
             case when $2 ~ '^(0\\.0\\.0\\.0|\\[::\\]):'
                 then coalesce(host(inet_client_addr()), 'localhost') || substring($2 from ':[0-9]+$') else $2 end,
             $3, $4, $5)
         on conflict (name) do update set settings = excluded.settings, clock_ahead_ms = excluded.clock_ahead_ms,
             seen_at = clock_timestamp()",
        (&own.name, &own.address, &own.version, json!(own.settings), own.clock_ahead_ms),
    )
    .write(connection)
    .await
}

/// The servers that have said so within a minute, by address.
#[boxed]
pub async fn known(connection: &mut AsyncPgConnection) -> Result<Vec<KnownServer>> {
    Ok(sql_query(
        "select name, address, version, settings, clock_ahead_ms, started_at, seen_at from servers
         where seen_at > clock_timestamp() - interval '1 minute' order by address, name",
    )
    .load(connection)
    .await?)
}

#[boxed]
pub async fn leave(connection: &mut AsyncPgConnection, name: &str) -> Result<()> {
    statement("delete from servers where name = $1", name).write(connection).await
}
