//! What people are told: notifications as their readers see them.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    sql_types::{Nullable, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use wayfare_domain::{EventId, ListRequest, OrganizationId, Page, UserId};

use crate::{
    Result,
    schema::notifications,
    statements::{
        Write as _,
        anchored::{beyond, ordered},
        stored,
    },
};

stored! {
    #[derive(Clone, Debug)]
    pub struct Notification of notifications {
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
}

/// A page of the user's notifications, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    request: impl Into<ListRequest>,
) -> Result<Page<Notification>> {
    let ListRequest { page: request, anchor } = request;
    let own = || {
        let all = notifications::table
            .filter(notifications::org_id.eq(organization.uuid()))
            .filter(notifications::user_id.eq(user.uuid()))
            .into_boxed();
        beyond!(all, notifications::id, anchor)
    };
    let total = own().count().get_result(connection).await?;
    let items = ordered!(own(), notifications::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Notification::as_select())
        .load(connection)
        .await?;
    Ok(Page { items, request, total })
}

/// How many of the user's notifications were not read: an index has just those.
#[boxed]
pub async fn unread(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
) -> Result<i64> {
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
) -> Result<bool> {
    diesel::define_sql_function! {
        fn coalesce(first: Nullable<Timestamptz>, second: Nullable<Timestamptz>) -> Nullable<Timestamptz>;
    }
    let key = (organization.uuid(), user.uuid(), id.uuid());
    diesel::update(notifications::table.find(key))
        .set(notifications::read_at.eq(coalesce(notifications::read_at, Some(at))))
        .write_one(connection)
        .await
}

#[boxed]
pub async fn read_all(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    at: DateTime<Utc>,
) -> Result<()> {
    let unread = notifications::table
        .filter(notifications::org_id.eq(organization.uuid()))
        .filter(notifications::user_id.eq(user.uuid()))
        .filter(notifications::read_at.is_null());
    diesel::update(unread).set(notifications::read_at.eq(at)).write(connection).await
}
