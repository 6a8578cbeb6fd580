//! Rows that are kept for a while and then removed.

use chrono::{DateTime, Utc};
use diesel::{
    sql_query,
    sql_types::{BigInt, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::StoreError;

/// Removes at most so many rows of a table that were made before this time, found by its key; how many.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn remove(
    connection: &mut AsyncPgConnection,
    table: &'static str,
    key: &'static str,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize, StoreError> {
    let removed = sql_query(format!(
        "delete from {table} where ({key}) in (select {key} from {table} where created_at < $1 limit $2)"
    ));
    Ok(removed
        .bind::<Timestamptz, _>(time)
        .bind::<BigInt, _>(most)
        .execute(connection)
        .await?)
}
