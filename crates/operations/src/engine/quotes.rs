//! Quotes as they are bought, whatever was priced.

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use wayfare_domain::{OrganizationId, ProductKind, QuoteId};
use wayfare_store::{
    Database, StoreError,
    booking::quotes::{self, Quote, StoredQuote},
};

use crate::{Caller, Core, Engine, Error, Result, tools::group_read::GroupRead};

/// The quotes that are asked for at a moment, read together.
pub(crate) type StoredQuotes = GroupRead<(OrganizationId, QuoteId), StoredQuote>;

pub(crate) fn stored_quotes(database: &Database, runtime: &Handle) -> StoredQuotes {
    let database = database.clone();
    GroupRead::start(runtime, move |wanted: Vec<_>| {
        let database = database.clone();
        async move {
            let connection = database.connection_to_look_up().await?;
            quotes::find(&connection, &wanted).await
        }
    })
}

/// The caller's quote for this product.
///
/// # Errors
/// [`Error::NotFound`] for anybody else's; `over` for one that was written by a program of another version.
pub(crate) async fn find<C: DeserializeOwned>(
    engine: &Engine,
    caller: &Caller,
    product: ProductKind,
    id: QuoteId,
    over: Error,
) -> Result<Quote<C>> {
    let stored = stored(engine, caller, id).await?.ok_or(Error::NotFound)?;
    read(stored, caller, product, id, over)
}

/// The quote as it is stored, whoever in the caller's agency was promised it.
pub(crate) async fn stored(engine: &Engine, caller: &Caller, id: QuoteId) -> Result<Option<StoredQuote>> {
    engine.stored_quotes.get((caller.organization(), id)).await
}

/// The quote, as [`find`] has it.
///
/// # Errors
/// As [`find`].
pub(crate) fn read<C: DeserializeOwned>(
    stored: StoredQuote,
    caller: &Caller,
    product: ProductKind,
    id: QuoteId,
    over: Error,
) -> Result<Quote<C>> {
    readable(stored.read(caller.user(), product), id, over)?.ok_or(Error::NotFound)
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
    core: &Core,
    now: DateTime<Utc>,
    theirs: impl Iterator<Item = Option<DateTime<Utc>>>,
) -> DateTime<Utc> {
    theirs.flatten().fold(now + core.durations.quote_validity, DateTime::min)
}
