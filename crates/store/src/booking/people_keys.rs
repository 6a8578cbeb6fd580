//! Which keys of people wrap which rows, and their rotation.

use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId, SealedKind};

use super::people::WrappedKey;
use crate::{Result, error::word, schema::booking_people, statements::Write as _};

#[derive(Clone, Debug)]
pub struct KeyOfRow {
    pub organization: OrganizationId,
    pub booking: BookingId,
    pub kind: SealedKind,
    pub key: WrappedKey,
}

type Row = (Uuid, Uuid, String, String, Option<Vec<u8>>);

type Columns = (
    booking_people::org_id,
    booking_people::booking_id,
    booking_people::kind,
    booking_people::kek_id,
    booking_people::wrapped_key,
);

const COLUMNS: Columns = (
    booking_people::org_id,
    booking_people::booking_id,
    booking_people::kind,
    booking_people::kek_id,
    booking_people::wrapped_key,
);

fn read((organization, booking, kind, kek_id, bytes): Row) -> Result<KeyOfRow> {
    Ok(KeyOfRow {
        organization: OrganizationId::from_uuid(organization),
        booking: BookingId::from_uuid(booking),
        kind: word("booking_people.kind", &kind)?,
        key: WrappedKey { kek_id, bytes: bytes.unwrap_or_default() },
    })
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
    let rows: Vec<Row> = booking_people::table
        .filter(booking_people::wrapped_key.is_not_null())
        .filter(booking_people::kek_id.eq(kek_id))
        .select(COLUMNS)
        .limit(1)
        .load(connection)
        .await?;
    rows.into_iter().next().map(read).transpose()
}

/// Locks rows that another key wraps than this one. Runs in a transaction of the caller's.
#[boxed]
pub async fn lock_others(
    connection: &mut AsyncPgConnection,
    newest: &str,
    most: i64,
) -> Result<Vec<KeyOfRow>> {
    let rows: Vec<Row> = booking_people::table
        .filter(booking_people::wrapped_key.is_not_null())
        .filter(booking_people::kek_id.ne(newest))
        .select(COLUMNS)
        .limit(most)
        .for_update()
        .skip_locked()
        .load(connection)
        .await?;
    rows.into_iter().map(read).collect()
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
