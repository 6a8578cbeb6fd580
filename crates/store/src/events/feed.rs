//! The feed of an agency: its public events, numbered after they were committed, for thirty days.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper, sql_query,
    sql_types::{BigInt, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{EventId, EventKind, OrganizationId, WebhookId};

use crate::{
    Result,
    events::webhooks,
    schema::{feed_positions, public_events},
    statements::{Columns, statement, stored, values},
};

stored! {
    #[derive(Clone, Debug)]
    pub struct PublicEvent of public_events {
        pub id: EventId,
        /// Its number in the agency, from 1 without gaps.
        pub sequence: i64 = sequence as |number: Option<i64>| number.unwrap_or_default(),
        pub kind: String,
        pub data: Value,
        /// When it happened, UTC.
        pub at: DateTime<Utc> = created_at,
    }
}

/// The agencies that have events which are not published yet.
#[boxed]
pub async fn unpublished(connection: &mut AsyncPgConnection) -> Result<Vec<OrganizationId>> {
    let organizations: Vec<Uuid> = public_events::table
        .filter(public_events::sequence.is_null())
        .select(public_events::org_id)
        .distinct()
        .load(connection)
        .await?;
    Ok(organizations.into_iter().map(OrganizationId::from_uuid).collect())
}

/// Numbers the agency's events in the order in which they were written, at most so many, and makes them due at its
/// webhooks; how many. None when somebody else is at it. Runs in a transaction of the caller's.
#[boxed]
pub async fn publish(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    (now, give_up_at): (DateTime<Utc>, DateTime<Utc>),
    most: i64,
) -> Result<usize> {
    diesel::insert_into(feed_positions::table)
        .values(feed_positions::org_id.eq(organization.uuid()))
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    // What the one before has numbered is seen by the next statement, since it waits for nobody here.
    let last: Option<i64> = feed_positions::table
        .find(organization.uuid())
        .select(feed_positions::last)
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some(last) = last else { return Ok(0) };
    let numbered = statement(
        "with next as (
             select id, row_number() over (order by position) as number from public_events
             where org_id = $1 and sequence is null order by position limit $3
         )
         update public_events e set sequence = $2 + next.number from next where e.org_id = $1 and e.id = next.id",
        (organization, last, most),
    )
    .execute(connection)
    .await?;
    if numbered == 0 {
        return Ok(0);
    }
    deliver_after(connection, organization, last, (now, give_up_at)).await?;
    let numbered_to = last + i64::try_from(numbered).unwrap_or(i64::MAX);
    diesel::update(feed_positions::table.find(organization.uuid()))
        .set(feed_positions::last.eq(numbered_to))
        .execute(connection)
        .await?;
    Ok(numbered)
}

/// Makes the deliveries of the events that are numbered after `last`, to each webhook that wants them.
async fn deliver_after(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    last: i64,
    (now, give_up_at): (DateTime<Utc>, DateTime<Utc>),
) -> Result<()> {
    let test = EventKind::WebhookTest.text();
    // What was written before a webhook was made is not for it.
    let made: Vec<Columns<WebhookId>> = statement(format!(
        "with made as (
             insert into webhook_deliveries
                 (org_id, webhook_id, event_id, sequence, kind, subject, state, due_at, give_up_at, created_at)
             select e.org_id, w.id, e.id, e.sequence, e.kind, e.subject, 'pending', $3, $4, e.created_at
             from public_events e join webhooks w on w.org_id = e.org_id and case e.kind
                 when '{test}' then e.data ->> 'webhook_id' = w.id::text
                 else w.event_types = '{{}}' or e.kind = any (w.event_types) end
             where e.org_id = $1 and e.sequence > $2 and w.is_active and e.position > w.after_position
             returning webhook_id
         )
         select distinct webhook_id from made"
    ), (organization, last, now, give_up_at))
    .load(connection)
    .await?;
    if !made.is_empty() {
        webhooks::are_due(connection, organization, &values(made), now).await?;
    }
    Ok(())
}

/// How far an agency's feed reaches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reach {
    /// The number of the last event that it has no more; 0 while it has all.
    pub dropped: i64,
    pub last: i64,
}

/// How far the agency's feed reaches.
#[boxed]
pub async fn reach(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<Reach> {
    let reach: Option<(i64, i64)> = feed_positions::table
        .find(organization.uuid())
        .select((feed_positions::dropped, feed_positions::last))
        .first(connection)
        .await
        .optional()?;
    Ok(reach.map_or_else(Reach::default, |(dropped, last)| Reach { dropped, last }))
}

/// The agency's events after this number, at most so many.
#[boxed]
pub async fn after(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    sequence: i64,
    most: i64,
) -> Result<Vec<PublicEvent>> {
    Ok(public_events::table
        .filter(public_events::org_id.eq(organization.uuid()))
        .filter(public_events::sequence.gt(sequence))
        .order(public_events::sequence)
        .limit(most)
        .select(PublicEvent::as_select())
        .load(connection)
        .await?)
}

/// Takes at most so many events from before this time out of the feeds, the oldest; how many.
#[boxed]
pub async fn drop_before(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let Columns(gone): Columns<i64> = sql_query(
        "with old as (
             select org_id, id from public_events
             where id < $1 and sequence is not null order by id limit $2
         ), gone as (
             delete from public_events e using old where (e.org_id, e.id) = (old.org_id, old.id)
             returning e.org_id, e.sequence
         ), told as (
             update feed_positions p set dropped = greatest(p.dropped, gone_to.last)
             from (select org_id, max(sequence) as last from gone group by org_id) as gone_to
             where p.org_id = gone_to.org_id
         )
         select count(*) as gone from gone",
    )
    // Ids are stamped with the event's time.
    .bind::<SqlUuid, _>(EventId::earliest(time).uuid())
    .bind::<BigInt, _>(most)
    .get_result(connection)
    .await?;
    Ok(usize::try_from(gone).unwrap_or(usize::MAX))
}
