//! Which keys of people wrap which rows, and their rotation.

use diesel::{ExpressionMethods, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{BookingId, OrganizationId, SealedKind};

use super::people::WrappedKey;
use crate::{
    Result,
    schema::booking_people,
    statements::{Write as _, stored},
};

stored! {
    #[derive(Clone, Debug)]
    pub struct KeyOfRow of booking_people {
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        pub kind: SealedKind,
        pub key: WrappedKey = (kek_id, wrapped_key) as |key: (String, Option<Vec<u8>>)| WrappedKey {
            kek_id: key.0,
            bytes: key.1.unwrap_or_default(),
        },
    }
}

/// How many rows each key wraps that wraps any.
#[boxed]
pub async fn in_use(connection: &mut AsyncPgConnection) -> Result<Vec<(String, i64)>> {
    Ok(booking_people::table
        .filter(booking_people::wrapped_key.is_not_null())
        .group_by(booking_people::kek_id)
        .select((booking_people::kek_id, diesel::dsl::count_star()))
        .load(connection)
        .await?)
}

/// One row that this key wraps, if any.
#[boxed]
pub async fn example(connection: &mut AsyncPgConnection, kek_id: &str) -> Result<Option<KeyOfRow>> {
    let rows: Vec<KeyOfRow> = booking_people::table
        .filter(booking_people::wrapped_key.is_not_null())
        .filter(booking_people::kek_id.eq(kek_id))
        .select(KeyOfRow::as_select())
        .limit(1)
        .load(connection)
        .await?;
    Ok(rows.into_iter().next())
}

/// Locks rows that another key wraps than this one. Runs in a transaction of the caller's.
#[boxed]
pub async fn lock_others(
    connection: &mut AsyncPgConnection,
    newest: &str,
    most: i64,
) -> Result<Vec<KeyOfRow>> {
    Ok(booking_people::table
        .filter(booking_people::wrapped_key.is_not_null())
        .filter(booking_people::kek_id.ne(newest))
        .select(KeyOfRow::as_select())
        .limit(most)
        .for_update()
        .skip_locked()
        .load(connection)
        .await?)
}

/// Writes the key of a locked row as it is wrapped now.
#[boxed]
pub async fn rewrap(connection: &mut AsyncPgConnection, row: &KeyOfRow, key: &WrappedKey) -> Result<()> {
    let (organization, booking) = (row.organization.uuid(), row.booking.uuid());
    diesel::update(booking_people::table.find((organization, booking, row.kind.as_ref())))
        .set((booking_people::kek_id.eq(&key.kek_id), booking_people::wrapped_key.eq(&key.bytes)))
        .write(connection)
        .await
}
