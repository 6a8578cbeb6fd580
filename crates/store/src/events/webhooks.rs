//! Where agencies want their events sent to.

use chrono::{DateTime, Utc};
use diesel::{
    AsChangeset, ExpressionMethods, Insertable, OptionalExtension, PgExpressionMethods, QueryDsl,
    SelectableHelper,
    dsl::{Eq, Filter, IsNull},
    sql_query,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{OrganizationId, WebhookId};

use crate::{
    Result,
    schema::webhooks,
    statements::{Write as _, by_name, statement, stored},
};

stored! {
    #[derive(Clone, Debug)]
    pub struct Webhook of webhooks {
        pub id: WebhookId,
        pub organization: OrganizationId = org_id,
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
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = webhooks, primary_key(org_id, id), treat_none_as_null = true)]
struct Row<'a> {
    org_id: Uuid,
    id: Uuid,
    url: &'a str,
    description: &'a str,
    event_types: &'a [String],
    is_active: bool,
    disabled_reason: Option<&'a str>,
    generation: i32,
    previous_until: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl<'a> From<&'a Webhook> for Row<'a> {
    fn from(webhook: &'a Webhook) -> Self {
        Self {
            org_id: webhook.organization.uuid(),
            id: webhook.id.uuid(),
            url: &webhook.url,
            description: &webhook.description,
            event_types: &webhook.event_types,
            is_active: webhook.is_active,
            disabled_reason: webhook.disabled_reason.as_deref(),
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
pub async fn list(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<Vec<Webhook>> {
    Ok(own(organization).order(webhooks::id.desc()).select(Webhook::as_select()).load(connection).await?)
}

#[boxed]
pub async fn count(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<i64> {
    Ok(own(organization).count().get_result(connection).await?)
}

#[boxed]
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>> {
    Ok(own(organization)
        .filter(webhooks::id.eq(id.uuid()))
        .select(Webhook::as_select())
        .first(connection)
        .await
        .optional()?)
}

/// Locked until the transaction ends.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
) -> Result<Option<Webhook>> {
    Ok(own(organization)
        .filter(webhooks::id.eq(id.uuid()))
        .select(Webhook::as_select())
        .for_update()
        .first(connection)
        .await
        .optional()?)
}

#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<()> {
    diesel::insert_into(webhooks::table).values(Row::from(webhook)).write(connection).await
}

/// Writes what a locked one has become.
#[boxed]
pub async fn update(connection: &mut AsyncPgConnection, webhook: &Webhook) -> Result<()> {
    diesel::update(webhooks::table.find((webhook.organization.uuid(), webhook.id.uuid())))
        .set(Row::from(webhook))
        .write(connection)
        .await
}

/// Removes one. Its deliveries, which may be many, are removed later: [`remove_deleted`].
#[boxed]
pub async fn delete(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: WebhookId,
    at: DateTime<Utc>,
) -> Result<()> {
    diesel::update(webhooks::table.find((organization.uuid(), id.uuid())))
        .set((webhooks::is_active.eq(false), webhooks::deleted_at.eq(at)))
        .write(connection)
        .await
}

/// Removes at most so many deliveries of webhooks that were deleted, and those of these webhooks that have none left; how
/// many deliveries.
#[boxed]
pub async fn remove_deleted(connection: &mut AsyncPgConnection, most: i64) -> Result<usize> {
    let removed = statement(
        "delete from webhook_deliveries where (org_id, webhook_id, event_id) in (
             select d.org_id, d.webhook_id, d.event_id from webhooks w
             join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id)
             where w.deleted_at is not null limit $1
         )",
        most,
    )
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
) -> Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    statement(
        "update webhooks set due_at = least(due_at, $3) where org_id = $1 and id = any ($2)",
        (organization, ids, at),
    )
    .write(connection)
    .await
}

/// Ends whatever turn or rest a webhook has: its next turn is due at this time.
#[boxed]
pub async fn begin_anew(
    connection: &mut AsyncPgConnection,
    webhook: &Webhook,
    at: DateTime<Utc>,
) -> Result<()> {
    diesel::update(webhooks::table.find((webhook.organization.uuid(), webhook.id.uuid())))
        .set((webhooks::leased_until.eq(None::<DateTime<Utc>>), webhooks::due_at.eq(at)))
        .write(connection)
        .await
}

/// A webhook to which one process alone sends for a while.
#[derive(Clone, Debug)]
pub struct Lease {
    pub organization: OrganizationId,
    pub id: WebhookId,
    /// Until when; no two leases of a webhook end at the same time.
    pub until: DateTime<Utc>,
}

by_name! {
    struct Ready {
        org_id: OrganizationId,
        id: WebhookId,
        leased_until: Option<DateTime<Utc>>,
        due_at: Option<DateTime<Utc>>,
    }
}

/// Takes webhooks whose turn has come, at most so many, those that have waited longest first: something is due there, or
/// a rest is over, or the lease of a process that has died, or as good as. Those of suspended agencies wait.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Lease>> {
    let ready: Vec<Ready> = statement(
        "select w.org_id, w.id, w.leased_until, w.due_at from webhooks w join organizations o on o.id = w.org_id
         where w.is_active and coalesce(w.leased_until, w.due_at) <= $1 and o.status = 'active'
         order by coalesce(w.leased_until, w.due_at) limit $2",
        (now, most),
    )
    .load(connection)
    .await?;
    let mut leases = Vec::with_capacity(ready.len());
    for row in ready {
        let unchanged = webhooks::table
            .find((row.org_id.uuid(), row.id.uuid()))
            .filter(webhooks::is_active)
            .filter(webhooks::leased_until.is_not_distinct_from(row.leased_until))
            .filter(webhooks::due_at.is_not_distinct_from(row.due_at));
        let taken = diesel::update(unchanged)
            .set((webhooks::leased_until.eq(until), webhooks::due_at.eq(None::<DateTime<Utc>>)))
            .execute(connection)
            .await?;
        if taken == 1 {
            leases.push(Lease { organization: row.org_id, id: row.id, until });
        }
    }
    Ok(leases)
}

/// The webhook as it is now, while the lease holds and it is switched on.
#[boxed]
pub async fn leased(connection: &mut AsyncPgConnection, lease: &Lease) -> Result<Option<Webhook>> {
    Ok(under(lease).select(Webhook::as_select()).first(connection).await.optional()?)
}

/// Locked until the transaction ends.
#[boxed]
pub async fn lock_leased(connection: &mut AsyncPgConnection, lease: &Lease) -> Result<Option<Webhook>> {
    Ok(under(lease).select(Webhook::as_select()).for_update().first(connection).await.optional()?)
}

/// Gives a lease back, unless it is over. The next turn is when something is due, but not before `rest_until` if that is
/// given, and behind those who wait already. What was made due meanwhile is due at that time.
#[boxed]
pub async fn give_back(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    next: Option<DateTime<Utc>>,
    rest_until: Option<DateTime<Utc>>,
) -> Result<()> {
    statement(
        "update webhooks set leased_until = $4, due_at = least(due_at, $5)
         where org_id = $1 and id = $2 and leased_until = $3",
        (lease.organization, lease.id, lease.until, rest_until, next),
    )
    .write(connection)
    .await
}
