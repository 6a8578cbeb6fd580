//! The servers that use a database now, as each of them says of itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel::{
    sql_query,
    sql_types::{BigInt, Jsonb, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::{Value, json};

use crate::{StoreError, error::from_json, statements::by_name::by_name};

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

/// A server that was there a moment ago.
#[derive(Clone, Debug)]
pub struct KnownServer {
    pub announced: Announcement,
    pub started_at: DateTime<Utc>,
    /// When it said so last, UTC.
    pub seen_at: DateTime<Utc>,
}

by_name! {
    struct Row {
        name: String = Text,
        address: String = Text,
        version: String = Text,
        settings: Value = Jsonb,
        clock_ahead_ms: i64 = BigInt,
        started_at: DateTime<Utc> = Timestamptz,
        seen_at: DateTime<Utc> = Timestamptz,
    }
}

/// Says that this server is there. One that listens at all addresses of its machine is named by that from which it reaches the
/// database. Those that have said nothing for a day are forgotten.
#[boxed]
pub async fn announce(connection: &mut AsyncPgConnection, own: &Announcement) -> Result<(), StoreError> {
    let said = sql_query(
        "with gone as (delete from servers where seen_at < clock_timestamp() - interval '1 day' and name <> $1)
         insert into servers (name, address, version, settings, clock_ahead_ms) values ($1,
             case when $2 ~ '^(0\\.0\\.0\\.0|\\[::\\]):'
                 then coalesce(host(inet_client_addr()), 'localhost') || substring($2 from ':[0-9]+$') else $2 end,
             $3, $4, $5)
         on conflict (name) do update set settings = excluded.settings, clock_ahead_ms = excluded.clock_ahead_ms,
             seen_at = clock_timestamp()",
    );
    said.bind::<Text, _>(&own.name)
        .bind::<Text, _>(&own.address)
        .bind::<Text, _>(&own.version)
        .bind::<Jsonb, _>(json!(own.settings))
        .bind::<BigInt, _>(own.clock_ahead_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// The servers that have said so within a minute, by address.
#[boxed]
pub async fn known(connection: &mut AsyncPgConnection) -> Result<Vec<KnownServer>, StoreError> {
    let rows: Vec<Row> = sql_query(
        "select name, address, version, settings, clock_ahead_ms, started_at, seen_at from servers
         where seen_at > clock_timestamp() - interval '1 minute' order by address, name",
    )
    .load(connection)
    .await?;
    let known = rows.into_iter().map(|row| {
        Ok(KnownServer {
            announced: Announcement {
                settings: from_json("servers.settings", row.settings)?,
                name: row.name,
                address: row.address,
                version: row.version,
                clock_ahead_ms: row.clock_ahead_ms,
            },
            started_at: row.started_at,
            seen_at: row.seen_at,
        })
    });
    known.collect()
}

#[boxed]
pub async fn leave(connection: &mut AsyncPgConnection, name: &str) -> Result<(), StoreError> {
    let left = sql_query("delete from servers where name = $1").bind::<Text, _>(name);
    left.execute(connection).await?;
    Ok(())
}
