//! Quotes as they are bought, whatever was priced.

use chrono::{DateTime, Utc};
use diesel_async::AsyncPgConnection;
use serde::de::DeserializeOwned;
use wayfare_domain::{ProductKind, QuoteId};
use wayfare_store::{
    StoreError,
    booking::quotes::{self, Quote},
};

use crate::{Caller, Error, Platform, Result};

/// The caller's quote for this product.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's; `over` for one that was written by a program of another version.
pub(crate) async fn find<C: DeserializeOwned>(
    platform: &Platform,
    caller: &Caller,
    product: ProductKind,
    id: QuoteId,
    over: Error,
) -> Result<Quote<C>> {
    let connection = platform.database.connection().await?;
    find_on(&connection, caller, product, id, over).await
}

/// The same, among other questions of one round trip.
///
/// # Errors
/// As [`find`].
pub(crate) async fn find_on<C: DeserializeOwned>(
    connection: &AsyncPgConnection,
    caller: &Caller,
    product: ProductKind,
    id: QuoteId,
    over: Error,
) -> Result<Quote<C>> {
    let (organization, user) = (caller.organization(), caller.user());
    let quote = quotes::find(connection, organization, user, product, id).await;
    readable(quote, id, over)?.ok_or(Error::NotFound)
}

/// What was read of a quote.
///
/// # Errors
/// `over` for what a program of another version wrote.
pub(crate) fn readable<T>(read: Result<T, StoreError>, id: QuoteId, over: Error) -> Result<T> {
    match read {
        // It would have ended within minutes anyway.
        Err(error @ StoreError::Corrupt { .. }) => {
            tracing::warn!(%error, quote = %id, "a quote can't be read any more");
            Err(over)
        }
        read => Ok(read?),
    }
}

/// When a quote of now ends: our validity, never longer than the supplier's own.
pub(crate) fn expiry(
    platform: &Platform,
    now: DateTime<Utc>,
    theirs: impl Iterator<Item = Option<DateTime<Utc>>>,
) -> DateTime<Utc> {
    theirs
        .flatten()
        .fold(now + platform.durations.quote_validity, DateTime::min)
}
