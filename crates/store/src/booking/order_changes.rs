//! What airlines change of orders by themselves: each once, and what is decided about it.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, QueryDsl, Queryable, Selectable, SelectableHelper, result::Error as DieselError,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, ChangeId, ChangeKind, ChangeState, ListRequest, OrganizationId,
    Page, Scope, StepId, UserId,
};

use crate::{
    JsonText, StoreError,
    error::{number_from, word},
    schema::{bookings, order_changes},
    statements::{
        anchored::{beyond, ordered},
        row_value_in::row_value_in,
    },
};

/// A change of an order's flights that its airline has made by itself.
#[derive(Clone, Debug)]
pub struct OrderChange {
    pub id: ChangeId,
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub user: UserId,
    pub number: u16,
    /// The supplier's id of it, or ours where the supplier has none.
    pub supplier_id: String,
    /// Its place among those of its booking, from 1, in the order in which they were found.
    pub place: u16,
    pub kind: ChangeKind,
    /// By how many minutes what is flown moves; none where that has no meaning.
    pub minutes: Option<i32>,
    /// The flights that are not flown any more.
    pub before: JsonText,
    /// Those that are flown in their place.
    pub after: JsonText,
    pub state: ChangeState,
    /// What the supplier lets one do about it, in its words.
    pub actions: Vec<String>,
    /// Until when it can be decided on, UTC.
    pub decide_by: Option<DateTime<Utc>>,
    /// When somebody is to be reminded of it, or it is to be closed, UTC.
    pub due_at: Option<DateTime<Utc>>,
    pub found_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    /// Who decided; none for a supplier and the service itself.
    pub decided_by: Option<UserId>,
    pub step: Option<StepId>,
}

/// What has become of a change, or of all that are open on an order.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub number: u16,
    /// The supplier's id of the change; none for all of the order.
    pub supplier_id: Option<&'a str>,
    pub state: ChangeState,
    /// When the worker has something to do about it next, UTC.
    pub due_at: Option<DateTime<Utc>>,
    pub decided_at: Option<DateTime<Utc>>,
    pub decided_by: Option<UserId>,
    pub step: Option<StepId>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = order_changes, check_for_backend(diesel::pg::Pg))]
struct Row {
    org_id: Uuid,
    booking_id: Uuid,
    user_id: Uuid,
    number: i16,
    supplier_change_id: String,
    id: Uuid,
    place: i16,
    kind: String,
    minutes: Option<i32>,
    before: JsonText,
    after: JsonText,
    state: String,
    actions: JsonText,
    decide_by: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
    found_at: DateTime<Utc>,
    decided_at: Option<DateTime<Utc>>,
    decided_by: Option<Uuid>,
    effect_id: Option<Uuid>,
}

impl TryFrom<Row> for OrderChange {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: ChangeId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.org_id),
            booking: BookingId::from_uuid(row.booking_id),
            user: UserId::from_uuid(row.user_id),
            number: number_from(row.number),
            supplier_id: row.supplier_change_id,
            place: number_from(row.place),
            kind: word("order_changes.kind", &row.kind)?,
            minutes: row.minutes,
            before: row.before,
            after: row.after,
            state: word("order_changes.state", &row.state)?,
            actions: row.actions.read("order_changes.actions")?,
            decide_by: row.decide_by,
            due_at: row.due_at,
            found_at: row.found_at,
            decided_at: row.decided_at,
            decided_by: row.decided_by.map(UserId::from_uuid),
            step: row.effect_id.map(StepId::from_uuid),
        })
    }
}

/// The changes of these bookings, in the order in which they were found.
#[boxed]
pub async fn of_all(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<OrderChange>>, StoreError> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let (organizations, ids) = pairs(of);
    let rows: Vec<Row> = order_changes::table
        .filter(row_value_in::<diesel::sql_types::Uuid, _>(
            "order_changes.org_id, order_changes.booking_id",
            organizations,
            ids,
        ))
        .order((order_changes::booking_id, order_changes::place))
        .select(Row::as_select())
        .load(&mut connection)
        .await?;
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows {
        let change = OrderChange::try_from(row)?;
        found.entry(change.booking).or_default().push(change);
    }
    Ok(found)
}

/// The changes of a booking, in the order in which they were found.
#[boxed]
pub async fn of(
    connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<OrderChange>, StoreError> {
    let mut found = of_all(connection, &[(organization, booking)]).await?;
    Ok(found.remove(&booking).unwrap_or_default())
}

/// Those of these bookings that have a change to be decided on.
#[boxed]
pub async fn with_open(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashSet<BookingId>, StoreError> {
    if of.is_empty() {
        return Ok(HashSet::new());
    }
    let (organizations, ids) = pairs(of);
    let open: Vec<Uuid> = order_changes::table
        .filter(row_value_in::<diesel::sql_types::Uuid, _>(
            "order_changes.org_id, order_changes.booking_id",
            organizations,
            ids,
        ))
        .filter(order_changes::state.eq(ChangeState::Open.as_ref()))
        .select(order_changes::booking_id)
        .load(&mut connection)
        .await?;
    Ok(open.into_iter().map(BookingId::from_uuid).collect())
}

fn pairs(of: &[(OrganizationId, BookingId)]) -> (Vec<Uuid>, Vec<Uuid>) {
    of.iter().map(|(organization, booking)| (organization.uuid(), booking.uuid())).unzip()
}

/// Bookings with a change about which something is to be done by now, at most so many.
#[boxed]
pub async fn due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId)>, StoreError> {
    let rows: Vec<(Uuid, Uuid)> = order_changes::table
        .filter(order_changes::due_at.le(now))
        .order(order_changes::due_at)
        .limit(most)
        .select((order_changes::org_id, order_changes::booking_id))
        .load(connection)
        .await?;
    let mut due = Vec::new();
    for (organization, booking) in rows {
        let one = (OrganizationId::from_uuid(organization), BookingId::from_uuid(booking));
        if !due.contains(&one) {
            due.push(one);
        }
    }
    Ok(due)
}

/// A change with what lists tell of its booking.
#[derive(Clone, Debug)]
pub struct ListedChange {
    pub change: OrderChange,
    pub booking_ref: BookingRef,
    /// Its first record locator.
    pub pnr: String,
    pub booking_status: BookingStatus,
    pub user_name: String,
}

/// A page of the changes in scope, newest first, in three statements. The last one reads their bookings by id: a plan of a join
/// might read all bookings.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    scope: Scope,
    state: Option<ChangeState>,
    request: impl Into<ListRequest>,
) -> Result<Page<ListedChange>, StoreError> {
    let ListRequest { page: request, anchor } = request;
    let in_scope = || {
        let mut query = order_changes::table
            .filter(order_changes::org_id.eq(scope.organization().uuid()))
            // The condition of the indexes of this list.
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("order_changes.place > 0"))
            .into_boxed();
        if let Some(user) = scope.user() {
            query = query.filter(order_changes::user_id.eq(user.uuid()));
        }
        if let Some(state) = state {
            query = query.filter(order_changes::state.eq(state.as_ref().to_owned()));
        }
        beyond!(query, order_changes::id, anchor)
    };
    let total = in_scope().count().get_result(connection).await?;
    let rows: Vec<Row> = ordered!(in_scope(), order_changes::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Row::as_select())
        .load(connection)
        .await?;
    let told = bookings_of(connection, &rows).await?;
    let listed = |row: Row| {
        let (_, booking_ref, pnr, status, user_name) =
            told.get(&row.booking_id).cloned().ok_or(DieselError::NotFound)?;
        Ok(ListedChange {
            change: row.try_into()?,
            booking_ref: BookingRef::from(booking_ref),
            pnr,
            booking_status: word("bookings.status", &status)?,
            user_name,
        })
    };
    Ok(Page { items: rows.into_iter().map(listed).collect::<Result<_, StoreError>>()?, request, total })
}

/// Of a booking: id, reference, locator, status, who booked.
type OfBooking = (Uuid, String, String, String, String);

/// What lists tell of these changes' bookings.
async fn bookings_of(
    connection: &mut AsyncPgConnection,
    changes: &[Row],
) -> Result<HashMap<Uuid, OfBooking>, StoreError> {
    if changes.is_empty() {
        return Ok(HashMap::new());
    }
    let (organizations, ids) = changes.iter().map(|row| (row.org_id, row.booking_id)).unzip();
    let found: Vec<OfBooking> = bookings::table
        .filter(row_value_in::<diesel::sql_types::Uuid, _>(
            "bookings.org_id, bookings.id",
            organizations,
            ids,
        ))
        .select((bookings::id, bookings::booking_ref, bookings::pnr, bookings::status, bookings::user_name))
        .load(connection)
        .await?;
    Ok(found.into_iter().map(|booking| (booking.0, booking)).collect())
}
