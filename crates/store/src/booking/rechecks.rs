//! Cancellations that were taken for refused because their suppliers kept silent, and when their orders are polled again.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::steps::Step;
use crate::{Result, schema::effects, service::leases::CANDIDATES, statements::Write as _};

/// A cancellation whose order is to be polled again.
#[derive(Clone, Debug)]
pub struct Recheck {
    pub step: Step,
    /// When it was taken for refused, UTC.
    pub refused_at: DateTime<Utc>,
}

/// Takes one that is due, out of reach of other takers until `leased_until`. None also where others take all that are due.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<Recheck>> {
    let due: Vec<(Uuid, Uuid, Option<DateTime<Utc>>)> = effects::table
        .filter(effects::recheck_at.le(now))
        .order(effects::recheck_at)
        .select((effects::org_id, effects::id, effects::recheck_at))
        .limit(CANDIDATES)
        .load(connection)
        .await?;
    for (organization, id, due_at) in due {
        let unchanged = effects::table.find((organization, id)).filter(effects::recheck_at.eq(due_at));
        let taken: Option<(Step, Option<DateTime<Utc>>)> = diesel::update(unchanged)
            .set(effects::recheck_at.eq(leased_until))
            .returning((Step::as_returning(), effects::closed_at))
            .get_result(connection)
            .await
            .optional()?;
        if let Some((step, closed_at)) = taken {
            return Ok(Some(Recheck { refused_at: closed_at.unwrap_or(now), step }));
        }
    }
    Ok(None)
}

/// Says when the order is to be polled again, if ever.
#[boxed]
pub async fn recheck_at(
    connection: &mut AsyncPgConnection,
    step: &Step,
    at: Option<DateTime<Utc>>,
) -> Result<()> {
    diesel::update(effects::table.find((step.organization.uuid(), step.id.uuid())))
        .set(effects::recheck_at.eq(at))
        .write(connection)
        .await
}
