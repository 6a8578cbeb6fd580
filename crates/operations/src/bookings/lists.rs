//! Lists of bookings as their agency looks for them: by where they stand, by what they are called, by when they were asked for;
//! and how many there are.

use chrono::{Duration, NaiveDate};
use wayfare_domain::{
    BookingGroup, BookingId, BookingRef, BookingStatus, Faults, ListRequest, Page, Product,
};
use wayfare_store::{
    Connection,
    booking::{
        bookings::Booking,
        listing::{self, AttentionLimits, BookingCounts, BookingFilter},
    },
    statements::many_rows::read_many,
};

use crate::{Caller, Core, Engine, Result, people::sealed, tools::calendar::kept_days};

/// A hold needs somebody when it has to be paid within so many hours.
const HOLD_HOURS: i64 = 24;

/// A refund that its supplier refused needs somebody for so many days.
const REFUSED_DAYS: i64 = 14;

/// Which bookings; nothing means all (P-58).
#[derive(Clone, Debug, Default)]
pub struct BookingSearch {
    pub status: Option<BookingStatus>,
    pub group: Option<BookingGroup>,
    /// Those that this names: a reference, a locator, a supplier's id of an order, or a traveller as `LAST/FIRST`.
    pub text: Option<String>,
    /// The first day on which they were asked for, in the agency's calendar.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
}

/// A page of the caller's bookings of this product, newest first: two statements, up to four more for what is searched by name or
/// number, or needs somebody, and up to two for given days; [`holds`](crate::flights::holds) is up to three more for flights. One
/// whose people don't open is listed without them.
///
/// # Errors
/// [`crate::Error::Invalid`] when `from` is after `to`.
pub async fn list<P: Product>(
    engine: &Engine,
    caller: &Caller,
    search: &BookingSearch,
    request: impl Into<ListRequest>,
) -> Result<Page<Booking<P>>> {
    let mut faults = Faults::default();
    let mut connection = engine.core.database.connection().await?;
    let (days, clock) = ((search.from, search.to), (caller.time_zone(), engine.core.clock.now()));
    let (since, before) = kept_days(&mut connection, days, clock, &mut faults).await?;
    faults.or(())?;
    let named = match &search.text {
        Some(text) => Some(named(engine, &mut connection, caller, text.trim()).await?),
        None => None,
    };
    let grouped = match search.group {
        Some(BookingGroup::NeedsAttention) => Some(needing(&engine.core, &mut connection, caller).await?),
        Some(BookingGroup::OnHold) => Some(listing::held(&mut connection, caller.organization()).await?),
        Some(BookingGroup::Upcoming | BookingGroup::Past | BookingGroup::Ended) | None => None,
    };
    let filter = BookingFilter {
        status: search.status,
        group: search.group,
        only: both(named, grouped),
        since,
        before,
    };
    let now = engine.core.shared_time.now();
    let page = listing::list(&mut connection, P::KIND, caller.scope(), &filter, now, request).await?;
    drop(connection);
    let Page { items, request, total } = page;
    let items = items.into_iter().map(|stored| sealed::open_if_it_opens(&engine.core, stored));
    Ok(Page { items: items.collect::<Result<_>>()?, request, total })
}

/// What is in both, where both say something.
fn both(one: Option<Vec<BookingId>>, other: Option<Vec<BookingId>>) -> Option<Vec<BookingId>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.retain(|id| other.contains(id));
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// How many bookings of this product the caller has, by where they stand: two statements.
pub async fn counts<P: Product>(core: &Core, caller: &Caller) -> Result<BookingCounts> {
    let mut connection = core.database.connection().await?;
    let needing = needing(core, &mut connection, caller).await?;
    let now = core.shared_time.now();
    Ok(listing::counts(&mut connection, P::KIND, caller.scope(), &needing, now).await?)
}

async fn needing(core: &Core, connection: &mut Connection, caller: &Caller) -> Result<Vec<BookingId>> {
    let now = core.shared_time.now();
    let limits = AttentionLimits {
        pay_by: now + Duration::hours(HOLD_HOURS),
        refused_since: now - Duration::days(REFUSED_DAYS),
    };
    Ok(listing::needing_attention(connection, caller.organization(), limits).await?)
}

fn is_name(text: &str) -> bool {
    text.contains(char::is_alphabetic) && !text.contains(char::is_numeric)
}

/// The bookings of the caller's agency that a text names: exactly, and nothing that only resembles it.
async fn named(
    engine: &Engine,
    connection: &mut Connection,
    caller: &Caller,
    text: &str,
) -> Result<Vec<BookingId>> {
    let organization = caller.organization();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(reference) = BookingRef::parse(text) {
        return Ok(listing::of_reference(connection, organization, &reference).await?);
    }
    // Letters alone may be the only name that somebody has, or a locator.
    let keys = is_name(text).then(|| sealed::full_name_keys(&engine.core, text));
    let is_number = !text.contains('/') || keys.is_none();
    let suppliers: Vec<String> = engine.suppliers.permit_use().into_keys().map(str::to_owned).collect();
    let mut search = connection.build_transaction().read_only();
    search
        .run(async |connection| {
            read_many(connection).await?;
            let found = match is_number {
                true => listing::of_number(connection, organization, text, &suppliers).await?,
                false => Vec::new(),
            };
            Ok(match &keys {
                Some(keys) if found.is_empty() => listing::of_name(connection, organization, keys).await?,
                _ => found,
            })
        })
        .await
}
