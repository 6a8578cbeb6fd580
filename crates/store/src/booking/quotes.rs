//! Promised prices.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl, sql_types::Text,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;
use wayfare_domain::{BookingId, BookingRef, OrganizationId, ProductKind, QuoteId, UserId};

use crate::{
    StoreError,
    error::corrupt_json,
    kept_sql::kept_sql,
    row_value_in::row_value_in,
    schema::{bookings, quotes},
};

const BODY: &str = "quotes.body";
const CATALOG: &str = "quotes.catalog";

/// A promised price with its contents.
#[derive(Clone, Debug)]
pub struct Quote<C> {
    /// Its id.
    pub id: QuoteId,
    /// The agency.
    pub organization: OrganizationId,
    /// To whom it was promised.
    pub user: UserId,
    /// What was promised.
    pub content: C,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when, UTC.
    pub expires_at: DateTime<Utc>,
    /// The booking that uses it, also after its time is over.
    pub used_by: Option<BookingRef>,
}

/// Writes a new quote. Its catalog, JSON, is stored beside its content: it may be much, and few need it again
/// ([`catalog`]). Both are texts, since nobody looks into them here (D-300).
pub async fn insert<C: Serialize + Sync>(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    quote: &Quote<C>,
    catalog: Option<&str>,
) -> Result<(), StoreError> {
    let body = serde_json::to_string(&quote.content).map_err(corrupt_json(BODY))?;
    diesel::insert_into(quotes::table)
        .values((
            quotes::org_id.eq(quote.organization.uuid()),
            quotes::id.eq(quote.id.uuid()),
            quotes::user_id.eq(quote.user.uuid()),
            quotes::product.eq(product.as_ref()),
            quotes::body.eq(body),
            quotes::catalog.eq(catalog),
            quotes::created_at.eq(quote.created_at),
            quotes::expires_at.eq(quote.expires_at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// The quote that this user was promised; anybody else's is not found.
pub async fn find<C: DeserializeOwned>(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    product: ProductKind,
    id: QuoteId,
) -> Result<Option<Quote<C>>, StoreError> {
    type Row = (String, DateTime<Utc>, DateTime<Utc>, Option<String>);
    let row: Option<Row> = quotes::table
        .left_join(
            bookings::table.on(bookings::org_id
                .eq(quotes::org_id)
                .and(quotes::booking_id.eq(bookings::id.nullable()))),
        )
        .filter(
            quotes::org_id
                .eq(organization.uuid())
                .and(quotes::id.eq(id.uuid())),
        )
        .filter(
            quotes::user_id
                .eq(user.uuid())
                .and(quotes::product.eq(product.as_ref())),
        )
        .select((
            // A server of before has written all of it as `content`.
            kept_sql::<Text>("coalesce(quotes.body, quotes.content::text)"),
            quotes::created_at,
            quotes::expires_at,
            bookings::booking_ref.nullable(),
        ))
        .get_result(&mut connection)
        .await
        .optional()?;
    row.map(|(body, created_at, expires_at, used_by)| {
        Ok(Quote {
            id,
            organization,
            user,
            content: serde_json::from_str(&body).map_err(corrupt_json(BODY))?,
            created_at,
            expires_at,
            used_by: used_by.map(BookingRef::from),
        })
    })
    .transpose()
}

/// What was stored beside a quote; none of one that has nothing beside it, or was written by a server of before.
pub async fn catalog<T: DeserializeOwned>(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: QuoteId,
) -> Result<Option<T>, StoreError> {
    let stored: Option<Option<String>> = quotes::table
        .find((organization.uuid(), id.uuid()))
        .select(quotes::catalog)
        .first(connection)
        .await
        .optional()?;
    let read = |text: String| serde_json::from_str(&text).map_err(corrupt_json(CATALOG));
    stored.flatten().map(read).transpose()
}

/// Which of these quotes are used by which booking, locked until the transaction ends: a quote books once. One that
/// does not exist is not among them.
pub async fn lock_all(
    mut connection: &AsyncPgConnection,
    wanted: &[(OrganizationId, QuoteId)],
) -> Result<HashMap<QuoteId, Option<BookingId>>, StoreError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let organizations: Vec<Uuid> = wanted
        .iter()
        .map(|(organization, _)| organization.uuid())
        .collect();
    let ids: Vec<Uuid> = wanted.iter().map(|(_, quote)| quote.uuid()).collect();
    let rows: Vec<(Uuid, Option<Uuid>)> = quotes::table
        .filter(row_value_in::<diesel::sql_types::Uuid, _>(
            "quotes.org_id, quotes.id",
            organizations,
            ids,
        ))
        .order(quotes::id)
        .select((quotes::id, quotes::booking_id))
        .for_update()
        .load(&mut connection)
        .await?;
    let read = |(quote, booking): (Uuid, Option<Uuid>)| {
        (QuoteId::from_uuid(quote), booking.map(BookingId::from_uuid))
    };
    Ok(rows.into_iter().map(read).collect())
}
