//! What the service does by itself about the held orders of a booking, together: when it reminds, when it has tickets
//! issued.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId};

use crate::{
    Result,
    booking::{
        hold_reminders,
        order_holds::{COLUMNS, HoldRow, OrderHold},
    },
    schema::{booking_holds, supplier_orders},
    service::leases::CANDIDATES,
    statements::{Write as _, row_value_in::pairs_in, stored},
};

stored! {
    /// What is done about the hold of a booking.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct BookingHold of booking_holds {
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        /// Since when it is to be ticketed by itself, UTC; none where it is not.
        pub auto_ticket_since: Option<DateTime<Utc>>,
        /// When that is begun, UTC, once it is known.
        pub auto_ticket_at: Option<DateTime<Utc>>,
        pub held_at: Option<DateTime<Utc>>,
        /// For what its reminders were planned; none before they are.
        pub planned: Option<Limits> = (planned_at, planned_pay_by, planned_price_until) as |planned: Planned| limits_of(planned),
        /// When the worker has something to do about it next, UTC.
        pub due_at: Option<DateTime<Utc>>,
    }
}

/// When they were planned, for which limits.
type Planned = (Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<DateTime<Utc>>);

fn limits_of((at, pay_by, price_guaranteed_until): Planned) -> Option<Limits> {
    at.map(|_| Limits { pay_by, price_guaranteed_until })
}

/// The earliest limits of the held orders of a booking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Until when they must be paid, UTC, as far as suppliers say.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when they keep their price, UTC, as far as suppliers say.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
}

impl Limits {
    pub fn earliest(self) -> Option<DateTime<Utc>> {
        self.pay_by.into_iter().chain(self.price_guaranteed_until).min()
    }
}

/// The holds of a booking as they are shown.
#[derive(Clone, Debug, Default)]
pub struct ShownHold {
    /// Of each order that was ever held, in order of their numbers.
    pub orders: Vec<OrderHold>,
    /// Whether it is to be ticketed by itself.
    pub auto_ticket: bool,
    /// When somebody is reminded next, UTC.
    pub next_reminder_at: Option<DateTime<Utc>>,
}

/// Takes one that is due, out of reach of other takers until `leased_until`; it is returned as it was before. None also where
/// others take all that are due.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<BookingHold>> {
    let due: Vec<BookingHold> = booking_holds::table
        .filter(booking_holds::due_at.le(now))
        .order(booking_holds::due_at)
        .select(BookingHold::as_select())
        .limit(CANDIDATES)
        .load(connection)
        .await?;
    for hold in due {
        let unchanged = booking_holds::table
            .find((hold.organization.uuid(), hold.booking.uuid()))
            .filter(booking_holds::due_at.eq(hold.due_at));
        let taken: Option<BookingHold> = diesel::update(unchanged)
            .set(booking_holds::due_at.eq(leased_until))
            .returning(BookingHold::as_returning())
            .get_result(connection)
            .await
            .optional()?;
        if let Some(taken) = taken {
            return Ok(Some(BookingHold { due_at: hold.due_at, ..taken }));
        }
    }
    Ok(None)
}

/// What is done about the hold of this booking, locked until the transaction ends. The booking is locked before.
#[boxed]
pub async fn lock(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<BookingHold>> {
    Ok(booking_holds::table
        .find((organization.uuid(), booking.uuid()))
        .select(BookingHold::as_select())
        .for_update()
        .first(connection)
        .await
        .optional()?)
}

/// Writes what a locked one has become.
#[boxed]
pub async fn save(connection: &mut AsyncPgConnection, hold: &BookingHold, at: DateTime<Utc>) -> Result<()> {
    let key = (hold.organization.uuid(), hold.booking.uuid());
    let planned = hold.planned.unwrap_or_default();
    diesel::update(booking_holds::table.find(key))
        .set((
            booking_holds::auto_ticket_since.eq(hold.auto_ticket_since),
            booking_holds::auto_ticket_at.eq(hold.auto_ticket_at),
            booking_holds::planned_at.eq(hold.planned.map(|_| at)),
            booking_holds::planned_pay_by.eq(planned.pay_by),
            booking_holds::planned_price_until.eq(planned.price_guaranteed_until),
            booking_holds::due_at.eq(hold.due_at),
        ))
        .write(connection)
        .await
}

/// The holds of these bookings, as far as they ever had any: three statements, one where there are none.
#[boxed]
pub async fn shown(
    connection: &mut AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, ShownHold>> {
    let mut shown: HashMap<BookingId, ShownHold> = HashMap::new();
    if of.is_empty() {
        return Ok(shown);
    }
    let orders: Vec<(Uuid, HoldRow)> = supplier_orders::table
        .filter(pairs_in("supplier_orders.org_id, supplier_orders.booking_id", of))
        .filter(supplier_orders::hold_state.is_not_null())
        .order((supplier_orders::booking_id, supplier_orders::number))
        .select((supplier_orders::booking_id, COLUMNS))
        .load(connection)
        .await?;
    for (booking, row) in orders {
        let one = shown.entry(BookingId::from_uuid(booking)).or_default();
        one.orders.extend(OrderHold::of_row(row)?);
    }
    if shown.is_empty() {
        return Ok(shown);
    }
    let automatic: Vec<Uuid> = booking_holds::table
        .filter(pairs_in("booking_holds.org_id, booking_holds.booking_id", of))
        .filter(booking_holds::auto_ticket_since.is_not_null())
        .select(booking_holds::booking_id)
        .load(connection)
        .await?;
    for booking in automatic {
        let one = shown.get_mut(&BookingId::from_uuid(booking));
        one.into_iter().for_each(|one| one.auto_ticket = true);
    }
    for (booking, next) in hold_reminders::next_of(connection, of).await? {
        let one = shown.get_mut(&BookingId::from_uuid(booking));
        one.into_iter().for_each(|one| one.next_reminder_at = next);
    }
    Ok(shown)
}
