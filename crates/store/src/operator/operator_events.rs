//! What was done about operators, and what operators did about what is no agency's: suppliers, exchange rates. What they do in
//! an agency stands in the agency's audit log.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, deserialize, pg::Pg, row::NamedRow, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use wayfare_domain::{EventId, OperatorId, Page, PageRequest};

use crate::{
    Result,
    schema::operator_events,
    statements::{Columns, Write as _, by_name, columns::named, statement, values},
};

/// What was done about an operator, or what an operator did about what is no agency's.
pub struct NewOperatorEvent<'a> {
    pub id: EventId,
    /// Who did it; none at the command line.
    pub actor: Option<OperatorId>,
    pub action: &'a str,
    /// About whom, where it is about an operator.
    pub operator: Option<OperatorId>,
    /// What became of it, without secrets.
    pub value: Value,
    pub address: String,
    pub at: DateTime<Utc>,
}

#[boxed]
pub async fn note(connection: &mut AsyncPgConnection, event: &NewOperatorEvent<'_>) -> Result<()> {
    diesel::insert_into(operator_events::table)
        .values((
            operator_events::id.eq(event.id.uuid()),
            operator_events::actor_id.eq(event.actor.map(OperatorId::uuid)),
            operator_events::action.eq(event.action),
            operator_events::operator_id.eq(event.operator.map(OperatorId::uuid)),
            operator_events::value.eq(&event.value),
            operator_events::address.eq(&event.address),
            operator_events::created_at.eq(event.at),
        ))
        .write(connection)
        .await
}

/// Who wrote exchange rates, and when.
#[derive(Clone, Debug)]
pub struct RateWriter {
    /// Codes of the currencies of a rate that was set; none of an import.
    pub pair: Option<(String, String)>,
    pub at: DateTime<Utc>,
    /// The operator; none at the command line.
    pub operator: Option<(OperatorId, String)>,
}

// The last one of each pair, and of the imports.
const RATE_WRITERS: &str = "select distinct on (e.value->>'from', e.value->>'to') \
         e.value->>'from' as from_currency, e.value->>'to' as to_currency, e.created_at, o.id as operator_id, o.name \
     from operator_events e left join operators o on o.id = e.actor_id \
     where e.action in ('rate.set', 'rates.imported') \
     order by e.value->>'from', e.value->>'to', e.created_at desc, e.id desc";

/// Who set each rate last, and who imported those of the bank last. One statement.
#[boxed]
pub async fn rate_writers(connection: &mut AsyncPgConnection) -> Result<Vec<RateWriter>> {
    type Row = (Option<String>, Option<String>, DateTime<Utc>, Option<OperatorId>, Option<String>);
    let rows = sql_query(RATE_WRITERS).load(connection).await?;
    let writer = |(from, to, at, operator, name): Row| RateWriter {
        pair: from.zip(to),
        at,
        operator: operator.zip(name),
    };
    Ok(values(rows).into_iter().map(writer).collect())
}

by_name! {
    /// What an operator did about a supplier.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SupplierEvent {
        pub at: DateTime<Utc>,
        pub action: String,
        /// The operator's name; none at the command line.
        pub by: Option<String>,
        pub value: Value,
    }
}

/// What operators did about this supplier, the newest first: at most so much.
#[boxed]
pub async fn events_of_supplier(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    most: i64,
) -> Result<Vec<SupplierEvent>> {
    Ok(statement(
        "select e.created_at as at, e.action, o.name as by, e.value
         from operator_events e left join operators o on o.id = e.actor_id
         where e.value ->> 'supplier' = $1 order by e.created_at desc, e.id desc limit $2",
        (supplier, most),
    )
    .load(connection)
    .await?)
}

by_name! {
    /// Something that was done, with the names that operators have now.
    #[derive(Clone, Debug)]
    pub struct OperatorEvent {
        pub id: EventId,
        pub at: DateTime<Utc>,
        /// A dotted name such as `supplier.closed`.
        pub action: String,
        pub value: Value,
        /// From where; empty where nobody may know.
        pub address: String,
    } with {
        /// Who did it; none at the command line, and for a log-in that failed.
        pub by: Option<(OperatorId, String)> = actor_of,
        /// About whom, where it is about an operator.
        pub operator: Option<(OperatorId, String)> = operator_of,
    }
}

fn actor_of<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Option<(OperatorId, String)>> {
    Ok(Option::zip(named(row, "actor_id")?, named(row, "actor")?))
}

fn operator_of<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Option<(OperatorId, String)>> {
    Ok(Option::zip(named(row, "operator_id")?, named(row, "operator")?))
}

#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub by: Option<OperatorId>,
    /// What was done about this operator.
    pub operator: Option<OperatorId>,
    pub action: Option<String>,
    /// Those since then, UTC.
    pub since: Option<DateTime<Utc>>,
    /// Those before then, UTC.
    pub before: Option<DateTime<Utc>>,
}

// Ids are stamped with the event's time: the index that orders them bounds them too.
const MATCHING: &str = "($1 is null or e.actor_id = $1) and ($2 is null or e.operator_id = $2) and ($3 is null or e.action = $3) \
     and ($4 is null or e.id >= $4) and ($5 is null or e.id < $5)";

/// A page of them, the newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    filter: &EventFilter,
    request: PageRequest,
) -> Result<Page<OperatorEvent>> {
    let earliest = |time: Option<DateTime<Utc>>| time.map(EventId::earliest);
    let (action, since, before) = (filter.action.as_deref(), earliest(filter.since), earliest(filter.before));
    let count = format!("select count(*) as total from operator_events e where {MATCHING}");
    let Columns(total) =
        statement(count, (filter.by, filter.operator, action, since, before)).get_result(connection).await?;
    let page = format!(
        "select e.id, e.created_at as at, e.actor_id, a.name as actor, e.action, e.operator_id, o.name as operator, e.value, \
             e.address \
         from operator_events e left join operators a on a.id = e.actor_id left join operators o on o.id = e.operator_id \
         where {MATCHING} order by e.id desc limit $6 offset $7"
    );
    let page_of = (i64::from(request.per_page), request.offset());
    let items: Vec<OperatorEvent> =
        statement(page, (filter.by, filter.operator, action, since, before, page_of.0, page_of.1))
            .load(connection)
            .await?;
    Ok(Page { items, request, total })
}

/// Removes addresses from before this time, at most so many; how many. What was done stays.
#[boxed]
pub async fn remove_addresses(
    connection: &mut AsyncPgConnection,
    time: DateTime<Utc>,
    most: i64,
) -> Result<usize> {
    let removed = statement(
        "update operator_events set address = '' where id in (
             select id from operator_events where address <> '' and id < $1 limit $2)",
        (EventId::earliest(time).uuid(), most),
    );
    Ok(removed.execute(connection).await?)
}
