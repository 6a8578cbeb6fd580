//! The time that all servers of a database share.

use chrono::{DateTime, Utc};
use diesel::{QueryResult, select};
use diesel::{
    dsl::sql,
    sql_types::{Nullable, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::Result;

#[derive(Clone, Copy, Debug)]
pub struct Present {
    /// By PostgreSQL's clock.
    pub real: DateTime<Utc>,
    /// The same, moved by what a test has written into `test_clock`.
    pub shared: DateTime<Utc>,
}

#[boxed]
pub async fn read(connection: &mut AsyncPgConnection) -> Result<Present> {
    let now = "now.real, now.real + coalesce((select ahead from test_clock), interval '0') \
         from (select clock_timestamp() as real) as now";
    let read: QueryResult<_> = select(sql::<(Timestamptz, Timestamptz)>(now)).get_result(connection).await;
    let (real, shared) = read?;
    Ok(Present { real, shared })
}

#[boxed]
pub async fn ahead(connection: &mut AsyncPgConnection) -> Result<Option<String>> {
    let ahead = "(select ahead::text from test_clock)";
    let read: QueryResult<_> = select(sql::<Nullable<Text>>(ahead)).get_result(connection).await;
    Ok(read?)
}
