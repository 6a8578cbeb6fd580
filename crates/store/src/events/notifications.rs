//! What people are told: notifications as their readers see them.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, Queryable, Selectable, SelectableHelper,
    sql_types::{Nullable, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{EventId, ListRequest, OrganizationId, Page, UserId};

use crate::{
    StoreError,
    schema::notifications,
    service::retention,
    statements::anchored::{beyond, ordered},
};

#[derive(Clone, Debug)]
pub struct Notification {
    /// That of the event of which it tells; it sorts by time.
    pub id: EventId,
    /// The kind, such as `booking.confirmed`.
    pub kind: String,
    pub title: String,
    pub message: String,
    pub data: Value,
    /// When it happened, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was read first, UTC.
    pub read_at: Option<DateTime<Utc>>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = notifications, check_for_backend(diesel::pg::Pg))]
struct Row {
    id: Uuid,
    kind: String,
    title: String,
    message: String,
    data: Value,
    created_at: DateTime<Utc>,
    read_at: Option<DateTime<Utc>>,
}

impl From<Row> for Notification {
    fn from(row: Row) -> Self {
        Self {
            id: EventId::from_uuid(row.id),
            kind: row.kind,
            title: row.title,
            message: row.message,
            data: row.data,
            created_at: row.created_at,
            read_at: row.read_at,
        }
    }
}

/// A page of the user's notifications, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    request: impl Into<ListRequest>,
) -> Result<Page<Notification>, StoreError> {
    let ListRequest { page: request, anchor } = request;
    let own = || {
        let all = notifications::table
            .filter(notifications::org_id.eq(organization.uuid()))
            .filter(notifications::user_id.eq(user.uuid()))
            .into_boxed();
        beyond!(all, notifications::id, anchor)
    };
    let total = own().count().get_result(connection).await?;
    let rows: Vec<Row> = ordered!(own(), notifications::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Row::as_select())
        .load(connection)
        .await?;
    Ok(Page { items: rows.into_iter().map(Notification::from).collect(), request, total })
}

/// How many of the user's notifications were not read: an index has just those.
#[boxed]
pub async fn unread(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
) -> Result<i64, StoreError> {
    let unread = notifications::table
        .filter(notifications::org_id.eq(organization.uuid()))
        .filter(notifications::user_id.eq(user.uuid()))
        .filter(notifications::read_at.is_null());
    Ok(unread.count().get_result(connection).await?)
}

/// Marks one as read; when it was read first stays. Whether the user has it.
#[boxed]
pub async fn read(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    id: EventId,
    at: DateTime<Utc>,
) -> Result<bool, StoreError> {
    diesel::define_sql_function! {
        fn coalesce(first: Nullable<Timestamptz>, second: Nullable<Timestamptz>) -> Nullable<Timestamptz>;
    }
    let key = (organization.uuid(), user.uuid(), id.uuid());
    let found = diesel::update(notifications::table.find(key))
        .set(notifications::read_at.eq(coalesce(notifications::read_at, Some(at))))
        .execute(connection)
        .await?;
    Ok(found > 0)
}

#[boxed]
pub async fn read_all(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let unread = notifications::table
        .filter(notifications::org_id.eq(organization.uuid()))
        .filter(notifications::user_id.eq(user.uuid()))
        .filter(notifications::read_at.is_null());
    diesel::update(unread).set(notifications::read_at.eq(at)).execute(connection).await?;
    Ok(())
}

/// Removes at most so many from before this time; how many.
#[boxed]
pub async fn remove_before(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize, StoreError> {
    retention::remove(connection, "notifications", "org_id, user_id, id", time, most).await
}
