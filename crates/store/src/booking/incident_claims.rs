//! Who works on an incident: claims of operators, and locks under which one is decided that nobody claims meanwhile.

use chrono::{DateTime, Utc};
use diesel::{BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, IncidentId, OperatorId, OrganizationId};

use super::incidents::{Incident, find, open_of};
use crate::{Result, schema::exceptions, statements::Write as _};

/// Says that an operator works on an open incident from `at` on. False when it is closed, is no incident, or another has worked on
/// it since `lately`.
#[boxed]
pub async fn claim(
    connection: &mut AsyncPgConnection,
    id: IncidentId,
    operator: OperatorId,
    (at, lately): (DateTime<Utc>, DateTime<Utc>),
) -> Result<bool> {
    let free = exceptions::claimed_by
        .is_null()
        .or(exceptions::claimed_by.eq(operator.uuid()))
        .or(exceptions::claimed_at.le(lately));
    diesel::update(exceptions::table.filter(exceptions::id.eq(id.uuid())))
        .filter(exceptions::closed_by.is_null())
        .filter(free)
        .set((exceptions::claimed_by.eq(operator.uuid()), exceptions::claimed_at.eq(at)))
        .write_one(connection)
        .await
}

/// Says that an operator works on an open incident from `at` on, whoever did before. False when it is closed, or is no incident.
#[boxed]
pub async fn take_over(
    connection: &mut AsyncPgConnection,
    id: IncidentId,
    operator: OperatorId,
    at: DateTime<Utc>,
) -> Result<bool> {
    diesel::update(exceptions::table.filter(exceptions::id.eq(id.uuid())))
        .filter(exceptions::closed_by.is_null())
        .set((exceptions::claimed_by.eq(operator.uuid()), exceptions::claimed_at.eq(at)))
        .write_one(connection)
        .await
}

/// Says that nobody works on an incident.
#[boxed]
pub async fn release(connection: &mut AsyncPgConnection, id: IncidentId) -> Result<()> {
    diesel::update(exceptions::table.filter(exceptions::id.eq(id.uuid())))
        .set((exceptions::claimed_by.eq(None::<Uuid>), exceptions::claimed_at.eq(None::<DateTime<Utc>>)))
        .write(connection)
        .await
}

/// An open incident, of whatever agency. Nobody claims or closes it before the transaction has ended.
#[boxed]
pub async fn lock_open(connection: &mut AsyncPgConnection, id: IncidentId) -> Result<Option<Incident>> {
    let open: Option<Uuid> = exceptions::table
        .filter(exceptions::id.eq(id.uuid()))
        .filter(exceptions::closed_at.is_null())
        .select(exceptions::id)
        .for_no_key_update()
        .first(connection)
        .await
        .optional()?;
    match open {
        Some(_) => find(connection, id).await,
        None => Ok(None),
    }
}

/// The open incidents of a booking, of which nobody claims or closes one before the transaction has ended. Two statements.
#[boxed]
pub async fn lock_open_of(
    connection: &mut AsyncPgConnection,
    of: (OrganizationId, BookingId),
) -> Result<Vec<Incident>> {
    let locked: Vec<Uuid> = exceptions::table
        .filter(exceptions::org_id.eq(of.0.uuid()))
        .filter(exceptions::booking_id.eq(of.1.uuid()))
        .filter(exceptions::closed_at.is_null())
        .select(exceptions::id)
        .order(exceptions::id)
        .for_no_key_update()
        .load(connection)
        .await?;
    match locked.is_empty() {
        true => Ok(Vec::new()),
        false => open_of(connection, of).await,
    }
}
