//! Cancellations that were taken for refused because their suppliers kept silent, and when their orders are looked at again.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::steps::{Row, Step};
use crate::{StoreError, schema::effects};

/// A cancellation whose order is to be looked at again.
#[derive(Clone, Debug)]
pub struct Recheck {
    /// Its step, which is completed.
    pub step: Step,
    /// When it was taken for refused, UTC.
    pub refused_at: DateTime<Utc>,
}

/// Takes one that is due, out of reach of other takers until `leased_until`. Runs in a transaction of the caller's.
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<Recheck>, StoreError> {
    let row: Option<(Row, Option<DateTime<Utc>>)> = effects::table
        .filter(effects::recheck_at.le(now))
        .order(effects::recheck_at)
        .select((Row::as_select(), effects::closed_at))
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some((row, closed_at)) = row else {
        return Ok(None);
    };
    let step = Step::try_from(row)?;
    recheck_at(connection, &step, Some(leased_until)).await?;
    Ok(Some(Recheck {
        refused_at: closed_at.unwrap_or(now),
        step,
    }))
}

/// Says when the order is to be looked at again, if ever.
pub async fn recheck_at(
    connection: &mut AsyncPgConnection,
    step: &Step,
    at: Option<DateTime<Utc>>,
) -> Result<(), StoreError> {
    diesel::update(effects::table.find((step.organization.uuid(), step.id.uuid())))
        .set(effects::recheck_at.eq(at))
        .execute(connection)
        .await?;
    Ok(())
}
