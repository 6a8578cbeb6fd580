//! Whom bookings are for, sealed: rows that only the keys of people open. Nothing here can read them.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{
    BookingId, BookingRef, OrganizationId, ProductKind, SealedKind, StepId, SupplierAnswerId,
};

use crate::{
    Result,
    error::word,
    schema::{booking_names, booking_people, bookings, people_erasures, supplier_answers},
    statements::{Write as _, by_name, statement, stored, values},
};

/// A data key as it is stored: wrapped under a key that the database does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrappedKey {
    /// Names the key that it is wrapped under.
    pub kek_id: String,
    pub bytes: Vec<u8>,
}

/// A sealed row of a booking.
#[derive(Clone, Debug)]
pub struct SealedRow {
    /// Its key and what it holds; none when it is erased.
    pub content: Option<(WrappedKey, Vec<u8>)>,
    pub erased_at: Option<DateTime<Utc>>,
}

/// A row that is to be written with its booking.
#[derive(Clone, Debug)]
pub struct NewSealedRow {
    pub kind: SealedKind,
    pub key: WrappedKey,
    /// What it holds; none of [`SealedKind::AnswerKey`].
    pub sealed: Option<Vec<u8>>,
    pub sealed_at: DateTime<Utc>,
    pub ends_on: NaiveDate,
    /// How many days after it is kept, where the agency has not said so.
    pub kept_days: u16,
}

/// What is to be written of a booking's people, with it.
#[derive(Clone, Debug, Default)]
pub struct NewPeople {
    pub rows: Vec<NewSealedRow>,
    /// Keyed hashes of the names, each once.
    pub names: Vec<[u8; 32]>,
}

/// A supplier's answer about an order, sealed.
#[derive(Clone, Debug)]
pub struct NewSupplierAnswer {
    /// Its id, which is sealed with it.
    pub id: SupplierAnswerId,
    pub sealed: Arc<[u8]>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = booking_people, check_for_backend(diesel::pg::Pg))]
pub(super) struct Row {
    kek_id: String,
    wrapped_key: Option<Vec<u8>>,
    sealed: Option<Vec<u8>>,
    erased_at: Option<DateTime<Utc>>,
}

impl From<Row> for SealedRow {
    fn from(row: Row) -> Self {
        let kek_id = row.kek_id;
        let key = row.wrapped_key.map(|bytes| WrappedKey { kek_id, bytes });
        Self { content: key.map(|key| (key, row.sealed.unwrap_or_default())), erased_at: row.erased_at }
    }
}

/// The sealed rows of a booking; none of one that was written before people were sealed, and not yet converted.
#[boxed]
pub async fn of(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<(SealedKind, SealedRow)>> {
    let rows: Vec<(String, Row)> = booking_people::table
        .filter(booking_people::org_id.eq(organization.uuid()))
        .filter(booking_people::booking_id.eq(booking.uuid()))
        .select((booking_people::kind, Row::as_select()))
        .load(&mut connection)
        .await?;
    rows.into_iter().map(|(kind, row)| Ok((word("booking_people.kind", &kind)?, row.into()))).collect()
}

/// What was bought, as it stands there, and of which kind it is.
///
/// # Errors
/// When there is no such booking.
#[boxed]
pub async fn product(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<(ProductKind, Value)> {
    let (kind, product): (String, Value) = bookings::table
        .find((organization.uuid(), id.uuid()))
        .select((bookings::product, bookings::product_content))
        .first(connection)
        .await?;
    Ok((word("bookings.product", &kind)?, product))
}

/// Its row of this kind, if it has one.
#[boxed]
pub async fn row(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    kind: SealedKind,
) -> Result<Option<SealedRow>> {
    let row: Option<Row> = booking_people::table
        .find((organization.uuid(), booking.uuid(), kind.as_ref()))
        .select(Row::as_select())
        .first(&mut connection)
        .await
        .optional()?;
    Ok(row.map(SealedRow::from))
}

/// The booking of this reference with its row of this kind.
#[boxed]
pub async fn of_reference(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    reference: &BookingRef,
    kind: SealedKind,
) -> Result<Option<(BookingId, SealedRow)>> {
    let row: Option<(Uuid, Row)> =
        booking_people::table
            .inner_join(bookings::table.on(
                bookings::org_id.eq(booking_people::org_id).and(bookings::id.eq(booking_people::booking_id)),
            ))
            .filter(bookings::org_id.eq(organization.uuid()))
            .filter(bookings::booking_ref.eq(reference.as_ref()))
            .filter(booking_people::kind.eq(kind.as_ref()))
            .select((bookings::id, Row::as_select()))
            .first(connection)
            .await
            .optional()?;
    Ok(row.map(|(booking, row)| (BookingId::from_uuid(booking), row.into())))
}

stored! {
    /// A supplier's answer as it is stored.
    #[derive(Clone, Debug)]
    pub struct SupplierAnswer of supplier_answers {
        pub id: SupplierAnswerId,
        pub number: u16,
        /// The step that it was the answer to; none where the order was only polled.
        pub step: Option<StepId> = effect_id,
        /// When the supplier said so, UTC.
        pub at: DateTime<Utc>,
        pub sealed: Vec<u8>,
    }
}

/// What suppliers said of a booking's orders, in order of time.
#[boxed]
pub async fn answers(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<SupplierAnswer>> {
    Ok(supplier_answers::table
        .filter(supplier_answers::org_id.eq(organization.uuid()))
        .filter(supplier_answers::booking_id.eq(booking.uuid()))
        .order((supplier_answers::at, supplier_answers::id))
        .select(SupplierAnswer::as_select())
        .load(connection)
        .await?)
}

/// Removes this order's answers to polls, but for the newest: what steps were answered stays.
#[boxed]
pub async fn trim_answers(
    connection: &mut AsyncPgConnection,
    (organization, booking, number): (OrganizationId, BookingId, u16),
    most: i64,
) -> Result<()> {
    let from_polls = || {
        supplier_answers::table
            .filter(supplier_answers::org_id.eq(organization.uuid()))
            .filter(supplier_answers::booking_id.eq(booking.uuid()))
            .filter(supplier_answers::number.eq(i16::try_from(number).unwrap_or(i16::MAX)))
            .filter(supplier_answers::effect_id.is_null())
    };
    let old: Vec<Uuid> = from_polls()
        .order(supplier_answers::at.desc())
        .offset(most)
        .select(supplier_answers::id)
        .load(connection)
        .await?;
    if !old.is_empty() {
        diesel::delete(from_polls().filter(supplier_answers::id.eq_any(old))).execute(connection).await?;
    }
    Ok(())
}

by_name! {
    /// Why a booking's people can't be erased yet.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Unsettled {
        pub step: bool,
        pub refund: bool,
        pub incident: bool,
    }
}

/// What of a booking is not settled, whose row is locked.
#[boxed]
pub async fn unsettled(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Unsettled> {
    let query = "select \
        exists (select from effects where org_id = $1 and booking_id = $2 and state in ('planned', 'open')) as step, \
        exists (select from refunds where org_id = $1 and booking_id = $2 and status in ('pending', 'processing')) as refund, \
        exists (select from exceptions where org_id = $1 and booking_id = $2 and closed_at is null) as incident";
    Ok(statement(query, (organization, booking)).get_result(connection).await?)
}

/// Destroys the data keys of a booking's sealed rows of these kinds. With the names go the hashes by which they are found, with
/// the key of answers the answers. Returns the kinds that had not been erased before.
#[boxed]
pub async fn erase(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    kinds: &[SealedKind],
    at: DateTime<Utc>,
) -> Result<Vec<SealedKind>> {
    let words: Vec<&str> = kinds.iter().map(|kind| kind.as_ref()).collect();
    let rows = booking_people::table
        .filter(booking_people::org_id.eq(organization.uuid()))
        .filter(booking_people::booking_id.eq(booking.uuid()))
        .filter(booking_people::kind.eq_any(words))
        .filter(booking_people::erased_at.is_null());
    let erased: Vec<String> = diesel::update(rows)
        .set((
            booking_people::wrapped_key.eq(None::<Vec<u8>>),
            booking_people::sealed.eq(None::<Vec<u8>>),
            booking_people::erased_at.eq(at),
        ))
        .returning(booking_people::kind)
        .get_results(connection)
        .await?;
    let erased: Vec<SealedKind> =
        erased.iter().map(|kind| word("booking_people.kind", kind)).collect::<Result<_, _>>()?;
    let rows: Vec<_> = erased
        .iter()
        .map(|kind| {
            (
                people_erasures::org_id.eq(organization.uuid()),
                people_erasures::booking_id.eq(booking.uuid()),
                people_erasures::kind.eq(kind.as_ref()),
                people_erasures::at.eq(at),
            )
        })
        .collect();
    diesel::insert_into(people_erasures::table)
        .values(rows)
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    if erased.contains(&SealedKind::People) {
        forget_names(connection, organization, booking).await?;
    }
    if erased.contains(&SealedKind::AnswerKey) {
        forget_answers(connection, organization, booking).await?;
    }
    Ok(erased)
}

/// Bookings whose people can be read, after this one, in order of their ids.
#[boxed]
pub async fn readable_after(
    connection: &mut AsyncPgConnection,
    after: Option<BookingId>,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId, ProductKind)>> {
    let after = after.map_or(uuid::Uuid::nil(), BookingId::uuid);
    let rows: Vec<(Uuid, Uuid, String)> =
        booking_people::table
            .inner_join(bookings::table.on(
                bookings::org_id.eq(booking_people::org_id).and(bookings::id.eq(booking_people::booking_id)),
            ))
            .filter(booking_people::booking_id.gt(after))
            .filter(booking_people::kind.eq(SealedKind::People.as_ref()))
            .filter(booking_people::wrapped_key.is_not_null())
            .order(booking_people::booking_id)
            .limit(most)
            .select((booking_people::org_id, booking_people::booking_id, bookings::product))
            .load(connection)
            .await?;
    rows.into_iter()
        .map(|(organization, booking, kind)| {
            let kind = word("bookings.product", &kind)?;
            Ok((OrganizationId::from_uuid(organization), BookingId::from_uuid(booking), kind))
        })
        .collect()
}

/// Adds keyed hashes by which a booking is found, unless its people were erased meanwhile.
#[boxed]
pub async fn add_names(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    names: &[[u8; 32]],
) -> Result<()> {
    let keys: Vec<&[u8]> = names.iter().map(<[u8; 32]>::as_slice).collect();
    // The row of its people is locked as erasure changes it: whoever comes second sees what the first has done.
    statement(
        "with readable as (select p.booking_id, p.org_id from booking_people p where p.booking_id = $1 and p.org_id = $2
             and p.kind = 'people' and p.wrapped_key is not null for update)
         insert into booking_names (org_id, booking_id, name_key)
         select r.org_id, r.booking_id, k from readable r cross join unnest($3::bytea[]) as k on conflict do nothing",
        (booking, organization, keys),
    )
    .write(connection)
    .await
}

async fn forget_names(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<()> {
    let names = booking_names::table
        .filter(booking_names::org_id.eq(organization.uuid()))
        .filter(booking_names::booking_id.eq(booking.uuid()));
    diesel::delete(names).execute(connection).await?;
    diesel::update(bookings::table.find((organization.uuid(), booking.uuid())))
        .set((bookings::fingerprint.eq(None::<Vec<u8>>), bookings::name_fingerprint.eq(None::<Vec<u8>>)))
        .write(connection)
        .await
}

async fn forget_answers(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<()> {
    let answers = supplier_answers::table
        .filter(supplier_answers::org_id.eq(organization.uuid()))
        .filter(supplier_answers::booking_id.eq(booking.uuid()));
    diesel::delete(answers).execute(connection).await?;
    let forget = "update idempotency_keys k set answer = null, sealed_answer = null from bookings b \
        where b.org_id = $1 and b.id = $2 and k.org_id = b.org_id and k.booking_ref = b.booking_ref \
        and k.user_id in (select u.id from users u where u.org_id = b.org_id)";
    statement(forget, (organization, booking)).write(connection).await
}

/// Rows whose time is over, of bookings that are settled, the longest overdue first.
#[boxed]
pub async fn due(
    connection: &mut AsyncPgConnection,
    today: NaiveDate,
    most: i64,
) -> Result<Vec<(OrganizationId, BookingId, SealedKind)>> {
    let query = "select p.org_id, p.booking_id, p.kind from booking_people p \
        where p.erased_at is null and p.erase_after < $1 \
        and not exists (select from effects e where e.org_id = p.org_id and e.booking_id = p.booking_id \
        and e.state in ('planned', 'open')) \
        and not exists (select from refunds r where r.org_id = p.org_id and r.booking_id = p.booking_id \
        and r.status in ('pending', 'processing')) \
        and not exists (select from exceptions x where x.org_id = p.org_id and x.booking_id = p.booking_id \
        and x.closed_at is null) order by p.erase_after limit $2";
    Ok(values(statement(query, (today, most)).load(connection).await?))
}

stored! {
    /// One erasure, as it is written down.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Erasure of people_erasures {
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        pub kind: SealedKind,
        pub at: DateTime<Utc>,
    }
}

/// Everything that was erased, the oldest first.
#[boxed]
pub async fn erasures(connection: &mut AsyncPgConnection) -> Result<Vec<Erasure>> {
    Ok(people_erasures::table
        .order((people_erasures::at, people_erasures::booking_id))
        .select(Erasure::as_select())
        .load(connection)
        .await?)
}
