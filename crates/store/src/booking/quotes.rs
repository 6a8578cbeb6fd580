//! Promised prices.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension,
    QueryDsl,
    sql_types::{Nullable, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;
use wayfare_domain::{BookingId, BookingRef, OrganizationId, ProductKind, QuoteId, UserId};

use crate::{
    Result,
    error::corrupt_json,
    schema::{bookings, quotes},
    statements::{
        Write as _,
        kept_sql::kept_sql,
        row_value_in::{ids_in, pairs_in},
    },
};

/// What the agency of a quote has set under this key.
macro_rules! set_to {
    ($key:literal) => {
        concat!("(select s.value from settings s where s.org_id = quotes.org_id and s.key = '", $key, "')")
    };
}

const BODY: &str = "quotes.body";
const CATALOG: &str = "quotes.catalog";

/// A promised price with its contents.
#[derive(Clone, Debug)]
pub struct Quote<C> {
    pub id: QuoteId,
    pub organization: OrganizationId,
    pub user: UserId,
    pub content: C,
    pub created_at: DateTime<Utc>,
    /// Until when, UTC.
    pub expires_at: DateTime<Utc>,
    /// The booking that uses it, also after its time is over.
    pub used_by: Option<BookingRef>,
}

/// Writes a new quote. Its catalog, JSON, is stored beside its content: it may be much, and few need it again
/// ([`catalog`]). Both are texts, since nobody looks into them here.
pub async fn insert<C: Serialize + Sync>(
    connection: &mut AsyncPgConnection,
    product: ProductKind,
    quote: &Quote<C>,
    catalog: Option<&str>,
) -> Result<()> {
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
        .write(connection)
        .await
}

/// A quote as it is stored, with what its agency has set of bookings.
#[derive(Clone)]
pub struct StoredQuote {
    id: QuoteId,
    organization: OrganizationId,
    user: UserId,
    product: String,
    body: String,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    used_by: Option<BookingRef>,
    /// `ticket_password_enabled`.
    pub ticket_password_enabled: Option<String>,
    /// `book_mode`.
    pub book_mode: Option<String>,
}

impl StoredQuote {
    /// The quote, if this user was promised it, for this product; anybody else's is not found.
    ///
    /// # Errors
    /// [`crate::StoreError::Corrupt`] when its content can't be read.
    pub fn read<C: DeserializeOwned>(self, user: UserId, product: ProductKind) -> Result<Option<Quote<C>>> {
        if self.user != user || self.product != product.as_ref() {
            return Ok(None);
        }
        Ok(Some(Quote {
            id: self.id,
            organization: self.organization,
            user: self.user,
            content: serde_json::from_str(&self.body).map_err(corrupt_json(BODY))?,
            created_at: self.created_at,
            expires_at: self.expires_at,
            used_by: self.used_by,
        }))
    }
}

/// These quotes of agencies, as far as they exist.
#[boxed]
pub async fn find(
    mut connection: &AsyncPgConnection,
    wanted: &[(OrganizationId, QuoteId)],
) -> Result<HashMap<(OrganizationId, QuoteId), StoredQuote>> {
    type Row = (
        (Uuid, Uuid, Uuid, String),
        (String, DateTime<Utc>, DateTime<Utc>, Option<String>),
        (Option<String>, Option<String>),
    );
    let organizations = wanted.iter().map(|(organization, _)| organization.uuid());
    let ids = wanted.iter().map(|(_, quote)| quote.uuid());
    let rows: Vec<Row> = quotes::table
        .left_join(
            bookings::table
                .on(bookings::org_id.eq(quotes::org_id).and(quotes::booking_id.eq(bookings::id.nullable()))),
        )
        .filter(ids_in("quotes.org_id, quotes.id", [organizations.collect(), ids.collect()]))
        .select((
            (quotes::org_id, quotes::id, quotes::user_id, quotes::product),
            (
                // A server of before has written all of it as `content`.
                kept_sql::<Text>("coalesce(quotes.body, quotes.content::text)"),
                quotes::created_at,
                quotes::expires_at,
                bookings::booking_ref.nullable(),
            ),
            (
                kept_sql::<Nullable<Text>>(set_to!("ticket_password_enabled")),
                kept_sql::<Nullable<Text>>(set_to!("book_mode")),
            ),
        ))
        .load(&mut connection)
        .await?;
    let read = |((organization, id, user, product), quoted, (ticket_password_enabled, book_mode)): Row| {
        let (body, created_at, expires_at, used_by) = quoted;
        let (organization, id) = (OrganizationId::from_uuid(organization), QuoteId::from_uuid(id));
        let stored = StoredQuote {
            id,
            organization,
            user: UserId::from_uuid(user),
            product,
            body,
            created_at,
            expires_at,
            used_by: used_by.map(BookingRef::from),
            ticket_password_enabled,
            book_mode,
        };
        ((organization, id), stored)
    };
    Ok(rows.into_iter().map(read).collect())
}

/// What was stored beside a quote; none of one that has nothing beside it, or was written by a server of before.
pub async fn catalog<T: DeserializeOwned>(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: QuoteId,
) -> Result<Option<T>> {
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
#[boxed]
pub async fn lock_all(
    mut connection: &AsyncPgConnection,
    wanted: &[(OrganizationId, QuoteId)],
) -> Result<HashMap<QuoteId, Option<BookingId>>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(Uuid, Option<Uuid>)> = quotes::table
        .filter(pairs_in("quotes.org_id, quotes.id", wanted))
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
