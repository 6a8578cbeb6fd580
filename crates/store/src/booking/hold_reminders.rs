//! When an agency is reminded of a hold, and of what it was reminded.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, QueryDsl, SelectableHelper, dsl::min};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId, ReminderKind};

use crate::{
    Result,
    schema::hold_reminders,
    statements::{Write as _, row_value_in::pairs_in, stored},
};

stored! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Reminder of hold_reminders {
        /// Its number among those of the booking.
        pub number: i16,
        pub kind: ReminderKind,
        pub due_at: DateTime<Utc>,
        pub told_at: Option<DateTime<Utc>>,
    }
}

/// When these bookings are reminded of next, as far as anything is to be told of them.
pub(super) async fn next_of(
    connection: &mut AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<Vec<(Uuid, Option<DateTime<Utc>>)>> {
    Ok(hold_reminders::table
        .filter(pairs_in("hold_reminders.org_id, hold_reminders.booking_id", of))
        .filter(hold_reminders::told_at.is_null())
        .group_by(hold_reminders::booking_id)
        .select((hold_reminders::booking_id, min(hold_reminders::due_at)))
        .load(connection)
        .await?)
}

/// The reminders of a locked hold, in order of their numbers.
#[boxed]
pub async fn of(
    connection: &mut AsyncPgConnection,
    (organization, booking): (OrganizationId, BookingId),
) -> Result<Vec<Reminder>> {
    Ok(hold_reminders::table
        .filter(hold_reminders::org_id.eq(organization.uuid()))
        .filter(hold_reminders::booking_id.eq(booking.uuid()))
        .order(hold_reminders::number)
        .select(Reminder::as_select())
        .load(connection)
        .await?)
}

/// Puts these in the place of those that are not told yet.
#[boxed]
pub async fn replace_untold(
    connection: &mut AsyncPgConnection,
    (organization, booking): (OrganizationId, BookingId),
    planned: &[Reminder],
) -> Result<()> {
    let (organization, booking) = (organization.uuid(), booking.uuid());
    diesel::delete(untold(organization, booking)).execute(connection).await?;
    let row = |reminder: &Reminder| {
        (
            hold_reminders::org_id.eq(organization),
            hold_reminders::booking_id.eq(booking),
            hold_reminders::number.eq(reminder.number),
            hold_reminders::kind.eq(reminder.kind.as_ref().to_owned()),
            hold_reminders::due_at.eq(reminder.due_at),
        )
    };
    let rows: Vec<_> = planned.iter().map(row).collect();
    diesel::insert_into(hold_reminders::table).values(rows).write(connection).await
}

#[boxed]
pub async fn mark_told(
    connection: &mut AsyncPgConnection,
    (organization, booking): (OrganizationId, BookingId),
    due: DateTime<Utc>,
    at: DateTime<Utc>,
) -> Result<()> {
    let was_due = hold_reminders::due_at.le(due);
    diesel::update(untold(organization.uuid(), booking.uuid()).filter(was_due))
        .set(hold_reminders::told_at.eq(at))
        .write(connection)
        .await
}

#[diesel::dsl::auto_type(no_type_alias)]
fn untold(organization: Uuid, booking: Uuid) -> _ {
    hold_reminders::table
        .filter(hold_reminders::org_id.eq(organization))
        .filter(hold_reminders::booking_id.eq(booking))
        .filter(hold_reminders::told_at.is_null())
}
