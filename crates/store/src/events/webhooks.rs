//! Where agencies want their events sent to.

use chrono::{DateTime, Utc};
use diesel::{
    AsChangeset, ExpressionMethods, Insertable, OptionalExtension, PgExpressionMethods, QueryDsl, Queryable,
    QueryableByName, Selectable, SelectableHelper,
    dsl::{Eq, Filter, IsNull},
    sql_query,
    sql_types::{Array, BigInt, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{OrganizationId, WebhookId};

use crate::{StoreError, schema::webhooks};

#[derive(Clone, Debug)]
pub struct Webhook {
    pub id: WebhookId,
    pub organization: OrganizationId,
    pub url: String,
    pub description: String,
    /// Which events it gets, by their actions; none: all.
    pub event_types: Vec<String>,
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

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
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

type Own = Filter<Filter<webhooks::table, Eq<webhooks::org_id, Uuid>>, IsNull<webhooks::deleted_at>>;

type UnderLease = Filter<
    Filter<Filter<Own, Eq<webhooks::id, Uuid>>, webhooks::is_active>,
    Eq<webhooks::leased_until, DateTime<Utc>>,
>;

/// The agency's webhooks that are not deleted.
fn own(organization: OrganizationId) -> Own {
    webhooks::table.filter(webhooks::org_id.eq(organization.uuid())).filter(webhooks::deleted_at.is_null())
}

/// The webhook of this lease, while it holds.
fn under(lease: &Lease) -> UnderLease {
    own(lease.organization)
        .filter(webhooks::id.eq(lease.id.uuid()))
        .filter(webhooks::is_active)
        .filter(webhooks::leased_until.eq(lease.until))
}

/// The agency's webhooks, newest first.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<Webhook>, StoreError> {
    let rows: Vec<Row> =
        own(organization).order(webhooks::id.desc()).select(Row::as_select()).load(connection).await?;
    Ok(rows.into_iter().map(Webhook::from).collect())
}

#[boxed]
pub async fn count(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<i64, StoreError> {
    Ok(own(organization).count().get_result(connection).await?)
}

#[boxed]
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> = own(organization)
        .filter(webhooks::id.eq(id.uuid()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(Webhook::from))
}

/// Locked until the transaction ends.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> = own(organization)
        .filter(webhooks::id.eq(id.uuid()))
        .select(Row::as_select())
        .for_update()
        .first(connection)
        .await
        .optional()?;
    Ok(row.map(Webhook::from))
}

#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<(), StoreError> {
    diesel::insert_into(webhooks::table).values(Row::from(webhook)).execute(connection).await?;
    Ok(())
}

/// Writes what a locked one has become.
#[boxed]
pub async fn update(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<(), StoreError> {
    diesel::update(webhooks::table.find((webhook.organization.uuid(), webhook.id.uuid())))
        .set(Row::from(webhook))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes one. Its deliveries, which may be many, are removed later: [`remove_deleted`].
#[boxed]
pub async fn delete(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    diesel::update(webhooks::table.find((organization.uuid(), id.uuid())))
        .set((webhooks::is_active.eq(false), webhooks::deleted_at.eq(at)))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes at most so many deliveries of webhooks that were deleted, and those of these webhooks that have none left; how
/// many deliveries.
#[boxed]
pub async fn remove_deleted(connection: &mut AsyncPgConnection, most: i64) -> Result<usize, StoreError> {
    let removed = sql_query(
        "delete from webhook_deliveries where (org_id, webhook_id, event_id) in (
             select d.org_id, d.webhook_id, d.event_id from webhooks w
             join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id)
             where w.deleted_at is not null limit $1
         )",
    )
    .bind::<BigInt, _>(most)
    .execute(connection)
    .await?;
    sql_query(
        "delete from webhooks w where deleted_at is not null and not exists (
             select from webhook_deliveries d where (d.org_id, d.webhook_id) = (w.org_id, w.id)
         )",
    )
    .execute(connection)
    .await?;
    Ok(removed)
}

/// Something is to be sent to these at this time.
#[boxed]
pub async fn are_due(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    ids: &[WebhookId],
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    sql_query("update webhooks set due_at = least(due_at, $3) where org_id = $1 and id = any ($2)")
        .bind::<SqlUuid, _>(organization.uuid())
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Timestamptz, _>(at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends whatever turn or rest a webhook has: its next turn is due at this time.
#[boxed]
pub async fn begin_anew(
    connection: &mut AsyncPgConnection,
    webhook: &Webhook,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    diesel::update(webhooks::table.find((webhook.organization.uuid(), webhook.id.uuid())))
        .set((webhooks::leased_until.eq(None::<DateTime<Utc>>), webhooks::due_at.eq(at)))
        .execute(connection)
        .await?;
    Ok(())
}

/// A webhook to which one process alone sends for a while.
#[derive(Clone, Debug)]
pub struct Lease {
    pub organization: OrganizationId,
    pub id: WebhookId,
    /// Until when; no two leases of a webhook end at the same time.
    pub until: DateTime<Utc>,
}

#[derive(QueryableByName)]
#[diesel(table_name = webhooks, check_for_backend(diesel::pg::Pg))]
struct Ready {
    org_id: Uuid,
    id: Uuid,
    leased_until: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
}

/// Takes webhooks whose turn has come, at most so many, those that have waited longest first: something is due there, or
/// a rest is over, or the lease of a process that has died, or as good as. Those of suspended agencies wait.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Lease>, StoreError> {
    let ready: Vec<Ready> = sql_query(
        "select w.org_id, w.id, w.leased_until, w.due_at from webhooks w join organizations o on o.id = w.org_id
         where w.is_active and coalesce(w.leased_until, w.due_at) <= $1 and o.status = 'active'
         order by coalesce(w.leased_until, w.due_at) limit $2",
    )
    .bind::<Timestamptz, _>(now)
    .bind::<BigInt, _>(most)
    .load(connection)
    .await?;
    let mut leases = Vec::with_capacity(ready.len());
    for row in ready {
        let unchanged = webhooks::table
            .find((row.org_id, row.id))
            .filter(webhooks::is_active)
            .filter(webhooks::leased_until.is_not_distinct_from(row.leased_until))
            .filter(webhooks::due_at.is_not_distinct_from(row.due_at));
        let taken = diesel::update(unchanged)
            .set((webhooks::leased_until.eq(until), webhooks::due_at.eq(None::<DateTime<Utc>>)))
            .execute(connection)
            .await?;
        if taken == 1 {
            leases.push(Lease {
                organization: OrganizationId::from_uuid(row.org_id),
                id: WebhookId::from_uuid(row.id),
                until,
            });
        }
    }
    Ok(leases)
}

/// The webhook as it is now, while the lease holds and it is switched on.
#[boxed]
pub async fn leased(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> = under(lease).select(Row::as_select()).first(connection).await.optional()?;
    Ok(row.map(Webhook::from))
}

/// Locked until the transaction ends.
#[boxed]
pub async fn lock_leased(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
) -> Result<Option<Webhook>, StoreError> {
    let row: Option<Row> =
        under(lease).select(Row::as_select()).for_update().first(connection).await.optional()?;
    Ok(row.map(Webhook::from))
}

/// Gives a lease back, unless it is over. The next turn is when something is due, but not before `rest_until` if that is
/// given, and behind those who wait already. What was made due meanwhile is due at that time.
#[boxed]
pub async fn give_back(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    next: Option<DateTime<Utc>>,
    rest_until: Option<DateTime<Utc>>,
) -> Result<(), StoreError> {
    sql_query(
        "update webhooks set leased_until = $4, due_at = least(due_at, $5)
         where org_id = $1 and id = $2 and leased_until = $3",
    )
    .bind::<SqlUuid, _>(lease.organization.uuid())
    .bind::<SqlUuid, _>(lease.id.uuid())
    .bind::<Timestamptz, _>(lease.until)
    .bind::<Nullable<Timestamptz>, _>(rest_until)
    .bind::<Nullable<Timestamptz>, _>(next)
    .execute(connection)
    .await?;
    Ok(())
}
