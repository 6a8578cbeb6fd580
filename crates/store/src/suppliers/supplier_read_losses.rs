//! What of suppliers' answers could not be read as it came, by field and kind, summed up over all servers.

use chrono::{DateTime, Utc};
use diesel::{OptionalExtension, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::Serialize;
use serde_json::json;

use crate::{
    Result,
    statements::{Columns, by_name, statement},
};

/// So much more was lost of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoreLosses {
    pub supplier: String,
    /// The field, as the supplier names it.
    pub field: String,
    pub kind: &'static str,
    /// How often since it was said last.
    pub losses: i64,
    /// What was wrong the first time.
    pub example: String,
}

by_name! {
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SupplierReadLoss {
        pub supplier: String,
        /// The field, as the supplier names it.
        pub field: String,
        pub kind: String,
        /// When it was lost first, UTC.
        pub first_at: DateTime<Utc>,
        /// When it was lost last, UTC.
        pub last_at: DateTime<Utc>,
        pub losses: i64,
        /// What was wrong the first time.
        pub example: String,
    }
}

by_name! {
    /// A field of which something was lost, and whether for the first time.
    struct Added {
        is_new: bool,
    } with {
        loss: NewLoss,
    }
}

by_name! {
    /// A field of which something was lost for the first time.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct NewLoss {
        pub supplier: String,
        /// The field, as the supplier names it.
        pub field: String,
        pub kind: String,
        pub example: String,
    }
}

/// Adds these to what is known: one statement. Those that are new.
#[boxed]
pub async fn add(
    connection: &mut AsyncPgConnection,
    more: &[MoreLosses],
    now: DateTime<Utc>,
) -> Result<Vec<NewLoss>> {
    // In one order in every process: two that add at once never wait for each other.
    let added: Vec<Added> = statement(
        "insert into supplier_read_losses as t (supplier, field, kind, first_at, last_at, losses, example)
         select supplier, field, kind, $1, $1, losses, example
         from jsonb_to_recordset($2) as more (supplier text, field text, kind text, losses bigint, example text)
         order by supplier, field, kind
         on conflict (supplier, field, kind) do update set last_at = excluded.last_at,
             losses = t.losses + excluded.losses
         returning supplier, field, kind, example, (xmax = 0) as is_new",
        (now, json!(more)),
    )
    .load(connection)
    .await?;
    Ok(added.into_iter().filter(|one| one.is_new).map(|one| one.loss).collect())
}

/// All that is known, by supplier, what was lost last first.
#[boxed]
pub async fn all(connection: &mut AsyncPgConnection) -> Result<Vec<SupplierReadLoss>> {
    let rows = sql_query(
        "select supplier, field, kind, first_at, last_at, losses, example from supplier_read_losses
         order by supplier, last_at desc, field, kind",
    );
    Ok(rows.load(connection).await?)
}

/// When something was lost of this supplier's answers that was new then, the last time.
#[boxed]
pub async fn newest(connection: &mut AsyncPgConnection, supplier: &str) -> Result<Option<DateTime<Utc>>> {
    let newest: Option<Columns<_>> = statement(
        "select first_at from supplier_read_losses where supplier = $1 order by first_at desc limit 1",
        supplier,
    )
    .get_result(connection)
    .await
    .optional()?;
    Ok(newest.map(|Columns(first_at)| first_at))
}
