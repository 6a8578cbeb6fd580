//! Incidents: what an operator has to look at. They are the operator's, of all agencies: no scope narrows them.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, IntoSql, NullableExpressionMethods, OptionalExtension, PgExpressionMethods, QueryDsl,
    deserialize::{self, QueryableByName},
    dsl::case_when,
    pg::Pg,
    row::NamedRow,
    sql_types::Text,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{
    AgencyCode, BookingId, BookingRef, BookingStatus, ClosedBy, IncidentId, IncidentKind, IncidentOutcome,
    Money, OperatorId, OrderReference, OrganizationId, Page, PageRequest, StepId, StepKind,
};

use crate::{
    Result,
    booking::steps::Step,
    error::word,
    schema::exceptions,
    statements::{Columns, Write as _, by_name, columns::named, statement},
};

/// What is out of order, before it has a row.
#[derive(Clone, Debug)]
pub struct NewIncident<'a> {
    pub id: IncidentId,
    pub organization: OrganizationId,
    pub booking: BookingId,
    /// The step it is about, if it is about one.
    pub step: Option<StepId>,
    pub kind: IncidentKind,
    pub problem: &'a str,
    /// What the operator needs to know of it, as its kind has it.
    pub details: Value,
    /// When it was seen, UTC.
    pub raised_at: DateTime<Utc>,
}

/// Writes an incident. False when one of this kind is open on its step: nothing changes then.
#[boxed]
pub async fn raise(connection: &mut AsyncPgConnection, new: &NewIncident<'_>) -> Result<bool> {
    diesel::insert_into(exceptions::table)
        .values((
            exceptions::org_id.eq(new.organization.uuid()),
            exceptions::id.eq(new.id.uuid()),
            exceptions::booking_id.eq(new.booking.uuid()),
            exceptions::effect_id.eq(new.step.map(StepId::uuid)),
            exceptions::kind.eq(new.kind.as_ref()),
            exceptions::problem.eq(new.problem),
            exceptions::details.eq(&new.details),
            exceptions::raised_at.eq(new.raised_at),
        ))
        .on_conflict_do_nothing()
        .write_one(connection)
        .await
}

/// Whether an incident of this kind is open on an order of a booking, whose supplier's id its details have, or was raised `since`.
#[boxed]
pub async fn is_raised_on_order(
    connection: &mut AsyncPgConnection,
    (organization, booking): (OrganizationId, BookingId),
    kind: IncidentKind,
    order_id: &str,
    since: Option<DateTime<Utc>>,
) -> Result<bool> {
    let Columns(is_raised) = statement(
        "select exists (select from exceptions where booking_id = $1 and org_id = $2 and kind = $3
            and (closed_by is null or raised_at >= $5) and effect_id is null and details ->> 'order_id' = $4) as is_raised",
        (booking, organization, kind.as_ref(), order_id, since),
    )
    .get_result(connection)
    .await?;
    Ok(is_raised)
}

by_name! {
    /// The operator's decision on an incident.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Resolution {
        pub outcome: IncidentOutcome,
        /// The supplier's id of the order, where the resolution is that there is one.
        pub order_id: Option<String>,
        pub note: String,
    }
}

/// Writes the resolution of an open incident, over an earlier one, and whose it is. False when it is closed: nothing changes then.
#[boxed]
pub async fn resolve(
    connection: &mut AsyncPgConnection,
    incident: &Incident,
    resolution: &Resolution,
    operator: Option<OperatorId>,
) -> Result<bool> {
    let open = exceptions::table
        .find((incident.organization.uuid(), incident.id.uuid()))
        .filter(exceptions::closed_by.is_null());
    diesel::update(open)
        .set((
            exceptions::outcome.eq(resolution.outcome.as_ref()),
            exceptions::order_id.eq(&resolution.order_id),
            exceptions::note.eq(&resolution.note),
            exceptions::resolved_by.eq(operator.map(OperatorId::uuid)),
        ))
        .write_one(connection)
        .await
}

/// The operator's resolution of this open step, if there is one, and which operator's.
#[boxed]
pub async fn resolution(
    connection: &mut AsyncPgConnection,
    step: &Step,
) -> Result<Option<(Resolution, Option<OperatorId>)>> {
    type Row = (Option<String>, Option<String>, Option<String>, Option<Uuid>);
    let row: Option<Row> = exceptions::table
        .filter(exceptions::org_id.eq(step.organization.uuid()))
        .filter(exceptions::effect_id.eq(step.id.uuid()))
        .filter(exceptions::kind.eq(IncidentKind::OutcomeUnknown.as_ref()))
        .filter(exceptions::closed_at.is_null())
        .select((exceptions::outcome, exceptions::order_id, exceptions::note, exceptions::resolved_by))
        .first(connection)
        .await
        .optional()?;
    let Some((Some(outcome), order_id, Some(note), operator)) = row else { return Ok(None) };
    let resolution = Resolution { outcome: word("exceptions.outcome", &outcome)?, order_id, note };
    Ok(Some((resolution, operator.map(OperatorId::from_uuid))))
}

/// Closes an open incident. False when it is closed already: nothing changes then.
#[boxed]
pub async fn close(
    connection: &mut AsyncPgConnection,
    incident: &Incident,
    by: ClosedBy,
    at: DateTime<Utc>,
) -> Result<bool> {
    let open = exceptions::table
        .find((incident.organization.uuid(), incident.id.uuid()))
        .filter(exceptions::closed_by.is_null());
    diesel::update(open)
        .set((exceptions::closed_at.eq(at), exceptions::closed_by.eq(by.as_ref())))
        .write_one(connection)
        .await
}

/// An incident that was closed: its agency, by whom, and the operator who had decided it.
pub type ClosedIncident = (OrganizationId, IncidentId, ClosedBy, Option<OperatorId>);

/// Closes what is open because the outcome of these steps was not known, in the transaction that closes the
/// steps. One statement, and none without steps. Which were closed and by whom, with their agencies and the operator who had
/// decided them: where the operator had said that it was done, by the operator, whoever found the order then.
#[boxed]
pub async fn close_of(
    connection: &mut AsyncPgConnection,
    steps: &[&Step],
    by: ClosedBy,
    at: DateTime<Utc>,
) -> Result<Vec<ClosedIncident>> {
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let organizations = steps.iter().map(|step| step.organization.uuid());
    let ids = steps.iter().map(|step| step.id.uuid());
    let open = exceptions::table
        .filter(exceptions::org_id.eq_any(organizations))
        .filter(exceptions::effect_id.eq_any(ids))
        .filter(exceptions::kind.eq(IncidentKind::OutcomeUnknown.as_ref()))
        .filter(exceptions::closed_at.is_null());
    let ruled = exceptions::outcome.is_not_distinct_from(IncidentOutcome::Done.as_ref());
    let closed: Vec<(Uuid, Uuid, Option<String>, Option<Uuid>)> = diesel::update(open)
        .set((
            exceptions::closed_at.eq(at),
            exceptions::closed_by.eq(case_when(ruled, ClosedBy::Operator.as_ref().into_sql::<Text>())
                .otherwise(by.as_ref())
                .nullable()),
        ))
        .returning((exceptions::org_id, exceptions::id, exceptions::closed_by, exceptions::resolved_by))
        .get_results(connection)
        .await?;
    let typed = |(organization, id, by, operator): (Uuid, Uuid, Option<String>, Option<Uuid>)| {
        let by = word("exceptions.closed_by", by.as_deref().unwrap_or_default())?;
        Ok((
            OrganizationId::from_uuid(organization),
            IncidentId::from_uuid(id),
            by,
            operator.map(OperatorId::from_uuid),
        ))
    };
    closed.into_iter().map(typed).collect()
}

by_name! {
    /// One incident with what it is about.
    #[derive(Clone, Debug)]
    pub struct Incident {
        pub id: IncidentId,
        pub organization: OrganizationId = org_id,
        pub agency: AgencyCode = agent_id,
        pub agency_name: String,
        pub booking: BookingId = booking_id,
        pub booking_ref: BookingRef,
        pub booking_status: BookingStatus = status,
        pub kind: IncidentKind,
        /// The same in words, as it was when it was raised.
        pub problem: String,
        /// What the operator needs to know of it, as its kind has it.
        pub details: Value,
        pub raised_at: DateTime<Utc>,
        /// The name of the operator who decided it; none at the command line.
        pub resolved_by: Option<String> = resolved_by_name,
    } with {
        pub step: Option<StepAsked>,
        /// The operator's decision on an incident.
        pub resolution: Option<Resolution>,
        /// Who works on it, or did when they last said so.
        pub claim: Option<Claim>,
        /// Who closed it and when, UTC; none while it is open.
        pub closed: Option<(ClosedBy, DateTime<Utc>)> = closed_of,
    } in currency {
        /// The money that is set aside for the booking now, in the wallet's currency.
        pub held: Money,
    }
}

impl Incident {
    /// Whether it is, or may be, about the order of this number.
    pub fn is_about(&self, number: u16) -> bool {
        let told = ["number", "order"].iter().find_map(|name| self.details.get(name)?.as_u64());
        let of_step = || self.step.as_ref().map(|step| u64::from(step.number));
        told.or_else(of_step).is_none_or(|told| told == u64::from(number))
    }
}

by_name! {
    /// That an operator works on an incident.
    #[derive(Clone, Debug)]
    pub struct Claim {
        pub operator: OperatorId = claimed_by,
        pub username: String = claimed_by_username,
        pub name: String = claimed_by_name,
        /// When they said so last, UTC.
        pub at: DateTime<Utc> = claimed_at,
    }
}

fn closed_of<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<Option<(ClosedBy, DateTime<Utc>)>> {
    // So were rows written once: the order that the operator had named was found by the service.
    let ruled = Option::<Resolution>::build(row)?.is_some_and(|ruled| ruled.outcome.says_done());
    let by = named::<Option<ClosedBy>>(row, "closed_by")?;
    let by = by.map(|by| if ruled { ClosedBy::Operator } else { by });
    Ok(by.zip(named(row, "closed_at")?))
}

#[derive(Clone, Copy, Debug, Default)]
pub struct IncidentFilter {
    /// Whether closed ones are among them.
    pub all: bool,
    pub kind: Option<IncidentKind>,
    pub organization: Option<OrganizationId>,
    /// Raised before this time, UTC.
    pub raised_before: Option<DateTime<Utc>>,
    /// Whether the oldest comes first, and not the newest.
    pub oldest_first: bool,
}

by_name! {
    /// What an incident's step asked of its supplier.
    #[derive(Clone, Debug)]
    pub struct StepAsked {
        pub id: StepId = effect_id,
        pub kind: StepKind = effect_kind,
        pub supplier: String,
        /// The number of the order it acts on, in the booking.
        pub number: u16,
        /// Our own reference of the order it acts on.
        pub reference: OrderReference,
        /// The supplier's id of that order, where it is known.
        pub order_id: Option<String> = supplier_order_id,
        /// When it was sent at the earliest, UTC.
        pub sent_at: DateTime<Utc>,
        pub attempts: i32,
        /// What last stood in the way of knowing its outcome, or why it was refused.
        pub problem: Option<String> = effect_problem,
    }
}

/// Incidents with what they are about, as [`Incident`] reads them.
const ROWS: &str = "
    select x.org_id, x.id, x.booking_id, x.kind, x.problem, x.details, x.raised_at, x.outcome, x.order_id, x.note,
        x.closed_at, x.closed_by, x.claimed_by, x.claimed_at, coalesce(c.name, '') as claimed_by_name,
        coalesce(c.username, '') as claimed_by_username, r.name as resolved_by_name, a.name as agency_name, a.agent_id,
        b.booking_ref, b.status, b.currency,
        case when h.closed_at is null then h.amount else 0 end as held,
        e.id as effect_id, e.number, e.kind as effect_kind, e.supplier, e.sent_at, e.attempts, e.problem as effect_problem,
        o.reference, o.supplier_order_id
    from exceptions x
    join organizations a on a.id = x.org_id
    join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
    join holds h on (h.org_id, h.id) = (b.org_id, b.hold_id)
    left join operators c on c.id = x.claimed_by
    left join operators r on r.id = x.resolved_by
    left join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
    left join supplier_orders o on (o.org_id, o.booking_id, o.number) = (e.org_id, e.booking_id, e.number)";

/// A page of incidents. Two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    filter: &IncidentFilter,
    request: PageRequest,
) -> Result<Page<Incident>> {
    let mut counted = exceptions::table.into_boxed();
    if !filter.all {
        counted = counted.filter(exceptions::closed_at.is_null());
    }
    if let Some(kind) = filter.kind {
        counted = counted.filter(exceptions::kind.eq(kind.as_ref().to_owned()));
    }
    if let Some(organization) = filter.organization {
        counted = counted.filter(exceptions::org_id.eq(organization.uuid()));
    }
    if let Some(time) = filter.raised_before {
        counted = counted.filter(exceptions::raised_at.lt(time));
    }
    let total = counted.count().get_result(connection).await?;
    let order = if filter.oldest_first { "asc" } else { "desc" };
    let page = format!(
        "{ROWS} where (x.closed_at is null or $1) and ($4 is null or x.kind = $4) and ($5 is null or x.org_id = $5)
         and ($6 is null or x.raised_at < $6)
         order by x.id {order} limit $2 offset $3"
    );
    let items: Vec<Incident> = statement(
        page,
        (
            filter.all,
            i64::from(request.per_page),
            request.offset(),
            filter.kind.map(|kind| kind.as_ref().to_owned()),
            filter.organization,
            filter.raised_before,
        ),
    )
    .load(connection)
    .await?;
    Ok(Page { items, request, total })
}

/// The open incidents of a booking, oldest first. One statement.
#[boxed]
pub async fn open_of(
    connection: &mut AsyncPgConnection,
    (organization, booking): (OrganizationId, BookingId),
) -> Result<Vec<Incident>> {
    let open = "where x.org_id = $1 and x.booking_id = $2 and x.closed_at is null order by x.id";
    Ok(statement(format!("{ROWS} {open}"), (organization, booking)).load(connection).await?)
}

#[boxed]
pub async fn find(connection: &mut AsyncPgConnection, id: IncidentId) -> Result<Option<Incident>> {
    Ok(statement(format!("{ROWS} where x.id = $1"), id).get_result(connection).await.optional()?)
}
