//! How statements are planned that read many rows.

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};

use crate::Result;

/// From here to the end of the transaction PostgreSQL plans as it does by itself, each statement anew and for what it asks
/// for. A server's connections plan for statements that look up a few rows, and keep their plans (D-292); that is wrong for
/// who searches, joins and sorts many. One statement, which costs less than any of those.
#[boxed]
pub async fn read_many(connection: &mut AsyncPgConnection) -> Result<()> {
    Ok(connection
        .batch_execute(
            "set local cpu_tuple_cost to default; set local cpu_index_tuple_cost to default; \
             set local enable_bitmapscan to default; set local plan_cache_mode to force_custom_plan",
        )
        .await?)
}
