//! What airlines change of orders by themselves: each once, and what is decided about it.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, QueryDsl, SelectableHelper, result::Error as DieselError};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, ChangeId, ChangeKind, ChangeState, ListRequest, OrganizationId,
    Page, Scope, StepId, UserId,
};

use crate::{
    JsonText, Result,
    error::word,
    schema::{bookings, order_changes},
    statements::{
        anchored::{beyond, ordered},
        row_value_in::pairs_in,
        stored,
    },
};

stored! {
    /// A change of an order's flights that its airline has made by itself.
    #[derive(Clone, Debug)]
    pub struct OrderChange of order_changes {
        pub id: ChangeId,
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        pub user: UserId = user_id,
        pub number: u16,
        /// The supplier's id of it, or ours where the supplier has none.
        pub supplier_id: String = supplier_change_id,
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
        pub actions: Vec<String> = actions as |actions: JsonText| actions.read("order_changes.actions")?,
        /// Until when it can be decided on, UTC.
        pub decide_by: Option<DateTime<Utc>>,
        /// When somebody is to be reminded of it, or it is to be closed, UTC.
        pub due_at: Option<DateTime<Utc>>,
        pub found_at: DateTime<Utc>,
        pub decided_at: Option<DateTime<Utc>>,
        /// Who decided; none for a supplier and the service itself.
        pub decided_by: Option<UserId>,
        pub step: Option<StepId> = effect_id,
    }
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

/// The changes of these bookings, in the order in which they were found.
#[boxed]
pub async fn of_all(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<OrderChange>>> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<OrderChange> = order_changes::table
        .filter(pairs_in("order_changes.org_id, order_changes.booking_id", of))
        .order((order_changes::booking_id, order_changes::place))
        .select(OrderChange::as_select())
        .load(&mut connection)
        .await?;
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for change in rows {
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
) -> Result<Vec<OrderChange>> {
    let mut found = of_all(connection, &[(organization, booking)]).await?;
    Ok(found.remove(&booking).unwrap_or_default())
}

/// Those of these bookings that have a change to be decided on.
#[boxed]
pub async fn with_open(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashSet<BookingId>> {
    if of.is_empty() {
        return Ok(HashSet::new());
    }
    let open: Vec<Uuid> = order_changes::table
        .filter(pairs_in("order_changes.org_id, order_changes.booking_id", of))
        .filter(order_changes::state.eq(ChangeState::Open.as_ref()))
        .select(order_changes::booking_id)
        .load(&mut connection)
        .await?;
    Ok(open.into_iter().map(BookingId::from_uuid).collect())
}

/// Bookings with a change about which something is to be done by now, at most so many.
#[boxed]
pub async fn due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId)>> {
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
) -> Result<Page<ListedChange>> {
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
    let rows: Vec<OrderChange> = ordered!(in_scope(), order_changes::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(OrderChange::as_select())
        .load(connection)
        .await?;
    let told = bookings_of(connection, &rows).await?;
    let listed = |change: OrderChange| {
        let (_, booking_ref, pnr, status, user_name) =
            told.get(&change.booking.uuid()).cloned().ok_or(DieselError::NotFound)?;
        Ok(ListedChange {
            change,
            booking_ref: BookingRef::from(booking_ref),
            pnr,
            booking_status: word("bookings.status", &status)?,
            user_name,
        })
    };
    Ok(Page { items: rows.into_iter().map(listed).collect::<Result<_>>()?, request, total })
}

/// Of a booking: id, reference, locator, status, who booked.
type OfBooking = (Uuid, String, String, String, String);

/// What lists tell of these changes' bookings.
async fn bookings_of(
    connection: &mut AsyncPgConnection,
    changes: &[OrderChange],
) -> Result<HashMap<Uuid, OfBooking>> {
    if changes.is_empty() {
        return Ok(HashMap::new());
    }
    let of: Vec<_> = changes.iter().map(|change| (change.organization, change.booking)).collect();
    let found: Vec<OfBooking> = bookings::table
        .filter(pairs_in("bookings.org_id, bookings.id", &of))
        .select((bookings::id, bookings::booking_ref, bookings::pnr, bookings::status, bookings::user_name))
        .load(connection)
        .await?;
    Ok(found.into_iter().map(|booking| (booking.0, booking)).collect())
}
