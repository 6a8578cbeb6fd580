//! When days began of which statements, exports and reports were made: no newer time zone database moves them.

use chrono::{DateTime, NaiveDate, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::Zone;

use crate::{
    Result,
    statements::{statement, values},
};

/// When these days of a zone began, as far as that was asked for before. One statement.
#[boxed]
pub async fn kept(
    connection: &mut AsyncPgConnection,
    zone: Zone,
    days: &[NaiveDate],
) -> Result<Vec<(NaiveDate, DateTime<Utc>)>> {
    let kept = statement(
        "select day, began_at from day_bounds where zone = $1 and day = any($2)",
        (zone.name(), days),
    )
    .load(connection)
    .await?;
    Ok(values(kept))
}

/// Keeps when days of a zone began; those that are kept stay as they are. When they began then. One statement.
#[boxed]
pub async fn keep(
    connection: &mut AsyncPgConnection,
    zone: Zone,
    bounds: &[(NaiveDate, DateTime<Utc>)],
) -> Result<Vec<(NaiveDate, DateTime<Utc>)>> {
    let (days, began_at): (Vec<_>, Vec<_>) = bounds.iter().copied().unzip();
    let kept = statement(
        "insert into day_bounds as t (zone, day, began_at) select $1, * from unnest($2, $3)
         on conflict (zone, day) do update set began_at = t.began_at returning day, began_at",
        (zone.name(), days, began_at),
    )
    .load(connection)
    .await?;
    Ok(values(kept))
}
