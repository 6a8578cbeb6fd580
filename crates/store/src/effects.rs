//! Calls to suppliers that change something there: written before they are sent, open until their outcome is
//! known. One loop recovers all of them.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{BookingId, EffectId, EffectKind, OrganizationId, UserId};

use crate::{StoreError, bookings::number_from, error::word, schema::effects};

/// One intended call.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its id.
    pub id: EffectId,
    /// The agency.
    pub organization: OrganizationId,
    /// The booking it belongs to.
    pub booking: BookingId,
    /// The number of the supplier order it acts on.
    pub number: u16,
    /// What it is to do.
    pub kind: EffectKind,
    /// The supplier's code.
    pub supplier: String,
    /// Who asked for it; none for the operator and the service itself.
    pub requested_by: Option<UserId>,
    /// What is sent.
    pub request: Value,
    /// When it was sent at the earliest, UTC.
    pub sent_at: DateTime<Utc>,
    /// When somebody should look at it if nobody has closed it, UTC.
    pub due_at: DateTime<Utc>,
    /// How often it was looked up.
    pub attempts: i32,
    /// What stood in the way of knowing its outcome; none while whoever sent it still waits.
    pub problem: Option<String>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = effects, check_for_backend(diesel::pg::Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    booking_id: Uuid,
    number: i16,
    kind: String,
    supplier: String,
    requested_by: Option<Uuid>,
    request: Value,
    sent_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    attempts: i32,
    problem: Option<String>,
}

impl TryFrom<Row> for Effect {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: EffectId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.org_id),
            booking: BookingId::from_uuid(row.booking_id),
            number: number_from(row.number),
            kind: word("effects.kind", &row.kind)?,
            supplier: row.supplier,
            requested_by: row.requested_by.map(UserId::from_uuid),
            request: row.request,
            sent_at: row.sent_at,
            due_at: row.due_at,
            attempts: row.attempts,
            problem: row.problem,
        })
    }
}

/// The open effects of a booking.
///
/// # Errors
/// When the database can't be asked.
pub async fn open_on(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<Effect>, StoreError> {
    let rows: Vec<Row> = effects::table
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::state.eq("open"))
        .order(effects::number)
        .select(Row::as_select())
        .load(connection)
        .await?;
    rows.into_iter().map(Effect::try_from).collect()
}

/// What was sent to make this order of a booking.
///
/// # Errors
/// When the database can't be asked.
pub async fn made_by(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    number: u16,
) -> Result<Option<Value>, StoreError> {
    Ok(effects::table
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::number.eq(i16::try_from(number).unwrap_or(i16::MAX)))
        .filter(effects::kind.eq(EffectKind::Book.as_ref()))
        .select(effects::request)
        .first(connection)
        .await
        .optional()?)
}

/// Takes one open effect that is due, out of reach of other takers until `leased_until`.
/// Runs in a transaction of the caller's.
///
/// # Errors
/// When the database can't be asked.
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<Effect>, StoreError> {
    let row: Option<Row> = effects::table
        .filter(effects::state.eq("open"))
        .filter(effects::due_at.le(now))
        .order(effects::due_at)
        .select(Row::as_select())
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some(effect) = row.map(Effect::try_from).transpose()? else {
        return Ok(None);
    };
    diesel::update(effects::table.find((effect.organization.uuid(), effect.id.uuid())))
        .set((
            effects::due_at.eq(leased_until),
            effects::attempts.eq(effects::attempts + 1),
        ))
        .execute(connection)
        .await?;
    Ok(Some(effect))
}

/// Says when an open effect should be looked at again, and what stood in the way.
///
/// # Errors
/// When the database can't be asked.
pub async fn postpone(
    connection: &mut AsyncPgConnection,
    effect: &Effect,
    due_at: DateTime<Utc>,
    problem: &str,
) -> Result<(), StoreError> {
    let open = effects::table
        .find((effect.organization.uuid(), effect.id.uuid()))
        .filter(effects::state.eq("open"));
    diesel::update(open)
        .set((effects::due_at.eq(due_at), effects::problem.eq(problem)))
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes what became known about an open effect: its request, when it is sent, when it is due. False when
/// somebody has closed it meanwhile, and then it must not be sent.
///
/// # Errors
/// When the database can't be asked.
pub async fn note(connection: &mut AsyncPgConnection, effect: &Effect) -> Result<bool, StoreError> {
    let open = effects::table
        .find((effect.organization.uuid(), effect.id.uuid()))
        .filter(effects::state.eq("open"));
    let noted = diesel::update(open)
        .set((
            effects::request.eq(&effect.request),
            effects::sent_at.eq(effect.sent_at),
            effects::due_at.eq(effect.due_at),
        ))
        .execute(connection)
        .await?;
    Ok(noted == 1)
}

/// Takes this open effect as [`take_due`] does, if it is due or was never looked up. False when it is not to be
/// looked up now.
///
/// # Errors
/// When the database can't be asked.
pub async fn take(
    connection: &mut AsyncPgConnection,
    effect: &Effect,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let never_looked_up = effects::attempts.eq(0).and(effects::problem.is_not_null());
    let open = effects::table
        .find((effect.organization.uuid(), effect.id.uuid()))
        .filter(effects::state.eq("open"))
        .filter(effects::due_at.le(now).or(never_looked_up));
    let taken = diesel::update(open)
        .set((
            effects::due_at.eq(leased_until),
            effects::attempts.eq(effects::attempts + 1),
        ))
        .execute(connection)
        .await?;
    Ok(taken == 1)
}

/// How an effect ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The supplier did it.
    Done,
    /// Nothing happened there.
    Refused,
}
