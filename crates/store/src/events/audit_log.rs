//! The journal as it is read: the events of one agency.

use std::{collections::HashMap, net::IpAddr};

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    dsl::{exists, sql},
    select,
    sql_types::Bool,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{ActorKind, EventId, EventKind, ListRequest, OrganizationId, Page, UserId};

use crate::{
    Result,
    error::word,
    schema::events,
    statements::{
        Columns,
        anchored::{beyond, ordered},
        statement, stored, values,
    },
};

stored! {
    #[derive(Clone, Debug)]
    pub struct AuditEntry of events {
        pub id: EventId,
        pub organization: OrganizationId = org_id,
        pub actor: ActorKind = actor_type,
        /// The user, or the operator; none at the operator's command line and for the service itself.
        pub user: Option<UserId> = actor_id,
        /// A dotted name such as `booking.confirmed`.
        pub action: String,
        pub entity_type: String,
        /// The thing's id or public reference.
        pub entity_id: String,
        /// What it was, where it was something.
        pub old_value: Option<Value>,
        /// What it became, where it still was.
        pub new_value: Option<Value>,
        /// From where; none for the operator and the service itself.
        pub address: Option<IpAddr> = ip_address as |text: String| read_address(&text)?,
        pub user_agent: String,
        pub at: DateTime<Utc> = created_at,
    }
}

fn read_address(text: &str) -> Result<Option<IpAddr>> {
    Some(text).filter(|text| !text.is_empty()).map(|text| word("events.ip_address", text)).transpose()
}

#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub user: Option<UserId>,
    /// Those that concern things of this kind.
    pub entity_type: Option<String>,
    /// Those that concern this thing: its id or public reference.
    pub entity_id: Option<String>,
    pub action: Option<String>,
    /// Those since then, UTC.
    pub since: Option<DateTime<Utc>>,
    /// Those before then, UTC.
    pub before: Option<DateTime<Utc>>,
}

/// What every event meets, and the condition of the index by actions: said as a literal, PostgreSQL takes that index whichever
/// it takes for the older one (D-326).
const OF_AN_ACTION: &str = "action <> ''";

/// A page of the agency's events, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    filter: &Filter,
    request: impl Into<ListRequest>,
) -> Result<Page<AuditEntry>> {
    let ListRequest { page: request, anchor } = request;
    let filtered = || {
        let mut query = events::table.filter(events::org_id.eq(organization.uuid())).into_boxed();
        if let Some(user) = filter.user {
            query = query.filter(events::actor_id.eq(user.uuid()));
        }
        if let Some(entity_type) = &filter.entity_type {
            query = query.filter(events::entity_type.eq(entity_type.clone()));
            if entity_type != "booking" {
                // A literal: PostgreSQL finds the partial index by it. Most events are of bookings, and need none.
                query = query.filter(sql::<Bool>("entity_type <> 'booking'"));
            }
        }
        if let Some(entity_id) = &filter.entity_id {
            // Ids are in small letters, references in capitals.
            let spellings = [entity_id.clone(), entity_id.to_lowercase(), entity_id.to_uppercase()];
            query = query.filter(events::entity_id.eq_any(spellings));
        }
        if let Some(action) = &filter.action {
            query = query.filter(events::action.eq(action.clone())).filter(sql::<Bool>(OF_AN_ACTION));
        }
        // Ids are stamped with the event's time: the index that orders them bounds them too.
        if let Some(since) = filter.since {
            query = query.filter(events::id.ge(EventId::earliest(since).uuid()));
        }
        if let Some(before) = filter.before {
            query = query.filter(events::id.lt(EventId::earliest(before).uuid()));
        }
        beyond!(query, events::id, anchor)
    };
    let total = filtered().count().get_result(connection).await?;
    let items = ordered!(filtered(), events::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(AuditEntry::as_select())
        .load(connection)
        .await?;
    Ok(Page { items, request, total })
}

/// The names of whoever did these entries of the agency: its users' by which they log in, and operators'. One statement.
#[boxed]
pub async fn actor_names(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    actors: &[Uuid],
) -> Result<HashMap<Uuid, String>> {
    let rows: Vec<Columns<(Uuid, String)>> = statement(
        "select id, username as name from users where org_id = $1 and id = any($2) \
         union all select id, name from operators where id = any($2)",
        (organization, actors),
    )
    .load(connection)
    .await?;
    Ok(values(rows).into_iter().collect())
}

/// Whether the agency's audit log has such an event about this entity since then.
#[boxed]
pub async fn has_recent(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    action: EventKind,
    entity_id: &str,
    since: DateTime<Utc>,
) -> Result<bool> {
    let found = events::table
        .filter(events::org_id.eq(organization.uuid()))
        .filter(events::action.eq(action.text()))
        .filter(sql::<Bool>(OF_AN_ACTION))
        .filter(events::id.ge(EventId::earliest(since).uuid()))
        .filter(events::entity_id.eq(entity_id));
    Ok(select(exists(found)).get_result(connection).await?)
}
