//! The time that all servers of a database share.

use chrono::{DateTime, Utc};
use diesel::{QueryResult, select};
use diesel::{
    dsl::sql,
    sql_types::{Nullable, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::StoreError;

/// The present by PostgreSQL's clock, moved by what a test has written into `test_clock`.
pub async fn read(connection: &mut AsyncPgConnection) -> Result<DateTime<Utc>, StoreError> {
    let now = "clock_timestamp() + coalesce((select ahead from test_clock), interval '0')";
    let read: QueryResult<_> = select(sql::<Timestamptz>(now)).get_result(connection).await;
    Ok(read?)
}

/// By how much a test has moved it.
pub async fn ahead(connection: &mut AsyncPgConnection) -> Result<Option<String>, StoreError> {
    let ahead = "(select ahead::text from test_clock)";
    let read: QueryResult<_> = select(sql::<Nullable<Text>>(ahead)).get_result(connection).await;
    Ok(read?)
}
