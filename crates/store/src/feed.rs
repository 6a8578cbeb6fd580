//! The feed of an agency: its public events, numbered after they were committed, for thirty days.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper, sql_query,
    sql_types::{BigInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{EventId, OrganizationId, WEBHOOK_TEST};

use crate::{
    StoreError,
    schema::{feed_positions, public_events},
};

/// So many are published in one transaction.
const AT_ONCE: i64 = 500;

/// An event of the feed.
#[derive(Clone, Debug)]
pub struct PublicEvent {
    /// The event's id.
    pub id: EventId,
    /// Its number in the agency, from 1 without gaps.
    pub sequence: i64,
    /// Its action.
    pub kind: String,
    /// What is told of it.
    pub data: Value,
    /// When it happened, UTC.
    pub at: DateTime<Utc>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = public_events, check_for_backend(diesel::pg::Pg))]
pub(crate) struct Row {
    id: Uuid,
    sequence: Option<i64>,
    kind: String,
    data: Value,
    created_at: DateTime<Utc>,
}

impl From<Row> for PublicEvent {
    fn from(row: Row) -> Self {
        Self {
            id: EventId::from_uuid(row.id),
            sequence: row.sequence.unwrap_or_default(),
            kind: row.kind,
            data: row.data,
            at: row.created_at,
        }
    }
}

/// The agencies that have events which are not published yet.
///
/// # Errors
/// When the database can't be asked.
pub async fn unpublished(connection: &mut AsyncPgConnection) -> Result<Vec<OrganizationId>, StoreError> {
    let organizations: Vec<Uuid> = public_events::table
        .filter(public_events::sequence.is_null())
        .select(public_events::org_id)
        .distinct()
        .load(connection)
        .await?;
    Ok(organizations.into_iter().map(OrganizationId::from_uuid).collect())
}

/// Numbers the agency's events in the order in which they were written and makes them due at its webhooks; how many. None
/// when somebody else is at it. Runs in a transaction of the caller's.
///
/// # Errors
/// When the database can't be asked.
pub async fn publish(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    now: DateTime<Utc>,
    give_up_at: DateTime<Utc>,
) -> Result<usize, StoreError> {
    let organization = organization.uuid();
    diesel::insert_into(feed_positions::table)
        .values(feed_positions::org_id.eq(organization))
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    // What the one before has numbered is seen by the next statement, since it waits for nobody here.
    let last: Option<i64> = feed_positions::table
        .find(organization)
        .select(feed_positions::last)
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some(last) = last else { return Ok(0) };
    let numbered = sql_query(
        "with next as (
             select id, row_number() over (order by position) as number from public_events
             where org_id = $1 and sequence is null order by position limit $3
         )
         update public_events e set sequence = $2 + next.number from next where e.org_id = $1 and e.id = next.id",
    )
    .bind::<SqlUuid, _>(organization)
    .bind::<BigInt, _>(last)
    .bind::<BigInt, _>(AT_ONCE)
    .execute(connection)
    .await?;
    if numbered == 0 {
        return Ok(0);
    }
    // The webhooks are locked, so that none is removed meanwhile. What happened before one was made is not for it.
    sql_query(format!(
        "with open as (
             select id, event_types, created_at from webhooks where org_id = $1 and is_active order by id for update
         ), made as (
             insert into webhook_deliveries
                 (org_id, webhook_id, event_id, sequence, kind, subject, state, due_at, give_up_at, created_at)
             select e.org_id, open.id, e.id, e.sequence, e.kind, e.subject, 'pending', $3, $4, e.created_at
             from public_events e join open on case e.kind
                 when '{WEBHOOK_TEST}' then e.subject = 'webhook:' || open.id
                 else open.event_types = '{{}}' or e.kind = any (open.event_types) end
             where e.org_id = $1 and e.sequence > $2 and e.created_at >= open.created_at
             returning webhook_id
         )
         update webhooks set due_at = least(due_at, $3)
         where org_id = $1 and id in (select webhook_id from made)"
    ))
    .bind::<SqlUuid, _>(organization)
    .bind::<BigInt, _>(last)
    .bind::<Timestamptz, _>(now)
    .bind::<Timestamptz, _>(give_up_at)
    .execute(connection)
    .await?;
    let numbered_to = last + i64::try_from(numbered).unwrap_or(i64::MAX);
    diesel::update(feed_positions::table.find(organization))
        .set(feed_positions::last.eq(numbered_to))
        .execute(connection)
        .await?;
    Ok(numbered)
}

/// The number of the last event that the agency's feed has no more; 0 while it has all.
///
/// # Errors
/// When the database can't be asked.
pub async fn dropped(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<i64, StoreError> {
    let dropped: Option<i64> = feed_positions::table
        .find(organization.uuid())
        .select(feed_positions::dropped)
        .first(connection)
        .await
        .optional()?;
    Ok(dropped.unwrap_or_default())
}

/// The agency's events after this number, at most so many.
///
/// # Errors
/// When the database can't be asked.
pub async fn after(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    sequence: i64,
    most: i64,
) -> Result<Vec<PublicEvent>, StoreError> {
    let rows: Vec<Row> = public_events::table
        .filter(public_events::org_id.eq(organization.uuid()))
        .filter(public_events::sequence.gt(sequence))
        .order(public_events::sequence)
        .limit(most)
        .select(Row::as_select())
        .load(connection)
        .await?;
    Ok(rows.into_iter().map(PublicEvent::from).collect())
}

/// Takes events from before this time out of the feeds, with their deliveries.
///
/// # Errors
/// When the database can't be asked.
pub async fn drop_before(connection: &mut AsyncPgConnection, time: DateTime<Utc>) -> Result<(), StoreError> {
    sql_query("delete from webhook_deliveries where created_at < $1")
        .bind::<Timestamptz, _>(time)
        .execute(connection)
        .await?;
    sql_query(
        "with gone as (
             delete from public_events where created_at < $1 and sequence is not null returning org_id, sequence
         )
         update feed_positions p set dropped = greatest(p.dropped, gone_to.last)
         from (select org_id, max(sequence) as last from gone group by org_id) as gone_to
         where p.org_id = gone_to.org_id",
    )
    .bind::<Timestamptz, _>(time)
    .execute(connection)
    .await?;
    Ok(())
}
