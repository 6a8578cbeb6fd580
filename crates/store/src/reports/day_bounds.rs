//! When days began of which statements, exports and reports were made: no newer time zone database moves them.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    sql_query,
    sql_types::{Array, Date, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::Zone;

use crate::{StoreError, statements::by_name::by_name};

by_name! {
    /// A day, and when it began, UTC.
    struct DayBound {
        day: NaiveDate = Date,
        began_at: DateTime<Utc> = Timestamptz,
    }
}

impl DayBound {
    fn told(self) -> (NaiveDate, DateTime<Utc>) {
        (self.day, self.began_at)
    }
}

/// When these days of a zone began, as far as that was asked for before. One statement.
#[boxed]
pub async fn kept(
    connection: &mut AsyncPgConnection,
    zone: Zone,
    days: &[NaiveDate],
) -> Result<Vec<(NaiveDate, DateTime<Utc>)>, StoreError> {
    let kept: Vec<DayBound> =
        sql_query("select day, began_at from day_bounds where zone = $1 and day = any($2)")
            .bind::<Text, _>(zone.name())
            .bind::<Array<Date>, _>(days)
            .load(connection)
            .await?;
    Ok(kept.into_iter().map(DayBound::told).collect())
}

/// Keeps when days of a zone began; those that are kept stay as they are. When they began then. One statement.
#[boxed]
pub async fn keep(
    connection: &mut AsyncPgConnection,
    zone: Zone,
    bounds: &[(NaiveDate, DateTime<Utc>)],
) -> Result<Vec<(NaiveDate, DateTime<Utc>)>, StoreError> {
    let (days, began_at): (Vec<_>, Vec<_>) = bounds.iter().copied().unzip();
    let kept: Vec<DayBound> = sql_query(
        "insert into day_bounds as t (zone, day, began_at) select $1, * from unnest($2, $3)
         on conflict (zone, day) do update set began_at = t.began_at returning day, began_at",
    )
    .bind::<Text, _>(zone.name())
    .bind::<Array<Date>, _>(days)
    .bind::<Array<Timestamptz>, _>(began_at)
    .load(connection)
    .await?;
    Ok(kept.into_iter().map(DayBound::told).collect())
}
