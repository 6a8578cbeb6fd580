//! Where agencies want their events sent to.

use chrono::{DateTime, Utc};
use diesel::{
    AsChangeset, ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, QueryableByName,
    Selectable, SelectableHelper, sql_query,
    sql_types::{BigInt, Bool, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{OrganizationId, WebhookId};

use crate::{StoreError, schema::webhooks};

/// A webhook of an agency.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The agency.
    pub organization: OrganizationId,
    /// Where events are sent to.
    pub url: String,
    /// For people; may be empty.
    pub description: String,
    /// Which events it gets, by their actions; none: all.
    pub event_types: Vec<String>,
    /// Whether anything is sent to it.
    pub is_active: bool,
    /// Why the service has switched it off, if it has.
    pub disabled_reason: Option<String>,
    /// Which of its secrets is in use, from 1.
    pub generation: i32,
    /// Until when the one before it signs too, UTC.
    pub previous_until: Option<DateTime<Utc>>,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was last changed, UTC.
    pub updated_at: DateTime<Utc>,
}

#[derive(Queryable, QueryableByName, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhooks, primary_key(org_id, id), check_for_backend(diesel::pg::Pg))]
#[diesel(treat_none_as_null = true)]
struct Row {
    org_id: Uuid,
    id: Uuid,
    url: String,
    description: String,
    event_types: Vec<String>,
    is_active: bool,
    disabled_reason: Option<String>,
    generation: i32,
    previous_until: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Row> for Webhook {
    fn from(row: Row) -> Self {
        Self {
            id: WebhookId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.org_id),
            url: row.url,
            description: row.description,
            event_types: row.event_types,
            is_active: row.is_active,
            disabled_reason: row.disabled_reason,
            generation: row.generation,
            previous_until: row.previous_until,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

impl From<&Webhook> for Row {
    fn from(webhook: &Webhook) -> Self {
        Self {
            org_id: webhook.organization.uuid(),
            id: webhook.id.uuid(),
            url: webhook.url.clone(),
            description: webhook.description.clone(),
            event_types: webhook.event_types.clone(),
            is_active: webhook.is_active,
            disabled_reason: webhook.disabled_reason.clone(),
            generation: webhook.generation,
            previous_until: webhook.previous_until,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
        }
    }
}

/// The agency's webhooks, newest first.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<Webhook>, StoreError> {
    let rows: Vec<Row> = webhooks::table
        .filter(webhooks::org_id.eq(organization.uuid()))
        .order(webhooks::id.desc())
        .select(Row::as_select())
        .load(connection)
        .await?;
    Ok(rows.into_iter().map(Webhook::from).collect())
}

/// How many the agency has.
///
/// # Errors
/// When the database can't be asked.
pub async fn count(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<i64, StoreError> {
    let own = webhooks::table.filter(webhooks::org_id.eq(organization.uuid()));
    Ok(own.count().get_result(connection).await?)
}

/// One of the agency's.
///
/// # Errors
/// When the database can't be asked.
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> = webhooks::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(Webhook::from))
}

/// The same, locked until the transaction ends.
///
/// # Errors
/// When the database can't be asked.
pub async fn lock(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> = webhooks::table
        .find((organization.uuid(), id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(Webhook::from))
}

/// Writes a new one.
///
/// # Errors
/// When the database can't be asked.
pub async fn insert(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<(), StoreError> {
    diesel::insert_into(webhooks::table)
        .values(Row::from(webhook))
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes what a locked one has become.
///
/// # Errors
/// When the database can't be asked.
pub async fn update(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<(), StoreError> {
    diesel::update(webhooks::table.find((webhook.organization.uuid(), webhook.id.uuid())))
        .set(Row::from(webhook))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes one for good, with its deliveries.
///
/// # Errors
/// When the database can't be asked.
pub async fn delete(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<(), StoreError> {
    diesel::delete(webhooks::table.find((organization.uuid(), id.uuid())))
        .execute(connection)
        .await?;
    Ok(())
}

/// Something is to be sent to it at this time.
///
/// # Errors
/// When the database can't be asked.
pub async fn is_due(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    sql_query("update webhooks set due_at = least(due_at, $3) where org_id = $1 and id = $2")
        .bind::<SqlUuid, _>(organization.uuid())
        .bind::<SqlUuid, _>(id.uuid())
        .bind::<Timestamptz, _>(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// A webhook to which one process alone sends for a while.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The webhook.
    pub webhook: Webhook,
    /// Until when; no two leases of a webhook end at the same time.
    pub until: DateTime<Utc>,
}

#[derive(QueryableByName)]
#[diesel(table_name = webhooks, check_for_backend(diesel::pg::Pg))]
struct Leased {
    #[diesel(sql_type = Timestamptz)]
    until: DateTime<Utc>,
    #[diesel(embed)]
    row: Row,
}

/// Takes webhooks at which something is due, at most so many, those that have waited longest first. A lease that is over is
/// of a process that has died, or as good as.
///
/// # Errors
/// When the database can't be asked.
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Lease>, StoreError> {
    let leased: Vec<Leased> = sql_query(
        "update webhooks w set leased_until = $2
         from (
             select org_id, id from webhooks
             where is_active and due_at <= $1 and (leased_until is null or leased_until <= $1)
             order by due_at limit $3 for update skip locked
         ) as due
         where w.org_id = due.org_id and w.id = due.id
         returning w.*, w.leased_until as until",
    )
    .bind::<Timestamptz, _>(now)
    .bind::<Timestamptz, _>(until)
    .bind::<BigInt, _>(most)
    .load(connection)
    .await?;
    Ok(leased
        .into_iter()
        .map(|Leased { until, row }| Lease {
            webhook: row.into(),
            until,
        })
        .collect())
}

/// Gives a lease back and says when something is due next, not before `rest_until` if that is given. What was made due
/// meanwhile is seen: the webhook is locked before its deliveries are looked at. Runs in a transaction of the caller's.
///
/// # Errors
/// When the database can't be asked.
pub async fn give_back(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    rest_until: Option<DateTime<Utc>>,
) -> Result<(), StoreError> {
    #[derive(QueryableByName)]
    struct Held {
        #[diesel(sql_type = Bool)]
        held: bool,
    }
    let webhook = &lease.webhook;
    let (organization, id) = (webhook.organization.uuid(), webhook.id.uuid());
    let held: Option<Held> = sql_query(
        "select leased_until is not distinct from $3 as held from webhooks
         where org_id = $1 and id = $2 for update",
    )
    .bind::<SqlUuid, _>(organization)
    .bind::<SqlUuid, _>(id)
    .bind::<Timestamptz, _>(lease.until)
    .get_result(connection)
    .await
    .optional()?;
    if !held.is_some_and(|held| held.held) {
        return Ok(());
    }
    sql_query(
        "update webhooks set leased_until = null, due_at = greatest($3, (
             select min(due_at) from (
                 select distinct on (subject) due_at from webhook_deliveries
                 where org_id = $1 and webhook_id = $2 and state = 'pending' order by subject, sequence
             ) as heads
         )) where org_id = $1 and id = $2",
    )
    .bind::<SqlUuid, _>(organization)
    .bind::<SqlUuid, _>(id)
    .bind::<Nullable<Timestamptz>, _>(rest_until)
    .execute(connection)
    .await?;
    Ok(())
}
